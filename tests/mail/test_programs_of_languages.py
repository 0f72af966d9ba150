"""Replies as the mail programs of China, Taiwan, Japan and Iran send them: only what was typed is read."""

# ruff: noqa: E501, ISC004, Q003 - a program is a line, as it writes it

import base64
import quopri
from html import escape

import pytest

from app.mail.inbound.reading import Message, OwnNames, open_message, read
from app.mail.inbound.reading.kinds import seems_automatic
from tests.mail.test_replies import is_command

HOUSE = OwnNames(domain="tidepost.example")
ADDRESS = "r+mfrggzdfmztwq2lknnwg23tp@tidepost.example"
QUOTED = {
    "zh-Hans": "轮到你了。\n\n让一块板块沉入水中：选一块与水相邻的板块。\n回复此邮件时写在最上面。",
    "zh-Hant": "輪到你了。\n\n讓一塊板塊沉入水中：選一塊與水相鄰的板塊。\n回覆此郵件時寫在最上面。",
    "ja": "あなたの手番です。\n\nタイルを沈めてください。水に接するタイルを1枚選びます。\n返信は一番上に書いてください。",
    "fa": "نوبت شماست.\n\nيک کاشي را غرق کنيد: يکي از کاشي‌هاي کنار آب را برگزينيد.\nپاسخ را در بالا بنويسيد.",
}
"""A letter of ours, with nothing that an older character set of its language lacks."""
CHARSETS = {
    "zh-Hans": ("utf-8", "gb2312", "gbk", "gb18030"),
    "zh-Hant": ("utf-8", "big5"),
    "ja": ("utf-8", "iso-2022-jp", "shift_jis", "euc-jp"),
    "fa": ("utf-8", "windows-1256"),
}
MARKED, PLAIN = "> ", ""
"""How a program quotes: with signs, or without any."""
FORMS: dict[str, dict[str, tuple[str, str]]] = {
    "zh-Hans": {
        "gmail": (MARKED, "Tidepost <{to}> 于2026年11月3日周二 17:30写道：\n"),
        "apple mail": (MARKED, "2026年11月3日 17:30，Tidepost <{to}> 写道：\n"),
        "iphone": (MARKED, "发自我的 iPhone\n\n在 2026年11月3日，17:30，Tidepost <{to}> 写道：\n"),
        "outlook": (PLAIN, "{rule}\n发件人: Tidepost <{to}>\n发送时间: 2026年11月3日 17:30\n收件人: Ann\n主题: 轮到你了\n"),
        "outlook without a rule": (PLAIN, "发件人： Tidepost\n发送时间： 2026年11月3日 17:30\n收件人： Ann\n主题： 轮到你了\n"),
        "outlook in bold": (PLAIN, "*发件人:* Tidepost\n*发送时间:* 2026年11月3日\n*收件人:* Ann\n*主题:* 轮到你了\n"),
        "outlook phone": (PLAIN, "获取适用于 iOS 的 Outlook\n{rule}\n发件人: Tidepost <{to}>\n发送时间: 2026年11月3日\n"),
        "outlook phone, older": (PLAIN, "获取 Outlook for Android<https://aka.ms/AAb9ysg>\n发件人: Tidepost\n主题: x\n"),
        "windows mail": (PLAIN, "从 Windows 版邮件发送\n\n发件人: Tidepost\n发送时间: 2026年11月3日\n"),
        "qq": (PLAIN, "------------------ 原始邮件 ------------------\n发件人: \"Tidepost\" <{to}>;\n发送时间: 2026年11月3日\n"),
        "qq phone": (PLAIN, "---原始邮件---\n发件人: \"Tidepost\"\n发送时间: 2026年11月3日\n"),
        "qq in English": (PLAIN, "------------------ Original ------------------\nFrom: Tidepost\nDate: Tue\n"),
        "foxmail": (PLAIN, "发件人： Tidepost\n发送时间： 2026-11-03 17:30\n收件人： ann\n主题： 轮到你了\n"),
        "netease": (PLAIN, "在 2026-11-03 17:30:00，\"Tidepost\" <{to}> 写道：\n"),
        "netease phone": (PLAIN, "| |\nAnn\n|\n|\nann@players.example\n|\n---- 回复的原邮件 ----\n| 发件人 | Tidepost |\n"),
        "netease with marks": (MARKED, "在 2026-11-03 17:30:00，\"Tidepost\" 写道：\n"),
        "aliyun": (PLAIN, "------------------------------------------------------------------\n发件人：Tidepost <{to}>\n发送时间：2026年11月3日(星期二) 17:30\n"),
        "sina": (PLAIN, "----- 原始邮件 -----\n发件人：Tidepost <{to}>\n收件人：Ann\n"),
        "139": (PLAIN, "----邮件原文----\n发件人：Tidepost\n收件人：Ann\n"),
        "coremail": (PLAIN, "-----原始邮件-----\n发件人:\"Tidepost\" <{to}>\n发送时间:2026-11-03 17:30:00 (星期二)\n"),
        "thunderbird": (MARKED, "在 2026/11/3 17:30, Tidepost 写道:\n"),
        "huawei": (PLAIN, "发自我的华为手机\n-------- 原始邮件 --------\n发件人： Tidepost\n日期： 2026年11月3日\n"),
        "xiaomi": (PLAIN, "发自我的小米手机\n在 2026年11月3日 下午5:30，Tidepost <{to}> 写道：\n"),
        "samsung": (PLAIN, "发送自我的 Galaxy\n\n-------- 原始邮件 --------\n自： Tidepost\n日期： 2026/11/3\n"),
        "samsung, older": (PLAIN, "从我的 Galaxy 手机发送\n-------- 原始信息 --------\n由: Tidepost\n日期: 2026/11/3\n"),
        "signature": (PLAIN, "——\nAnn\n\n在 2026年11月3日，Tidepost <{to}> 写道：\n"),
        "yahoo": (PLAIN, "从 iPhone 版 Yahoo 邮箱发送\n\n2026年11月3日，Tidepost <{to}> 写道：\n"),
    },
    "zh-Hant": {
        "gmail": (MARKED, "Tidepost <{to}> 於 2026年11月3日 週二 下午5:30寫道：\n"),
        "apple mail": (MARKED, "Tidepost <{to}> 於 2026年11月3日 下午5:30 寫道：\n"),
        "iphone": (MARKED, "從我的 iPhone 傳送\n\n> Tidepost <{to}> 於 2026年11月3日 下午5:30 寫道：\n"),
        "iphone, Hong Kong": (MARKED, "寄自我的 iPhone\n\nTidepost 於 2026年11月3日 下午5:30 寫道：\n"),
        "outlook": (PLAIN, "{rule}\n寄件者: Tidepost <{to}>\n寄件日期: 2026年11月3日 下午 05:30\n收件者: Ann\n主旨: 輪到你了\n"),
        "outlook without a rule": (PLAIN, "寄件者： Tidepost\n寄件日期： 2026年11月3日\n收件者： Ann\n主旨： 輪到你了\n"),
        "outlook phone": (PLAIN, "取得 iOS 版 Outlook\n{rule}\n寄件者: Tidepost\n寄件日期: 2026年11月3日\n"),
        "outlook phone, older": (PLAIN, "下載 Outlook for iOS\n寄件者: Tidepost\n寄件日期: 2026年11月3日\n"),
        "windows mail": (PLAIN, "從 Windows 的郵件傳送\n\n寄件者: Tidepost\n寄件日期: 2026年11月3日\n"),
        "yahoo": (PLAIN, "    Tidepost <{to}> 於 2026年11月3日 週二 下午05:30:00 [GMT+8] 寫道：\n"),
        "yahoo phone": (PLAIN, "傳送自 Yahoo奇摩 Android 手機信箱\n\n於 2026 年 11 月 3 日週二，Tidepost <{to}> 寫道：\n"),
        "thunderbird": (MARKED, "Tidepost 於 2026/11/3 下午 05:30 寫道:\n"),
        "samsung": (PLAIN, "從我的 Galaxy 傳送\n\n-------- 原始郵件 --------\n自： Tidepost\n日期： 2026/11/3\n"),
        "samsung, older": (PLAIN, "發自我的 Galaxy\n-------- 原始訊息 --------\n由： Tidepost\n日期： 2026/11/3\n"),
        "line": (PLAIN, "-----原始郵件-----\n寄件者: Tidepost\n寄件日期: 2026年11月3日\n"),
        "signature": (PLAIN, "－－\nAnn\n\nTidepost <{to}> 於 2026年11月3日 寫道：\n"),
    },
    "ja": {
        "gmail": (MARKED, "2026年11月3日(火) 17:30 Tidepost <{to}>:\n"),
        "gmail, broken": (MARKED, "2026年11月3日(火) 17:30 Tidepost\n<{to}>:\n"),
        "apple mail": (MARKED, "2026/11/03 17:30、Tidepost <{to}>のメール:\n"),
        "iphone": (MARKED, "iPhoneから送信\n\n2026/11/03 17:30、Tidepost <{to}>のメール：\n"),
        "iphone, own words": (MARKED, "私のiPhoneから送信しました。\n\n2026/11/03、Tidepost のメール:\n"),
        "outlook": (PLAIN, "{rule}\n差出人: Tidepost <{to}>\n送信日時: 2026年11月3日 17:30\n宛先: Ann\n件名: あなたの番です\n"),
        "outlook without a rule": (PLAIN, "差出人： Tidepost\n送信日時： 2026年11月3日\n宛先： Ann\n件名： あなたの番です\n"),
        "outlook phone": (PLAIN, "iOS 版 Outlook を入手\n{rule}\n差出人: Tidepost\n送信日時: 2026年11月3日\n"),
        "outlook phone, older": (PLAIN, "Outlook for Android を入手<https://aka.ms/AAb9ysg>\n差出人: Tidepost\n宛先: Ann\n"),
        "outlook, older": (PLAIN, "-----元のメッセージ-----\nFrom: Tidepost\nSent: Tuesday\n"),
        "windows mail": (PLAIN, "Windows 版のメールから送信\n\n差出人: Tidepost\n送信日時: 2026年11月3日\n"),
        "yahoo": (PLAIN, "----- Original Message -----\nFrom: Tidepost <{to}>\nTo: Ann\nDate: 2026/11/3, Tue 17:30\n"),
        "yahoo phone": (PLAIN, "Yahoo!メール - スマートフォンアプリから送信\n\n2026/11/3 17:30、Tidepost <{to}>:\n"),
        "thunderbird": (MARKED, "On 2026/11/03 17:30, Tidepost wrote:\n"),
        "thunderbird, own words": (MARKED, "Tidepost さんは書きました:\n"),
        "becky": (MARKED, "Tue, 3 Nov 2026 17:30:00 +0900\nTidepost <{to}> wrote:\n"),
        "shuriken": (MARKED, "Tidepost さんの 2026年11月3日 のメッセージ：\n"),
        "galaxy": (PLAIN, "Galaxyから送信\n\n-------- 元のメッセージ --------\n差出人: Tidepost\n日付: 2026/11/03\n"),
        "xperia": (PLAIN, "Xperia™から送信\n\n---- Tidepost さんは書きました ----\n"),
        "docomo": (PLAIN, "ドコモのスマートフォンから送信\n-----元のメール-----\n差出人：Tidepost\n宛先：Ann\n"),
        "signature": (PLAIN, "━━━━━━━━━━━━\nアン\n━━━━━━━━━━━━\n2026年11月3日(火) Tidepost <{to}>:\n"),
        "cybozu": (PLAIN, "----- Original Message -----\n差出人 : Tidepost\n宛先 : Ann\n"),
    },
    "fa": {
        "gmail": (MARKED, "در تاريخ سه‌شنبه 3 نوامبر 2026،\u200f 17:30 Tidepost <{to}> نوشت:\n"),
        "gmail, broken": (MARKED, "در تاريخ سه‌شنبه 3 نوامبر 2026،\u200f 17:30 Tidepost\n<{to}> نوشت:\n"),
        "apple mail": (MARKED, "در 12 آبان 1405، ساعت 17:30، Tidepost <{to}> نوشت:\n"),
        "iphone": (MARKED, "ارسال‌شده از iPhone من\n\nدر 12 آبان 1405، ساعت 17:30، Tidepost نوشت:\n"),
        "iphone, own words": (MARKED, "از iPhone من ارسال شد\n\nدر 12 آبان 1405، Tidepost نوشت:\n"),
        "outlook": (PLAIN, "{rule}\nاز: Tidepost <{to}>\nارسال‌شده: سه‌شنبه 3 نوامبر 2026\nبه: Ann\nموضوع: نوبت شماست\n"),
        "outlook, other words": (PLAIN, "فرستنده: Tidepost\nتاريخ ارسال: 3 نوامبر 2026\nگيرنده: Ann\nموضوع: نوبت شماست\n"),
        "outlook phone": (PLAIN, "Outlook براي iOS را دريافت کنيد\n{rule}\nاز: Tidepost\nبه: Ann\n"),
        "outlook phone, other words": (PLAIN, "دريافت Outlook براي Android\nاز: Tidepost\nبه: Ann\n"),
        "samsung": (PLAIN, "ارسال شده از گوشي سامسونگ\n\n-------- پيام اصلي --------\nاز: Tidepost\nتاريخ: 3/11/26\n"),
        "original": (PLAIN, "-----پيام اصلي-----\nاز: Tidepost\nبه: Ann\n"),
        "thunderbird": (MARKED, "در 2026/11/3 17:30، Tidepost نوشت:\n"),
        "yahoo": (PLAIN, "فرستاده شده از Yahoo Mail براي Android\n\nدر سه‌شنبه 3 نوامبر 2026، Tidepost <{to}> نوشت:\n"),
        "signature": (PLAIN, "--\nآن\n\nدر 12 آبان 1405، Tidepost <{to}> نوشت:\n"),
        "gmail, own digits": (MARKED, "\u200fدر تاريخ سه‌شنبه ۱۲ آبان ۱۴۰۵ ساعت ۱۷:۳۰ \u202aTidepost\u202c\u200f <\u202a{to}\u202c\u200f> نوشت:\n"),
        "gmail, no signs": (PLAIN, "در تاريخ سه‌شنبه ۱۲ آبان ۱۴۰۵ ساعت ۱۷:۳۰ Tidepost <{to}> نوشت:\n"),
        "apple mail, own digits": (MARKED, "در ۳ نوامبر ۲۰۲۶، ساعت ۵:۳۰ بعدازظهر، Tidepost <{to}> نوشت:\n"),
        "iphone in Persian letters": (MARKED, "از آيفون من ارسال شد\n\nدر ۱۲ آبان ۱۴۰۵، Tidepost نوشت:\n"),
        "ipad": (MARKED, "از آي‌پد من فرستاده شده است.\n\nدر ۱۲ آبان ۱۴۰۵، Tidepost نوشت:\n"),
        "outlook phone, the object first": (PLAIN, "Outlook را براي iOS دريافت کنيد\n{rule}\nاز: Tidepost\nبه: Ann\n"),
        "outlook phone, the object last": (PLAIN, "Outlook براي Android را دريافت کنيد<https://aka.ms/AAb9ysg>\n{rule}\nاز: Tidepost\n"),
        "outlook, further words": (PLAIN, "فرستنده: Tidepost\nارسال: ۳ نوامبر ۲۰۲۶\nدريافت‌کننده: Ann\nعنوان: نوبت شماست\n"),
        "outlook in bold": (PLAIN, "*از:* Tidepost\n*ارسال:* ۳ نوامبر\n*به:* Ann\n*موضوع:* نوبت شماست\n"),
        "windows mail": (PLAIN, "از ايميل براي Windows ارسال شده است\n\nاز: Tidepost\nارسال: ۳ نوامبر\nبه: Ann\n"),
        "windows mail, other words": (PLAIN, "ارسال شده از Mail براي Windows\n\nاز: Tidepost\nارسال: ۳ نوامبر\nبه: Ann\n"),
        "proton": (MARKED, "ارسال شده با ايميل امن Proton Mail\n\nدر سه‌شنبه، ۳ نوامبر ۲۰۲۶، Tidepost <{to}> نوشت:\n"),
        "huawei": (PLAIN, "ارسال‌شده از تلفن همراه هواوي من\n-------- پيام اصلي --------\nاز: Tidepost\nتاريخ: ۳ نوامبر\n"),
        "dari": (MARKED, "به تاريخ سه‌شنبه ۳ نوامبر، Tidepost <{to}> نوشت:\n"),
    },
}  # fmt: skip
CASES = [
    pytest.param(language, name, charset, id=f"{language}-{name}-{charset}")
    for language, forms in FORMS.items()
    for name in forms
    for charset in CHARSETS[language]
]


