"""The subject of a mail server's refusal: the mailbox, a full mailbox, the letter, us, or this moment.

Only a refusal about the mailbox itself says that there is nobody. The finer status decides (RFC 3463, and the
register of later codes); a status that says everything or nothing leaves it to the words. Where both are in
one refusal, it is about us: a player who gets no emails because of our trouble suffers more than a mail
server that is asked once more.
"""

import re
import unicodedata
from enum import StrEnum

from app.mail.bounces import refusal_words as words


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
    **dict.fromkeys(("2.120", "2.121", "2.122"), About.LATER),  # so many in an hour, as Exchange says it
    # the other system
    "3.1": About.LATER,
    "3.2": About.LATER,
    "3.4": About.POLICY,
    # the way there
    **dict.fromkeys(("4.1", "4.2", "4.3", "4.5", "4.7"), About.LATER),
    "4.4": About.PERSON,  # there is no such domain
    **dict.fromkeys(("4.6", "4.12", "4.14"), About.POLICY),
    "4.310": About.PERSON,  # there is no such domain, as Exchange says it
    **dict.fromkeys((f"4.{n}" for n in (300, 301, 302, *range(311, 319))), About.LATER),
    # the protocol
    **dict.fromkeys((f"5.{n}" for n in range(1, 7)), About.US),
    # security: who we are, how we signed, from where
    **dict.fromkeys((f"7.{n}" for n in range(3, 17)), About.US),
    **dict.fromkeys(("7.17", "7.18"), About.PERSON),  # the mailbox or the domain changed hands
    **dict.fromkeys((f"7.{n}" for n in range(19, 31)), About.US),
    **dict.fromkeys((f"7.{n}" for n in range(120, 140)), About.POLICY),  # who may write to a group
}
"""By subject and detail; what is missing is left to the words."""

_OTHER_LETTERS = str.maketrans({"’": "'", "ł": "l", "ø": "o", "đ": "d"})
_NOT_US = re.compile(
    r"(relay|local|virtual|alias)[a-z ]* recipient table"  # "User unknown in relay recipient table"
    r"|\S+@\S+|https?:\S+|<[^>]*>"  # names are not words
)
_ADDRESS = re.compile(r"[^\s<>\"'(),;:=]+@[^\s<>\"'(),;:]+")


def _folded(text: str) -> str:
    """The text in lower case, without marks on its letters, in one line."""
    apart = unicodedata.normalize("NFKD", text.casefold().translate(_OTHER_LETTERS))
    return _BLANKS.sub(" ", "".join(sign for sign in apart if not unicodedata.combining(sign)))


def _words(*phrases: str, more: str = "") -> re.Pattern[str]:
    longest_first = sorted(map(_folded, phrases), key=len, reverse=True)
    either = "|".join([*filter(None, [more]), *map(re.escape, longest_first)])
    return re.compile(rf"(?<![a-z0-9])(?:{either})(?![a-z0-9])")


_IN_A_STATE = (
    rf"(?:{'|'.join(words.NAMES)})(?: of (?:the )?recipient)?(?: is| was| has been)?"
    rf"(?: currently| temporarily)? (?:{'|'.join(sorted(words.STATES, key=len, reverse=True))})"
)
_FULL, _NOBODY = _words(*words.FULL), _words(*words.NOBODY, more=_IN_A_STATE)
_US, _SURELY_US, _CALLOUT = _words(*words.US), _words(*words.SURELY_US), _words(*words.CALLOUT)
_SURELY_NOBODY, _CLOSED = _words(*words.SURELY_NOBODY), _words(*words.CLOSED)
_NOW, _TOO_MUCH, _EXPIRED = _words(*words.FOR_NOW), _words(*words.TOO_MUCH), _words(*words.EXPIRED)
_RULE = _words(*words.RULE)


def about(stage: Stage, code: int, text: str) -> About:
    """The subject of a refusal. `code`: of three digits, or 0 if only the text is known.

    The same answer means more at one moment than at another: until the recipient was named, it is about us.
    """
    finer = _STATUS.search(text[:LONGEST])
    if code == 0 and finer is not None:
        code = int(finer[1]) * 100
    said = _plain(text)
    if 400 <= code < 500:
        detail = _detail(finer, 4)
        at_recipient = stage in (Stage.RECIPIENT, Stage.TEXT)
        return About.FULL if at_recipient and (detail == "2.2" or _FULL.search(said)) else About.LATER
    if stage is Stage.CONNECT:
        return About.US
    told = _told(finer, said)
    if stage is Stage.SENDER:
        return About.POLICY if told is About.POLICY and _detail(finer, 5) in ("3.4", "2.3") else About.US
    plainly = _detail(finer, 5) in ("1.1", "2.1") or _CLOSED.search(said)
    if stage is Stage.TEXT and told is About.PERSON and not plainly:
        return About.POLICY  # the recipient was taken: the words quote something
    return told


def _told(finer: re.Match[str] | None, said: str) -> About:
    """A permanent refusal, by its status and by its words."""
    without, many = _NOBODY.subn(" ", said)
    us, nobody = _US.search(without) is not None, many > 0
    detail = _detail(finer, 5)
    known = _STATUSES.get(detail)
    if _RULE.search(said):
        return About.POLICY
    if _SURELY_US.search(said) or (_CALLOUT.search(said) and "recipient" not in said):
        return About.US
    if (known is About.PERSON or nobody) and not detail.startswith("7.") and _NOW.search(said):
        return About.LATER
    if detail == "2.1" and _TOO_MUCH.search(said):
        return About.LATER
    if known is About.PERSON:
        if detail in ("1.1", "1.3", "1.10", "2.1") and nobody:
            return About.PERSON  # both say so, whatever else is mentioned
        return About.US if us else About.PERSON
    if known is About.LATER and (us or nobody):
        return About.US if us else About.PERSON  # Exchange writes 5.4.1 for an address that it does not know
    if known is not None:
        return known
    return _by_words(detail, said, us=us, nobody=nobody)


def _by_words(detail: str, said: str, *, us: bool, nobody: bool) -> About:
    """A permanent refusal whose status says nothing."""
    if us:
        return About.US
    if _FULL.search(said):
        return About.FULL
    if nobody or detail == "1.0":
        surely = _SURELY_NOBODY.search(said) is not None  # some write 5.7.1 for it
        return About.PERSON if surely or not detail.startswith("7.") else About.POLICY
    return About.LATER if _EXPIRED.search(said) else About.POLICY


def _detail(finer: re.Match[str] | None, kind: int) -> str:
    """Subject and detail of a status of that kind, such as 1.1; empty for another or none."""
    return f"{finer[2]}.{finer[3]}" if finer is not None and finer[1] == str(kind) else ""


def _plain(text: str) -> str:
    """The words of a refusal as they are compared, without names."""
    return _folded(_NOT_US.sub(" ", text[:LONGEST].casefold()))


def masked(text: str) -> str:
    """A server's words in one short line, without anybody's address."""
    return " ".join(_ADDRESS.sub("…", text[:LONGEST]).split())[:300]
