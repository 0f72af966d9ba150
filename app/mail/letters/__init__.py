"""The writers of letters, one module a subject."""
