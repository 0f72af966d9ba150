"""Whole games as people play them: real web, real worker, real mail server."""
