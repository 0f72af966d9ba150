"""The measured application: the pages and their limits, an empty Flask view and a bare turn."""

# ruff: noqa: S608 - only the driver's placeholder is formatted into the statements

import os
from typing import Any

from flask import Flask
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from app import settings
from app.store.session import Store
from app.web import create_app

TABLE = "CREATE TABLE IF NOT EXISTS bare (id INTEGER PRIMARY KEY, ply INTEGER NOT NULL, state TEXT NOT NULL)"
LOG = "CREATE TABLE IF NOT EXISTS bare_log (id INTEGER, ply INTEGER, move TEXT, PRIMARY KEY (id, ply))"
LETTERS = "CREATE TABLE IF NOT EXISTS bare_letter (id TEXT PRIMARY KEY, kind TEXT NOT NULL)"


def site() -> Any:
    """The WSGI application, one per server process."""
    read = settings.read()
    store = Store(read.database_url)
    return DispatcherMiddleware(create_app(read, store), {"/bare": bare(store)})


def bare(store: Store) -> Flask:
    """The limits: a view that returns nothing, and a transaction with one read and three writes."""
    app = Flask("bare")
    sqlite = store.engine.dialect.name == "sqlite"
    mark = "?" if sqlite else "%s"

    @app.get("/empty")
    def empty() -> str:
        return ""

    @app.post("/turn/<int:number>")
    def turn(number: int) -> str:
        connection = store.engine.raw_connection()
        cursor = connection.cursor()
        if sqlite:
            cursor.execute("BEGIN IMMEDIATE")
        cursor.execute(f"SELECT ply, state FROM bare WHERE id = {mark}", (number,))
        ply, state = cursor.fetchall()[0]
        cursor.execute(
            f"UPDATE bare SET ply = {mark}, state = {mark} WHERE id = {mark} AND ply = {mark}",
            (ply + 1, state, number, ply),
        )
        cursor.execute(f"INSERT INTO bare_log VALUES ({mark}, {mark}, {mark})", (number, ply, "sink F5"))
        cursor.execute(f"INSERT INTO bare_letter VALUES ({mark}, {mark})", (os.urandom(8).hex(), "asked"))
        cursor.execute("COMMIT")
        connection.close()
        return ""

    return app
