"""The subject of a mail server's refusal: the mailbox, a full mailbox, the letter, us, or this moment.

Only a refusal about the mailbox itself says that there is nobody. The finer status decides (RFC 3463, and the
register of later codes); a status that says everything or nothing leaves it to the words. Where both are in
one refusal, it is about us: a player who gets no emails because of our trouble suffers more than a mail
server that is asked once more.
"""

import re
from enum import StrEnum


class About(StrEnum):
    """The subject of a refusal."""

    PERSON = "person"
    """There is no such mailbox, or it is closed."""
    FULL = "full"
    """There is, and it takes nothing more for now."""
    POLICY = "policy"
    """This letter, or a rule of theirs."""
    US = "us"
    """Our server, our sender, our reputation, our rights: the next letter will be refused too."""
    LATER = "later"
    """Now; it may be taken later."""


class Stage(StrEnum):
    """The moment in the talk with a mail server."""

    CONNECT = "connect"
    """Its greeting, and all that comes before a letter: EHLO, STARTTLS, AUTH."""
    SENDER = "mail"
    RECIPIENT = "rcpt"
    TEXT = "data"
    """DATA, and the answer to the final dot."""


_STATUS = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])")
_BLANKS = re.compile(r"[\s_-]+")
LONGEST = 2000
"""Characters of a refusal that are read."""

_STATUSES: dict[str, About] = {
    # the address: 5.1.7 and 5.1.8 are the sender's
    **dict.fromkeys(("1.1", "1.2", "1.3", "1.4", "1.6", "1.10"), About.PERSON),
    **dict.fromkeys(("1.7", "1.8"), About.US),
    "1.9": About.POLICY,
    # the mailbox
    "2.1": About.PERSON,
    "2.2": About.FULL,
    "2.3": About.POLICY,
    "2.4": About.POLICY,
    # the other system
    "3.1": About.LATER,
    "3.2": About.LATER,
    "3.4": About.POLICY,
    # the way there
    **dict.fromkeys(("4.1", "4.2", "4.3", "4.5", "4.7"), About.LATER),
    "4.4": About.PERSON,  # there is no such domain
    "4.6": About.POLICY,
    # the protocol
    **dict.fromkeys((f"5.{n}" for n in range(1, 7)), About.US),
    # security: who we are, how we signed, from where
    **dict.fromkeys((f"7.{n}" for n in range(3, 17)), About.US),
    **dict.fromkeys(("7.17", "7.18"), About.PERSON),  # the mailbox or the domain changed hands
    **dict.fromkeys((f"7.{n}" for n in range(19, 31)), About.US),
}
"""By subject and detail; what is missing is left to the words."""

