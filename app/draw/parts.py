"""A picture put together from parts: each piece of a board is drawn once, kept, and pasted in its order.

resvg needs a fifth of a second for a board, of which the next position changes little. So a drawing is cut
into its leaves. The look of a leaf depends on its content, the attributes around it and its place within a
pixel, which is rounded to a quarter. Any SVG will do: what cannot be moved is a leaf where it stands.
"""

import re
from collections import OrderedDict
from collections.abc import Callable, Iterator
from math import ceil, floor
from threading import Lock
from xml.etree import ElementTree as ET

import msgspec
from PIL import Image

Draw = Callable[[str], Image.Image]
"""Draws an SVG in its own size, on a transparent ground."""

SVG = "http://www.w3.org/2000/svg"
PASSED_ON = frozenset(
    {"fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "font-size", "font-weight"}
    | {"font-family", "text-anchor", "class", "data-at", "translate", "aria-hidden", "aria-label", "role"}
)
"""Attributes of a group that its children inherit, or that draw nothing: such a group can be cut up."""
SILENT = frozenset(f"{{{SVG}}}{name}" for name in ("defs", "title", "desc", "style", "metadata"))
LEARNT = 24
"""New leaves that one picture may draw; where there are more, it is better drawn as a whole."""
KEPT = 6000
"""Leaves in the memory of a process, a few kilobytes each."""
COARSE = 8
"""Where a leaf lies is found on a drawing so many times smaller."""
_MOVED = re.compile(r"translate\(\s*(-?[\d.]+)(?:[\s,]+(-?[\d.]+))?\s*\)\s*")

ET.register_namespace("", SVG)


class Leaf(msgspec.Struct, frozen=True):
    """A piece of a drawing, moved to its origin."""

    content: str
    """As SVG, with the groups around it."""
    x: float
    y: float


class Sprite(msgspec.Struct, frozen=True):
    """A drawn leaf: its pixels, and where their corner lies from the pixel of its origin."""

    image: Image.Image | None
    """None: it draws nothing."""
    left: int = 0
    top: int = 0


class Parts:
    """The leaves that a process has drawn, and pictures made of them."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self._lock = Lock()
        self._sprites: OrderedDict[tuple[object, ...], Sprite] = OrderedDict()

    def picture(self, svg: str, scale: float) -> Image.Image | None:
        """The drawing with so many pixels a unit, or None where too many of its leaves are new.

        Then some of them are kept for the next time.
        """
        with self._lock:
            return self._put_together(svg, scale)

    def _put_together(self, svg: str, scale: float) -> Image.Image | None:
        root = ET.fromstring(svg)  # noqa: S314 - our own drawing
        left, top, wide, high = (float(number) for number in root.attrib.pop("viewBox").split())
        for name, length in (("width", wide), ("height", high)):
            if root.attrib.pop(name, f"{length:g}") != f"{length:g}":
                return None  # it is shown larger or smaller than it is drawn
        frame = _Frame(
            _opened(root), "".join(_text(one) for one in root.iter(f"{{{SVG}}}defs")), wide, high, scale
        )
        placed = []
        learnt = 0
        for leaf in _leaves(root, ()):
            x, y = (round((at - edge) * scale * 4) / 4 for at, edge in ((leaf.x, left), (leaf.y, top)))
            column, row = floor(x), floor(y)
            key = (frame, leaf.content, x - column, y - row)
            found = self._sprites.get(key)
            if found is None:
                if learnt == LEARNT:
                    return None
                learnt += 1
                found = self._sprites[key] = self._drawn(frame, leaf.content, x - column, y - row)
            else:
                self._sprites.move_to_end(key)
            if found.image is not None:
                placed.append((found.image, column + found.left, row + found.top))
        while len(self._sprites) > KEPT:
            self._sprites.popitem(last=False)
        whole = Image.new("RGBA", (round(wide * scale), round(high * scale)))
        for image, column, row in placed:
            _paste(whole, image, column, row)
        return whole

    def _drawn(self, frame: "_Frame", content: str, right: float, down: float) -> Sprite:
        """Draw a leaf whose origin lies so far within its pixel."""
        wide, high = frame.wide * frame.scale, frame.high * frame.scale
        size = (2 * ceil(wide / COARSE), 2 * ceil(high / COARSE))
        begin = (-size[0] // 2 * COARSE, -size[1] // 2 * COARSE)
        box = self._draw(frame.svg(content, begin, (0, 0), size, COARSE)).getchannel("A").getbbox()
        if box is None:
            return Sprite(None)
        begin = (begin[0] + (box[0] - 1) * COARSE, begin[1] + (box[1] - 1) * COARSE)
        size = ((box[2] - box[0] + 2) * COARSE, (box[3] - box[1] + 2) * COARSE)
        fine = self._draw(frame.svg(content, begin, (right, down), size, 1))
        exact = fine.getchannel("A").getbbox()
        if exact is None:
            return Sprite(None)
        return Sprite(fine.crop(exact), begin[0] + exact[0], begin[1] + exact[1])


class _Frame(msgspec.Struct, frozen=True):
    """Everything around the leaves of a drawing that decides how they look."""

    opened: str
    """The root's opening tag without its box."""
    definitions: str
    wide: float
    high: float
    scale: float
    """Pixels a unit."""

    def svg(
        self,
        content: str,
        begin: tuple[int, int],
        within: tuple[float, float],
        size: tuple[int, int],
        pixels: int,
    ) -> str:
        """A drawing of this content alone, of whole pixels; without them resvg would stretch it a little.

        It begins so many fine pixels from the content's origin, which lies `within` its pixel. Each of its
        own pixels is as wide as so many fine ones.
        """
        left, top = ((begin[n] - within[n]) / self.scale for n in (0, 1))
        wide, high = (size[n] * pixels / self.scale for n in (0, 1))
        return (
            f'{self.opened} width="{size[0]}" height="{size[1]}" viewBox="{left} {top} {wide} {high}" '
            f'preserveAspectRatio="none">{self.definitions}{content}</svg>'
        )


def _leaves(element: ET.Element, around: tuple[str, ...]) -> Iterator[Leaf]:
    """The leaves below an element, in the order in which they are painted."""
    for child in element:
        if child.tag in SILENT:
            continue
        if child.tag in (f"{{{SVG}}}g", f"{{{SVG}}}a") and PASSED_ON.issuperset(child.attrib):
            yield from _leaves(child, (*around, _opened(child) + ">"))
            continue
        x, y = _moved(child)
        text = "".join(around) + _text(child)
        closed = "".join(f"</{one[1:].split()[0].rstrip('>')}>" for one in reversed(around))
        yield Leaf(text + closed, x, y)


def _moved(element: ET.Element) -> tuple[float, float]:
    """Move an element to its origin. Returns where it stood; 0, 0 if it cannot be moved."""
    found = _MOVED.match(element.get("transform", ""))
    if found is not None:
        element.set("transform", element.attrib["transform"][found.end() :])
        return float(found[1]), float(found[2] or 0)
    if element.get("transform") is None and element.tag in (f"{{{SVG}}}use", f"{{{SVG}}}text"):
        apart = element.tag.endswith("text") and any(
            "x" in one.attrib or "y" in one.attrib for one in element
        )
        if not apart:
            return float(element.attrib.pop("x", 0)), float(element.attrib.pop("y", 0))
    return 0.0, 0.0


def _text(element: ET.Element) -> str:
    element.tail = None
    return ET.tostring(element, encoding="unicode").replace(f' xmlns="{SVG}"', "")


def _opened(element: ET.Element) -> str:
    """The opening tag, without its end."""
    alone = ET.Element(element.tag, element.attrib)
    text = ET.tostring(alone, encoding="unicode").removesuffix(" />")
    return text if element.tag == f"{{{SVG}}}svg" else text.replace(f' xmlns="{SVG}"', "")


def _paste(whole: Image.Image, image: Image.Image, column: int, row: int) -> None:
    """Lay an image over another, cut at its edges."""
    left, top = max(0, -column), max(0, -row)
    right, bottom = min(image.width, whole.width - column), min(image.height, whole.height - row)
    if left < right and top < bottom:
        whole.alpha_composite(image, (column + left, row + top), (left, top, right, bottom))
