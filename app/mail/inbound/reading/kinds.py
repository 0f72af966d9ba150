"""The kind of a mail. Only a person's reply is read; everything else is dropped without an answer."""

from email.message import Message as Mail

from app.mail.inbound.reading import headers, marks
from app.mail.inbound.reading.message import Kind, OwnNames

_ANSWERED_BY_MACHINE = (
    *("autoreply", "autorespon", "autogenerat", "autoanswer", "automaticreply", "mailautoreply", "vacation"),
    *("away", "outofoffice", "fcmachinegenerated", "msexchangeinboxrulesloop"),
)
"""Beginnings of headers that only machines set, without `X-` and dashes, whatever they say but `no`."""
_OF_MACHINES = {
    "X-Apple-Action": ("vacation",),
    "X-MS-Exchange-Generated-Message-Source": ("mailbox rules agent", "antispam", "journal agent"),
    "Delivered-To": ("autoresponder",),
    "X-Mailer": ("vacation", "autorespond", "auto-respond", "autoreply"),
    "X-Precedence": ("bulk", "junk", "auto_reply", "auto-reply", "list"),
}
"""Headers that people's mail can have too, with the beginnings of machines' values."""
_SUPPRESSES = "autoresponsesuppress"
_SUPPRESSED = ("all", "oof", "autoreply")
_BULK = {
    "bulk": "automatic",
    "junk": "automatic",
    "auto_reply": "automatic",
    "autoreply": "automatic",
    "list": "list",
}
_LISTS = ("List-Id", "List-Post", "Mailing-List", "X-Mailing-List")
_BOUNCERS = ("mailer-daemon", "postmaster", "mail-daemon", "mailerdaemon")
_NOBODY = ("noreply", "donotreply", "nepasrepondre", "nichtantworten")
_SUBJECTS = (
    "automatic reply", "automatic response", "automated response", "automated reply", "auto reply",
    "auto-reply", "autoreply", "auto response", "autoresponse", "out of office", "out of the office",
    "automatische antwort", "abwesenheit", "abwesend", "réponse automatique", "absence du bureau",
    "respuesta automática", "fuera de la oficina", "resposta automática", "risposta automatica",
    "automatisch antwoord", "automatyczna odpowiedź", "автоответ", "автоматический ответ", "自动回复",
    "自動回覆", "自動返信", "自動応答", "不在通知", "پاسخ خودکار", "رد تلقائي", "תשובה אוטומטית",
    "autosvar", "automatisk svar", "automatiskt svar", "frånvaro", "fravær", "automaattinen vastaus",
    "poissaolo", "automatická odpověď", "automatikus válasz", "otomatik yanıt", "otomatik cevap",
    "自动答复", "自动应答", "外出自动", "外出通知", "休假自动", "休假通知", "不在办公室",
    "自動回信", "自動應答",
    "不在辦公室", "不在のお知らせ", "不在連絡", "【不在", "[不在", "休暇のお知らせ", "休暇通知",
    "休暇中", "外出中:",
    "پاسخگوی خودکار", "جواب خودکار", "پاسخ اتوماتیک", "در مرخصی", "خارج از دفتر", "خارج از محل کار",
    "αυτόματη απάντηση", "자동 회신", "자동 응답", "부재중", "răspuns automat", "автоматична відповідь",
    "fora do escritório", "ausência", "fuori sede", "afwezig", "nieobecność",
)  # fmt: skip


def kind_of(mail: Mail, parts: list[Mail], own: OwnNames, envelope_sender: str | None) -> tuple[Kind, str]:
    """The kind and the mark that shows it; ("reply", "") if there is no mark.

    `X-Auto-Response-Suppress`, `Feedback-ID` and `List-Unsubscribe` alone are no marks: people's mail has
    them too.
    """
    types = [part_type(part) for part in parts]
    report = str(mail.get_param("report-type", "") or "").casefold()
    if report == "disposition-notification" or "message/disposition-notification" in types:
        return "receipt", "disposition-notification"
    if types[0] == "multipart/report" or "message/delivery-status" in types:
        return "bounce", report or "delivery-status"
    if mail["X-Failed-Recipients"] is not None:
        return "bounce", "x-failed-recipients"
    sender = headers.sender(mail)
    if own.owns(sender):
        return "ours", "from"
    return _by_headers(mail, sender, envelope_sender) or _by_parts(parts, types) or ("reply", "")