def body(language, name, typed="sink F5"):
    sign, head = FORMS[language][name]
    head = head.replace("{to}", ADDRESS).replace("{rule}", "_" * 32)
    quoted = "".join(f"{sign}{line}\n" for line in QUOTED[language].splitlines())
    return f"{typed}\n\n\n{head}\n{quoted}"


def mail(text, charset="utf-8", subtype="plain", encoding="8bit", subject="Re: [Tidepost] Survive #42"):
    if charset == "gb2312":
        text = text.replace("—", "―")  # its only long dash
    payload = text.encode(charset, "xmlcharrefreplace" if subtype == "html" else "ignore")
    if encoding == "base64":
        payload = base64.encodebytes(payload)
    elif encoding == "quoted-printable":
        payload = quopri.encodestring(payload)
    head = (
        "From: Ann Reed <ann@players.example>\r\n"
        f"To: Tidepost <{ADDRESS}>\r\nSubject: {subject}\r\nMessage-ID: <m1@players.example>\r\n"
        f"MIME-Version: 1.0\r\nContent-Type: text/{subtype}; charset={charset}\r\n"
        f"Content-Transfer-Encoding: {encoding}\r\n\r\n"
    )
    return head.encode() + payload.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def opened(raw):
    message = open_message(raw, HOUSE)
    assert isinstance(message, Message)
    assert message.kind == "reply"
    return message


