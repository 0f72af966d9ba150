"""One match as stored: its snapshot, its lock, its log, its notices and its clocks."""
