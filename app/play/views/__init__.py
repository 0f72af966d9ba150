"""Reading matches: one viewer's view, lists, open turns, feeds."""
