"""The pages are right: their code runs as it stands, their commands work, their excerpts and links are true."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from markdown_it import MarkdownIt

import polytrix
from tests.cli.running import run
from tests.libraries import LIBRARIES
from tests.pages import ROOT, Session, blocks, commands, missing, name_of, pages, python_of, run_blocks

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

KINDS = {
    "python": "runs, or is an excerpt of the file that a comment above it names",
    "bash": "commands, see COMMANDS and LEFT_OUT",
    "toml": "is read",
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


EXAMPLES = [library for library in LIBRARIES if library.learns and library.own_environment]
BRIEF_TRAINING = "--cpu-minutes 0.05 --final-games 20 --curve-games 10 --num-envs 32"

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
    "polytrix train": Command("policy.npz", BRIEF_TRAINING),
    "python -m polytrix.testing": Command('"games_terminated": '),
    "python -m polytrix.testing --game quatrix": Command('"games_terminated": ', "--games 3000 --threads 1"),
    "python -m tests.fuzz": Command("faults", "--what transcripts --game quatrix --tries 3"),
    "python examples/": Command("payoff"),
    "python training/fast_ppo.py": Command("policy.npz", BRIEF_TRAINING),
    "python training/fast_ppo.py --help": Command("usage: "),
    "pytest": Command("[100%]", "-p no:cacheprovider"),
}
"""By the words that a command begins with; the longest one counts."""

LEFT_OUT = {
    "export": "sets what the other commands of its page are run with",
    "pip install": "CI installs the package with all extras before it runs this",
    "make": "CI is `make test`; the others set up an environment of their own as well",
    "python -m venv": "the same",
    "python -m tests.screenshots": "needs a browser; `tests/web/browser` tries what it does there",
    "polytrix table": "runs until it is stopped; `tests/web` tries it",
    ".venv/bin/": "CI has an environment of its own",
    "python -m tests.trainers": "takes hours; `make test-integrations` plays a few games of each kind",
    "vf-eval": "needs a model; `make test-integrations` runs it with a scripted one",
    "coverage": "takes minutes; CI plays fewer decisions in plain Python",
    "python -m tests.mutation": "takes minutes; `tests/mutation` tries the tool on a tiny project",
    "peers/bin/": "needs four other libraries",
    "python training/values.py": "needs a network; `tests/training/test_values.py` runs it",
    "python training/beliefs.py": "needs a network with values; `tests/training/test_beliefs.py` runs it",
    "python training/estimatrix_hints.py": "needs a result of a benchmark; its tests run it",
    "python training/benchmark.py": "takes hours; `tests/training/test_benchmark.py` runs a small one",
    "python training/try_algorithm.py": "needs a visitor's file; `tests/training/test_benchmark.py` runs one",
    "python training/language_model.py": "takes half an hour; `make test-integrations` runs a tiny one",
    "polytrix arena resistor random greedy hf:": "needs the model that it makes; tried there, too",
    "python training/best_response.py": "takes minutes; `tests/training/test_best_response.py` runs it",
    "polytrix arena resistor random greedy search:50 llm:": "needs a model; `tests/llm` has a scripted one",
    "polytrix arena quatrix greedy llm:": "the same",
    "polytrix replay rated.games/": "the same",
    "polytrix arena resistor expert search:200,network=": "needs the network of an exploiter",
    "python training/expert.py": "needs a network with values; `tests/training/test_expert.py` runs it",
    "polytrix arena resistor search:200 search:200,network=": "needs the network that it makes",
    'python -c "from rl_zoo3': "needs rl_zoo3; `tests/training/test_rl_zoo3.py` tries the file that it reads",
    **dict.fromkeys(
        (
            "python training/rllib_ppo.py",
            "python benchmarks/throughput/rllib.py",
            *(
                f"python examples/{each.extra}_quatrix.py"
                for each in LIBRARIES
                if each.learns and each.own_environment
            ),
        ),
        "`make test-integrations` tries it",
    ),
}
"""Commands that are not tried here, with the reason."""


every_page = pytest.mark.parametrize("page", pages(), ids=name_of)
FIRST = (ROOT / "README.md", ROOT / "docs" / "quick_start.md")
PICTURES = ROOT / "docs" / "images" / "README.md"
with_python = [page for page in pages() if python_of(page).strip() and page != PICTURES]
with_commands = [page for page in pages() if commands(page)]


def slow_but_first(page: Path) -> Any:
    """The page as a parameter: only the commands of those that one reads first are tried by `make test`."""
    return pytest.param(page, marks=() if page in FIRST else pytest.mark.slow)


def entry(command: str) -> str | None:
    """The words in COMMANDS or LEFT_OUT that a command begins with."""
    return max((words for words in (*COMMANDS, *LEFT_OUT) if command.startswith(words)), key=len, default=None)


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
def test_toml_is_valid(page: Path) -> None:
    for block in blocks(page):
        if block.kind == "toml":
            assert tomllib.loads(block.content)


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
def test_every_command_is_known(page: Path) -> None:
    for command in commands(page):
        assert entry(command), f"{name_of(page)}: {command!r} is in neither COMMANDS nor LEFT_OUT"


@pytest.mark.parametrize("page", [slow_but_first(page) for page in with_commands], ids=name_of)
def test_the_commands_work(page: Path, tmp_path: Path) -> None:
    """In their order: one may use what an earlier one has left."""
    session = Session(page, tmp_path)
    for command in commands(page):
        words = entry(command)
        if words not in COMMANDS:
            continue
        program, *arguments = shlex.split(command, comments=True)
        arguments += shlex.split(COMMANDS[words].briefly)
        start = {"polytrix": ["-m", "polytrix.cli"], "pytest": ["-m", "pytest"], "python": []}[program]
        told = session.run(*start, *arguments, typed=COMMANDS[words].typed)
        assert COMMANDS[words].tells in told, f"{name_of(page)}: {command}\n{told}"


def test_the_tables_of_commands_hold_nothing_else() -> None:
    used = {entry(command) for page in pages() for command in commands(page)}
    assert used == {*COMMANDS, *LEFT_OUT}


def test_the_readme_is_a_front_page() -> None:
    """It shows a first episode, every game with its picture, the two commands, and every page on a library."""
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    for game in polytrix.all_games():
        assert f"`{game.id}`" in text and f'src="docs/images/{game.name}.svg"' in text, game.id
        assert f"| {game.actions.size} | {game.observations.size} |" in text, game.id
    assert "gym.make(" in python_of(readme)
    assert [command.split()[:2] for command in commands(readme)[1:]] == [["make", "train"], ["make", "test"]]
    for page in ("gymnasium", "pettingzoo", "text", *(library.extra for library in LIBRARIES)):
        assert f"(docs/{page}.md)" in text, page


def test_the_game_against_master_is_its_transcript(tmp_path: Path) -> None:
    """What the page says besides is what an agent thought, which other processors may compute otherwise."""
    page = (ROOT / "docs" / "master_games.md").read_text(encoding="utf-8")
    run("replay", ROOT / "docs" / "master_games" / "resistor.json", "--markdown", tmp_path / "game.md")
    table = (tmp_path / "game.md").read_text(encoding="utf-8").splitlines()
    shown = page[page.index(table[0]) :].splitlines()[: len(table)]
    assert [line[: len(own)] for line, own in zip(shown, table, strict=True)] == table


@pytest.mark.parametrize(
    ("page", "call"),
    [
        ("gymnasium", "gym.make("),
        ("gymnasium", "gym.make_vec("),
        ("pettingzoo", "quatrix_v0.env"),
        ("sb3", "SelfPlayVecEnv("),
        ("concepts", "Simulator("),
    ],
)
def test_every_api_has_a_page_that_shows_it(page: str, call: str) -> None:
    assert call in python_of(ROOT / "docs" / f"{page}.md")


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
    folders = [ROOT / folder for folder in ("benchmarks", "docs", "envs", "tests", "training")]
    found = [*ROOT.glob("*.*"), *(file for folder in folders for file in folder.rglob("*.*"))]
    files = [f"/{file.relative_to(ROOT).as_posix()}" for file in found]
    text = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w./]+\.(?:py|md|toml|json|js|css|txt|yml))`", text)
    assert len(named) > 30
    for name in named:
        assert "NAME" in name or any(file.endswith(f"/{name}") for file in files), name
