"""Mailboxes: what addresses are counted by, because one person can write their address in many ways."""

SAME_HOUSE = {"googlemail.com": "gmail.com"}
"""Domains that are one provider's, by the name that they are counted under."""
WITHOUT_DOTS = ("gmail.com",)
"""Providers for which dots before the @ make no difference."""


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
