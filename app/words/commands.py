"""The words of replies in each language: a line such as 認輸 or راهنما as the English command it means."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from functools import cache

OWN: Mapping[str, Mapping[str, str]] = {
    "zh-Hans": {
        "help": "帮助|使用帮助|帮助信息|求助|说明|使用说明|命令|命令列表|有哪些命令|怎么用|怎么玩|帮我"
        "|帮帮我|需要帮助|说明书",
        "board": "棋盘|盘面|局面|当前局面|看棋盘|查看棋盘|显示棋盘|看局面|查看局面|状态|地图"
        "|查看版图|显示版图|看看棋盘|显示局面|现在的局面",
        "legal": "合法走法|合法行动|可行走法|可行的走法|可选走法|可用走法|可以怎么走|能怎么走|有哪些走法"
        "|可以走什么|能走哪里|能走什么|全部走法|所有走法|有什么走法",
        "games": "我的游戏|游戏列表|我的对局|对局列表|对局|游戏|我的对局列表|我的游戏列表|全部对局"
        "|有哪些对局|轮到我的对局",
        "resign": "认输|投降|弃权|认负|退出游戏|退出对局",
        "undo": "撤销|撤回|撤消|悔棋|悔一步|收回|退一步|取消上一步|撤销上一步|撤回上一步|撤回一步"
        "|收回上一步|回退|反悔",
        "say": "发言|说|对大家说|告诉大家|聊天:|留言:|消息:|发消息:|跟大家说|给大家:|给所有人:",
        "note": "笔记|备注|备忘|记事|便条|记笔记|备忘录|个人笔记",
        "ahead": "预设|预走|预定|条件走法|预设走法|预约走法|条件",
        "away": "离开|请假|休假|外出|不在|暂离|缺席|度假|出门|我不在",
        "back": "回来|回来了|我回来了|已回来|销假|取消请假|结束请假|结束休假|我回来啦|回来啦"
        "|我已经回来了|已经回来了|取消休假|提前结束请假",
        "emails": "邮件|邮件设置|邮件通知|通知|通知设置",
        "seen": "已看|已读|看过了|已阅|看到了|已查看|看过|已看过|我看到了|我看过了|标为已看",
        "mute": "静音|屏蔽|屏蔽消息",
        "block": "拉黑|封锁|阻止|加入黑名单",
        "unmute": "取消静音|解除静音|取消屏蔽|解除屏蔽",
        "unblock": "取消拉黑|解除拉黑|取消封锁|解除封锁|取消阻止",
        "end all": "全部登出|全部退出|结束全部|全部结束|退出所有登录|登出所有设备|结束所有链接|全部注销"
        "|全部退出登录|退出全部登录|退出所有设备|登出全部|让所有链接失效",
    },
    "zh-Hant": {
        "help": "幫助|使用說明|求助|說明|指令|指令列表|有哪些指令|怎麼用|怎麼玩|幫我|幫幫我|需要幫助"
        "|使用幫助|說明書",
        "board": "棋盤|盤面|局面|目前局面|看棋盤|查看棋盤|顯示棋盤|看局面|查看局面|狀態|地圖"
        "|查看版圖|顯示版圖|看看棋盤|顯示局面|現在的局面",
        "legal": "合法走法|合法行動|可行走法|可行的走法|可選走法|可用走法|可以怎麼走|能怎麼走|有哪些走法"
        "|可以走什麼|能走哪裡|能走什麼|全部走法|所有走法|有什麼走法",
        "games": "我的遊戲|遊戲列表|我的對局|對局列表|對局|遊戲|我的對局列表|我的遊戲列表|全部對局"
        "|有哪些對局|輪到我的對局",
        "resign": "認輸|投降|棄權|認負|退出遊戲|退出對局",
        "undo": "復原|撤銷|撤回|悔棋|悔一步|收回|退一步|取消上一步|撤銷上一步|撤回上一步|撤回一步"
        "|收回上一步|復原上一步|還原|反悔",
        "say": "發言|說|對大家說|告訴大家|聊天:|留言:|訊息:|傳訊息:|跟大家說|給大家:|給所有人:",
        "note": "筆記|備註|備忘|記事|便條|記筆記|備忘錄|私人筆記",
        "ahead": "預走|預定|條件走法|預約走法|預先走法|條件|預設走法",
        "away": "離開|請假|休假|外出|不在|暫離|缺席|度假|出門|我不在",
        "back": "回來|回來了|我回來了|已回來|銷假|取消請假|結束請假|結束休假|我回來啦|回來啦"
        "|我已經回來了|已經回來了|取消休假|提早結束請假",
        "emails": "信件|郵件|電子郵件|郵件設定|郵件通知|通知|通知設定|信件設定",
        "seen": "已看|已讀|看過了|已閱|看到了|已查看|看過|已看過|我看到了|我看過了|標為已看",
        "mute": "靜音|屏蔽|隱藏訊息",
        "block": "封鎖|拉黑|阻擋|加入黑名單",
        "unmute": "取消靜音|解除靜音|取消屏蔽|解除屏蔽",
        "unblock": "取消封鎖|解除封鎖|取消拉黑|解除拉黑|取消阻擋",
        "end all": "全部登出|結束全部|全部結束|登出所有裝置|結束所有連結|全部登出裝置|登出全部"
        "|所有裝置登出|全裝置登出|讓所有連結失效",
    },
    "ja": {
        "help": "ヘルプ|へるぷ|使い方|説明|コマンド|コマンド一覧|助けて|使いかた|ヘルプ表示|使い方は?",
        "board": "盤面|ボード|盤|局面|状況|状態|盤面表示|現在の盤面|マップ|文字の盤面"
        "|盤面を見る|盤面を表示|現在の状況|今の状況|現在の局面",
        "legal": "できる手|合法手|可能な手|指せる手|打てる手|可能な行動|選択肢|できること|候補手"
        "|手の一覧|合法手一覧|できる手一覧|指せる手一覧|可能な手一覧|できる手は?|すべての手|全部の手",
        "games": "対戦一覧|対戦|ゲーム|ゲーム一覧|対局一覧|対局|手番|手番一覧"
        "|自分の対戦|自分のゲーム|自分の対局|マイゲーム|私の対戦|私のゲーム|対戦リスト|ゲームリスト"
        "|進行中の対戦",
        "resign": "投了|降参|棄権|辞退|ギブアップ|負けました|参りました|降ります|負けです|負けを認めます"
        "|リザイン|投了致します",
        "undo": "取り消し|取消し|取り消す|取り消します|待った|元に戻す|元に戻します|戻す|やり直し"
        "|アンドゥ|一手戻す|1手戻す|直前の手を取り消す|元に戻してください|戻してください"
        "|取り消してください",
        "say": "発言|言う|みんなへ|皆へ|全員へ|みんなに言う|チャット:|メッセージ:|伝言:|みんなに"
        "|みなさんへ|皆さんへ|全員に|コメント:",
        "note": "メモ|ノート|覚え書き|覚書|自分用メモ",
        "ahead": "予約|予約手|先行入力|条件付きの手|条件手|条件付き|条件",
        "away": "不在|休み|お休み|休暇|留守|離席|外出|旅行",
        "back": "復帰|戻りました|帰りました|ただいま|復帰しました|不在終了|休暇終了|休み終わり"
        "|不在を終了|帰ってきました|戻ってきました|戻った|不在終わり|不在を終わります|不在を解除"
        "|休みを終了|休暇から戻りました",
        "emails": "メール|メール設定|メール通知|通知|通知設定",
        "seen": "確認済み|既読|見ました|確認しました|読みました|既読にする|確認済みにする|見た",
        "mute": "ミュート",
        "block": "ブロック",
        "unmute": "ミュート解除|ミュートを解除",
        "unblock": "ブロック解除|ブロックを解除",
        "end all": "すべて終了|全て終了|全部終了|すべてログアウト|全てログアウト|全部ログアウト"
        "|全ログアウト|すべてサインアウト|全てサインアウト|全部サインアウト|すべての場所でサインアウト"
        "|すべてのリンクを無効に|全端末ログアウト",
    },
    "fa": {
        "help": "راهنما|کمک|کمک کن|کمک می‌خواهم|راهنمایی|راهنمای دستورها|دستورها|دستورات|فهرست دستورها",
        "board": "صفحه|تخته|وضعیت|وضعیت بازی|نمایش صفحه|نقشه",
        "legal": "حرکت‌های مجاز|حرکات مجاز|حرکت‌های ممکن|حرکات ممکن|حرکت‌های قانونی|حرکات قانونی|مجاز"
        "|فهرست حرکت‌ها|لیست حرکت‌ها",
        "games": "بازی‌ها|بازی‌های من|بازی‌هایم|فهرست بازی‌ها|لیست بازی‌ها|نوبت من",
        "resign": "انصراف|انصراف می‌دهم|تسلیم|تسلیم می‌شوم|تسلیم شدم|تسلیمم|واگذاری|واگذار می‌کنم"
        "|کناره‌گیری|کناره می‌گیرم",
        "undo": "برگردان|حرکتم را برگردان|واگرد|واگردانی|بازگردانی|پس گرفتن|پس می‌گیرم"
        "|حرکتم را پس می‌گیرم|لغو حرکت|برگردون|پس بگیر|حرکتم را پس بگیر|حرکت آخر را پس بگیر"
        "|حرکت آخر را برگردان|آخرین حرکتم را برگردان",
        "say": "بگو|به همه بگو|گفتن|پیام:|پیام به همه:|گفتگو:|گفت‌وگو:|گپ:",
        "note": "یادداشت|یادداشت کن|یادداشت من|نکته:",
        "ahead": "از پیش|پیشاپیش|حرکت شرطی|حرکت‌های شرطی|حرکات شرطی|شرطی",
        "away": "غیبت|نیستم|مرخصی|غایبم|غایب|در سفر|سفر|در سفرم|در مرخصی|تعطیلات",
        "back": "برگشتم|برگشته‌ام|بازگشتم|بازگشت|آمدم|پایان غیبت|پایان مرخصی|لغو غیبت|لغو مرخصی",
        "emails": "ایمیل|ایمیل‌ها|ایمیل‌های من|رایانامه|رایانامه‌ها|اعلان‌ها",
        "seen": "دیدم|دیده شد|خواندم|خوانده شد",
        "mute": "بی‌صدا|بی‌صدا کن|ساکت|ساکت کن",
        "block": "مسدود|مسدود کن|بلاک|بلاک کن",
        "unmute": "باصدا|باصدا کن|رفع سکوت|لغو بی‌صدا",
        "unblock": "رفع مسدودیت|رفع انسداد|لغو مسدودیت|آنبلاک",
        "end all": "پایان همه|خروج از همه|خروج از همه‌جا|همه را پایان بده"
        "|پایان همه‌ی پیوندها|پایان همه پیوندها",
    },
}
"""The commands of a reply by language.

