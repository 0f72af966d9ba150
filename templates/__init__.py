"""The templates, as a package, so that an installed Tidepost finds them."""
