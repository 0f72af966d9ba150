"""The signature of an email (DKIM), by which its receiver knows that our domain sent it, as it is."""

from app.mail.core import dkim_keys
from app.settings import Settings

SIGNED = (
    b"from",
    b"from",  # twice: nobody can put another one in front
    b"to",
    b"subject",
    b"date",
    b"message-id",
    b"reply-to",
    b"in-reply-to",
    b"references",
    b"list-id",
    b"list-unsubscribe",
    b"list-unsubscribe-post",
    b"auto-submitted",
    b"mime-version",
    b"content-type",
    b"content-language",
)
"""The headers that it covers, whether or not an email has them: none of them can be added or changed."""


def signed(settings: Settings, text: bytes) -> bytes:
    """The email with a signature above it by the key in use; as it is where there is none.

    Raises OSError where the key can't be read, and dkim.DKIMException for a file that is no key.
    """
    found = dkim_keys.private_key(settings)
    if found is None:
        return text
    import dkim

    selector, pem = found
    header: bytes = dkim.sign(
        text,
        selector.encode(),
        settings.mail_domain.encode(),
        pem,
        canonicalize=(b"relaxed", b"relaxed"),
        include_headers=list(SIGNED),
    )
    return header + text
