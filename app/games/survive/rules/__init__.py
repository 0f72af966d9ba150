"""The rules by phase. Each module lists what its phase allows and does what was chosen."""
