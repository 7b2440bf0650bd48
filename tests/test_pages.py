"""The pages are right: their code runs as it stands, their commands work, their excerpts and links are true."""

from __future__ import annotations

import json
import re
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from markdown_it import MarkdownIt

import polytrix
from tests.cli.running import run
from tests.pages import ROOT, SHORTER, Session, blocks, commands, missing, name_of, pages, python_of, run_blocks

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

KINDS = {
    "python": "runs, or is an excerpt of the file that a comment above it names",
    "bash": "commands, see COMMANDS",
    "toml": "is read",
    "json": "is read",
    "nginx": "`tests/web/test_proxy.py` runs it",
    "text": "shows something",
    "{toctree}": "read by Sphinx, like those below",
    "{include}": "",
    "{literalinclude}": "",
    "{eval-rst}": "",
}


class Command(NamedTuple):
    """How a command of a page is tried."""

    tells: str
    """Something that it must print."""
    briefly: str = ""
    """Arguments that are added, so that it is soon done."""
    typed: str = ""
    """What is typed into it."""


BRIEF_TRAINING = "--cpu-minutes 0.05 --final-games 20 --num-envs 32"

COMMANDS = {
    "polytrix list": Command("polytrix/"),
    "polytrix describe": Command("polytrix/"),
    "polytrix describe resistor --text": Command("Legal actions: id, notation, meaning"),
    "polytrix describe pixel_tactics --text": Command("Legal actions: id, notation, meaning"),
    "polytrix describe estimatrix --text --seat 2": Command("You are T (seat 2)"),
    "polytrix play": Command("You are ", typed="?\n??\n" + "1\n" * 42),
    "polytrix replay": Command("decisions replay as recorded"),
    "polytrix perft connect_four": Command("5,673,234"),
    "polytrix bench": Command("-v0", "--num-envs 64 --seconds 0.02 --repeats 1"),
    "polytrix arena": Command("greedy", "--deals 2"),
    "polytrix arena quatrix expert greedy --sprt": Command("passed: expert is 20 Elo or more above greedy"),
    "polytrix dataset make": Command("games: "),
    "polytrix dataset export": Command(""),
    "polytrix train": Command("policy.npz", BRIEF_TRAINING),
    "python -m polytrix.testing": Command('"games_terminated": '),
    "python -m polytrix.testing --game quatrix": Command('"games_terminated": ', "--games 3000 --threads 1"),
    "python -m tests.fuzz": Command("faults", "--what transcripts --game quatrix --tries 3"),
    "python examples/": Command("payoff"),
    "python training/fast_ppo.py": Command("policy.npz", BRIEF_TRAINING),
    "python training/fast_ppo.py --help": Command("usage: "),
    "python training/imitate.py": Command("policy.npz", BRIEF_TRAINING),
    "python training/league.py add": Command(" agents for polytrix/quatrix-v0"),
    "python training/league.py match": Command("", "--deals 2"),
    "python training/league.py solve": Command("weight", "--deals 2"),
    "python training/league.py train": Command("policy.npz", BRIEF_TRAINING),
    "pytest": Command("[100%]", "-p no:cacheprovider"),
}
"""By the words that a command begins with; the longest one counts."""

ELSEWHERE = re.compile(r"examples/\w+_(quatrix|resistor)|(hf|llm|process):|network=|rated\.games")
"""Of a command that needs a library, a model, a program or a file of a long run; the tests of these try it."""

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


every_page = pytest.mark.parametrize("page", pages(), ids=name_of)
FIRST = (ROOT / "README.md", ROOT / "docs" / "quick_start.md")
PICTURES = ROOT / "docs" / "images" / "README.md"
with_python = [page for page in pages() if python_of(page).strip() and page != PICTURES]
with_commands = [page for page in pages() if commands(page)]


def slow_but_first(page: Path) -> Any:
    """The page as a parameter: only the commands of those that one reads first are tried by `make test`."""
    return pytest.param(page, marks=() if page in FIRST else pytest.mark.slow)


def entry(command: str) -> str | None:
    """The words in COMMANDS that a command begins with, if it can be tried here."""
    known = max((words for words in COMMANDS if command.startswith(words)), key=len, default=None)
    return None if ELSEWHERE.search(command) else known


def starts_something(command: str) -> bool:
    """Whether there is the script, module, target or subcommand that a command starts."""
    program, *arguments = shlex.split(command, comments=True)
    first = arguments[0] if arguments else ""
    if program == "make":
        return bool(re.search(rf"^{first}:", MAKEFILE, re.MULTILINE))
    if program == "polytrix":
        return bool(run(first, "--help").stdout)
    if Path(program).name == "python":
        return (
            find_spec(arguments[1]) is not None if first == "-m" else first == "-c" or (ROOT / first).is_file()
        )
    return True


@every_page
def test_every_block_is_of_a_kind_that_is_tested(page: Path) -> None:
    for block in blocks(page):
        assert block.kind.split()[:1] and block.kind.split()[0] in KINDS, (
            f"{name_of(page)}:{block.line} is a block of the kind {block.kind!r}; allowed: {', '.join(KINDS)}"
        )