def seems_automatic(subject: str) -> bool:
    """Whether the subject begins like that of an automatic answer."""
    plain = marks.plain(subject).strip()
    for _ in range(3):  # Re: and its translations; in Chinese and Japanese the words are as short
        bracketed = plain.lstrip("[【(").strip()
        if plain.startswith(_SUBJECTS) or bracketed.startswith(_SUBJECTS):
            return True
        head, colon, tail = plain.partition(":")
        if not colon or len(head) > 4:
            break
        plain = tail.strip()
    return plain.startswith(_SUBJECTS)


def part_type(part: Mail) -> str:
    """A part's type, even if the whole header came as an encoded word."""
    said = headers.value(part, "Content-Type")
    if said.startswith("=?"):
        return headers.readable(said).partition(";")[0].strip().casefold()
    return part.get_content_type()


def _by_headers(mail: Mail, sender: str, envelope_sender: str | None) -> tuple[Kind, str] | None:
    submitted = headers.value(mail, "Auto-Submitted").casefold().partition(";")[0].split("(")[0].strip()
    if submitted and submitted != "no":
        return "automatic", "auto-submitted"
    for name, value in mail.items():
        said = name.casefold().removeprefix("x-").replace("-", "").replace("_", "")
        told = str(value).strip().casefold() not in ("", "no", "false", "0")
        if (
            told
            and name[:2] in ("X-", "x-")
            and said.startswith(_ANSWERED_BY_MACHINE)
            and said != _SUPPRESSES
        ):
            return "automatic", name.casefold()[:60]
    for name, values in _OF_MACHINES.items():
        if any(value.strip().casefold().startswith(values) for value in headers.values(mail, name)):
            return "automatic", name.casefold()
    if seems_automatic(headers.subject(mail)) and _suppresses(mail):
        return "automatic", "subject"
    kind = _BULK.get(headers.value(mail, "Precedence").casefold().replace("-", "_"))
    if kind is not None:
        return ("list" if kind == "list" else "automatic"), "precedence"
    for name in _LISTS:
        if mail[name] is not None:
            return "list", name.casefold()
    local = sender.partition("@")[0].split("+")[0]
    if local in _BOUNCERS:
        return "bounce", "from"
    if "".join(c for c in local if c.isalnum()) in _NOBODY:
        return "automatic", "from"
    if envelope_sender is not None and is_nobody(envelope_sender):
        return "bounce", "null-sender"
    if not envelope_sender and any(is_nobody(value) for value in headers.values(mail, "Return-Path")):
        return "bounce", "null-sender"
    return None


def is_nobody(sender: str) -> bool:
    """Whether an envelope's sender is the null one, which pipes write as MAILER-DAEMON or leave empty."""
    local = sender.strip("<> ").casefold().partition("@")[0]
    return local in ("", "double-bounce", *_BOUNCERS[:1])


def _suppresses(mail: Mail) -> bool:
    """Whether it asks for no automatic answers; some people's mail does, so it is only a weak sign."""
    return any(
        word.strip() in _SUPPRESSED
        for value in headers.values(mail, "X-Auto-Response-Suppress")
        for word in value.casefold().split(",")
    )


def _by_parts(parts: list[Mail], types: list[str]) -> tuple[Kind, str] | None:
    for part, kind in zip(parts, types, strict=True):
        if kind == "text/vnd.google.email-reaction+json":
            return "reaction", "part"
        if kind == "text/calendar" and _answers_a_date(part):
            return "calendar", "method"
    return None


def _answers_a_date(part: Mail) -> bool:
    method = str(part.get_param("method", "") or "")
    if not method:
        payload = part.get_payload(decode=True)
        head = payload[:4_000].upper() if isinstance(payload, bytes) else b""
        method = next((name for name in ("REPLY", "COUNTER") if f"METHOD:{name}".encode() in head), "")
    return method.casefold() in ("reply", "counter", "declinecounter", "refresh")
