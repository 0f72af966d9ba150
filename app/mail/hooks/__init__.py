"""Webhooks: what they are asked to tell, in which words and forms, and the rounds in which it is sent."""
