"""The kinds of letters and their writers, one module for each subject."""
