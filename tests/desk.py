"""A post office for tests: the real processes, a real SMTP server, and people with mail and a browser only.

Nothing here knows the rules or the database: people read their letters, open links and press buttons.
"""

import email
import email.policy
import os
import re
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
from email.message import EmailMessage
from html.parser import HTMLParser
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import msgspec
from aiosmtpd.controller import Controller

from tests.servers import PATIENCE, free_port, wait_for

ROOT = Path(__file__).parent.parent
WITHOUT_PICTURES = {"PYTHONPATH": f"{ROOT / 'tests' / 'hurried'}:{ROOT}"}
"""Settings of a house whose letters are many and whose boards nobody looks at."""
FORM = re.compile(r"<form\b.*?</form>", re.DOTALL)
DRAWING = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
LINK = re.compile(r"https?://[^\s<>\"']+")


class Arrived(msgspec.Struct, frozen=True):
    """A letter as it came off the wire."""

    to: str
    sender: str
    message: EmailMessage
    raw: bytes

    @property
    def text(self) -> str:
        """The plain part."""
        part = self.message.get_body(("plain",))
        assert part is not None
        return str(part.get_content())

    @property
    def html(self) -> str:
        """The HTML part."""
        part = self.message.get_body(("html",))
        assert part is not None
        return str(part.get_content())

    def links(self, part: str = "") -> list[str]:
        """The links of the plain part that hold `part`, in order, each once."""
        return list(dict.fromkeys(link for link in LINK.findall(self.text) if part in link))


class PostOffice:
    """A real SMTP server on this machine that keeps what it is given."""

    def __init__(self) -> None:
        self.letters: list[Arrived] = []
        self.changed = threading.Condition()
        self.port = free_port()
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self.open()

    def open(self) -> None:
        """Take letters."""
        self._controller.start()

    def close(self) -> None:
        """Take no more letters: the port is shut."""
        self._controller.stop()

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        """Keep one letter for each of its recipients."""
        message = email.message_from_bytes(envelope.content, policy=email.policy.SMTP)
        with self.changed:
            self.letters += [
                Arrived(to, envelope.mail_from, message, envelope.content) for to in envelope.rcpt_tos
            ]
            self.changed.notify_all()
        return "250 kept"

    @property
    def url(self) -> str:
        """The server's address as a setting."""
        return f"smtp://127.0.0.1:{self.port}"

    def of(self, address: str, subject: str = "") -> list[Arrived]:
        """The letters to an address, oldest first."""
        return [one for one in self.letters if one.to == address and subject in one.message["Subject"]]

    def wait(self, condition: Any, of: str = "a letter") -> Any:
        """What the condition gives as soon as it is true; it is tried at each letter's arrival."""
        with self.changed:
            found = self.changed.wait_for(condition, PATIENCE)
        assert found, (
            f"waited in vain for {of}; there are {[(o.to, o.message['Subject']) for o in self.letters]}"
        )
        return found


class House:
    """The processes of a deployment, apart: web and worker with beat."""

    def __init__(self, folder: Path, office: PostOffice, **settings: str) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = os.environ | {
            "TIDEPOST_DATA_DIR": str(folder),
            "TIDEPOST_URL": self.url,
            "TIDEPOST_SMTP_URL": office.url,
            "TIDEPOST_SECRET_KEYS": "a key for tests that nobody else has: 0123456789",
            "PYTHONPATH": str(ROOT),
            **settings,
        }
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str, *arguments: str) -> "subprocess.Popen[bytes]":
        """Start a part of the command in a group of its own."""
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "app.cli", name, *arguments],
                env=self.environment,
                cwd=self.folder,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.processes[name] = process
        return process

    def open(self) -> None:
        """Start web and worker; return when the pages answer."""
        wait_for(self.port, self.start("web", "--port", str(self.port)))
        self.start("worker", "--beat")

    def kill(self, name: str) -> None:
        """SIGKILL to the process and all its children: nothing can be tidied up."""
        process = self.processes.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)

    def close(self) -> None:
        """End all that is still running."""
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(PATIENCE)

    def logs(self) -> str:
        """All that the processes have written."""
        return "".join(file.read_text(errors="replace") for file in sorted(self.folder.glob("*.log")))


