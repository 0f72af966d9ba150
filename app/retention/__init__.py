"""How long everything is kept, and the sweep by which what is old goes in small steps."""
