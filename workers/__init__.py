"""Celery tasks: a few lines each, which call the functions that do the work. They don't import Flask."""
