"""Requests counted and timed for `/metrics`, where anything is counted at all."""

import time

from flask import Flask, Response, g

from app import metrics


def install(app: Flask) -> None:
    """Count every answer by its status, and measure how long it took to make."""
    if not metrics.is_on():
        return

    @app.before_request
    def begun() -> None:
        g.begun = time.perf_counter()

    @app.after_request
    def done(response: Response) -> Response:
        metrics.count("pages", str(response.status_code))
        if "begun" in g:
            metrics.lasted("page_seconds", time.perf_counter() - g.begun)
        return response