class Form(msgspec.Struct):
    """A form of a page: where it goes, what its fields hold, and its buttons with a name."""

    method: str
    action: str
    fields: dict[str, str]
    buttons: list[tuple[str, str]]


class Page(HTMLParser):
    """A page as a person without scripts uses it."""

    def __init__(self, url: str, status: int, html: str) -> None:
        super().__init__()
        self.url, self.status, self.html = url, status, html
        self.forms: list[Form] = []
        self._select: tuple[str, bool] | None = None
        self._area: str | None = None
        for form in FORM.findall(DRAWING.sub("", html)):  # reading all of a board would take most of a test
            self.feed(form)

    def handle_starttag(self, tag: str, pairs: list[tuple[str, str | None]]) -> None:
        """Collect forms and their fields."""
        facts = {key: value or "" for key, value in pairs}
        if tag == "form":
            action = urllib.parse.urljoin(self.url, facts.get("action", ""))
            self.forms.append(Form(facts.get("method", "get").lower(), action, {}, []))
            return
        if not self.forms:
            return
        fields, buttons = self.forms[-1].fields, self.forms[-1].buttons
        name, value = facts.get("name", ""), facts.get("value", "")
        if tag == "button" or (tag == "input" and facts.get("type") == "submit"):
            buttons.append((name, value))
        elif tag == "input" and name:
            if facts.get("type") not in ("radio", "checkbox") or "checked" in facts:
                fields[name] = value
        elif tag == "select" and name:
            self._select = (name, False)
        elif tag == "option" and self._select is not None:
            chosen, found = self._select
            if "selected" in facts or not found:
                fields[chosen] = value
                self._select = (chosen, True)
        elif tag == "textarea" and name:
            self._area = name
            fields[name] = ""

    def handle_data(self, data: str) -> None:
        """Fill a text area."""
        if self._area is not None:
            self.forms[-1].fields[self._area] += data

    def handle_endtag(self, tag: str) -> None:
        """Leave a text area or a list."""
        if tag == "textarea":
            self._area = None
        elif tag == "select":
            self._select = None

    def form(self, part: str) -> Form:
        """The first form with a field or button of that name, or with it in its action."""
        for form in self.forms:
            named = {*form.fields, *(name for name, _ in form.buttons)}
            if part in named or part in form.action:
                return form
        raise AssertionError(f"no form with {part!r} on {self.url}:\n{self.html[:3000]}")

    def answers(self) -> list[tuple[Form, str]]:
        """Every answer that a button of the page would give."""
        return [
            (form, value) for form in self.forms for name, value in form.buttons if name == "answer" and value
        ]


class Person:
    """Someone with an address, a browser without scripts, and nothing else."""

    def __init__(self, address: str, office: PostOffice) -> None:
        self.address = address
        self.office = office
        self.pages: list[str] = []
        """Everything the browser ever showed."""
        self._browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def _fetch(self, request: urllib.request.Request) -> Page:
        try:
            with self._browser.open(request, timeout=PATIENCE) as answer:
                page = Page(answer.url, answer.status, answer.read().decode())
        except urllib.error.HTTPError as error:
            page = Page(error.url or request.full_url, error.code, error.read().decode())
        self.pages.append(page.html)
        return page

    def get(self, url: str) -> Page:
        """The page behind a link."""
        return self._fetch(urllib.request.Request(url))

    def submit(self, form: Form, button: tuple[str, str] | None = None, **fields: str) -> Page:
        """Press a button of a form, some of its fields filled in."""
        data = {**form.fields, **fields, **({button[0]: button[1]} if button and button[0] else {})}
        encoded = urllib.parse.urlencode(data)
        if form.method == "get":
            return self.get(f"{form.action.split('?')[0]}?{encoded}")
        origin = "{0.scheme}://{0.netloc}".format(urllib.parse.urlsplit(form.action))
        return self._fetch(urllib.request.Request(form.action, encoded.encode(), {"Origin": origin}))

    @property
    def letters(self) -> list[Arrived]:
        """Their letters, oldest first."""
        return self.office.of(self.address)

    def wait_for_letter(self, seen: int, link: str = "") -> Arrived:
        """Their first letter after the first `seen` ones that has such a link."""

        def there() -> Arrived | None:
            return next((one for one in self.letters[seen:] if one.links(link)), None)

        found: Arrived = self.office.wait(there, of=f"letter {seen + 1} to {self.address}")
        return found
