"""Consequences of time: reminders, timeouts, pauses, absences, nudges, outages, and the sweep for them."""