@every_page
def test_excerpts_are_those_of_the_files(page: Path) -> None:
    for block in blocks(page):
        if block.excerpt_of:
            text = (ROOT / block.excerpt_of).read_text(encoding="utf-8")
            assert block.content in text, f"{name_of(page)}:{block.line} is not in {block.excerpt_of}"


@every_page
def test_toml_and_json_are_valid(page: Path) -> None:
    for block in blocks(page):
        if block.kind == "toml":
            assert tomllib.loads(block.content)
        if block.kind == "json":
            assert json.loads(block.content)


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("page", with_python, ids=name_of)
def test_the_python_runs(page: Path, compiled: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In plain Python the same: pages change rules and data, and would compile programs for that alone."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", str(int(not compiled)))
    if packages := missing(page):
        pytest.skip(f"not installed: {', '.join(packages)}")
    run_blocks(page, tmp_path)


def test_the_pictures_are_those_that_their_page_makes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    run_blocks(PICTURES, tmp_path)
    for path in sorted(ROOT.glob("docs/images/*.svg")):
        assert (tmp_path / "docs" / "images" / path.name).read_text(encoding="utf-8") == path.read_text(
            encoding="utf-8"
        ), path.name


@every_page
def test_every_command_starts_what_there_is(page: Path) -> None:
    for command in commands(page):
        assert entry(command) or starts_something(command), f"{name_of(page)}: {command}"


@pytest.mark.parametrize("page", [slow_but_first(page) for page in with_commands], ids=name_of)
def test_the_commands_work(page: Path, tmp_path: Path) -> None:
    """In their order: one may use what an earlier one has left."""
    session = Session(page, tmp_path)
    for command in commands(page):
        words = entry(command)
        if words is None:
            continue
        program, *arguments = shlex.split(command, comments=True)
        arguments += shlex.split(COMMANDS[words].briefly)
        start = {"polytrix": ["-m", "polytrix.cli"], "pytest": ["-m", "pytest"], "python": []}[program]
        told = session.run(*start, *arguments, typed=COMMANDS[words].typed)
        assert COMMANDS[words].tells in told, f"{name_of(page)}: {command}\n{told}"


def test_the_table_of_commands_holds_nothing_else() -> None:
    assert {entry(command) for page in pages() for command in commands(page)} - {None} == {*COMMANDS}


def test_what_is_shortened_is_on_some_page() -> None:
    content = "\n".join(block.content for page in pages() for block in blocks(page) if block.kind == "python")
    assert [long for long in SHORTER if long not in content] == []


def test_the_readme_has_the_sizes_of_all_games() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for game in polytrix.all_games():
        assert f"`{game.id}`" in text and f'src="docs/images/{game.name}.svg"' in text, game.id
        assert f"| {game.actions.size} | {game.observations.size} |" in text, game.id


def test_the_game_against_master_is_its_transcript(tmp_path: Path) -> None:
    """What the page says besides is what an agent thought, which other processors may compute otherwise."""
    page = (ROOT / "docs" / "master_games.md").read_text(encoding="utf-8")
    run("replay", ROOT / "docs" / "master_games" / "resistor.json", "--markdown", tmp_path / "game.md")
    table = (tmp_path / "game.md").read_text(encoding="utf-8").splitlines()
    shown = page[page.index(table[0]) :].splitlines()[: len(table)]
    assert [line[: len(own)] for line, own in zip(shown, table, strict=True)] == table


@pytest.mark.parametrize("page", [*pages(), *sorted(ROOT.glob("checkpoints/*/card.md"))], ids=name_of)
def test_all_links_lead_to_files(page: Path) -> None:
    """As on a site that shows the repository; `tests/test_site.py` looks after those of our own."""
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text) + re.findall(r'src="([^"]+)"', text):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{name_of(page)}: {target}"


@pytest.mark.parametrize("page", [*pages(), *sorted(ROOT.glob("checkpoints/*/card.md"))], ids=name_of)
def test_tables_are_tables(page: Path) -> None:
    """A table whose second line does not fit is shown as text, and cells beyond the first line's as nothing."""
    text = page.read_text(encoding="utf-8")
    lines = text.splitlines()
    for token in MarkdownIt().enable("table").parse(text):
        if token.map is None:
            continue
        where = f"{name_of(page)}:{token.map[0] + 1}"
        assert token.type != "inline" or not token.content.startswith("|"), where
        if token.type == "table_open":
            bars = [len(re.findall(r"(?<!\\)\|", line)) for line in lines[slice(*token.map)]]
            assert len(set(bars)) == 1, f"{where}: {bars}"


def test_the_design_names_only_files_that_there_are() -> None:
    """Paths are whole or, as on the page, end there."""
    folders = [ROOT / folder for folder in ("benchmarks", "checkpoints", "docs", "envs", "tests", "training")]
    found = [*ROOT.glob("*.*"), *(file for folder in folders for file in folder.rglob("*.*"))]
    files = [f"/{file.relative_to(ROOT).as_posix()}" for file in found]
    text = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w./]+\.(?:py|md|toml|json|js|css|txt|yml))`", text)
    assert len(named) > 30
    for name in named:
        assert re.search("NAME|SCRIPT|GAME", name) or any(file.endswith(f"/{name}") for file in files), name