With a colon behind it, a word is understood with its colon alone: it begins ordinary sentences, too.
"""
ARGUMENTS: Mapping[str, Mapping[str, str]] = {
    "zh-Hans": {
        "clear": "清除|清空|删除|取消|全部取消|无|全部删除|全部清空",
        "at once": "马上|立即|即时|立刻|随时",
        "quiet": "安静|静默|安静时",
        "daily": "每天|每日|每日汇总|每天一次|每天一封|每日一封|每日邮件",
        "reminders": "只提醒|提醒|仅提醒|只要提醒",
        "none": "不发|不要|无|关闭|停止|都不要|不要发|都不发|不发送|关|停",
        "here": "本局|此局|这局|仅本局|只限本局|这里",
    },
    "zh-Hant": {
        "clear": "清除|清空|刪除|取消|全部取消|無|全部刪除|全部清空",
        "at once": "馬上|立即|即時|立刻|隨時",
        "quiet": "安靜|靜默|安靜時",
        "daily": "每天|每日|每日彙整|每天一次|每天一封|每日一封|每日郵件",
        "reminders": "只提醒|提醒|僅提醒|只要提醒",
        "none": "不寄|不要|無|關閉|停止|都不要|不要寄|都不寄|不寄送|關|停",
        "here": "本局|此局|這局|僅本局|只限本局|這裡",
    },
    "ja": {
        "clear": "クリア|消去|削除|取り消し|取消|なし|全削除|全部削除|すべて削除",
        "at once": "すぐに|すぐ|即時|直ちに|随時",
        "quiet": "静かに|静か|控えめ",
        "daily": "毎日|一日一回|1日1回|まとめて|日ごと|1日1通|一日一通|日次",
        "reminders": "リマインダー|リマインダーのみ|リマインダーだけ|催促のみ",
        "none": "なし|不要|停止|オフ|送らない|いらない|止める|停止してください|送らないで",
        "here": "この対戦|この対戦だけ|この対戦のみ|このゲーム|このゲームだけ"
        "|このゲームのみ|この対局|この対局だけ|ここ",
    },
    "fa": {
        "clear": "پاک|پاک کن|حذف|حذف کن|لغو|هیچ",
        "at once": "فوری|فورا|فوراً|بلافاصله|همان لحظه",
        "quiet": "آرام|آهسته|بی‌مزاحمت",
        "daily": "روزانه|هر روز|روزی یک بار",
        "reminders": "یادآوری|یادآوری‌ها|فقط یادآوری|یادآور",
        "none": "هیچ|هیچ‌کدام|خاموش|قطع|نفرست|نمی‌خواهم",
        "here": "اینجا|این بازی|همین بازی|فقط این بازی|فقط همین بازی",
    },
}
"""The words that commands take behind them, by language, the usual one first."""
CALL_OFF: Mapping[str, str] = {
    "en": "call off",
    "zh-Hans": "取消对局|取消游戏|取消",
    "zh-Hant": "取消對局|取消遊戲|取消",
    "ja": "対戦を中止|対戦を中止する|対戦中止|中止|中止する",
    "fa": "لغو بازی|لغو کردن بازی|بازی را لغو کن|لغو",
}
"""The words that are typed on a page to call a game off, by language, the usual one first."""
HERE = "here"
_WHEN = ("at once", "quiet", "daily", "reminders", "none")
ALONE = frozenset({"help", "board", "legal", "games", "resign", "undo", "back", "seen"})
"""The commands that take nothing behind them but a number."""
_TEXTS = frozenset({"say", "note"})
"""The commands that take a text, which is kept as typed."""
_NO_TEXT = re.compile("(?:一下|了|吧|して|する|します|です|ببینم)?")
"""Endings of a command, also behind a blank."""
AWAY_LAST = (
    *("休みます", "休む", "お休みします", "不在にします", "不在にしています", "いません", "留守にします"),
    *("休暇を取ります", "休暇をとります", "休暇中", "旅行します", "外出します", "要请假", "要請假"),
    *("不在家", "放假"),
    *("مرخصی هستم", "مرخصی‌ام", "در سفر هستم", "سفر هستم", "غیبت دارم", "مرخصی دارم", "نخواهم بود"),
    *("نمی‌توانم بازی کنم", "در دسترس نیستم"),
)
"""More words that stand behind the dates of an absence."""
_POLITE_FIRST = re.compile(
    r"^(?:[请請](?!假)|麻烦|麻煩|我要|我想|我(?!的)|私は|لطفا?\u064b?ا?|من(?=\s))[\s,、，،:]*"
)
_POLITE_LAST = re.compile(
    r"[\s,、，،]*(?:谢谢|謝謝|一下|了|吧|を?(?:お願い|おねがい)(?:いた|致)?します|を?(?:ください|下さい)"
    r"|を?(?:見せて|表示して?|教えて|見たい)|して|する|します|です|(?:را\s+)?(?:نشان\s?(?:بده(?:ید)?|دهید)|بفرست(?:ید)?|ببینم)|لطفا?\u064b?ا?|ممنونم?|متشکرم|مرسی|سپاس|please)$"
)
_MOST_POLITE = 3
_END = " \t\n.!。！．｡۔~～…"
_NUMBER = re.compile(r"(?P<before>.*?)[\s:#＃：]*(?P<number>\d{1,10})", re.DOTALL)
_BOUNDARY = re.compile(r"\s*(?:(?P<colon>[:：])\s*|(?<=\s)|$)")
_LONGEST = 40
"""Characters of a phrase before the text that it takes."""
_SHORT, _DATES = 120, 240
"""Characters of a line that is a command alone, and of one about dates: longer ones are not searched."""
_GAP = re.compile("[ \u200c]")
_SAME = str.maketrans({"ي": "ی", "ى": "ی", "ك": "ک", "أ": "ا", "إ": "ا", "ۀ": "ه", "ة": "ه", "ـ": None})
_UNSEEN = re.compile(r"[\u064b-\u065f\u0670\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_PERSIAN_BLANK = re.compile(r"(?<=[\u0600-\u06ff])\s+(?=[\u0600-\u06ff])")
_BY_NAME = re.compile(
    r"(?P<name>.{1,80}?)\s*(?:さん|様|くん|ちゃん)?\s*(?:を|の)(?P<ja>ミュート|ブロック)(?P<undone>を?解除)?"
    r"|[把将將]\s*(?P<whom>.{1,80}?)\s*(?P<zh>屏蔽|静音|靜音|拉黑|封锁|封鎖)"
    r"|(?P<lifted>取消|解除)?(?P<verb>屏蔽|静音|靜音|拉黑|封锁|封鎖)(?P<glued>(?!消息)[^\s了的,.!?:，、。！？：][^,.!?:，、。！？：]{0,79})"
    r"|(?P<them>.{1,80}?)\s+را\s+(?P<fa>بی.?صدا|ساکت|مسدود|بلاک)\s*کن(?:ید)?"
)
_BLOCKS = {"ブロック", "مسدود", "بلاک", "拉黑", "封锁", "封鎖"}
"""The verbs of `_BY_NAME` that keep invitations away, too."""


def command_in(line: str) -> tuple[str, str] | None:
    """The English command that a line in another language means, and what stands behind it, as typed.

    None for a line in English, and for one that is no command beyond doubt: a command that takes nothing
    stands alone, with a number or a polite word at most.
    """
    if line.isascii():
        return None
    text = line.strip()
    found = [
        (_commands()[wanted], text[end:].strip())
        for at, end, colon in _boundaries(text)
        for wanted in (_plain(text[:at]), _plain(text[:at]) + ":" * colon)
        if wanted in _commands()
    ]
    takes_text = found and found[-1][0] in _TEXTS and _plain(text.strip(_END)) not in _commands()
    if takes_text and _NO_TEXT.fullmatch(found[-1][1].strip(_END)) is None:
        return found[-1]  # 谢谢 is polite behind a command, and a message behind 说
    for bare in _politely(line) if len(line) <= _SHORT else ():
        if (alone := _alone(bare)) is not None:
            return alone
        if (named := _BY_NAME.fullmatch(bare)) is not None:
            verb = named["ja"] or named["fa"] or named["zh"] or named["verb"]
            name = named["name"] or named["them"] or named["whom"] or named["glued"]
            kind = "block" if verb in _BLOCKS else "mute"
            return f"un{kind}" if named["undone"] or named["lifted"] else kind, name.strip()
    return found[-1] if found else _glued(text)


def _glued(text: str) -> tuple[str, str] | None:
    """A command with a word that it takes right behind it, as in 邮件每天 and メールは毎日, or None."""
    bare = text.strip(_END)
    for at in range(1, min(len(bare), _SHORT)):
        wanted = _commands().get(_plain(bare[:at]))
        among = {"emails": (*_WHEN, HERE), "ahead": ("clear",)}.get(wanted or "", ())
        rest = re.sub("^[はをの]", "", bare[at:]).strip()
        if among and argument_in(rest, among).removesuffix(f" {HERE}") in among:
            return wanted or "", rest
    return None


def dates_of_absence(line: str) -> Iterator[str]:
    """Texts that may be dates in a line such as 12月3日から休みます or 请假12月3日; the caller reads them."""
    if line.isascii() or len(line) > _DATES:
        return
    for text in _politely(line):
        for pattern in (_away_first(), _away_last()):
            if (found := pattern.fullmatch(text)) is not None:
                yield found["dates"]


@cache
def _away_first() -> re.Pattern[str]:
    words = [word for table in OWN.values() for word in table["away"].split("|")]
    return re.compile(rf"(?:{_either(words)})[\s:：,，、،]*(?P<dates>.+)", re.DOTALL)


@cache
def _away_last() -> re.Pattern[str]:
    words = [word for table in OWN.values() for word in table["away"].split("|")]
    return re.compile(rf"(?P<dates>.+?)[\s,，、،はにを]*(?:{_either([*words, *AWAY_LAST])})", re.DOTALL)


def _either(words: list[str]) -> str:
    """A pattern of some words, the longest first, with or without the gaps in them."""
    ordered = sorted(words, key=len, reverse=True)
    return "|".join(_GAP.sub(lambda _: r"[\s\u200c]*", word) for word in ordered)


def _alone(bare: str) -> tuple[str, str] | None:
    """The command that is all of a line, with its number, or None."""
    if (name := _commands().get(_plain(bare))) is not None:
        return name, ""
    number = _NUMBER.fullmatch(bare)
    if number is None:
        return None
    before = [_commands().get(_plain(text)) for text in _politely(number["before"])]
    name = next((name for name in before if name in ALONE), None)
    return (name, number["number"]) if name is not None else None


def argument_in(text: str, among: Collection[str]) -> str:
    """Text behind a command with the words of `among` in English, where they are known; else as it was."""
    if text.isascii() or len(text) > _SHORT:
        return text
    known = {phrase: english for english in among for phrase in _arguments().get(english, ())}
    for whole in _politely(text):
        if (meant := known.get(_plain(whole))) is not None:
            return meant
    left = text.strip(_END)
    for at in range(1, len(left)):  # no blank stands between the words of Chinese and Japanese
        before, place = left[:at].strip(), known.get(_plain(left[at:]))
        if place == HERE and before:
            return f"{known.get(_plain(before), before)} {place}"
    return text


def means(text: str, command: str) -> bool:
    """Whether a text in another language is one command and nothing else."""
    return command_in(text) == (command, "")


def own_word(command: str, language: str) -> str:
    """A language's own usual word for a command; the English one if it has none."""
    return OWN.get(language, {}).get(command, command).split("|")[0].rstrip(":")


