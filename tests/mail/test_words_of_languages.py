"""Commands of replies in each language's own words: each is the English one, and nothing is guessed."""

from datetime import date
from itertools import chain

import pytest

from app.mail.inbound.dispatch import ends_all, first_word, is_move, recogniser
from app.mail.inbound.position import Position
from app.mail.inbound.system_commands import CHOICES, END, WORDS
from app.play.deadlines.absences import absences_of
from app.words import commands
from app.words.command_words import ARGUMENTS, OWN
from app.words.commands import ALONE, HERE, argument_in, command_in
from tests.mail.correspondence import Post, settings, text_of
from tests.play import cast

LANGUAGES = ("zh-Hans", "zh-Hant", "ja", "fa")
SAME = {"orders": "ahead", "letters": "emails"}
"""Second names of English commands."""
EACH = [
    pytest.param(language, english, phrase, id=f"{language}-{english}-{phrase}")
    for language, words in OWN.items()
    for english, phrases in words.items()
    for phrase in phrases.split("|")
]


@pytest.fixture
def post(store, ferry, clock, tmp_path) -> Post:  # noqa: ARG001 - must be there
    return Post(store, settings(tmp_path))


def answer(post, seat="red"):
    answers = [one for one in post.letters(seat) if one["Auto-Submitted"] == "auto-replied"]
    return " ".join(text_of(answers[-1]).split())


def english(line):
    word, argument = first_word(line)
    return f"{word} {argument}".strip()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_and_argument_has_words_in_every_language(language):
    wanted = {"end all" if word == END else SAME.get(word, word) for word in WORDS}
    assert set(OWN[language]) == wanted
    assert set(ARGUMENTS[language]) == {"clear", HERE, *CHOICES} - {"now", "digest", "off"}
    assert set(OWN) == set(ARGUMENTS) == set(LANGUAGES)


def test_no_phrase_means_two_commands():
    for table in (OWN, {language: {"": "|".join(words.values())} for language, words in ARGUMENTS.items()}):
        known = {}
        for words in table.values():
            for meant, phrases in words.items():
                for phrase in phrases.split("|"):
                    plain = commands._plain(phrase).rstrip(":")
                    assert known.setdefault(plain, meant) == meant, phrase


def test_no_phrase_begins_another_that_means_something_else():
    known = [(commands._plain(phrase), meant) for _, meant, phrase in (one.values for one in EACH)]
    for phrase, meant in known:
        for longer, other in known:
            if longer.startswith(f"{phrase} "):
                assert meant == other, (phrase, longer)


POLITE = (
    "谢谢",
    "謝謝！",
    "お願いします",
    "よろしくお願いします",
    "مرسی",
    "ممنونم",
    "لطفا",
    "请 谢谢 吧",
    "回来了",
)
NAMING = ("太郎をミュート", "علی را ساکت کن", "把小明屏蔽", "取消屏蔽小明")


@pytest.mark.parametrize("text", [*POLITE, *NAMING])
@pytest.mark.parametrize("meant", ["say", "note"])
def test_a_text_that_could_be_polite_or_a_command_is_the_text(meant, text):
    for language, words in OWN.items():
        for phrase in words[meant].split("|"):
            line = f"{phrase.rstrip(':')}：{text}" if phrase.endswith(":") else f"{phrase} {text}"
            assert first_word(line) == (meant, text), (language, line)


def test_what_belongs_to_the_word_of_a_command_is_no_text():
    for line in ("说 一下", "説明します", "発言 します", "发言了", "بگو ببینم"):
        assert first_word(line)[1] == "", line


