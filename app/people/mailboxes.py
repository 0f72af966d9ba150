"""Mailboxes: what addresses are counted by, because one person can write their address in many ways."""

SAME_HOUSE = {"googlemail.com": "gmail.com"}
"""Domains that are one provider's, by the name that they are counted under."""
WITHOUT_DOTS = ("gmail.com",)
"""Providers for which dots before the @ make no difference."""

NOWHERE = "@"
"""Begins a key under which nobody is written to. No address has an empty name before its @."""


def beside(key: str, mark: int | str = "") -> str:
    """A key beside an address key, for a row of the same address; no email goes to it."""
    return f"{NOWHERE}{mark}{NOWHERE}{key}"


def is_nowhere(key: str) -> bool:
    """Whether a key was made by `beside`."""
    return key.startswith(NOWHERE)


def mailbox_of(key: str) -> str:
    """The mailbox of an address key: without the tag behind a plus and, at Gmail, without dots.

    It is for counting alone: nothing is sent there, and nobody is recognised by it.
    """
    local, _, domain = key.rpartition("@")
    local = local.split("+", 1)[0] or local
    domain = SAME_HOUSE.get(domain, domain)
    if domain in WITHOUT_DOTS:
        local = local.replace(".", "")
    return f"{local}@{domain}"


def domain_of(key: str) -> str:
    """The domain of an address key, as it is counted."""
    return mailbox_of(key).rpartition("@")[2]
