"""The mail catcher: it accepts every letter, keeps it in a folder and shows it on a local page.

It is for trying the server without a mail system. Letters have links that act, so it answers only on
127.0.0.1 and under that name (another site could point a name of its own here), and not beside a real mail
server.
"""

import base64
import re
import secrets
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from aiosmtpd.controller import Controller
from flask import Flask, Response, abort, redirect, render_template, request
from werkzeug.serving import WSGIRequestHandler, make_server
from werkzeug.wrappers import Response as Answer

from app import clock, data_folder, templating
from app.catcher import reply_box
from app.mail.outbound import smtp
from app.settings import BadSettings, Keep, Settings

HOST = "127.0.0.1"
SHOWN = 200
"""Letters on the list."""
NAME = re.compile(r"[0-9]{20}-[0-9a-f]{8}")
CID = re.compile(r"""cid:([^"'\s)>]+)""")
BIGGEST = 10_000_000
LOOK_EVERY = 3600.0
"""Seconds between two searches for old letters; there is one at the start too."""
FORGOTTEN = 1000
KEPT = timedelta(days=Keep().mails)
LIVE = (Path(__file__).parent / "live.js").read_text()
"""The script by which the list and a reply's page look for new letters."""


class Caught(msgspec.Struct, frozen=True):
    """One letter as the pages show it."""

    name: str
    to: str
    sender: str
    subject: str
    at: datetime | None
    message: EmailMessage

    def part(self, kind: str) -> str:
        """The text of its part of that kind, or an empty one."""
        body = self.message.get_body((kind,))
        return str(body.get_content()) if body is not None else ""


class Sink:
    """The handler of aiosmtpd: it writes letters into a folder."""

    def __init__(self, folder: Path, kept: timedelta = KEPT) -> None:
        """`kept`: for how long letters are kept."""
        self.folder = folder
        self._kept = kept
        self._looked = 0.0
        data_folder.private(folder)
        self._forget()

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's
        """Keep the letter, whole or not at all."""
        name = f"{time.time_ns():020}-{secrets.token_hex(4)}"
        hidden = self.folder / f".{name}"
        hidden.write_bytes(envelope.original_content)
        hidden.replace(self.folder / f"{name}.eml")
        if time.monotonic() - self._looked > LOOK_EVERY:
            self._forget()
        return "250 Kept"

    def _forget(self) -> None:
        """Delete letters that are old enough, FORGOTTEN at a time."""
        self._looked = time.monotonic()
        before = f"{int((clock.now() - self._kept).timestamp() * 1e9):020}"
        old = sorted(file for file in self.folder.glob("*.eml") if NAME.fullmatch(file.stem))
        for file in old[:FORGOTTEN]:
            if file.stem < before:
                file.unlink(missing_ok=True)


def listen(folder: Path, port: int, kept: timedelta = KEPT) -> Controller:
    """A started mail server on 127.0.0.1 that keeps letters for a while. Raises OSError for a port in use."""
    server = Controller(Sink(folder, kept), hostname=HOST, port=port, data_size_limit=BIGGEST)
    server.start()
    return server


def read(folder: Path, name: str) -> Caught | None:
    """The letter of that name, or None."""
    file = folder / f"{name}.eml"
    if not NAME.fullmatch(name) or not file.exists():
        return None
    message = message_from_bytes(file.read_bytes(), policy=policy.default)
    date = message["Date"]
    return Caught(
        name,
        str(message["To"] or ""),
        str(message["From"] or ""),
        str(message["Subject"] or ""),
        date.datetime if date is not None else None,
        message,
    )


def newest(folder: Path, most: int = SHOWN, to: str = "") -> list[Caught]:
    """The latest letters, the newest first; with `to` those to one address."""
    names = (name for name in _names(folder) if to in ("", _addressee(folder, name)))
    found = (read(folder, name) for name in islice(names, most))
    return [caught for caught in found if caught is not None]


def everybody(folder: Path) -> list[str]:
    """The addresses that letters went to, however long ago."""
    return sorted({_addressee(folder, name) for name in _names(folder)} - {""})


def _names(folder: Path) -> list[str]:
    return sorted((path.stem for path in folder.glob("*.eml") if NAME.fullmatch(path.stem)), reverse=True)


@lru_cache(maxsize=50_000)
def _addressee(folder: Path, name: str) -> str:
    """The address of a letter, which never changes; empty if it is gone."""
    try:
        with (folder / f"{name}.eml").open("rb") as file:
            return str(BytesHeaderParser(policy=policy.default).parse(file)["To"] or "")
    except OSError:
        return ""


