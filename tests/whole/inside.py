"""A whole house in one process: Flask's client for browsers, the workers' rounds run when somebody waits."""

import email
import email.policy
import urllib.parse
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from flask import Flask

from app.mail.inbound import process
from app.mail.inbound.store import Taken, take_in
from app.mail.outbound import deliver
from app.settings import Settings
from app.store.session import Store
from app.web import create_app
from tests.conftest import HeldClock
from tests.desk import Arrived, Form, Page

URL = "http://localhost"
ROUNDS = 4
"""Rounds of the workers that anything takes at most, from a reply to the letters that follow."""


class Inside:
    """The house, and its post office: what was sent stays here as it would have gone over the wire."""

    url = URL

    def __init__(self, store: Store, folder: Path, clock: HeldClock) -> None:
        self.store, self.clock = store, clock
        self.settings = Settings("", "", "smtp://unused", "pipe:", URL, "post.example", ("k" * 32,), folder)
        self.app: Flask = create_app(self.settings, store)
        self.letters: list[Arrived] = []

    def go(self) -> None:
        """One round of the workers: what came in is read, what is due is sent."""
        process.run_batch(self.store, self.settings)
        deliver.run_batch(self.store, self.settings, self._send)

    def _send(self, _url: str, sender: str, to: str, message: EmailMessage) -> None:
        raw = message.as_bytes(policy=email.policy.SMTP)
        self.letters.append(Arrived(to, sender, email.message_from_bytes(raw, policy=email.policy.SMTP), raw))

    def of(self, address: str, subject: str = "") -> list[Arrived]:
        """The letters to an address, oldest first."""
        return [one for one in self.letters if one.to == address and subject in one.message["Subject"]]

    def wait(self, condition: Callable[[], Any], of: str = "a letter") -> Any:
        """What the condition gives once the workers have done their rounds, in which an hour passes."""
        for _ in range(ROUNDS):
            if found := condition():
                return found
            self.go()
            self.clock.advance(minutes=15)
        there = [one.message["Subject"] for one in self.letters]
        raise AssertionError(f"waited in vain for {of}; there are {there}")

    def hand_in(self, raw: bytes, sender: str, to: str) -> None:
        """Take in a mail, as the listener would."""
        assert take_in(self.store, self.settings, raw, [to], "listener", sender=sender) is Taken.KEPT


class Resident:
    """Someone with an address, a browser that wants a language, and no scripts; as `desk.Person`."""

    def __init__(self, address: str, house: Inside, language: str) -> None:
        self.address, self.office, self.language = address, house, language
        self.pages: list[str] = []
        """Everything the browser ever showed."""
        self._browser = house.app.test_client()

    def get(self, url: str) -> Page:
        """The page behind a link."""
        return self._fetch(url, "GET", None)

    def submit(self, form: Form, button: tuple[str, str] | None = None, **fields: str) -> Page:
        """Press a button of a form, some of its fields filled in."""
        data = {**form.fields, **fields, **({button[0]: button[1]} if button and button[0] else {})}
        if form.method == "get":
            return self.get(f"{form.action.split('?')[0]}?{urllib.parse.urlencode(data)}")
        return self._fetch(form.action, "POST", data)

    def _fetch(self, url: str, method: str, data: dict[str, str] | None) -> Page:
        headers = {"Accept-Language": self.language} | ({"Origin": URL} if data is not None else {})
        path = url.partition("#")[0].removeprefix(URL)
        answer = self._browser.open(path, method=method, data=data, headers=headers, follow_redirects=True)
        self.pages.append(answer.text)
        return Page(URL + answer.request.full_path.rstrip("?"), answer.status_code, answer.text)

    @property
    def letters(self) -> list[Arrived]:
        """Their letters, oldest first."""
        return self.office.of(self.address)

    def read_so_far(self) -> tuple[int, int]:
        """The numbers of letters and pages until now."""
        return len(self.letters), len(self.pages)

    def read(self, letters: int, pages: int) -> str:
        """The first so many letters and pages, as one text."""
        arrived = [one.raw.decode(errors="replace") + one.text for one in self.letters[:letters]]
        return "\n".join((*arrived, *self.pages[:pages]))

    def wait_for_letter(self, seen: int, link: str = "") -> Arrived:
        """Their first letter after the first `seen` ones that has such a link."""

        def there() -> Arrived | None:
            return next((one for one in self.letters[seen:] if one.links(link)), None)

        found: Arrived = self.office.wait(there, of=f"letter {seen + 1} to {self.address}")
        return found
