"""The pages of a running or finished match."""