_FULL = (
    "mailbox full", "mailbox is full", "mail box full", "inbox is full", "inbox full", "over quota",
    "overquota", "quota exceeded", "exceeded quota", "exceeds quota", "exceeded storage", "out of storage",
    "storage allocation", "not enough storage", "insufficient storage", "insufficient space",
    "mailbox size limit", "mailbox limit", "user is over", "exceeds allowed size", "postfach voll",
    "postfach ist voll", "bandeja llena", "boite pleine",
)  # fmt: skip
_NOBODY = (
    "user unknown", "unknown user", "unknown recipient", "recipient unknown", "unknown mailbox",
    "mailbox unknown", "unknown address", "unknown local", "address unknown", "no such user",
    "no such recipient", "no such mailbox", "no such address", "no such account", "no such person",
    "no such local", "no such email", "no such domain", "no mailbox here", "no mailbox by that",
    "no account by that", "no user by that", "user not found", "recipient not found", "mailbox not found",
    "address not found", "account not found", "account does not exist", "mailbox does not exist",
    "user does not exist", "recipient does not exist", "address does not exist", "domain does not exist",
    "email account that you tried to reach does not", "does not exist here", "user doesn't exist",
    "address doesn't exist", "mailbox doesn't exist", "account doesn't exist", "user doesn't have",
    "user does not have", "doesn't have an account", "not a valid mailbox", "not a valid user",
    "not a valid recipient", "invalid mailbox", "invalid recipient", "invalid user", "invalid address",
    "bad destination mailbox", "bad recipient", "illegal user", "unroutable address", "unrouteable address",
    "undeliverable address", "mailbox unavailable", "mailbox disabled", "mailbox is disabled",
    "mailbox inactive", "mailbox is inactive", "mailbox closed", "account disabled", "account is disabled",
    "account has been disabled", "account inactive", "account is inactive", "account closed",
    "account has been closed", "account deactivated", "account has been deactivated", "account suspended",
    "user disabled", "user is disabled", "user is inactive", "address disabled", "no longer available",
    "no longer valid", "no longer in use", "no longer exists", "no longer works here", "has moved",
    "not our customer", "user not local", "not listed in domino", "not in our directory", "host not found",
    "domain not found", "name not found", "find any host named", "recipient address rejected: access denied",
    "recipient addresses rejected : access denied", "recipient addresses rejected: access denied",
    "non existent account", "unknown alias", "account expired", "account has expired",
    "account has been terminated", "account is terminated", "address could not be found",
    "existiert nicht", "nicht existiert", "no existe", "casella inesistente", "n'existe pas",
    "unbekannter empfanger", "empfanger unbekannt", "benutzer unbekannt", "adresse unbekannt",
    "utilisateur inconnu", "destinataire inconnu", "usuario desconocido", "usuario no existe",
    "utente sconosciuto", "indirizzo inesistente", "onbekende gebruiker",
)  # fmt: skip
_US = (
    "rbl", "dnsbl", "blacklist", "black list", "blocklist", "block list", "blocklisted", "denylist", "listed",
    "spamhaus", "spamcop", "sorbs", "barracuda", "invaluement", "abusix", "senderscore", "proofpoint",
    "cloudmark", "reputation", "spam", "spammer", "junk", "junkmail", "unsolicited", "bulk", "spm",
    "phishing", "virus", "malware", "spf", "dkim", "dmarc", "authenticated", "authentication",
    "unauthenticated", "ptr", "rdns", "reverse dns", "reverse lookup", "reverse hostname", "helo", "ehlo",
    "fcrdns", "sender", "senders", "envelope", "return path", "mail from", "from address", "your ip",
    "your host", "your server", "your network", "your domain", "client host",
    "client ip", "connecting ip", "ip address", "ip range", "ip in", "prison", "banned", "blocked",
    "blocking",
    "suppression", "suppressed", "suppress", "rate", "rate limit", "rate limited", "ratelimit",
    "throttled", "throttling", "too many", "too fast", "too frequent", "frequency", "hourly limit",
    "daily limit", "sending limit", "relay access denied", "relay denied", "relaying denied",
    "relaying not allowed", "relay not permitted", "not permitted to relay", "unable to relay",
    "cannot relay", "open relay", "must issue a starttls", "tls required", "encryption required",
    "abuse", "dynamic", "complaint", "complaints", "greylisted", "greylist",
    "this ip", "that ip", "ip is", "traffic not accepted", "threshold", "do not relay", "rcpthosts",
    "not verified", "sending quota", "sending limits", "relay limit", "permanently deferred",
)  # fmt: skip
"""Words about us, whole ones: `rate` does not mean `generate`."""
_SURELY_US = (
    "suppression", "suppressed", "suppress", "previously bounced", "hard bounce", "hard bounces",
    "hard bounced", "history of bouncing", "bounce list", "bounced address", "unsubscribed",
    "inactive recipient", "inactiverecipient", "sender address rejected", "sender verify",
    "sender verification", "sender callout", "verify sender", "verify return path", "verify the sender",
    "return path verification",
)  # fmt: skip
"""Words of a relay about its own list, and of a server about our sender, whatever status it gives them."""
_CLOSED = (
    "mailbox is disabled", "mailbox disabled", "account is disabled", "user doesn't have",
    "user does not have",
)  # fmt: skip
"""Some servers say so only after the text; they quote nothing then."""
_SURELY_NOBODY = (
    *_CLOSED, "no such user", "user unknown", "unknown user", "no such mailbox", "user not found",
)  # fmt: skip
"""Words that a server says of nobody else, whatever status it gives them."""
_FOR_NOW = ("temporarily", "temporary", "for now", "try again", "try later", "retry later")


