"""The mail catcher of `serve`: takes every letter and shows it on a page."""
