"""The parts of the site that are made when it is built.

- `games/`: a page and a picture for every game that is known.
- `record/`: copies of the Markdown pages of the repository that lie outside of `docs`, and the notebooks.
- `resistor_replay.html`: a replay.
- Links are written for the repository, relative to the file in which they stand. Here each is turned toward
  the page of the site that the file has become, or else toward a download of the file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any

from game_page import game_page, picture
from notebook_page import notebook_files
from sphinx.application import Sphinx

import polytrix
from polytrix.core.catalogue import all_games
from polytrix.core.game import Game
from polytrix.core.pages import page_of

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"

REPLAYED = DOCS / "master_games" / "resistor.json"
"""The game of the replay."""

MADE = ("games", "record")
"""The folders in `docs` that are made here; git ignores them."""

COPIED = {
    "CHANGELOG.md": "record/changelog",
    "CONTRIBUTING.md": "record/contributing",
    "benchmarks/README.md": "record/benchmarks",
    "checkpoints/README.md": "record/baselines",
    "datasets/README.md": "record/master_datasets",
    "checkpoints/*/card.md": "record/{folder}",
    "examples/*/README.md": "record/{folder}",
    "examples/*/*/README.md": "record/{folder}",
    "docs/notebooks/*.ipynb": "record/{name}",
}
"""Which files of the repository are pages of the site, and under which name."""

SHORT = 80
"""A first sentence shorter than this is shown together with the second one."""

LINK = re.compile(r"\[((?:`[^`]*`|[^\]`])*)\]\(([^)\s]+)\)")
ENDS_SO = re.compile(r"(?<![`\w])([A-Z]+)_(?![`\w])")
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def pages() -> dict[str, str]:
    """The pages of the site that are made of files elsewhere: docname by path in the repository."""
    found = {"README.md": "index"}
    for pattern, name in COPIED.items():
        for path in sorted(ROOT.glob(pattern)):
            found[path.relative_to(ROOT).as_posix()] = name.format(folder=path.parent.name, name=path.stem)
    for game in all_games():
        readme = page_of(game)
        if readme is not None and ROOT in readme.parents:
            found[readme.relative_to(ROOT).as_posix()] = f"games/{game.name}"
    return found


def origin(docname: str) -> PurePosixPath:
    """The file in the repository whose text a page of the site has."""
    sources = {name: path for path, name in pages().items() if name != "index"}
    return PurePosixPath(sources.get(docname, f"docs/{docname}.md"))


# -- links ----------------------------------------------------------------------------------------


def with_links(docname: str, text: str) -> str:
    """The text of a page with links that lead somewhere on the site."""

    def turned(found: re.Match[str]) -> str:
        return link(docname, *found.groups())

    outside = FENCE.split(text)[::2]
    fences = FENCE.split(text)[1::2]
    rewritten = [LINK.sub(turned, part) for part in outside]
    return "".join(part + fence for part, fence in zip(rewritten, [*fences, ""], strict=True))


def link(docname: str, shown: str, target: str) -> str:
    """A link, as a page of the site has to write it."""
    path, mark, anchor = target.partition("#")
    if not path or "://" in target or path.startswith("/"):
        return f"[{shown}]({target})"
    beside = DOCS / PurePosixPath(docname).parent / path
    if beside.is_file() and docname.split("/")[0] in MADE:
        return f"[{shown}]({target})"  # made together with the page
    file = Path(os.path.normpath(ROOT / origin(docname).parent / path))
    if docname == "replay" and file == REPLAYED:
        return f'<a href="resistor_replay.html">{shown}</a>'
    page = page_at(file)
    if page is not None:
        return f"[{shown}](/{page}.md{mark}{anchor})"
    if file.is_dir():
        return shown  # no page, and nothing that could be downloaded
    return f"[{shown}]({Path(os.path.relpath(file, (DOCS / docname).parent)).as_posix()}{mark}{anchor})"


def page_at(file: Path) -> str | None:
    """The page of the site that a file or folder of the repository has become, if it has."""
    if file.suffix == ".md" and DOCS in file.parents and file.is_file():
        return file.relative_to(DOCS).with_suffix("").as_posix()
    known = pages()
    for candidate in (file, file / "README.md"):
        if candidate.is_relative_to(ROOT) and candidate.relative_to(ROOT).as_posix() in known:
            return known[candidate.relative_to(ROOT).as_posix()]
    return None


# -- pages ----------------------------------------------------------------------------------------


def made_pages() -> dict[str, Callable[[], str | bytes]]:
    """The files that are made in `docs`, by path there, with what makes them."""
    made: dict[str, Callable[[], str | bytes]] = {"games/index.md": gallery}
    for path, name in pages().items():
        if path.endswith(".ipynb"):
            for file, content in notebook_files(ROOT / path).items():
                made[f"record/{file}"] = lambda content=content: content  # type: ignore[misc]
        elif name.startswith("record/"):
            made[f"{name}.md"] = lambda path=path: copied_page(path)  # type: ignore[misc]
    for game in all_games():
        made[f"games/{game.name}.md"] = lambda game=game: game_page(game, cards(game))  # type: ignore[misc]
        made[f"games/{game.name}.svg"] = lambda game=game: picture(game)  # type: ignore[misc]
    return made


def copied_page(path: str) -> str:
    """The text of a page of the repository; pages in folders beside it are its chapters."""
    text = (ROOT / path).read_text(encoding="utf-8")
    folder = PurePosixPath(path).parent
    below = [
        PurePosixPath(name).name
        for other, name in pages().items()
        if PurePosixPath(other).parent.parent == folder
    ]
    if folder == PurePosixPath(".") or not below:
        return text
    return "\n".join([text, "```{toctree}", ":hidden:", "", *below, "```", ""])


def cards(game: Game) -> dict[str, str]:
    """The baselines of a game: titles by link."""
    start = game.id.removeprefix("polytrix/")
    folders = (path.parent.name for path in sorted(ROOT.glob("checkpoints/*/card.md")))
    return {f"/record/{name}.md": name for name in folders if name == start or name.startswith(f"{start}-")}


def gallery() -> str:
    """All games with their pictures."""
    lines = ["# Games", "", ":::::{container} gallery"]
    for game in all_games():
        lines += [
            "::::{container} game",
            f"[![{game.title}](/games/{game.name}.svg)](/games/{game.name}.md)",
            "",
            f"**[{game.title}](/games/{game.name}.md)**",
            "",
            opening(game),
            "",
            facts(game),
            "::::",
        ]
    names = "\n".join(game.name for game in all_games())
    return "\n".join([*lines, ":::::", "", f"```{{toctree}}\n:hidden:\n\n{names}\n```", ""])


def opening(game: Game) -> str:
    """How the game's page begins: its first sentences."""
    path = page_of(game)
    text = "" if path is None else path.read_text(encoding="utf-8").partition("\n\n")[2].partition("\n\n")[0]
    sentences = re.split(r"(?<=[.])\s", text.replace("\n", " "))
    return " ".join(sentences[:2] if len(sentences[0]) < SHORT else sentences[:1])