def _words(phrases: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(phrases, key=len, reverse=True)
    return re.compile(r"(?<![a-z0-9])(?:" + "|".join(map(re.escape, longest_first)) + r")(?![a-z0-9])")


_ABOUT_FULL, _ABOUT_NOBODY, _ABOUT_US = _words(_FULL), _words(_NOBODY), _words(_US)
_ABOUT_SURELY_US, _ABOUT_NOW = _words(_SURELY_US), _words(_FOR_NOW)
_ABOUT_SURELY_NOBODY, _ABOUT_CLOSED = _words(_SURELY_NOBODY), _words(_CLOSED)
_NOT_US = re.compile(
    r"(relay|local|virtual|alias)[a-z ]* recipient table"  # "User unknown in relay recipient table"
    r"|\S+@\S+|https?:\S+|<[^>]*>"  # names are not words
)
_TRANSLATED = str.maketrans({"’": "'", "ä": "a", "ö": "o", "ü": "u", "é": "e", "î": "i"})
_ADDRESS = re.compile(r"[^\s<>\"'(),;:=]+@[^\s<>\"'(),;:]+")


def about(stage: Stage, code: int, text: str) -> About:
    """The subject of a refusal. `code`: of three digits, or 0 if only the text is known.

    The same answer means more at one moment than at another: until the recipient was named, it is about us.
    """
    finer = _STATUS.search(text[:LONGEST])
    if code == 0 and finer is not None:
        code = int(finer[1]) * 100
    words = _plain(text)
    full = _ABOUT_FULL.search(words) is not None
    if 400 <= code < 500:
        detail = _detail(finer, 4)
        at_recipient = stage in (Stage.RECIPIENT, Stage.TEXT)
        return About.FULL if at_recipient and (detail == "2.2" or full) else About.LATER
    if stage is Stage.CONNECT:
        return About.US
    told = _told(finer, words)
    if stage is Stage.SENDER:
        return About.POLICY if told is About.POLICY and _detail(finer, 5) in ("3.4", "2.3") else About.US
    plainly = _detail(finer, 5) in ("1.1", "2.1") or _ABOUT_CLOSED.search(words)
    if stage is Stage.TEXT and told is About.PERSON and not plainly:
        return About.POLICY  # the recipient was taken: the words quote something
    return told


def _told(finer: re.Match[str] | None, words: str) -> About:
    """A permanent refusal, by its status and by its words."""
    without, many = _ABOUT_NOBODY.subn(" ", words)
    us, nobody = _ABOUT_US.search(without) is not None, many > 0
    full = _ABOUT_FULL.search(words) is not None
    detail = _detail(finer, 5)
    known = _STATUSES.get(detail)
    if _ABOUT_SURELY_US.search(words):
        return About.US
    if known is About.PERSON:
        if detail == "2.1" and _ABOUT_NOW.search(words):
            return About.LATER
        if detail in ("1.1", "1.3", "1.10") and nobody:
            return About.PERSON  # both say so, whatever else is mentioned
        if us:  # "receiving mail at a rate …" is no closed mailbox
            return About.LATER if detail == "2.1" else About.US
        return About.PERSON
    if known is About.LATER and (us or nobody):
        return About.US if us else About.PERSON  # Exchange writes 5.4.1 for an address that it does not know
    if known is not None:
        return known
    if us:
        return About.US
    if full:
        return About.FULL
    if nobody or detail == "1.0":
        surely = _ABOUT_SURELY_NOBODY.search(words) is not None  # some write 5.7.1 for it
        return About.PERSON if surely or not detail.startswith("7.") else About.POLICY
    return About.POLICY


def _detail(finer: re.Match[str] | None, kind: int) -> str:
    """Subject and detail of a status of that kind, such as 1.1; empty for another or none."""
    return f"{finer[2]}.{finer[3]}" if finer is not None and finer[1] == str(kind) else ""


def _plain(text: str) -> str:
    text = _NOT_US.sub(" ", text[:LONGEST].casefold().translate(_TRANSLATED))
    return _BLANKS.sub(" ", text)


def masked(text: str) -> str:
    """A server's words in one short line, without anybody's address."""
    return " ".join(_ADDRESS.sub("…", text[:LONGEST]).split())[:300]
