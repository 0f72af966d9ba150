"""The measured application: the pages, and their limits, an empty view and a bare turn."""

# ruff: noqa: S608 - only the driver's placeholder is formatted into the statements

import os
import sqlite3
import threading
from typing import Any

import psycopg
from flask import Flask, redirect, request
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.wrappers import Response

from app import settings
from app.store.session import Store, durability
from app.store.wakeup import WakeUp
from app.web import create_app

TABLES = (
    """CREATE TABLE bare (id INTEGER PRIMARY KEY, ply INTEGER NOT NULL, state TEXT NOT NULL,
                           told TEXT NOT NULL)""",
    "CREATE TABLE bare_log (id INTEGER, ply INTEGER, move TEXT, told TEXT, PRIMARY KEY (id, ply))",
    "CREATE TABLE bare_letter (id TEXT PRIMARY KEY, kind TEXT NOT NULL)",
)
"""`told` is what the last move of the real match wrote, so that the log's row has the same bytes."""


def site() -> Any:
    """The WSGI application, one per server process: the web as it is deployed, its bell included."""
    read = settings.read()
    store = Store(read.database_url, WakeUp(read.broker_url, read.data_dir))
    return DispatcherMiddleware(create_app(read, store), {"/bare": bare(read.database_url)})


def bare(url: str) -> Flask:
    """A view that returns nothing, and a turn as lean as this server, driver and database allow.

    The turn reads a form and one row, writes three, commits as durably as the store does, and redirects.
    """
    app = Flask("bare")
    sqlite = url.startswith("sqlite")
    mark = "?" if sqlite else "%s"
    read = f"SELECT ply, state, told FROM bare WHERE id = {mark}"
    update = f"UPDATE bare SET ply = {mark}, state = {mark} WHERE id = {mark} AND ply = {mark}"
    log = f"INSERT INTO bare_log VALUES ({mark}, {mark}, {mark}, {mark})"
    letter = f"INSERT INTO bare_letter VALUES ({mark}, {mark})"
    mine = threading.local()

    def cursor() -> Any:
        """The cursor of this thread's one connection."""
        if not hasattr(mine, "connection"):
            mine.connection = _sqlite(url) if sqlite else psycopg.connect(url, autocommit=True)
            mine.cursor = mine.connection.cursor()
        return mine.cursor

    @app.get("/empty")
    def empty() -> str:
        return ""

    @app.post("/turn/<int:number>")
    def turn(number: int) -> Response:
        move = request.form["answer"]
        execute = cursor().execute
        execute("BEGIN IMMEDIATE" if sqlite else "BEGIN")
        execute(read, (number,))
        ply, state, told = mine.cursor.fetchone()
        execute(update, (ply + 1, state, number, ply))
        execute(log, (number, ply, move, told))
        execute(letter, (os.urandom(16).hex(), "asked"))
        execute("COMMIT")
        return redirect(f"/bare/empty?{number}", 303)

    return app


def _sqlite(url: str) -> sqlite3.Connection:
    connection = sqlite3.connect(url.removeprefix("sqlite:///"), timeout=10, isolation_level=None)
    for pragma in durability():
        connection.execute(f"PRAGMA {pragma}")
    return connection
