"""The settings: read once from the environment, frozen, and refused where they would be unsafe."""

import os
import re
from collections.abc import Callable, Mapping
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

DEVELOPMENT_HOSTS = frozenset({"127.0.0.1", "localhost", "::1"})
LOOPBACK = ("127.0.0.0/8", "::1/128")
"""This machine: where no proxy is named, one that runs here is believed."""
SHORTEST_KEY = 32
WRITTEN = {
    "URL": (r"https?://[^/?#@\s]+", "https://games.example.org, without a path"),
    "DATABASE_URL": (
        r"postgres(ql)?(\+psycopg)?://\S*|sqlite:///.+",
        "postgresql://user:password@host/name or sqlite:///folder/file.db",
    ),
    "BROKER_URL": (
        r"folder://|(rediss?|redis\+socket|amqps?)://\S+",
        "redis://host:6379/0, amqp://user:password@host:5672// or folder://",
    ),
    "SMTP_URL": (
        r"smtp://[^\s/?#]+/?(\?starttls)?|(smtps|smtp\+starttls)://[^\s/?#]+/?|catcher://127\.0\.0\.1:\d+",
        "smtp://user:password@host:587?starttls, smtps://user:password@host or smtp://host (a slash as %2F)",
    ),
    "INBOX_URL": (
        r"(smtp|lmtp)://[^\s/?#@]+/?|imaps?://[^\s/?#]+@[^\s/?#]+(/[^?#]*)?(\?\S*)?|pipe:",
        "smtp://0.0.0.0:2525, lmtp://127.0.0.1:2424, imaps://user:password@host/Folder or pipe:",
    ),
    "AUTHSERV_ID": (r"[^\s;\"()]+", "mx.example.org, as the server writes it before the first semicolon"),
    "OPERATOR": (r"[^\s@<>]+@[^\s@<>]+", "name@example.org"),
    "PUSH_KEY": (r"[A-Za-z0-9_-]{43}", "43 letters and digits, as they stand in the file push_key"),
    "MAIL_DOMAIN": (r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?", "games.example.org, in ASCII"),
}
"""Pattern and example of each setting that a library parses later, where a mistake would show too late."""


LEAST_DAYS = {"mails": 1, "unplayed": 14, "links": 90, "letters": 90}
"""Of each of `Keep`: replies are accepted for 60 days after a game, invitations for 14."""


class BadSettings(Exception):  # noqa: N818
    """A setting cannot be used; the text says which one, what was read and what would do."""


class Keep(msgspec.Struct, frozen=True):
    """For how many days things are kept that a running game doesn't need."""

    mails: int = 30
    """The text of emails that came in, and caught emails."""
    unplayed: int = 30
    """A game that was called off before its start, and one to which nobody answers any more."""
    links: int = 365
    """The links of a game after its end, and others after they were sent; what an email was about."""
    letters: int = 1095
    """The line by which a player sees that an email was sent: after the end of its game, or its sending."""


class Settings(msgspec.Struct, frozen=True):
    """The addresses and keys of everything. The repr shows no secret."""

    database_url: str
    broker_url: str
    smtp_url: str
    """Empty: the mail catcher of `tidepost serve`."""
    inbox_url: str
    """How replies arrive. Empty: they do not, and no letter asks for one."""
    url: str
    """The public address of the pages, without a slash at the end. All links are made from it alone."""
    mail_domain: str
    secret_keys: tuple[str, ...]
    """The newest first: it signs; all are accepted."""
    data_dir: Path
    trusted_proxies: tuple[str, ...] = LOOPBACK
    """Networks of the proxies that are believed when they say who asks."""
    request_seconds: float = 20.0
    """In which a visitor must have sent a request."""
    operator_key: str = ""
    """The key for the figures of `/healthz`. Empty: nobody sees them."""
    mail_banners: tuple[str, ...] = ()
    """Beginnings of banners that receiving systems put above a mail, beside the known ones."""

    authserv_id: str = ""
    """The mail server whose verdicts on senders count, as it names itself in Authentication-Results."""

    operator: str = ""
    """The operator's email address, for reports of people; empty: none are sent."""
    keep: Keep = Keep()
    push_key: str = ""
    """The private key that signs notifications to browsers. Empty: that of the data folder."""
    webhook_origins: tuple[str, ...] = ()
    """Origins of webhooks that may be inner ones and without TLS: `http://chat.example.org:8065`."""

    def __repr__(self) -> str:
        return f"<Settings {self.url}>"

    @property
    def caught(self) -> bool:
        """Whether letters go to the mail catcher of `serve`, where a flood harms nobody."""
        return not self.smtp_url or self.smtp_url.startswith("catcher:")

    @property
    def inbox(self) -> bool:
        """Whether letters can be answered by reply."""
        return bool(self.inbox_url)

    @property
    def development(self) -> bool:
        """Whether the pages are served to this machine only."""
        return urlsplit(self.url).hostname in DEVELOPMENT_HOSTS


def read(environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings in TIDEPOST_*. Raises BadSettings."""

    def get(name: str, default: str = "") -> str:
        return environment.get(f"TIDEPOST_{name}", "").strip() or default

    data_dir = data_dir_of(environment)
    url = get("URL", "http://127.0.0.1:8000").rstrip("/")
    check_written("URL", url)
    host = urlsplit(url).hostname or ""
    keys = tuple(key.strip() for key in get("SECRET_KEYS").split(",") if key.strip()) or kept_keys(data_dir)
    settings = Settings(
        database_url=get("DATABASE_URL", f"sqlite:///{data_dir}/tidepost.db"),
        broker_url=get("BROKER_URL", "folder://"),
        smtp_url=get("SMTP_URL"),
        inbox_url=get("INBOX_URL"),
        url=url,
        mail_domain=get("MAIL_DOMAIN", "localhost" if host in DEVELOPMENT_HOSTS else host),
        secret_keys=keys,
        data_dir=data_dir,
        authserv_id=get("AUTHSERV_ID"),
        operator=get("OPERATOR"),
        push_key=get("PUSH_KEY"),
        trusted_proxies=networks(get("TRUSTED_PROXIES")),
        operator_key=get("OPERATOR_KEY"),
        request_seconds=seconds("REQUEST_SECONDS", get("REQUEST_SECONDS", "20")),
        keep=Keep(**{name: days(f"KEEP_{name.upper()}_DAYS", get, name) for name in LEAST_DAYS}),
        webhook_origins=origins(get("WEBHOOK_ORIGINS")),
        mail_banners=tuple(one.strip() for one in re.split(r"[|;\n]", get("MAIL_BANNERS")) if one.strip()),
    )
    check_written("DATABASE_URL", settings.database_url)
    check_written("BROKER_URL", settings.broker_url)
    check_written("MAIL_DOMAIN", settings.mail_domain)
    if settings.operator:
        check_written("OPERATOR", settings.operator)
    if settings.authserv_id:
        check_written("AUTHSERV_ID", settings.authserv_id)
    if settings.smtp_url:
        check_written("SMTP_URL", settings.smtp_url)
    if settings.push_key:
        check_written("PUSH_KEY", settings.push_key)
    if settings.inbox_url:
        check_written("INBOX_URL", settings.inbox_url)
    if 0 < len(settings.operator_key) < SHORTEST_KEY and not settings.development:
        raise BadSettings(f"TIDEPOST_OPERATOR_KEY is too short; it needs {SHORTEST_KEY} random characters")
    if not keys:
        raise BadSettings(
            "TIDEPOST_SECRET_KEYS is not set and there are no kept keys; `tidepost serve` makes one, or set "
            f"it to one or more random texts of at least {SHORTEST_KEY} characters, separated by commas"
        )
    if not settings.development and any(len(key) < SHORTEST_KEY or len(set(key)) < 8 for key in keys):
        raise BadSettings(
            f"TIDEPOST_SECRET_KEYS holds a weak key; each needs {SHORTEST_KEY} random characters "
            "(`python -c 'import secrets; print(secrets.token_hex(32))'` makes one)"
        )
    return settings


def networks(text: str) -> tuple[str, ...]:
    """The networks in a list of addresses and networks; `none` trusts nobody, and nothing this machine.

    Raises BadSettings.
    """
    if not text:
        return LOOPBACK
    if text.lower() == "none":
        return ()
    try:
        return tuple(str(ip_network(one.strip(), strict=False)) for one in text.split(",") if one.strip())
    except ValueError:
        raise BadSettings(
            f"TIDEPOST_TRUSTED_PROXIES is {text!r}; it must be written as 127.0.0.1, 172.18.0.0/16 or none"
        ) from None


def origins(text: str) -> tuple[str, ...]:
    """The origins in a list, each with its port. Raises BadSettings."""
    found = []
    for one in filter(None, (part.strip().rstrip("/") for part in text.split(","))):
        match = re.fullmatch(r"(https?)://([^/?#@\s:]+|\[[0-9a-fA-F:]+\])(?::(\d{1,5}))?", one)
        if match is None:
            raise BadSettings(
                f"TIDEPOST_WEBHOOK_ORIGINS has {one!r}; it must be written as http://chat.example.org:8065, "
                "without a path"
            )
        scheme, host, port = match.groups()
        found.append(
            f"{scheme}://{host.casefold().strip('[]')}:{port or ('443' if scheme == 'https' else '80')}"
        )
    return tuple(found)


def seconds(name: str, text: str) -> float:
    """The seconds in a setting. Raises BadSettings."""
    if not re.fullmatch(r"\d{1,4}(\.\d+)?", text) or not float(text):
        raise BadSettings(f"TIDEPOST_{name} is {text!r}; it must be a number of seconds, such as 20")
    return float(text)


def days(name: str, get: Callable[[str], str], kept: str) -> int:
    """The days in a setting of `Keep`, its default where it is not set. Raises BadSettings."""
    text, least = get(name), LEAST_DAYS[kept]
    if not text:
        return int(getattr(Keep(), kept))
    if not re.fullmatch(r"\d{1,5}", text) or int(text) < least:
        raise BadSettings(f"TIDEPOST_{name} is {text!r}; it must be a whole number of days, {least} or more")
    return int(text)


def check_written(name: str, value: str) -> None:
    """Raises BadSettings if the setting does not match its pattern; repeats no password."""
    pattern, example = WRITTEN[name]
    try:
        # A list of database hosts has several ports, and its driver reads them.
        good = name == "DATABASE_URL" or urlsplit(value).port != 0
    except ValueError:
        good = False
    if not good or not re.fullmatch(pattern, value):
        shown = f"is {value!r}" if "@" not in value and name != "PUSH_KEY" else "is set"
        raise BadSettings(f"TIDEPOST_{name} {shown}; it must be written as {example}")


def data_dir_of(environment: Mapping[str, str]) -> Path:
    """The folder of TIDEPOST_DATA_DIR, or `data` where the command runs."""
    return Path(environment.get("TIDEPOST_DATA_DIR", "").strip() or "data").absolute()


def kept_keys(data_dir: Path) -> tuple[str, ...]:
    """The keys that `make_keys` stored in the folder, newest first. Raises BadSettings."""
    try:
        return tuple((data_dir / "secret_keys").read_text().split())
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise BadSettings(f"the kept keys cannot be read: {error}") from None


def add_key(data_dir: Path) -> None:
    """Store a random key in the folder before those that are there. Raises OSError, BadSettings."""
    import secrets

    file, before = data_dir / "secret_keys", kept_keys(data_dir)
    part = file.with_name("secret_keys.part")
    part.unlink(missing_ok=True)
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as out:
        out.write("".join(f"{key}\n" for key in (secrets.token_hex(32), *before)))
        out.flush()
        os.fsync(out.fileno())
    part.replace(file)


def make_keys(data_dir: Path) -> None:
    """Store a random key in the folder, readable by its owner only, unless there is one."""
    import secrets

    data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = data_dir / "secret_keys"
    if not file.exists():
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as out:
            out.write(secrets.token_hex(32) + "\n")
