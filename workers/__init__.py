"""The Celery side: a few lines a task, no business, no Flask."""
