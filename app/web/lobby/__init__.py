"""The first page, matches before their start, and the rules pages."""
