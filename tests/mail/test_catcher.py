"""The mail catcher: what is sent to it can be read on a page of this machine, and on no other."""

import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller

from app.catcher import server as catcher
from app.mail.outbound import smtp
from app.settings import BadSettings, Settings
from tests.servers import free_port

PICTURE = b"\x89PNG\r\n\x1a\nnot much of a picture"


def settings(data_dir, smtp_url=""):
    return Settings("", "", smtp_url, "", "http://127.0.0.1:8000", "localhost", ("k" * 32,), data_dir)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With a letter to Ada in it and one to Bo, sent by a mail connection."""
    port = free_port()
    server = catcher.listen(tmp_path, port)
    for name in ("ada", "bo"):
        message = EmailMessage(policy=policy.SMTP)
        message["From"], message["To"] = "house@example.org", f"{name}@example.org"
        message["Subject"] = f"Ferry <b>#42</b> for {name}: your turn"
        message.set_content(f"Dear {name}, look: http://127.0.0.1:8000/t/abc\n")
        message.add_alternative(
            "<html><head><title>x</title></head><body><p>Dear</p><script>alert(1)</script>"
            '<img src="cid:board@house" alt="board"><a href="http://127.0.0.1:8000/t/abc">go</a></body></html>',
            subtype="html",
        )
        message.get_payload()[1].add_related(PICTURE, "image", "png", cid="<board@house>")
        smtp.send(f"smtp://127.0.0.1:{port}", "house@example.org", f"{name}@example.org", message)
    server.stop()
    return tmp_path


def test_the_list_shows_the_newest_first_and_one_persons_letters(folder):
    page = catcher.pages(folder).test_client()
    everything = page.get("/").text
    assert everything.index("for bo") < everything.index("for ada")
    assert "<b>#42" not in everything
    mine = page.get("/?to=ada@example.org").text
    assert "for ada" in mine
    assert "for bo" not in mine


def test_a_letter_shows_its_picture_and_links_and_runs_nothing(folder):
    page = catcher.pages(folder).test_client()
    name = catcher.newest(folder)[0].name
    shown = page.get(f"/{name}")
    assert 'sandbox="allow-popups allow-popups-to-escape-sandbox"' in shown.text
    html = page.get(f"/{name}/html")
    assert "sandbox allow-popups" in html.headers["Content-Security-Policy"]
    assert "default-src 'none'" in html.headers["Content-Security-Policy"]
    assert 'src="data:image/png;base64,' in html.text
    assert '<base target="_blank">' in html.text
    text = page.get(f"/{name}?part=text").text
    assert '<a href="http://127.0.0.1:8000/t/abc"' in text
    assert "MIME-Version" in page.get(f"/{name}?part=headers").text


def test_a_letter_of_text_alone_shows_its_text(tmp_path):
    (tmp_path / "00000000000000000001-00000000.eml").write_bytes(b"Subject: plain\r\n\r\nonly text\r\n")
    assert "only text" in catcher.pages(tmp_path).test_client().get("/00000000000000000001-00000000").text


@pytest.mark.parametrize("name", ["nothing", "..", "..%2fsecret_keys", "0" * 20 + "-00000000", ".hidden"])
def test_nothing_else_can_be_read(folder, name):
    (folder / "secret_keys.eml").write_text("secret")
    assert catcher.pages(folder).test_client().get(f"/{name}").status_code == 404


def test_another_name_for_this_machine_gets_no_answer(folder):
    page = catcher.pages(folder).test_client()
    assert page.get("/", base_url="http://evil.example:8025").status_code == 400
    assert page.get("/", base_url="http://127.0.0.1:8025").status_code == 200


def test_no_catcher_beside_a_real_mail_server(tmp_path):
    with pytest.raises(BadSettings, match="TIDEPOST_SMTP_URL"):
        catcher.run(settings(tmp_path, "smtp://mail.example.org"), free_port(), free_port())


def test_a_list_without_letters_says_so(tmp_path):
    assert "No emails yet" in catcher.pages(tmp_path).test_client().get("/").text


# ---- the box to reply in

OURS = "http://127.0.0.1:8025"


class Taker:
    """Takes replies as the house does; says no to what it is told to."""

    def __init__(self) -> None:
        self.taken = []
        self.port = free_port()
        self.answer = "250 kept"

    async def handle_DATA(self, _server, _session, envelope):  # noqa: N802 - aiosmtpd's
        self.taken.append(
            (
                envelope.mail_from,
                envelope.rcpt_tos,
                message_from_bytes(envelope.content, policy=policy.default),
            )
        )
        return self.answer


@pytest.fixture
def taker():
    made = Taker()
    server = Controller(made, hostname="127.0.0.1", port=made.port)
    server.start()
    yield made
    server.stop()


@pytest.fixture
def asked(tmp_path: Path) -> str:
    """The name of a letter that can be replied to."""
    (tmp_path / "00000000000000000001-00000000.eml").write_bytes(
        b"From: Tidepost <tidepost@localhost>\r\nTo: ada@example.org\r\nSubject: your turn\r\n"
        b"Message-ID: <one@localhost>\r\nReply-To: Tidepost <r+abc@localhost>\r\n\r\nIt is your turn.\r\n"
    )
    return "00000000000000000001-00000000"


def box(page, name: str) -> dict[str, str]:
    shown = page.get(f"/{name}", base_url=OURS).text
    return {"once": re.search(r'name="once" value="(\w+)"', shown)[1], "text": "move F5>F6"}


def test_the_box_under_a_letter_sends_a_reply_as_a_mail_program_does(tmp_path, taker, asked):
    page = catcher.pages(tmp_path, taker.port).test_client()
    form = box(page, asked)
    sent = page.post(f"/{asked}/reply", data=form, headers={"Origin": OURS}, base_url=OURS)
    assert sent.status_code == 303
    ((sender, recipients, reply),) = taker.taken
    assert (sender, recipients) == ("ada@example.org", ["r+abc@localhost"])
    assert reply["From"] == "ada@example.org"
    assert reply["In-Reply-To"] == "<one@localhost>"
    lines = reply.get_content().splitlines()
    assert lines[0] == "move F5>F6"
    assert "> It is your turn." in lines
    pending = page.get(sent.location, base_url=OURS).text
    assert "is on its way" in pending
    assert 'http-equiv="refresh"' in pending
    (tmp_path / "00000000000000000002-00000000.eml").write_bytes(
        b"Subject: your reply\r\nIn-Reply-To: " + str(reply["Message-ID"]).encode() + b"\r\n\r\ndone\r\n"
    )
    there = page.get(sent.location, base_url=OURS).text
    assert '<a href="/00000000000000000002-00000000">' in there
    assert 'http-equiv="refresh"' not in there


def test_the_same_form_sent_twice_is_one_reply(tmp_path, taker, asked):
    page = catcher.pages(tmp_path, taker.port).test_client()
    form = box(page, asked)
    for _ in range(2):
        page.post(f"/{asked}/reply", data=form, headers={"Origin": OURS}, base_url=OURS)
    assert len({str(reply["Message-ID"]) for *_, reply in taker.taken}) == 1
    assert box(page, asked)["once"] != form["once"]


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:8000", None])
def test_no_other_site_writes_in_somebodys_name(tmp_path, taker, asked, origin):
    page = catcher.pages(tmp_path, taker.port).test_client()
    headers = {"Origin": origin} if origin else {}
    assert (
        page.post(f"/{asked}/reply", data=box(page, asked), headers=headers, base_url=OURS).status_code == 403
    )
    assert taker.taken == []


def test_a_reply_that_was_not_taken_stays_in_the_box(tmp_path, taker, asked):
    taker.answer = "451 later"
    page = catcher.pages(tmp_path, taker.port).test_client()
    shown = page.post(f"/{asked}/reply", data=box(page, asked), headers={"Origin": OURS}, base_url=OURS)
    assert shown.status_code == 502
    assert "not taken" in shown.text
    assert "move F5&gt;F6</textarea>" in shown.text


def test_there_is_no_box_where_nobody_reads(tmp_path, asked):
    page = catcher.pages(tmp_path).test_client()
    assert "<form" not in page.get(f"/{asked}", base_url=OURS).text
    assert page.post(f"/{asked}/reply", headers={"Origin": OURS}, base_url=OURS).status_code == 404


def test_one_persons_letters_are_shown_however_many_others_came_since(folder):
    for n in range(1, 260):
        letter = b"To: cleo@example.org\r\nSubject: for cleo\r\n\r\nx\r\n"
        (folder / f"99{n:018}-00000000.eml").write_bytes(letter)
    page = catcher.pages(folder).test_client()
    mine = page.get("/?to=ada@example.org").text
    assert "for ada" in mine
    assert "/?to=bo%40example.org" in page.get("/").text or "/?to=bo@example.org" in page.get("/").text
    assert page.get("/").text.count("for cleo") == catcher.SHOWN
    assert catcher.newest(folder, to="nobody@example.org") == []


def test_the_list_looks_for_new_letters_by_a_script_of_its_own(folder):
    page = catcher.pages(folder).test_client()
    shown = page.get("/")
    assert "script-src 'self'" in shown.headers["Content-Security-Policy"]
    assert "<noscript><meta http-equiv" in shown.text
    assert '<script src="/live.js" defer>' in shown.text
    script = page.get("/live.js")
    assert script.mimetype == "text/javascript"
    assert "fetch(" in script.text
    name = catcher.newest(folder)[0].name
    assert "script-src" not in page.get(f"/{name}/html").headers["Content-Security-Policy"]
