"""No command lets others control the terminal, or minds a closed stream."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import polytrix
from polytrix.cli import screen
from polytrix.core.compile.compiler import Mode
from polytrix.core.transcript import play
from tests.cli.running import refused, run

EVIL = "\x1b]0;title\x07\x1b[2J\x1b]52;c;cm0=\x07\x9b5n \u202e\ud800"
SHOWN = r"\x1b]0;title\x07\x1b[2J\x1b]52;c;cm0=\x07\x9b5n \u202e\ud800"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A game with a chat, whose players and answers are evil."""
    content = json.loads(
        play(polytrix.find("resistor"), seed=1, decisions=1, mode=Mode.PLAIN).to_text(Mode.PLAIN)
    )
    answer = {"text": EVIL, "reasoning": "", "error": EVIL}
    asked = [{"number": 0, "seat": 0, "question": "", "answers": [answer]}]
    chats = {"forfeited": None, "rewards": [0, 0], "asked": asked}
    file = tmp_path / "game.json"
    file.write_text(json.dumps({**content, "players": [EVIL, "b"], "language_models": chats}), encoding="utf-8")
    return file


def test_a_replay_shows_what_models_have_written(saved: Path) -> None:
    assert run("replay", saved).stdout.count(SHOWN) == 3


def test_errors_show_what_a_file_holds(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps({"game": EVIL}), encoding="utf-8")
    assert not set(refused("replay", file)) & set("\x1b\x07\x9b\r\ud800")
    assert r"\x1b[2J" in refused("describe", "\x1b[2J")


def test_tables_show_the_names_of_agents() -> None:
    shown = run("arena", "quatrix", "\x1b[2Ja=random", "greedy", "--deals", 2).stdout
    assert "\x1b" not in shown and r"\x1b[2Ja" in shown


def test_consoles_show_what_they_print(capsys: pytest.CaptureFixture[str]) -> None:
    made = screen.table("name \x1b[2J", title="title \x1b[2J")
    made.add_row("cell \x1b[2J")
    for printed in ("text \x1b[2J", made):
        screen.out.print(printed)
    told = capsys.readouterr().out
    assert "\x1b" not in told and told.count(r"\x1") == 4  # a column may be too narrow for more


@pytest.mark.skipif(os.name != "posix", reason="a shell of POSIX closes the streams")
@pytest.mark.parametrize("closed", ["<&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(
    "command", ["play resistor", pytest.param("train quatrix --help", marks=pytest.mark.slow)]
)
def test_a_closed_stream_is_an_empty_one(command: str, closed: str) -> None:
    called = f"{sys.executable} -m polytrix.cli {command} {closed}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "envs")}
    ended = subprocess.run(called, shell=True, env=environment, stdin=subprocess.DEVNULL, capture_output=True)
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_a_player_who_cannot_type_stops() -> None:
    assert "stopped" in run("play", "resistor", typed="").stdout
