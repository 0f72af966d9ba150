"""The rules: setting up, what may be done, what it does, how it ends."""
