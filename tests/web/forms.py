"""The forms of a page, as a browser sends them."""

from selectolax.lexbor import LexborHTMLParser


def form(html: str, *, do: str = "", action: str | None = None, has: str = "") -> dict[str, str]:
    """The fields of the first form with this button, action or field, filled as the page fills them.

    Raises LookupError if the page has no such form.
    """
    for node in LexborHTMLParser(html).css("form[method=post]"):
        if action is not None and (node.attributes.get("action") or "") != action:
            continue
        if do and node.css_first(f'button[name=do][value="{do}"]') is None:
            continue
        if has and node.css_first(f"[name='{has}']") is None:
            continue
        return _fields(node) | ({"do": do} if do else {})
    raise LookupError(f"no such form: {do or has or action}")


def _fields(node) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in node.css("input, textarea, select"):
        name, kind = one.attributes.get("name"), one.attributes.get("type")
        if not name or (kind in ("checkbox", "radio") and "checked" not in one.attributes):
            continue
        if one.tag == "select":
            chosen = one.css_first("option[selected]") or one.css_first("option")
            found[name] = _value(chosen) if chosen is not None else ""
        elif one.tag == "textarea":
            found[name] = one.text().strip()
        else:
            found[name] = one.attributes.get("value") or ("on" if kind == "checkbox" else "")
    return found


def _value(option) -> str:
    value = option.attributes.get("value", option.text().strip())
    return value or ""
