"""The mail catcher of `serve`: it accepts every letter and shows it on a page."""
