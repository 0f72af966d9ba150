"""The law of clocks. Pure: moments and rules in, deadlines out."""
