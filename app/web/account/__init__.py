"""The player's own pages: sign-in, profile, email settings and absences."""