def facts(game: Game) -> str:
    """Players and sizes in one line."""
    counts = game.player_counts
    players = str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    return f"{players} players, {game.actions.size} actions, observations of {game.observations.size} numbers"


def make_pages(app: Sphinx) -> None:
    """Write what has changed, and remove what is no longer made."""
    made = made_pages()
    for name, make in made.items():
        made_now = make()
        content = made_now.encode() if isinstance(made_now, str) else made_now
        path = DOCS / name
        path.parent.mkdir(exist_ok=True)
        if not path.is_file() or path.read_bytes() != content:
            path.write_bytes(content)
    for folder in MADE:
        for path in (DOCS / folder).iterdir():
            if path.relative_to(DOCS).as_posix() not in made:
                path.unlink()


def make_replay(app: Sphinx, error: Exception | None) -> None:
    """Write a replay as a page by itself, to which `docs/replay.md` leads."""
    if error is None and app.builder.format == "html":
        shown = polytrix.show(REPLAYED, agents=["expert", "greedy"])
        shown.save(Path(app.outdir) / "resistor_replay.html")


def read_source(app: Sphinx, docname: str, content: list[str]) -> None:
    """Turn the links of a page while it is read."""
    content[0] = with_links(docname, content[0])


def read_docstring(
    app: Sphinx, what: str, name: str, thing: object, settings: object, lines: list[str]
) -> None:
    """Keep a word that ends with an underscore, like RESISTOR_, from being read as a link."""
    lines[:] = [ENDS_SO.sub(r"\1\\_", line) for line in lines]


def read_signature(
    app: Sphinx,
    what: str,
    name: str,
    thing: object,
    settings: object,
    signature: str | None,
    returns: str | None,
) -> tuple[str, str | None] | None:
    """Defaults that are no Python become something that is, or Sphinx would not break long signatures."""
    if signature is None:
        return None
    return re.sub(r"<function (\w+)>", r"\1", signature.replace("<factory>", "...")), returns


def setup(app: Sphinx) -> dict[str, Any]:
    """What Sphinx calls."""
    app.connect("builder-inited", make_pages)
    app.connect("build-finished", make_replay)
    app.connect("source-read", read_source)
    app.connect("autodoc-process-docstring", read_docstring)
    app.connect("autodoc-process-signature", read_signature)
    return {"version": polytrix.__version__, "parallel_read_safe": True, "parallel_write_safe": True}
