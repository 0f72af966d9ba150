"""The one door: everything that happens to a match happens here, whoever asked for it and by whatever way."""
