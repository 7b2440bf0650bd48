"""The Markdown pages of the repository, and running what stands in their blocks of code.

`run_blocks(page, folder)` is for tests elsewhere, too: a page on a library that is not installed here is run
where it is.
"""

from __future__ import annotations

import ast
import re
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt

from tests.commands import run, with_sources

ROOT = Path(__file__).parents[1]

PATTERNS = (
    "README.md",
    "CONTRIBUTING.md",
    "docs/**/*.md",
    "envs/polytrix/games/*/README.md",
    "benchmarks/README.md",
    "checkpoints/README.md",
    "datasets/README.md",
    "examples/*/README.md",
)
MADE = ("docs/games", "docs/record")
"""Folders of copies, made when the site is built."""

NEEDED = {
    "dataset.minari": "minari",
    "api.jax": "jax",
    "api.openspiel": "pyspiel",
    "api.rllib": "ray",
    "api.sb3": "sb3_contrib",
    "api.tianshou": "tianshou",
    "api.torchrl": "torchrl",
    "api.benchmarl": "benchmarl",
    "llm.openenv": "openenv",
    "llm.textarena": "textarena",
    "llm.transformers": "transformers",
    "llm.verifiers": "verifiers",
    "training.language": "transformers",
    "training.language_model": "transformers",
    "training.rllib_ppo": "ray",
}
"""By module or package of polytrix, the package of others that it needs."""

OPTIONAL = {"torch", "pufferlib", "agilerl", "supersuit", "trl", "datasets", *NEEDED.values()}
"""A page that imports one of these can be run only where it is installed."""

SHORTER = {
    "model.learn(1_000_000)": "model.learn(64)",
    "model.learn(32_768": "model.learn(64",
    "n=32, batch=16": "n=4, batch=2",
    "num_envs=256": "num_envs=4",
    "num_envs=64, opponents": "num_envs=4, opponents",
    "n_steps=64,\n    batch_size=512": "n_steps=16,\n    batch_size=64",
    "n_steps=64,\n    batch_size=2048": "n_steps=16,\n    batch_size=64",
}
"""So that learning and playing take seconds."""

OWN_FILE = re.compile(r"# (\w+\.py)\n")
"""A block that begins so is the content of a file, which blocks and commands find in the working directory."""


class Block(NamedTuple):
    """A block of code on a page."""

    kind: str
    content: str
    line: int
    """Of the page, counted from 1: the first one of the content."""
    excerpt_of: str
    """The file of which it is a part, named in a comment above; "" if it stands for itself."""


def pages() -> list[Path]:
    """All pages that are held to be right."""
    found = (path for pattern in PATTERNS for path in sorted(ROOT.glob(pattern)))
    return [path for path in found if not path.relative_to(ROOT).as_posix().startswith(MADE)]


def name_of(page: Path) -> str:
    """The page's path in the repository."""
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> list[Block]:
    """The blocks of a page in their order; those without a kind, and indented ones, are of the kind ""."""
    found, above = [], ""
    for token in MarkdownIt().parse(page.read_text(encoding="utf-8")):
        if token.type in ("fence", "code_block"):
            assert token.map is not None
            comment = re.fullmatch(r"<!-- (\S+) -->\n*", above)
            first = token.map[0] + (2 if token.type == "fence" else 1)
            found.append(Block(token.info.strip(), token.content, first, comment[1] if comment else ""))
        above = token.content if token.type == "html_block" else ""
    return found


def python_of(page: Path) -> str:
    """The Python of a page that stands for itself, on the lines where it stands there, else empty lines."""
    lines: list[str] = []
    for block in blocks(page):
        if block.kind == "python" and not block.excerpt_of:
            content = block.content
            for full, short in SHORTER.items():
                content = content.replace(full, short)
            lines += [""] * (block.line - 1 - len(lines)) + content.splitlines()
    return "\n".join(lines) + "\n"


def commands(page: Path) -> list[str]:
    """The commands of a page."""
    return [
        line for block in blocks(page) if block.kind == "bash" for line in block.content.splitlines() if line
    ]


def missing(page: Path) -> list[str]:
    """The packages that the page's Python imports and that are not installed, of those that need not be."""
    nodes = list(ast.walk(ast.parse(python_of(page))))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    wanted = {name.partition(".")[0] for name in names} & OPTIONAL
    wanted |= {package for module, package in NEEDED.items() if f"polytrix.{module}" in names}
    return sorted(name for name in wanted if find_spec(name) is None)


# -- running --------------------------------------------------------------------------------------


class Session:
    """A folder that looks like the repository, for one reader of one page.

    What a page writes stays in it: documents and examples are copies, all else are links.
    """

    def __init__(self, page: Path, folder: Path) -> None:
        self.page = page
        self.folder = folder
        self.environment = with_sources()
        passing = shutil.ignore_patterns("__pycache__", ".*", *(Path(name).name for name in MADE))
        for name in ("docs", "examples"):
            shutil.copytree(ROOT / name, folder / name, ignore=passing)
        for name in ("envs", "training", "tests", "checkpoints", "benchmarks", "datasets", "pyproject.toml"):
            (folder / name).symlink_to(ROOT / name)
        for block in blocks(page):
            if block.kind == "python" and (name := OWN_FILE.match(block.content)):
                (folder / name[1]).write_text(block.content, encoding="utf-8")
        for command in commands(page):
            if command.startswith("export "):
                variable, _, value = command.removeprefix("export ").partition("=")
                self.environment[variable] = value

    def run(self, *arguments: str, typed: str = "") -> str:
        """The standard output of a Python interpreter with these arguments, which must succeed."""
        return run(sys.executable, *arguments, cwd=self.folder, env=self.environment, typed=typed).stdout

    def run_python(self) -> str:
        """What the page's Python prints: all blocks one after the other, in one interpreter."""
        code = f"import sys; exec(compile(sys.stdin.read(), {str(self.page)!r}, 'exec'))"
        return self.run("-c", code, typed=python_of(self.page))


def run_blocks(page: Path | str, folder: Path) -> str:
    """Run the Python of a page, as someone would who reads it from top to bottom.

    Args:
        page: a path in the repository, like "docs/sb3.md".
        folder: an empty one to work in, like pytest's `tmp_path`.

    Returns:
        What it prints.

    Raises:
        AssertionError: it fails; a traceback names the lines of the page.
    """
    return Session(ROOT / page, folder).run_python()
