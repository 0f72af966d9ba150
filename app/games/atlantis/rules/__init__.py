"""The rules: set-up, legal moves, refusals, the effects of moves, the final crossing and the score."""