def pictured(caught: Caught) -> str:
    """The HTML part with its pictures inlined and links that open a new window."""
    pictures = {
        str(part["Content-ID"] or "").strip("<> "): f"data:{part.get_content_type()};base64,"
        + base64.b64encode(part.get_content()).decode()
        for part in caught.message.walk()
        if part.get_content_maintype() == "image"
    }
    html = CID.sub(lambda found: pictures.get(found[1], found[0]), caught.part("html"))
    return html.replace("<head>", '<head><base target="_blank">', 1)


def pages(folder: Path, reply_port: int = 0) -> Flask:
    """The pages that show the letters, with a box for replies if a port accepts them."""
    app = Flask("catcher", template_folder=None, static_folder=None)
    app.config["TRUSTED_HOSTS"] = [HOST, "localhost"]
    app.jinja_loader = templating.loader()
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}

    @app.after_request
    def _guard(response: Response) -> Response:
        response.headers.setdefault(
            "Content-Security-Policy",
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'; "
            "frame-src 'self'; frame-ancestors 'none'; form-action 'self'",
        )
        response.headers["Referrer-Policy"] = "same-origin"  # stricter: forms have no Origin
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response

    def letter(name: str) -> Caught:
        return read(folder, name) or abort(404)

    @app.get("/")
    def index() -> str:
        to = request.args.get("to", "")
        return render_template(
            "catcher/list.html", letters=newest(folder, to=to), everybody=everybody(folder), to=to
        )

    @app.get("/live.js")
    def live() -> Response:
        response = Response(LIVE, mimetype="text/javascript")
        response.headers["Cache-Control"] = "no-cache"
        return response

    @app.get("/<name>")
    def show(name: str) -> str:
        caught = letter(name)
        part = request.args.get("part", "html" if caught.part("html") else "text")
        return shown(caught, part=part)

    def shown(caught: Caught, *, part: str = "", text: str = "", trouble: str = "") -> str:
        sent = request.args.get("reply", "")
        sent = sent if reply_box.ONCE.fullmatch(sent) else ""
        return render_template(
            "catcher/letter.html",
            letter=caught,
            part=part or ("html" if caught.part("html") else "text"),
            repliable=bool(reply_port and caught.message["Reply-To"]),
            once=secrets.token_hex(8),
            text=text,
            trouble=trouble,
            sent=sent,
            answer=next((one for one in newest(folder) if reply_box.answers(one.message, sent)), None)
            if sent
            else None,
        )

    @app.post("/<name>/reply")
    def reply(name: str) -> Answer:
        if request.headers.get("Origin") != f"http://{request.host}":
            abort(403)  # the form of another site
        caught = letter(name)
        text, once = request.form.get("text", "")[: reply_box.LONGEST], request.form.get("once", "")
        if not reply_port or not caught.message["Reply-To"] or not reply_box.ONCE.fullmatch(once):
            abort(404)
        try:
            reply_box.send(caught.message, caught.part("plain"), text, once, f"smtp://{HOST}:{reply_port}")
        except smtp.Unsent as error:
            trouble = f"The reply was not taken ({error.code or error.word}). Please try again."
            return Response(shown(caught, text=text, trouble=trouble), 502)
        return redirect(f"/{name}?reply={once}#reply", 303)

    @app.get("/<name>/html")
    def html(name: str) -> Response:
        response = Response(pictured(letter(name)), mimetype="text/html")
        response.headers["Content-Security-Policy"] = (
            "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
            "sandbox allow-popups allow-popups-to-escape-sandbox; frame-ancestors 'self'"
        )
        return response

    return app


def run(
    settings: Settings,
    smtp_port: int,
    page_port: int,
    ready: Callable[[], None] = lambda: None,
    reply_port: int = 0,
) -> None:
    """Accept letters and show them until the process ends.

    Raises BadSettings beside a real mail server, OSError for a port in use.
    """
    if settings.smtp_url:
        raise BadSettings("TIDEPOST_SMTP_URL is set: letters go out, and none are caught")
    folder = settings.data_dir / "mail"
    server = make_server(HOST, page_port, pages(folder, reply_port), threaded=True, request_handler=_Quiet)
    sink = listen(folder, smtp_port, timedelta(days=settings.keep.mails))
    ready()
    try:
        server.serve_forever()
    finally:
        sink.stop()
        server.server_close()


class _Quiet(WSGIRequestHandler):
    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Log nothing: the list reloads itself every few seconds."""
