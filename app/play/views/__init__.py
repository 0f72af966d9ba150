"""Reading matches: one viewer's view, lists, what waits, feeds, talk."""