def word_to_call_off(language: str) -> str:
    """The word that confirms calling a game off."""
    return CALL_OFF.get(language, CALL_OFF["en"]).split("|")[0]


def calls_off(text: str) -> bool:
    """Whether a text confirms, in any language, that a game is called off."""
    known = {_plain(phrase) for phrases in CALL_OFF.values() for phrase in phrases.split("|")}
    return _plain(text.strip(_END)) in known


def own_argument(english: str, language: str) -> str:
    """A language's own word for one that stands behind a command; the English one if it has none."""
    return ARGUMENTS.get(language, {}).get(english, english).split("|")[0]


def _politely(line: str) -> Iterator[str]:
    """A line, and what is left of it without the polite words behind it, before it, and both."""
    for text in _without(_POLITE_LAST, line.strip(_END)):
        yield from _without(_POLITE_FIRST, text)


def _without(pattern: re.Pattern[str], text: str) -> Iterator[str]:
    """A text, and what is left of it without one polite word after the other."""
    yield text
    for _ in range(_MOST_POLITE):
        kept = pattern.sub("", text, count=1).strip(_END)
        if not kept or kept == text:
            break
        text = kept
        yield text


def is_polite(text: str) -> bool:
    """Whether a text behind a command is nothing but polite words."""
    rest = text.strip(_END)
    if len(rest) > _SHORT:
        return False
    for _ in range(_MOST_POLITE):
        rest = _POLITE_LAST.sub("", f" {rest}").strip(_END)
        rest = _POLITE_FIRST.sub("", f"{rest} ", count=1).strip(_END) if rest else rest
    return not rest


