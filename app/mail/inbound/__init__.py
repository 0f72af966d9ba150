"""Mail in: kept first, then read."""