@pytest.mark.parametrize(("language", "meant", "phrase"), EACH)
def test_each_phrase_is_its_command(language, meant, phrase):
    bare = phrase.rstrip(":")
    behind = {
        "say": "هی 你好 :)",
        "note": "a  b",
        "mute": "Bo",
        "block": "Bo",
        "unmute": "Bo",
        "unblock": "Bo",
    }
    if phrase.endswith(":"):
        assert english(f"{bare}: x y") == english(f"{bare}：x y") == f"{meant} x y"
        assert english(f"{bare} x y") not in (f"{meant} x y", f"{bare} {meant}")
        return
    assert english(phrase) == english(f" {phrase}。") == english(f"{phrase}！") == meant
    if meant in ALONE:
        assert english(f"{phrase} 12") == english(f"{phrase}：12") == english(f"{phrase}12") == f"{meant} 12"
        assert english(f"{phrase} ۱۲") == f"{meant} ۱۲"
    for text in (behind.get(meant, ""), "12"):
        if text and meant not in ALONE and meant != "end all":
            assert english(f"{phrase} {text}") == english(f"{phrase}：{text}") == f"{meant} {text}"
    polite = {
        "zh": ("请{}", "{}，谢谢"),
        "ja": ("{}お願いします", "{}をお願いします"),
        "fa": ("لطفاً {}", "{} لطفا"),
    }
    if meant in ALONE and not phrase.endswith(("ます", "した", "す")):
        for form in polite[language[:2]]:
            assert english(form.format(phrase)) == meant
    if language == "fa":
        assert english(phrase.replace("ی", "ي").replace("ک", "ك")) == meant
        assert english(phrase.replace("\u200c", "")) == english(f"\u202b{phrase}\u202c") == meant


@pytest.mark.parametrize(
    "polite", ["روزانه لطفا", "لطفاً روزانه", "روزانه، ممنون", "每天，谢谢", "请每天", "毎日お願いします"]
)
def test_what_stands_behind_a_command_may_be_polite(polite):
    assert argument_in(polite, (*CHOICES, HERE)) == "daily"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("here", [False, True])
def test_what_stands_behind_a_command_is_understood(language, here):
    words = ARGUMENTS[language]
    for meant, phrases in words.items():
        for phrase in phrases.split("|"):
            if meant in CHOICES and here:
                places = words[HERE].split("|")
                assert {argument_in(f"{phrase} {place}", (*CHOICES, HERE)) for place in places} == {
                    f"{meant} here"
                }
            else:
                assert argument_in(phrase, ("clear",) if meant == "clear" else (*CHOICES, HERE)) == meant


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("ﾍﾙﾌﾟ", "help"),
        ("投了します。", "resign"),
        ("我认输", "resign"),
        ("棄権します", "resign"),
        ("盤面を見せてください", "board"),
        ("من تسلیم می‌شوم", "resign"),
        ("Boさんをミュート", "mute Bo"),
        ("Bo をブロックしてください", "block Bo"),
        ("Boのミュートを解除", "unmute Bo"),
        ("Bo را بی‌صدا کن", "mute Bo"),
        ("发言：大家好", "say 大家好"),
        ("say：大家好", "say 大家好"),
        ("Say:hello", "say hello"),
        ("請假12月3日到10日", "away 12月3日到10日"),
        ("12月3日から10日まで休みます", "away 12月3日から10日まで"),
        ("از ۱۲ تا ۱۵ آذر نیستم", "away از ۱۲ تا ۱۵ آذر"),
        ("我12月3日到10日不在", "away 我12月3日到10日"),
        ("board お願いします", "board お願いします"),
        ("لطفاً راهنما را بفرست", "help"),
        ("کمک کن لطفا", "help"),
        ("وضعیت را نشان بده", "board"),
        ("صفحه را نشان بدهید", "board"),
        ("حرکتهای مجاز", "legal"),
        ("ليست حركت ها", "legal"),
        ("بازی‌هایم را ببینم", "games"),
        ("آخرین حرکتم را برگردان", "undo"),
        ("حرکت آخر را پس بگیر، ممنون", "undo"),
        ("برگردون", "undo"),
        ("من انصراف می دهم", "resign"),
        ("برگشته ام", "back"),
        ("ﺭﺍﻫﻨﻤﺎ", "help"),
        ("\u202bراهنما\u202c\u00a0۔", "help"),
        ("ایمیل: روزانه", "emails روزانه"),
        ("از ۱۲ آذر تا ۱۹ آذر در سفرم", "away از ۱۲ آذر تا ۱۹ آذر"),
        ("邮件每天", "emails 每天"),
        ("郵件都不寄", "emails 都不寄"),
        ("メールは毎日", "emails 毎日"),
        ("メールなし", "emails なし"),
        ("预设走法清空", "ahead 清空"),
        ("予約を削除", "ahead 削除"),
        ("屏蔽Bo", "mute Bo"),
        ("把 Bo 靜音", "mute Bo"),
        ("封鎖小明", "block 小明"),
        ("把小明拉黑", "block 小明"),
        ("取消屏蔽小明", "unmute 小明"),
        ("解除封鎖Bo", "unblock Bo"),
    ],
)
def test_commands_are_understood_as_people_say_them(line, meant):
    assert english(line) == meant


