"""Plots as SVG. Their colours and fonts come from the page's style sheet, in light and in dark.

The library is loaded with the first plot: a server that shows none keeps the memory.
"""

import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from typing import Any

WIDTH, HEIGHT = 460, 280
FONT = 18
"""The size of letters for which the plot leaves room: on a phone they are as large, in its units."""
DROPPED = frozenset({"defs", "desc", "script", "style", "title"})
"""Elements that a strict content policy forbids, or that would be read out without a sense."""
OVERLAYS = "overlay"


def lines(title: str, series: Sequence[tuple[str, str, Sequence[tuple[int, int]]]]) -> str:
    """A plot of steps. `series`: for each line a class of the style sheet, its name, and its points."""
    chart = _chart(_library().XY, show_dots=False, show_x_guides=False)
    for _, name, points in series:
        chart.add(name, _steps(points))
    return _svg(chart, title, [look for look, _, _ in series])


def bars(title: str, rows: Sequence[str], series: Sequence[tuple[str, str, Sequence[int]]]) -> str:
    """A plot of a bar for each row. `series`: the parts of the bars, each with class, name and values."""
    chart = _chart(_library().StackedBar)
    chart.x_labels = list(rows)
    for _, name, values in series:
        chart.add(name, list(values))
    return _svg(chart, title, [look for look, _, _ in series])


def _library() -> Any:
    """The library, without its finder of plugins, which is of an old kind and warns at each import."""
    import pygal

    sys.meta_path[:] = [one for one in sys.meta_path if type(one).__name__ != "PluginImportFixer"]
    return pygal


def _chart(kind: Callable[..., Any], **more: Any) -> Any:
    from pygal.style import Style

    style = Style(label_font_size=FONT, major_label_font_size=FONT)
    return kind(
        style=style,
        css=[],
        js=[],
        no_prefix=True,
        width=WIDTH,
        height=HEIGHT,
        margin=12,
        show_legend=False,
        order_min=0,
        **more,
    )


def _steps(points: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The points with a corner before each change: points are won in one moment."""
    corners: list[tuple[int, int]] = []
    for x, y in points:
        if corners:
            corners.append((x, corners[-1][1]))
        corners.append((x, y))
    return corners


def _svg(chart: Any, title: str, looks: Sequence[str]) -> str:
    root = ET.fromstring(chart.render(disable_xml_declaration=True))  # noqa: S314 - just drawn
    for parent in list(root.iter()):
        for child in list(parent):
            if _name(child) in DROPPED or OVERLAYS in child.get("class", ""):
                parent.remove(child)
    for one in root.iter():
        one.attrib.pop("style", None)
        one.tag = _name(one)
        words = one.get("class", "").split()
        serie = next((word for word in words if word.startswith("serie-")), None)
        if serie is not None:
            one.set("class", f"{one.get('class')} {looks[int(serie.removeprefix('serie-'))]}")
    root.attrib.pop("id", None)
    root.attrib |= {
        "role": "img",
        "aria-label": title,
        "class": "plot",
        "xmlns": "http://www.w3.org/2000/svg",
    }
    return ET.tostring(root, encoding="unicode")


def _name(element: Any) -> str:
    tag: str = element.tag if isinstance(element.tag, str) else "comment"
    return tag.rpartition("}")[2]
