"""The settings as they are, the keys, and the rights of their files."""

import stat
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from app.data_folder import SECRETS, others_may_read
from app.settings import BadSettings, Settings, kept_keys
from app.soundness.finding import Finding


def settings(now: Settings) -> Iterator[Finding]:
    """Settings that are missing where others use the server, or don't fit together."""
    if not now.development and urlsplit(now.url).scheme != "https":
        yield Finding(
            f"TIDEPOST_URL is {now.url}, without TLS",
            "Whoever stands between a player and the server can read links and play with them.",
            "Put a TLS proxy before the pages (app/web/proxies has samples) and set TIDEPOST_URL=https://…",
        )
    if not now.development and now.caught:
        yield Finding(
            "TIDEPOST_SMTP_URL is not set",
            "No email leaves this machine: nobody is asked for a move.",
            "Set TIDEPOST_SMTP_URL=smtp://user:password@your.mail.server:587?starttls",
        )
    if not now.development and not now.inbox:
        yield Finding(
            "TIDEPOST_INBOX_URL is not set",
            "Players can't answer emails with moves, and bounces are not seen.",
            "Set TIDEPOST_INBOX_URL, for example to smtp://0.0.0.0:2525, and run `tidepost inbox`",
            grave=False,
        )
    if not now.development and not now.operator:
        yield Finding(
            "TIDEPOST_OPERATOR is not set",
            "Reports of players about each other reach nobody by email.",
            "Set TIDEPOST_OPERATOR to your email address",
            grave=False,
        )
    if not now.development and not now.operator_key:
        yield Finding(
            "TIDEPOST_OPERATOR_KEY is not set",
            "Monitoring sees only that something is wrong, and not what.",
            "Set TIDEPOST_OPERATOR_KEY to what this prints: openssl rand -hex 32",
            grave=False,
        )
    if not now.development and now.database_url.startswith("sqlite") and now.broker_url != "folder://":
        yield Finding(
            "the database is SQLite, but the broker is a server",
            "Parts on other machines would see an empty database of their own.",
            "Keep all parts on one machine, or move with `tidepost transfer --to postgresql://…`",
            grave=False,
        )


def rights(now: Settings) -> Iterator[Finding]:
    """Files that other users of the machine can read."""
    folder = now.data_dir
    if not folder.is_dir():
        yield Finding(
            f"the data folder {folder} is missing",
            "Keys, pictures and the embedded database have no place.",
            f"mkdir -m 700 {folder}, as the user that runs Tidepost",
        )
        return
    if others_may_read(folder):
        yield Finding(
            f"other users of this machine can look into {folder}",
            "It holds players' addresses and the keys of all links.",
            f"chmod 700 {folder}",
        )
    try:
        left_out = set(kept_keys(folder)) - set(now.secret_keys)
    except BadSettings as error:
        yield Finding(
            str(error), "No part can start with it.", f"chown it to the user that runs Tidepost: {folder}"
        )
        left_out = set()
    if left_out:
        yield Finding(
            f"TIDEPOST_SECRET_KEYS lacks {len(left_out)} of the keys in {folder / 'secret_keys'}",
            "Links that they signed (feeds, links to share, unsubscribing) no longer open, nor do webhooks.",
            "Add them at the end of TIDEPOST_SECRET_KEYS, or delete the file if they were given away",
            grave=False,
        )
    for file in _secrets(folder):
        if stat.S_IMODE(file.stat().st_mode) & 0o077:
            yield Finding(
                f"other users of this machine can read {file}",
                "It is enough to make links that open every game, or to sign in as anyone.",
                f"chmod 600 {file}",
            )


def _secrets(folder: Path) -> Iterator[Path]:
    for pattern in SECRETS:
        yield from sorted(folder.glob(pattern))