@pytest.mark.parametrize(("language", "name", "charset"), CASES)
def test_only_what_was_typed_is_read(language, name, charset):
    for encoding in ("8bit", "base64", "quoted-printable"):
        reply = read(opened(mail(body(language, name), charset, encoding=encoding)), is_command, HOUSE)
        assert (reply.lines, reply.rest, reply.left) == (("sink F5",), "", ()), encoding


@pytest.mark.parametrize(("language", "name"), list(dict.fromkeys(case.values[:2] for case in CASES)))
def test_nothing_of_the_quote_is_taken_for_what_was_typed(language, name):
    reply = read(opened(mail(body(language, name, typed=""))), is_command, HOUSE)
    assert reply.lines == ()
    assert reply.reason in ("empty", "quoted_only")
    html = "<br>".join(escape(line) for line in body(language, name).splitlines())
    reply = read(opened(mail(f"<div>{html}</div>", subtype="html")), is_command, HOUSE)
    assert (reply.lines, reply.rest, reply.left) == (("sink F5",), "", ())


@pytest.mark.parametrize(
    "text",
    [
        "<div>sink F5</div><div><br></div><div style='font-size: 12px;'><div><br></div><div>------------------&nbsp;"
        '原始邮件&nbsp;------------------</div><div>发件人:&nbsp;"Tidepost";</div><div>轮到你了。</div></div>',
        "<div>sink F5</div><includetail><div style='position:relative;zoom:1'></div><div>&nbsp;</div>"
        "<div style='font:Verdana'>------------------&nbsp;Original&nbsp;------------------</div></includetail>",
        "<div>sink F5</div><div id='isForwardContent'><blockquote id='isReplyContent'>轮到你了。</blockquote></div>",
        "<div>sink F5</div><br><div class='ntes-mailmaster-quote'><div>---- 回复的原邮件 ----</div><table><tr>"
        "<td>发件人</td><td>Tidepost</td></tr></table><div>轮到你了。</div></div>",
        "<div>sink F5</div><div><blockquote class='mailquotation'>轮到你了。</blockquote></div>",
        "<div>sink F5</div><div name='messageReplySection'>2026/11/03、Tidepost のメール:<br><blockquote>手番です"
        "</blockquote></div>",
    ],
)
def test_quotes_in_html_of_their_programs_are_known(text):
    reply = read(opened(mail(text, subtype="html")), is_command, HOUSE)
    assert (reply.lines, reply.rest, reply.left) == (("sink F5",), "", ())


