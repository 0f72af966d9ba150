"""The decision whether and when a letter goes."""