@pytest.mark.parametrize(
    "line",
    [
        "说实话我不懂",
        "说，你在吗",
        "Say，你在吗",
        "بگو، کی می‌آیی",
        "投了しますか",
        "投了しません",
        "不认输",
        "认输？不可能",
        "助けてくれてありがとう",
        "پیام شما رسید",
        "انصراف؟",
        "انصراف نمی‌دهم",
        "راهنمای خوبی بود",
        "برگردیم به بازی",
        "کمک کردی ممنون",
        "دیگر ایمیل نفرست",
        "بازی خوبی بود",
        "صفحه‌ی شما باز نمی‌شود",
        "メールありがとうございます",
        "消息 收到了",
        "取消",
        "取り消しますか",
        "我不在乎",
        "休みの日に返事します",
        "邮件每天都收到",
        "メールは読みました",
        "予約しました、ありがとう",
        "屏蔽了他",
        "封鎖的消息，我看到了",
        "سلام",
        "はい",
        "是",
        "بله",
        "say",
    ],
)
def test_a_sentence_that_begins_like_a_command_is_none(line):
    assert command_in(line) is None or command_in(line)[0] in ALONE
    word, argument = first_word(line)
    assert word not in WORDS or line == "say" or (word in ALONE and argument)


@pytest.mark.parametrize(
    "line",
    [
        "国" + " " * 1_000 + "x",
        "国" + " ," * 500 + "x",
        "国",
        "x" * 50_000,
        "取" * 50_000,
        "请" * 5_000,
        "من " * 3_000,
        "了" * 5_000,
    ],
)
def test_a_hostile_line_is_looked_at_once(line):
    assert first_word(line[:1100])[0] not in WORDS


