"""A replay as one page that loads nothing: scripts, styles, font and game are in it."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path, PurePosixPath
from string import Template

from polytrix.core.version import __version__
from polytrix.drawing.font import font_bytes

from .data import Replay

STATIC = Path(__file__).parents[1] / "web" / "static"
"""The viewer is the one of `polytrix table`."""

ENTRY = "replay/page.js"
STYLES = ("style.css", "board.css", "replay/replay.css")

POLICY = (
    "default-src 'none'; script-src '{script}'; style-src '{style}'; font-src data:; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)

IMPORT = re.compile(r'^import (?:(\{[^}]*\}) from )?"(\.[^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?function|class|const|let) (\w+)", re.MULTILINE)


def page(replay: Replay) -> str:
    """The page of a replay, as HTML.

    Nothing of the game can run as a script: the browser runs the viewer only, by its hash, and the game is
    compressed and in base64.
    """
    style, script = styles(), bundle(ENTRY)
    content = json.dumps(replay.to_dict(), separators=(",", ":"), allow_nan=False).encode()
    return Template((Path(__file__).parent / "page.html").read_text(encoding="utf-8")).substitute(
        policy=POLICY.format(script=hash_of(script), style=hash_of(style)),
        version=escape(__version__),
        title=escape(replay.title),
        style=style,
        replay=b64encode(zlib.compress(content, 9)).decode(),
        script=script,
    )


@cache
def styles() -> str:
    """The styles with the font."""
    text = "\n".join((STATIC / name).read_text(encoding="utf-8") for name in STYLES)
    font = b64encode(font_bytes()).decode()
    return text.replace('url("/font.ttf")', f'url("data:font/ttf;base64,{font}")')


@cache
def bundle(entry: str) -> str:
    """A module and all that it imports as one script: each becomes a function that returns what it exports.

    Args:
        entry: the path of the module in `STATIC`. Its imports have one line each, by relative path.
    """
    names: dict[str, str] = {}
    parts: list[str] = []

    def add(path: str) -> str:
        """Write a module once, after those that it imports; the name of what it exports."""
        if path not in names:
            source = (STATIC / path).read_text(encoding="utf-8")
            folder = PurePosixPath(path).parent

            def imported(found: re.Match[str]) -> str:
                name = add(normal(folder / found[2]))
                return f"const {found[1]} = {name};\n" if found[1] else ""

            body = IMPORT.sub(imported, source)
            exports = ", ".join(name for _, name in EXPORT.findall(body))
            names[path] = f"module{len(names)}"
            body = EXPORT.sub(r"\1 \2", body)
            parts.append(f"const {names[path]} = (() => {{\n{body}return {{ {exports} }};\n}})();\n")
        return names[path]

    add(entry)
    return "".join(parts)


def normal(path: PurePosixPath) -> str:
    """A path in `STATIC` without `..`."""
    return (STATIC / path).resolve().relative_to(STATIC.resolve()).as_posix()


def hash_of(text: str) -> str:
    """The source of a content security policy for a script or style of this text."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
