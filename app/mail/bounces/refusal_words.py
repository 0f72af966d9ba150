"""The words by which mail servers refuse, in the languages that they use, for comparing and not for showing.

Each tuple holds phrases in lower case; marks on letters, hyphens and underscores don't count. `NAMES` and
`STATES` are combined: a mailbox "is disabled", "has been blocked", and so on.
"""

FULL = (
    "mailbox full", "mailbox is full", "mail box full", "inbox is full", "inbox full", "account is full",
    "over quota", "overquota", "quota exceeded", "exceeded quota", "exceeds quota",
    "over the allowed quota",
    "quota reached", "storage quota", "disk quota", "exceeded storage", "out of storage",
    "storage allocation", "not enough storage", "insufficient storage", "insufficient space",
    "mailbox size limit", "mailbox size exceeded", "mailbox limit", "mailbox has exceeded",
    "mailbox has reached", "too much mail", "user is over", "exceeds allowed size", "quotaexceeded",
    "quotaexceededexception", "postfach voll", "postfach ist voll", "kontingent uberschritten",
    "bandeja llena", "buzon lleno", "boite pleine", "quota depasse", "casella piena", "caixa cheia",
    "skrzynka pelna", "postvak vol", "ящик переполнен", "邮箱已满", "メールボックスがいっぱい",
    "邮箱空间不足", "邮箱容量已满", "信箱已滿", "信箱空間不足", "容量を超え", "容量超過",
    "容量オーバー", "صندوق پر",
    "صندوق پستی پر", "فضای کافی ندارد",
)  # fmt: skip
NOBODY = (
    "user unknown", "unknown user", "unknown recipient", "recipient unknown", "unknown mailbox",
    "mailbox unknown", "unknown address", "unknown local", "address unknown", "addressee unknown",
    "unknown addressee", "unknown alias", "host unknown", "no such user", "no such recipient",
    "no such mailbox", "no such address", "no such account", "no such person", "no such local",
    "no such email", "no such domain", "no mailbox here", "no mailbox by that", "no account by that",
    "no user by that", "not a known user", "user not found", "recipient not found", "mailbox not found",
    "address not found", "account not found", "account does not exist", "mailbox does not exist",
    "user does not exist", "recipient does not exist", "address does not exist", "domain does not exist",
    "account or domain may not exist", "non existent hosts", "indicated no smtp service",
    "email account that you tried to reach does not", "does not exist here", "user doesn't exist",
    "address doesn't exist", "mailbox doesn't exist", "account doesn't exist", "user doesn't have",
    "user does not have", "doesn't have an account", "not a valid mailbox", "not a valid user",
    "not a valid recipient", "not a valid address", "invalid mailbox", "invalid recipient", "invalid user",
    "invalid address", "bad destination mailbox", "bad recipient", "illegal user", "unroutable address",
    "unrouteable address", "undeliverable address", "mailbox unavailable", "permanently unavailable",
    "account not available", "no longer available", "no longer valid", "no longer in use",
    "no longer active",
    "no longer exists", "no longer works here", "has moved", "not our customer", "user not local",
    "not listed in domino", "not in our directory", "host not found", "domain not found", "name not found",
    "find any host named", "recipient address rejected: access denied",
    "recipient addresses rejected : access denied", "recipient addresses rejected: access denied",
    "non existent account", "address could not be found", "due to inactivity", "because of inactivity",
    "existiert nicht", "nicht existiert", "unbekannter empfanger", "empfanger unbekannt",
    "empfanger gesperrt", "postfach gesperrt", "benutzer unbekannt", "adresse unbekannt",
    "no existe", "no existen", "usuario desconocido", "destinatario desconocido", "usuario inexistente",
    "n'existe pas", "utilisateur inconnu", "destinataire inconnu", "boite aux lettres desactivee",
    "nao existe", "usuario desconhecido", "destinatario desconhecido",
    "casella inesistente", "utente inesistente", "utente sconosciuto", "indirizzo inesistente",
    "destinatario sconosciuto", "non esiste", "onbekende gebruiker", "gebruiker onbekend", "bestaat niet",
    "uzytkownik nieznany", "nieznany uzytkownik", "nie ma takiego konta", "nie istnieje", "finns inte",
    "findes ikke", "finnes ikke", "пользователь не найден", "ящик не существует", "адрес не существует",
    "не существует", "用户不存在", "邮箱不存在", "用戶不存在", "信箱不存在", "存在しません", "宛先不明",
    "收件人不存在", "帐号不存在", "账号不存在", "账户不存在", "地址不存在", "无此用户", "使用者不存在",
    "帳號不存在", "無此使用者", "查無此人", "見つかりません", "存在しない", "不明なユーザ",
    "کاربر یافت نشد",
    "گیرنده یافت نشد", "وجود ندارد",
    "존재하지 않는", "없는 사용자",
)  # fmt: skip
NAMES = ("mailbox", "mail box", "account", "user", "user account", "recipient", "address", "inbox")
"""Names of the place where a player's mail is."""
STATES = (
    "disabled", "inactive", "deactivated", "suspended", "suspended or locked", "locked", "locked out",
    "blocked", "frozen", "closed", "terminated", "expired", "deleted", "removed", "cancelled",
)  # fmt: skip
"""States that last."""
US = (
    "rbl", "dnsbl", "dnsbls", "rbls", "blacklist", "blacklisted", "black list", "blocklist", "block list",
    "blocklisted", "denylist", "listed", "spamhaus", "spamcop", "sorbs", "barracuda reputation",
    "barracuda", "invaluement", "abusix", "senderscore", "proofpoint", "cloudmark", "reputation", "spam",
    "spammer", "junk", "junkmail", "unsolicited", "bulk", "spm", "phishing", "virus", "malware", "spoofing",
    "spf", "dkim", "dmarc", "authenticate", "authenticated", "authentication", "unauthenticated", "ptr",
    "rdns", "reverse dns", "reverse lookup", "reverse hostname", "dns mx", "helo", "ehlo", "fcrdns",
    "sender",
    "senders", "submitter", "envelope", "return path", "mail from", "from address", "your ip", "your host",
    "your server", "your network", "your domain", "your account", "client host", "client ip",
    "connecting ip", "ip address", "ip range", "ip in", "prison", "banned", "blocked", "blocking",
    "suppression", "suppressed", "suppress", "rate", "rate limit", "rate limited", "ratelimit", "throttled",
    "throttling", "too many", "too fast", "too quickly", "too frequent", "frequency", "hourly limit",
    "daily limit", "sending limit", "credits", "sending disabled", "relay access denied", "relay denied",
    "relaying denied", "relaying not allowed", "relay not permitted", "not permitted to relay",
    "unable to relay", "cannot relay", "open relay", "must issue a starttls", "tls required",
    "encryption required", "abuse", "dynamic", "complaint", "complaints", "greylisted", "greylist",
    "this ip", "that ip", "ip is", "traffic not accepted", "threshold", "do not relay", "rcpthosts",
    "not verified", "sending quota", "sending limits", "relay limit", "permanently deferred",
    "external forwarding", "absender", "absenderadresse", "expediteur", "remitente", "remetente",
    "mittente", "отправитель", "отправителя", "спам", "发件人", "送信者",
    "寄件者", "寄件人", "差出人", "垃圾邮件", "垃圾郵件", "迷惑メール", "黑名单", "黑名單", "频率", "頻率",
    "فرستنده", "هرزنامه",
)  # fmt: skip
"""Words about us, whole ones: `rate` does not mean `generate`."""
SURELY_US = (
    "suppression", "suppressed", "suppress", "previously bounced", "hard bounce", "hard bounces",
    "hard bounced", "history of bouncing", "bounce list", "bounced address", "unsubscribed",
    "inactive recipient", "inactiverecipient",
    "sender address", "sender domain", "sender host", "sender account", "sender verify",
    "sender verification", "sender callout", "sender callback", "sender rejected", "sender unknown",
    "sender does not exist", "sender doesn't exist", "sender not found", "sender's address",
    "sender's domain", "sender's account", "sender's system address", "address of the sender",
    "domain of sender", "domain of the sender", "null sender", "unknown sender", "invalid sender",
    "bad sender", "verify sender", "verify the sender", "verify your address", "verify your sender",
    "verify return path", "return path", "return address", "reply address", "reverse path",
    "envelope sender", "envelope from", "mail from address", "mail from unknown",
    "from address", "from domain", "from header",
    "originator", "originating address", "backscatter", "your address was", "your address is",
    "your domain", "your account",
)  # fmt: skip
"""Words of a relay about its own list, and of a server about our sender, whatever status it gives them."""
CALLOUT = ("callout", "call out", "callback", "call back", "call ahead")
"""A server's question to another whether an address exists: of the recipient, or of us as the sender."""
RULE = (
    "resolver.rst", "recipient has blocked", "blocked by recipient", "blocked by the recipient",
    "recipient is not accepting", "recipient's filter", "recipient's list", "recipient's policy",
    "not in allowed senders list", "restrictedtorecipientspermission",
)  # fmt: skip
"""A rule that the recipient set up for themselves or for their group."""
CLOSED = (
    "user doesn't have", "user does not have", "mailbox is disabled", "mailbox disabled",
    "account is disabled",
)  # fmt: skip
"""Some servers say so only after the text; they quote nothing then."""
SURELY_NOBODY = (
    *CLOSED, "no such user", "user unknown", "unknown user", "no such mailbox", "user not found",
)  # fmt: skip
"""Words that a server says of nobody else, whatever status it gives them."""
FOR_NOW = (
    "temporarily", "temporary", "for now", "try again", "try later", "retry later", "maintenance",
    "timeout",
    "timed out",
)  # fmt: skip
TOO_MUCH = ("rate", "too many", "too fast", "too quickly", "too frequent", "per hour", "throttled")
"""How much the recipient gets just now."""
EXPIRED = (
    "connection timed out", "connection refused", "retry timeout exceeded", "queue too long",
    "message expired", "delivery time expired", "failing for a long time", "host unreachable",
    "no route to host",
)  # fmt: skip
"""The last words of a server that has tried for as long as it does."""
