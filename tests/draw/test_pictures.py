import io
from types import SimpleNamespace

import pytest
from PIL import Image

from app import games
from app.draw import fonts, pictures
from app.words import audit, available
from tests.tongues import CODES

HELLO = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50" font-family="Noto Sans">'
    '<rect width="100" height="50" fill="#fff"/><text x="5" y="40" font-size="40">F5</text></svg>'
)


def shades(png: bytes) -> int:
    with Image.open(io.BytesIO(png)) as image:
        return len(image.convert("RGB").getcolors(1 << 20) or ())


def test_a_picture_has_half_as_many_pixels_again_as_a_letter_shows_and_its_text_is_there():
    png = pictures.render(HELLO)
    with Image.open(io.BytesIO(png)) as image:
        assert abs(image.width * image.height - pictures.PIXELS) <= pictures.PIXELS // 20
        assert abs(image.width - 2 * image.height) <= 1
        assert image.mode == "P", "a letter's picture has a palette, to be small"
    assert shades(png) > 1


def test_without_the_font_nothing_is_drawn_instead_of_a_board_without_names(monkeypatch):
    fonts.fonts.cache_clear()

    def gone(_name):
        raise ModuleNotFoundError

    monkeypatch.setattr(fonts.importlib.resources, "files", gone)
    with pytest.raises(pictures.FontsMissing, match="fontpkg-noto-sans"):
        pictures.render(HELLO)
    fonts.fonts.cache_clear()


def test_it_is_known_which_characters_the_font_lacks():
    assert pictures.undrawable("F5 red é Ω 島島") == "島"


class Drawn:
    """A game whose board is one word, and how often it was drawn."""

    slug = "drawn"

    def __init__(self, monkeypatch):
        self.renders = 0
        monkeypatch.setattr(pictures, "look", lambda *_: SimpleNamespace(board=lambda view: view.word))
        monkeypatch.setattr(pictures, "render", self.render)

    def render(self, svg):
        self.renders += 1
        return svg.encode()


def test_a_board_is_drawn_once_however_many_are_told_of_it(monkeypatch, tmp_path):
    game = Drawn(monkeypatch)
    one, other = SimpleNamespace(seat=None, word="one"), SimpleNamespace(seat=None, word="other")
    assert [pictures.picture(game, one, tmp_path) for _ in range(3)] == [b"one"] * 3
    assert game.renders == 1
    assert pictures.picture(game, other, tmp_path) == b"other"
    assert game.renders == 2
    assert sorted(file.suffix for file in (tmp_path / "pictures").iterdir()) == [".png", ".png"]


def test_a_seats_own_view_never_becomes_a_picture_for_all(monkeypatch, tmp_path):
    game = Drawn(monkeypatch)
    with pytest.raises(pictures.PrivateView):
        pictures.picture(game, SimpleNamespace(seat="red", word="secret"), tmp_path)
    assert game.renders == 0


def test_a_folder_that_cannot_be_written_keeps_no_letter_back(monkeypatch, tmp_path, caplog):
    game = Drawn(monkeypatch)
    (tmp_path / "pictures").write_text("a file where the folder should be")
    assert pictures.picture(game, SimpleNamespace(seat=None, word="one"), tmp_path) == b"one"
    assert "cannot be kept" in caplog.text


def test_the_oldest_pictures_make_room(monkeypatch, tmp_path):
    game = Drawn(monkeypatch)
    monkeypatch.setattr(pictures, "KEPT", 10)
    for n in range(40):
        pictures.picture(game, SimpleNamespace(seat=None, word=str(n)), tmp_path)
    assert 8 <= len(list((tmp_path / "pictures").iterdir())) <= 10
    pictures.picture(game, SimpleNamespace(seat=None, word="39"), tmp_path)
    assert game.renders == 40, "the newest is still there"


@pytest.mark.parametrize(
    "harm",
    [
        lambda _: b"",
        lambda whole: whole[: len(whole) // 2],
        lambda whole: bytes(len(whole)),
        lambda whole: whole[:1] + b"\0" + whole[2:],
        lambda whole: whole + b"\n",
    ],
    ids=["empty", "half", "zeros", "one byte", "more"],
)
def test_a_damaged_picture_is_drawn_anew(monkeypatch, tmp_path, harm):
    """A power cut leaves an empty file or zeros, a full disk half of one."""
    game = Drawn(monkeypatch)
    view = SimpleNamespace(seat=None, word="one board")
    pictures.picture(game, view, tmp_path)
    (file,) = (tmp_path / "pictures").iterdir()
    file.write_bytes(harm(file.read_bytes()))
    assert pictures.picture(game, view, tmp_path) == b"one board"
    assert game.renders == 2
    assert pictures.picture(game, view, tmp_path) == b"one board"
    assert game.renders == 2, "the whole one is kept in its place"


def test_a_kept_picture_is_on_the_disk_before_it_has_its_name(monkeypatch, tmp_path):
    done = []
    monkeypatch.setattr(pictures.os, "fsync", lambda _: done.append("fsync"))
    replace = pictures.Path.replace
    monkeypatch.setattr(pictures.Path, "replace", lambda *paths: (done.append("replace"), replace(*paths))[1])
    pictures.picture(Drawn(monkeypatch), SimpleNamespace(seat=None, word="one"), tmp_path)
    assert done == ["fsync", "replace"]


def test_a_picture_that_cannot_be_kept_leaves_no_draft(monkeypatch, tmp_path):
    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pictures.os, "fsync", full)
    assert pictures.picture(Drawn(monkeypatch), SimpleNamespace(seat=None, word="one"), tmp_path) == b"one"
    assert list((tmp_path / "pictures").iterdir()) == []


WORDS = {"fa": "قرمز می\u200cرود", "ja": "赤の番", "zh-Hans": "轮到红方", "zh-Hant": "輪到紅方"}


def said(text: str, language: str) -> str:
    return pictures.in_language(HELLO.replace("F5", text), language)


@pytest.mark.parametrize("language", WORDS)
def test_words_of_each_language_are_drawn(language):
    drawn = pictures.render(said(WORDS[language], language))
    assert drawn != pictures.render(said("", language))
    assert fonts.undrawable(WORDS[language], language) == ""
    assert fonts.undrawable(WORDS[language], "en") != ""


def test_a_character_that_languages_share_is_drawn_as_each_writes_it():
    drawn = {language: pictures.render(said("直骨角", language)) for language in ("ja", "zh-Hans", "zh-Hant")}
    assert len(set(drawn.values())) == 3


def test_languages_share_a_picture_without_letters_of_their_own():
    for text in ("F5", "é", "x3"):
        assert said(text, "ja") == said(text, "fa")
        assert pictures.spoken(said(text, "ja")) == "en"
    assert pictures.spoken(said("赤", "ja")) == "ja"
    hidden = HELLO.replace("<rect", '<g aria-label="赤の番"><title>赤</title></g><rect')
    assert pictures.spoken(pictures.in_language(hidden, "ja")) == "en"


@pytest.mark.parametrize("language", CODES)
def test_every_character_of_the_words_of_games_can_be_drawn(language):
    """Boards draw only words of their games. Of a language that isn't complete, those that there are."""
    folders = {f"games/{slug}/words" for slug in games.all_games()}
    texts = "".join(one.text for one in audit.sentences(language) if one.folder in folders)
    unseen = "\u2066\u2067\u2068\u2069\u200c\u200e\u200f"
    assert set(fonts.undrawable(texts, language)) <= set(unseen)
    assert language in fonts.OWN or language == "en"
    assert set(available()) <= {*fonts.OWN, "en"}
