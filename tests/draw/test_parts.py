"""A picture put together from kept parts looks as if it had been drawn as a whole."""

import random
import re
from collections.abc import Iterator

import pytest
from PIL import Image, ImageChops, ImageFilter

from app.draw import pictures
from app.draw.looks import look
from app.draw.parts import LEARNT, Parts
from app.engine.chance import Chance
from app.games import all_games

ROOT = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" font-family="Noto Sans" font-size="14">
{body}</svg>"""
SHADED = (
    '<defs><linearGradient id="a"><stop stop-color="red"/>'
    '<stop offset="1" stop-color="blue"/></linearGradient></defs>'
    '<rect x="5" y="5" width="50" height="30" fill="url(#a)"/>'
)
NOTICED = 8
"""A difference of a channel that nobody sees."""
STEEP = 40
"""A difference between neighbours that is an edge."""


def put_together(parts: Parts, svg: str, scale: float) -> Image.Image:
    while (image := parts.picture(svg, scale)) is None:
        pass
    return image


def differences(svg: str, scale: float) -> int:
    """Pixels in which the two ways differ so that it could be seen, but at edges."""
    whole = pictures.draw(svg, scale).convert("RGB")
    made = put_together(Parts(pictures.draw), svg, scale).convert("RGB")
    assert made.size == whole.size
    grey = whole.convert("L")
    reach = ImageChops.difference(
        grey.filter(ImageFilter.MaxFilter(5)), grey.filter(ImageFilter.MinFilter(5))
    )
    flat = reach.point(lambda value: 255 if value < STEEP else 0)
    wrong = ImageChops.difference(made, whole)
    worst = ImageChops.lighter(ImageChops.lighter(*wrong.split()[:2]), wrong.split()[2])
    seen = ImageChops.darker(worst.point(lambda value: 255 if value > NOTICED else 0), flat)
    return sum(seen.histogram()[1:])


def positions(slug: str, last: int) -> Iterator[str]:
    """The boards of a game for as many as can play, drawn after every twentieth of random moves."""
    game, choose = all_games()[slug], random.Random(slug)
    seats = game.colours[: game.seats[-1]]
    state = game.setup(seats, game.complete_options(len(seats), {}), Chance(b"parts", 0)).state
    for ply in range(1, last + 1):
        if not (decisions := game.decisions(state)):
            break
        decision = decisions[0]
        move = choose.choice(decision.options) if decision.options else decision.default
        state = game.apply(state, decision.seat, move, Chance(b"parts", ply)).state
        if ply % 20 == 0:
            yield str(look(slug, "board.svg", "en").board(game.view(state, None)))


@pytest.mark.parametrize("slug", sorted(all_games()))
def test_every_picture_is_small_enough_for_a_mailbox(slug: str) -> None:
    for svg in positions(slug, 160):
        assert len(pictures.render(svg)) <= pictures.LARGEST


@pytest.mark.parametrize("slug", sorted(all_games()))
def test_a_board_in_the_middle_of_a_game(slug: str) -> None:
    *_, svg = positions(slug, 40)
    # As a whole, resvg would stretch a board of broken pixels to whole ones.
    svg = re.sub(
        r'(viewBox="0 0 \d+) (\d+)"', lambda box: f'{box[1]} {-int(box[2]) // 4 * -4}"', svg, count=1
    )
    assert differences(svg, pictures._scale(svg)) == 0


@pytest.mark.parametrize(
    "body",
    [
        '<rect width="100" height="50" fill="#fff"/><text x="5" y="40" font-size="40">F5</text>',
        '<text x="10" y="20">a<tspan x="50" y="40">b</tspan></text>',
        '<g fill="red"><circle cx="20" cy="20" r="9"/><g fill="blue"><circle r="5"/></g></g>',
        '<g opacity=".5"><circle cx="20" cy="20" r="9"/><circle cx="26" cy="20" r="9" fill="red"/></g>',
        '<g transform="translate(30.3 20.7)"><rect width="9" height="9" fill="green"/></g>',
        '<g transform="translate(30 20) rotate(30)"><rect width="9" height="9"/></g>',
        '<g transform="rotate(30 50 25)"><rect x="40" y="20" width="9" height="9"/></g>',
        '<g transform="translate(9)"><rect width="9" height="9"/></g>',
        '<defs><circle id="a" r="8" fill="teal"/></defs><use href="#a" x="30" y="20"/><use href="#a"/>',
        SHADED,
        '<rect x="-20" y="-20" width="40" height="40"/><rect x="90" y="40" width="40" height="40"/>',
        '<a href="/x"><rect width="9" height="9"/></a><title>nothing to see</title><g/><rect/>',
        '<circle cx="20" cy="20" r="9" fill="red"/><circle cx="26" cy="20" r="9" fill="blue"/>',
    ],
)
@pytest.mark.parametrize("box", ["0 0 100 50", "-10 -5 100 50"])
def test_whatever_an_svg_may_hold(body: str, box: str) -> None:
    assert differences(ROOT.format(box=box, body=body), 2) == 0


SHOWN = ROOT.format(box="0 0 100 50", body='<rect width="9" height="9"/>')


@pytest.mark.parametrize("size", ['width="100" height="50"', 'width="100"'])
def test_a_drawing_that_says_its_own_size(size: str) -> None:
    assert differences(SHOWN.replace("<svg ", f"<svg {size} "), 2) == 0


def test_a_drawing_that_is_shown_larger_than_it_is_drawn_is_drawn_as_a_whole() -> None:
    parts = Parts(pictures.draw)
    larger = SHOWN.replace("<svg ", '<svg width="200" height="100" ')
    assert [parts.picture(larger, 2) for _ in range(LEARNT + 2)] == [None] * (LEARNT + 2)


def test_a_part_that_stands_elsewhere_in_the_next_position_is_not_drawn_again() -> None:
    drawn = []

    def draw(svg: str) -> Image.Image:
        drawn.append(svg)
        return pictures.draw(svg)

    parts = Parts(draw)
    pawn = '<g transform="translate({x} {y})"><circle r="6" fill="red"/></g>'
    put_together(parts, ROOT.format(box="0 0 100 50", body=pawn.format(x=10, y=10)), 2)
    before = len(drawn)
    assert before
    put_together(parts, ROOT.format(box="0 0 100 50", body=pawn.format(x=70, y=30)), 2)
    assert len(drawn) == before
    put_together(parts, ROOT.format(box="0 0 100 50", body=pawn.replace("red", "blue").format(x=70, y=30)), 2)
    assert len(drawn) > before


def test_a_board_that_is_new_as_a_whole_is_drawn_as_a_whole_and_learnt_in_turns() -> None:
    body = "".join(f'<text x="{n}" y="20">{n}</text>' for n in range(LEARNT + 5))
    svg = ROOT.format(box="0 0 100 50", body=body)
    parts = Parts(pictures.draw)
    assert parts.picture(svg, 2) is None
    assert parts.picture(svg, 2) is not None