def _boundaries(text: str) -> Iterator[tuple[int, int, bool]]:
    """The places where a first phrase can end, with where the rest begins and whether a colon parts them."""
    for at in range(1, min(len(text), _LONGEST) + 1):
        if text[at - 1].isspace():
            continue
        found = _BOUNDARY.match(text, at)
        if found is not None and (found.end() > at or at == len(text)):
            yield at, found.end(), found["colon"] is not None


def _plain(text: str) -> str:
    """A phrase for comparing: one width, one spelling of each Persian letter, without what nobody sees."""
    plain = _UNSEEN.sub("", unicodedata.normalize("NFKC", text)).translate(_SAME).casefold()
    return _PERSIAN_BLANK.sub("", " ".join(plain.split()))


@cache
def _commands() -> Mapping[str, str]:
    return _by_phrase(OWN)


@cache
def _arguments() -> Mapping[str, tuple[str, ...]]:
    """The phrases of each English word behind a command."""
    found: dict[str, list[str]] = {}
    for words in ARGUMENTS.values():
        for english, phrases in words.items():
            found.setdefault(english, []).extend(map(_plain, phrases.split("|")))
    return {english: tuple(phrases) for english, phrases in found.items()}


def _by_phrase(table: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """The English of each phrase. Where languages differ about one, it is none."""
    found: dict[str, set[str]] = {}
    for words in table.values():
        for english, phrases in words.items():
            for phrase in phrases.split("|"):
                found.setdefault(_plain(phrase), set()).add(english)
    return {phrase: next(iter(english)) for phrase, english in found.items() if len(english) == 1}
