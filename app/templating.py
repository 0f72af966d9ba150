"""The Jinja environments: one that escapes, for pages, boards and HTML letters; a plain one for words."""

import hashlib
import shutil
from functools import cache
from pathlib import Path

import jinja2
from jinja2 import (
    BaseLoader,
    Environment,
    FileSystemBytecodeCache,
    PackageLoader,
    StrictUndefined,
    select_autoescape,
)

from app import compiling, graphemes
from app.compiling import LeanEnvironment


@cache
def loader() -> BaseLoader:
    """Loads from the `templates` package, by names such as `mail/asked/body.html`."""
    return PackageLoader("templates", "")


@cache
def environment() -> LeanEnvironment:
    """For pages, boards and HTML letters: `.html` and `.svg` templates escape, `.txt` templates don't.

    These templates don't import words: the result of a macro counts as safe markup. `narrate` returns words
    as plain strings, which are escaped on output.
    """
    return _configured(
        LeanEnvironment(
            autoescape=select_autoescape(("html", "svg"), ("txt", "jinja"), default=True), loader=loader()
        )
    )


@cache
def plain() -> Environment:
    """For words, subjects and text parts: nothing is escaped, macros return plain text."""
    return _configured(LeanEnvironment(autoescape=False, loader=loader()))


def keep_compiled(folder: Path) -> None:
    """Keep compiled templates in a folder, for this process and all to come; only our own program writes it.

    Those of another version of the program that compiles them are deleted. Raises OSError.
    """
    program = b"".join(Path(one.__file__ or "").read_bytes() for one in (compiling, graphemes))
    mine = hashlib.blake2b(program + Path(__file__).read_bytes() + jinja2.__version__.encode(), digest_size=8)
    for other in folder.iterdir() if folder.is_dir() else ():
        if other.name != mine.hexdigest():
            shutil.rmtree(other, ignore_errors=True)
    for kind, known in (("page", environment()), ("plain", plain())):
        kept = folder / mine.hexdigest() / kind
        kept.mkdir(parents=True, exist_ok=True, mode=0o700)
        known.bytecode_cache = FileSystemBytecodeCache(str(kept))


def is_compiled(known: Environment, name: str) -> bool:
    """Whether a compiled template is kept, so that it is read in no time."""
    cache, loaded = known.bytecode_cache, known.loader
    if cache is None or loaded is None:
        return False
    source, file, _ = loaded.get_source(known, name)
    return cache.get_bucket(known, name, file, source).code is not None


def _configured(environment: LeanEnvironment) -> LeanEnvironment:
    environment.filters |= {"truncate": _truncated, "wordwrap": graphemes.wrapped, "padded": graphemes.padded}
    environment.undefined = StrictUndefined
    environment.trim_blocks = environment.lstrip_blocks = True
    environment.auto_reload = False
    return environment


def _truncated(text: str, length: int = 255, killwords: bool = False, end: str = "…", leeway: int = 0) -> str:
    """Jinja's filter, which never cuts within a grapheme, and at a word unless `killwords`."""
    if len(text) <= length + leeway:
        return text
    kept = graphemes.cut(text, length, end)
    if killwords or " " not in kept:
        return kept
    return kept.removesuffix(end).rsplit(" ", 1)[0] + end
