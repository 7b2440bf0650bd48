"""The page docs/adding_a_game.md: its excerpts are those of the files, and its commands run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.examples.conftest import ROOT, Command

PAGE = (ROOT / "docs" / "adding_a_game.md").read_text(encoding="utf-8")
EXCERPTS = re.findall(r"<!-- (\S+) -->\n```python\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = [line for block in re.findall(r"```bash\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]
SETTING = "export POLYTRIX_GAMES=examples/connect_four"

BRIEFLY = {
    "polytrix bench": "--num-envs 64 --seconds 0.02 --repeats 1",
    "polytrix arena": "--deals 10",
    "python training/fast_ppo.py": "--minutes 0.05 --final-games 20 --curve-games 10 --num-envs 32",
    "pytest": "-p no:cacheprovider",
}
"""Added to a command, so that it is soon done."""

SHOWN = {
    "polytrix list": "polytrix/connect_four-v0",
    "polytrix describe": "Connect Four (polytrix/connect_four-v0), 2 players",
    "polytrix play": "You are ",
    "polytrix perft": "5,673,234",
    "polytrix bench": "connect_four-v0",
    "polytrix arena": "greedy",
    "python -m polytrix.testing": '"failures": 0',
    "python training/fast_ppo.py": "connect_four",
    "pytest": "[100%]",
}
"""What a command must tell."""


@pytest.mark.parametrize(
    ("file", "excerpt"), EXCERPTS, ids=[f"{i}-{file}" for i, (file, _) in enumerate(EXCERPTS)]
)
def test_excerpts_are_those_of_the_files(file: str, excerpt: str) -> None:
    assert excerpt in (ROOT / file).read_text(encoding="utf-8")


def test_every_code_block_is_tested() -> None:
    others = re.findall(r"(?<!-->\n)```(\w+)\n(.*?)```", PAGE, re.DOTALL)
    kinds = [kind for kind, content in others if kind != "bash" and content not in dict(EXCERPTS).values()]
    assert len(EXCERPTS) > 8 and kinds.count("python") == 1 and kinds.count("toml") == 1


def test_the_environments_of_the_page(python: Command) -> None:
    pettingzoo = pytest.importorskip("pettingzoo")
    if not hasattr(pettingzoo, "register"):
        pytest.skip("PettingZoo has a registry from 1.27 on")
    (block,) = re.findall(r"```python\n(import gymnasium.*?)```", PAGE, re.DOTALL)
    assert python("-c", f"{block}\nprint(env.spec.id, envs.num_envs, aec.possible_agents)") == (
        "polytrix/connect_four-v0 64 ['player_0', 'player_1']\n"
    )


def words_of(command: str, table: dict[str, str]) -> str:
    """What a table says of a command, by the words that it begins with."""
    (found,) = [value for words, value in table.items() if command.startswith(words)] or [""]
    return found


@pytest.mark.slow
def test_the_commands_of_the_page(python: Command, folder: Path) -> None:
    """In their order: the last one rates what an earlier one has trained."""
    for package in ("torch", "choix", "typer"):
        pytest.importorskip(package)
    assert COMMANDS[0] == SETTING
    for command in COMMANDS[1:]:
        assert words_of(command, SHOWN), f"{command!r} is not expected to show anything"
        arguments = shlex.split(f"{command} {words_of(command, BRIEFLY)}")
        program, rest = arguments[0], [a.replace("examples/connect_four", str(folder)) for a in arguments[1:]]
        start = {"polytrix": ["-m", "polytrix.cli"], "pytest": ["-m", "pytest"], "python": []}[program]
        rest = [str(ROOT / a) if a.startswith("training/") else a for a in rest]
        shown = python(*start, *rest, typed="1\n" * 42)
        assert words_of(command, SHOWN) in shown, f"{command}: {shown}"