class TestByReply:
    @pytest.mark.parametrize("line", ["帮助", "幫助", "ヘルプ", "راهنما"])
    def test_help(self, post, line):
        post.reply("red", line)
        assert "takes back your last step" in answer(post)

    @pytest.mark.parametrize("words", ["发言：", "發言 ", "発言　", "بگو ", "say："])
    def test_a_text_is_kept_as_it_was_typed(self, post, words):
        post.reply("red", f"{words}Ｇood ｌｕｃｋ，Bo！ ۱۲ می‌روم — 12　ー")
        facts = [row.facts for row in cast.rows(post.store, "SELECT facts FROM notice")]
        assert "Ｇood ｌｕｃｋ，Bo！ ۱۲ می‌روم — 12 ー" in " ".join(facts)
        assert "Sent to everyone in the game." in answer(post)

    @pytest.mark.parametrize("words", ["笔记 ", "筆記：", "メモ ", "یادداشت "])
    def test_a_note_is_kept_for_the_writer_alone(self, post, words):
        post.reply("red", f"{words}Ｂo は 強い")
        assert [row.text for row in cast.rows(post.store, "SELECT text FROM note")] == ["Ｂo は 強い"]

    @pytest.mark.parametrize(
        ("word", "digits"),
        [("认输", "0123456789"), ("棄権します", "０１２３４５６７８９"), ("انصراف", "۰۱۲۳۴۵۶۷۸۹")],
    )
    def test_resigning_asks_back_and_takes_the_number_in_any_digits(self, post, word, digits):
        number = str(post.match.match_id).translate({ord(str(n)): digits[n] for n in range(10)})
        post.reply("red", word)
        assert post.moves() == []
        assert "Nothing has changed" in answer(post)
        post.reply("red", f"{word} {number}")
        assert ("red", "resign") in post.moves()

    @pytest.mark.parametrize("line", ["撤销", "復原", "取り消し", "برگردان"])
    def test_the_last_step_is_taken_back(self, post, line):
        post.reply("blue", "bid 0")
        post.reply("red", "bid 2")
        post.reply("red", "row on")
        post.reply("red", line)
        assert post.moves()[-1] == ("red", "undo")

    @pytest.mark.parametrize("word", ["条件走法", "條件走法：", "予約", "حرکت شرطی"])
    def test_moves_are_left_ahead_and_taken_back(self, post, word):
        post.reply("red", f"bid 1\n{word} roll；ｒｏｌｌ")
        assert "Your conditional moves are now “roll” and “ｒｏｌｌ”" in answer(post)
        clear = {"条": "清除", "條": "清除", "予": "クリア", "ح": "پاک کن"}[word[0]]
        post.reply("red", f"{word} {clear}", to=post.letters("red")[0])
        assert "You have no conditional moves now" in answer(post)

    @pytest.mark.parametrize(
        "line",
        [
            "请假 3月5日到7日",
            "請假3月5日到3月7日",
            "不在 3/5〜3/7",
            "3月5日から7日まで不在です",
            "غیبت ۱۴ تا ۱۶ اسفند",
        ],
    )
    def test_an_absence_is_entered(self, post, line):
        with post.store.transaction() as connection:
            connection.exec_driver_sql("UPDATE player SET language = 'ja'")
        post.reply("red", line)
        (entered,) = absences_of(post.store, post.match.rows["red"].player_id).absences
        assert (entered.first, entered.last) == (date(2026, 3, 5), date(2026, 3, 7))

    def test_an_unclear_absence_is_asked_about(self, post):
        post.reply("red", "不在 3日")
        assert "can mean two dates" in answer(post)
        assert not cast.rows(post.store, "SELECT id FROM absence")

    @pytest.mark.parametrize("line", ["邮件 每天", "郵件 每天", "メール 毎日", "ایمیل روزانه"])
    def test_when_emails_come_is_chosen(self, post, line):
        post.reply("red", line)
        assert "in the daily email" in answer(post)

    @pytest.mark.parametrize(
        "line", ["邮件 不要 本局", "信件：不要 本局", "メール なし このゲームだけ", "ایمیل هیچ همین بازی"]
    )
    def test_and_for_one_game(self, post, line):
        post.reply("red", line)
        rows = cast.rows(post.store, "SELECT match_id, event, choice FROM preference")
        assert [tuple(row) for row in rows] == [(post.match.match_id, "turn", "none")]

    @pytest.mark.parametrize("line", ["全部登出", "登出所有裝置", "すべてログアウト", "خروج از همه"])
    def test_all_sessions_and_links_are_ended(self, post, line):
        assert ends_all(line)
        post.reply("red", line)
        assert "All your sessions and links have ended" in answer(post)

    def test_a_word_of_a_language_is_the_systems_where_the_game_asks_by_the_english_one(
        self, store, tmp_path, clock
    ):
        post = Post(store, settings(tmp_path), game="survive", options={"setup": "live"})  # noqa: F841
        _ = clock

        class Asking(Position):
            def asks(self, word):
                return word == "board"

        position = Asking(None, None)
        assert is_move(position, "board")
        assert not is_move(position, "盤面")
        assert recogniser(position)("盤面")


def test_all_phrases_are_written_out_once():
    for words in chain(OWN.values(), ARGUMENTS.values()):
        for phrases in words.values():
            plain = [commands._plain(one) for one in phrases.split("|")]
            assert all(plain)