@pytest.mark.parametrize(
    "subject",
    [
        "自动回复: [Tidepost] #42", "自动答复：[Tidepost]", "回复：自动回复：您好", "答复: 自动回复: x", "【自动回复】x",
        "外出自动回复", "不在办公室: x", "休假自动回复：x", "自动应答", "转发：自动回复",
        "自動回覆: x", "自動回信：x", "回覆：自動回覆：x", "不在辦公室：x", "休假通知：x", "外出通知",
        "自動返信: x", "自動応答：x", "【自動返信】x", "不在通知：x", "【不在】x", "不在のお知らせ", "休暇のお知らせ：x",
        "外出中：x", "返信：自動返信：x", "[自動応答] x",
        "پاسخ خودکار: x", "پاسخ: پاسخ خودکار: x", "پاسخ‌گوی خودکار", "جواب خودکار: x", "پاسخ خودكار: x", "در مرخصی هستم",
        "خارج از دفتر: x", "پاسخ اتوماتیک",
    ],
)  # fmt: skip
def test_the_subject_of_an_automatic_answer_is_known(subject):
    assert seems_automatic(subject)


@pytest.mark.parametrize(
    "subject",
    [
        "回复: [Tidepost] #42",
        "Re: 轮到你了",
        "返信: あなたの番です",
        "回覆：輪到你了",
        "پاسخ: نوبت شماست",
        "不在",
    ],
)
def test_a_reply_has_no_such_subject(subject):
    assert not seems_automatic(subject)


