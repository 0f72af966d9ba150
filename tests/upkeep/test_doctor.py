"""The examination finds each planted fault, and nothing on a sound server."""

import ast
import contextlib
import json
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from app import clock as clock_module
from app import soundness
from app.cli import main
from app.mail.core import dkim_keys
from app.mail.outbound.smtp import Trouble
from app.soundness import beating, configuration
from app.store import heartbeat
from app.store.session import Store
from app.upkeep import doctor, doctor_command
from app.upkeep.doctor import domain, machine, mail, parts, proxy
from app.upkeep.doctor.finding import Case
from app.upkeep.records import Asked, Given, NoAnswer, Unreadable
from tests.mail.sinks import mail_server
from tests.upkeep import planted
from tests.upkeep.conftest import KEY
from tests.upkeep.name_server import name_server
from tests.upkeep.planted import DOMAIN, FAULTS, FORGED, SOUND, THINGS, Fault, Ground, forwards, returning

FOLDERS = (Path(doctor.__file__).parent, Path(soundness.__file__).parent)


@pytest.fixture
def ground(databases, house, monkeypatch, tmp_path, request):
    """What faults are planted in."""
    return Ground(
        *(databases, house, monkeypatch, tmp_path),
        cluster=lambda: request.getfixturevalue("postgres"),
        hold=lambda: request.getfixturevalue("clock"),
    )


@pytest.fixture
def examine(monkeypatch, tmp_path):
    """Runs `tidepost doctor` with one check for a server; gives its status and what it printed."""

    def run(server, check):
        file = tmp_path / "records"
        file.write_text(server.records)
        monkeypatch.setattr(doctor_command, "settings", lambda: server.settings)
        monkeypatch.setattr(doctor, "CHECKS", {check: doctor.CHECKS[check]})
        known = ["--nameserver", server.nameserver] if server.nameserver else ["--records", str(file)]
        done = CliRunner().invoke(main, ["doctor", "--wait", "0", "--send", server.send, "--json", *known])
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        lines = [json.loads(line) for line in done.output.splitlines() if line.startswith("{")]
        return done.exit_code, lines

    return run


def case(server, **changed):
    """The case that the checks take."""
    return Case(server.settings, Given(server.records), server.send, 0.0, **changed)


def whats(findings):
    return " | ".join(one.what for one in findings)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda one: f"{one.thing}: {one.says.strip()}")
def test_each_planted_fault_is_found(fault: Fault, ground, examine):
    """With what is wrong, why it matters and what to type; the status is 1 if it does harm."""
    with fault.plant(ground) as server:
        status, found = examine(server, fault.check)
    named = [one for one in found if fault.says in one["what"]]
    assert named, (fault.says, found)
    assert named[0]["grave"] is fault.grave
    assert all(one["check"] == fault.check and one["why"] and one["do"] for one in found)
    assert status == any(one["grave"] for one in found)
    assert status == 1 or not fault.grave
    assert "hidden" not in str(found), "a password"


def test_each_thing_that_is_promised_has_a_planted_fault():
    assert {one.thing for one in FAULTS} == set(THINGS)
    assert {one.check for one in FAULTS} == doctor.CHECKS.keys()


