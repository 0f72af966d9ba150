"""What time brings about: reminders, timeouts, pauses, absences, outages."""
