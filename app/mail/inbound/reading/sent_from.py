"""The lines that phones and programs put below what was typed, such as "Sent from my iPhone"."""

import re

_FIRST = (
    "sent from", "sent via", "sent with", "get outlook for", "download outlook", "get bluemail",
    "von meinem", "gesendet von", "gesendet mit", "holen sie sich outlook", "envoyé de",
    "envoyé depuis", "envoyé à partir", "obtenir outlook", "télécharger outlook", "enviado desde",
    "enviado do", "enviado de", "enviado a partir", "obtener outlook", "inviato da", "verzonden vanaf",
    "verstuurd vanaf", "wysłane z", "wysłano z", "отправлено с", "отправлено из", "发自", "發自", "发送自",
    "發送自",
    "來自我的", "来自我的", "来自网易", "来自qq",
    "来自华为", "来自小米", "寄自我的", "傳送自", "從我的", "获取 outlook", "获取适用于",
    "下载 outlook", "下载适用于", "下載 outlook", "下載適用於", "取得 outlook", "取得 ios 版",
    "取得 android 版", "取得適用於",
    "أُرسلت من", "أرسلت من", "مرسل من", "تم الإرسال من", "נשלח מ", "ارسال شده از", "ارسالشده از",
    "فرستاده شده از", "فرستادهشده از", "ارسال از", "دریافت outlook", "ارسال شده با", "ارسالشده با",
    "فرستاده شده با", "skickat från", "sendt fra",
    "lähetetty",
)  # fmt: skip
"""Beginnings of such lines, in lower case, without the gaps that Persian has inside words."""
_DEVICE = (
    r"(?:iphone|ipad|ipod|mac|android|galaxy|xperia|aquos|pixel|arrows|outlook|windows|yahoo!?|gmail|spark"
    r"|ドコモ|docomo|au|softbank|ソフトバンク|スマートフォン|スマホ|携帯|タブレット)"
)
_PERSIAN_DEVICE = (
    r"(?:iphone|ipad|android|galaxy|windows|outlook|yahoo|gmail|[آا]یفون|[آا]ی ?پد|اندروید"
    r"|گوشی|موبایل|تلفن|تبلت)"
)
_WHOLE = re.compile(
    rf"(?:(?:私|自分|わたし)の ?|マイ)?{_DEVICE}.{{0,30}}から(?:送信|返信)"
    r"(?:しました|されました|しています)?[。.]?"
    r"|.{0,20}outlook.{0,40}を?(?:入手|ダウンロード|取得)(?:する|してください)?(?:<.{0,80}>)?"
    r"|[从從].{1,30}(?:发送|发出|傳送|發送|寄出)"
    rf"|از .{{0,20}}{_PERSIAN_DEVICE}.{{0,20}}(?:ارسال|فرستاده) ?شد(?:ه است)?\.?"
    r"|outlook(?: را)? برای .{0,20}(?: را)? دریافت کنید(?:<.{0,80}>)?"
)
"""Lines of languages in which the device comes first."""


def is_sent_from(line: str) -> bool:
    """Whether a line, as `marks.plain` writes it, names the device or the program that sent the mail."""
    return line.startswith(_FIRST) or _WHOLE.fullmatch(line) is not None
