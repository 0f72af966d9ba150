"""People as a whole, through all tables: find, bar, merge, export and delete them."""