def findings():
    """Each finding of doctor: where it is made, and the expression of what is wrong."""
    for file in sorted(one for folder in FOLDERS for one in folder.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Finding":
                yield pytest.param(node.args[0], id=f"{file.stem}:{node.lineno}")


def words(expression):
    """The texts that are written in an expression."""
    return [one.value for one in ast.walk(expression) if isinstance(one, ast.Constant)]


@pytest.mark.parametrize("expression", list(findings()))
def test_each_finding_has_a_planted_fault(expression):
    written = ast.unparse(expression)
    known = [text for text in words(expression) if isinstance(text, str)]
    assert any(
        one.told_by == written if one.told_by else any(one.says.partition(": ")[0] in text for text in known)
        for one in FAULTS
    ) or written.startswith("f'{server.host}:{server.port} {what}"), written


@pytest.mark.parametrize("trouble", Trouble)
def test_each_trouble_with_a_mail_server_has_a_planted_fault(trouble):
    assert mail._TROUBLES[trouble][0] in {one.says for one in FAULTS if one.check == "mail server"}


@pytest.mark.parametrize("sound", [planted.having(), planted.durable], ids=["sqlite", "postgresql"])
def test_a_sound_server_has_no_findings(ground, sound):
    with sound(ground) as server:
        for name in ("settings", "files", "database", "clock", "time zones", "retention"):
            assert list(doctor.CHECKS[name](case(server))) == [], name


def test_a_worker_that_answers(ground):
    server = ground.server()
    store = Store(server.settings.database_url)

    def answers(_):
        with store.transaction() as connection:
            heartbeat.mark(connection, heartbeat.ANSWER, clock_module.now())

    assert list(parts.broker(case(server, say=answers))) == []
    store.engine.dispose()


def test_a_beat_that_was_late_and_one_that_beats(ground):
    server = ground.server()
    store = Store(server.settings.database_url)
    for age, said in ((beating.LATE * 3, "no sweep since"), (beating.LATE * 0, "")):
        with store.transaction() as connection:
            heartbeat.mark(connection, heartbeat.BEAT, clock_module.now() - age)
        assert said in whats(parts.beat(case(server)))
    assert list(parts.beat(case(server))) == []
    store.engine.dispose()


def test_a_mail_server_that_takes_us_and_our_letter(ground):
    with mail_server() as (url, mailbox):
        now = case(ground.server(smtp_url=url, send="you@example.org"))
        assert list(mail.smtp_login(now)) == []
        assert list(mail.letter(now)) == []
        assert len(mailbox.to("you@example.org")) == 1


def test_a_mail_that_comes_back_and_is_read(ground):
    with returning(ground.server(send="you@example.org")) as server:
        assert list(mail.reply_path(case(server))) == []


def test_no_token_is_told(ground):
    with mail_server() as (url, mailbox):
        (found,) = mail.reply_path(case(ground.server(smtp_url=url, send="you@example.org")))
        address = mailbox.letters[0][0]
    assert address.startswith("d+")
    assert address not in found.what


def test_keys_that_are_there_and_files_for_nobody_else(ground):
    server = ground.server()
    for name in ("secret_keys", "dkim/a.pem"):
        file = server.settings.data_dir / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(server.settings.secret_keys[0] + "\n")
        file.chmod(0o600)
    assert list(configuration.rights(server.settings)) == []


def test_a_sound_domain(ground):
    server = ground.server()
    key = dkim_keys.make(server.settings)
    dkim_keys.use(server.settings, key.selector)
    name, record = dkim_keys.record_name(key.selector, DOMAIN), dkim_keys.record(key)
    given = f'{SOUND}{name} TXT "{record[:200]}" "{record[200:]}"'
    assert list(domain.domain(case(msgspec.structs.replace(server, records=given)))) == []


def test_a_name_server_that_is_silent(monkeypatch):
    monkeypatch.setattr("app.upkeep.records.PATIENCE", 0.2)
    with name_server(silent=True) as server, pytest.raises(NoAnswer):
        Asked([server]).find(DOMAIN, "TXT")


def test_a_text_that_is_no_record_is_refused():
    with pytest.raises(Unreadable, match="line 2"):
        Given(f'{DOMAIN} TXT "v=spf1 -all"\nnonsense\n')


@pytest.mark.parametrize("who", ["198.51.100.9", f"{FORGED}, 198.51.100.9"])
def test_a_proxy_that_says_who_asks(ground, who):
    with planted.through(forwards(who))(ground) as server:
        assert list(proxy.proxy(case(server))) == []


def test_a_certificate_that_is_valid_for_long(ground):
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(planted.certified(60, vouched=True)(ground))
        found = whats(proxy.proxy(case(server)))
    assert "certificate" not in found


def test_looking_for_what_should_have_gone_deletes_nothing(ground):
    server = ground.server()
    planted._old(ground, server.settings)
    assert whats(machine.retention(case(server))) == whats(machine.retention(case(server))) != ""


@pytest.fixture
def run(databases, monkeypatch, tmp_path):
    def invoke(*arguments, url="http://127.0.0.1:8000"):
        monkeypatch.setenv("TIDEPOST_URL", url)
        monkeypatch.setenv("TIDEPOST_DATABASE_URL", databases("sqlite"))
        monkeypatch.setenv("TIDEPOST_DATA_DIR", str(tmp_path / "data"))
        monkeypatch.setenv("TIDEPOST_SECRET_KEYS", KEY)
        (tmp_path / "data").mkdir(mode=0o700, exist_ok=True)
        done = CliRunner().invoke(main, ["doctor", "--wait", "0", *arguments])
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return done.exit_code, done.output

    return invoke


def test_the_command_says_what_why_and_what_to_do(run):
    code, said = run()
    assert code == 1
    assert "wrong (broker and worker): no worker answered" in said
    assert "Start `tidepost worker`" in said
    assert f"of {len(doctor.CHECKS)} checks found nothing" in said


def test_bad_input_of_the_command(run, tmp_path):
    assert "--nameserver" in run("--nameserver", "nowhere")[1]
    (tmp_path / "records").write_text("nonsense")
    assert "line 1 is no record" in run("--records", str(tmp_path / "records"))[1]
    assert "Example: tidepost doctor" in run("--help")[1]
