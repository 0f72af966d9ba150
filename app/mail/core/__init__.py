"""What every letter needs: its context, its record, its addresses."""