@pytest.mark.parametrize(
    "banner",
    [
        "注意：此邮件来自外部邮箱，请勿点击链接或打开附件。",
        "【外部邮件】",
        "提示：该邮件来自外部发件人，请谨慎处理。",
        "此邮件来自组织外部。除非您确认发件人，否则请勿点击链接。",
        "注意：本郵件來自外部寄件者，請勿點選連結或開啟附件。",
        "【外部信件】",
        "此郵件來自組織外部。",
        "注意：このメールは外部から送信されています。リンクや添付ファイルに注意してください。",
        "【社外】",
        "［社外メール］",
        "警告: このメールは組織外から送信されました。",
        "هشدار: این ایمیل از خارج از سازمان فرستاده شده است. روی پیوندها کلیک نکنید.",
        "[ایمیل خارجی]",
        "توجه: این پیام از بیرون سازمان ارسال شده است.",
    ],
)
def test_banners_of_receiving_systems_are_passed_over(banner):
    reply = read(opened(mail(f"{banner}\n\n{body('ja', 'gmail')}")), is_command, HOUSE)
    assert reply.lines == ("sink F5",)


@pytest.mark.parametrize(
    "line",
    [
        "・sink F5",
        "１．sink F5",
        "1、sink F5",
        "۱. sink F5",
        "「sink F5」",
        "『sink F5』",
        "《sink F5》",
        "«sink F5»",
    ],
)
def test_bullets_numbers_and_quote_marks_of_each_language_are_taken_off(line):
    reply = read(opened(mail(f"{line}\n")), is_command, HOUSE)
    assert reply.lines == ("sink F5",)
