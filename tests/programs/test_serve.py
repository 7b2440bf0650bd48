"""`polytrix bot`: agents choose there what they choose here; functions in Kaggle's form play, too."""

from __future__ import annotations

import io
import json
import shlex
import sys
from pathlib import Path

import pytest

import polytrix
from polytrix.core.errors import PolicyError, PolytrixError
from polytrix.core.game import Game
from polytrix.play.opponents import agent
from polytrix.play.session import Session
from polytrix.programs.serve import answers
from tests.cli.running import run
from tests.every_game import every_game

from .running import Pipe, greeted

GAME = polytrix.find("resistor")

FUNCTION = """\
def agent(observation, configuration):
    print("I think")
    assert observation.player == observation["player"] and configuration.actTimeout == 1000
    assert observation.step >= 0 and observation.remainingOverageTime == 60
    return observation.legal[-1].id

def alone(observation):
    return observation.legal[-1].move
"""

MIXING = """\
import numpy as np
def mixing(observation, mask, rng):
    weights = np.arange(observation.shape[1]) % 89 * observation.astype(int)
    return np.where(mask, np.arange(mask.shape[1]) * (weights.sum() + 1) % 1009 + 1, 0).argmax(axis=1)
"""
"""A policy whose choice depends on every number that it is shown, and on nothing else."""


def first_lines(game: Game) -> list[str]:
    """What a program is told until its first answer."""
    session, pipe = Session(game, game.options.defaults, 1), Pipe()
    greeted(session, int(session.state.mover), pipe).ask(session.moves())
    return pipe.lines


@every_game
def test_an_agent_chooses_there_what_it_chooses_here(game: Game, tmp_path: Path) -> None:
    (tmp_path / "mixing.py").write_text(MIXING)
    spec = f"{tmp_path / 'mixing.py'}:mixing"
    session, pipe = Session(game, game.options.defaults, 5), Pipe()
    policy, seat, chosen = agent(spec, game), greeted(session, 0, pipe), []
    while not session.over and len(chosen) < 8:
        action = session.choose(policy)
        if session.state.mover == 0 and len(session.legal()) > 1:
            seat.ask(session.moves())
            chosen.append({"move": action})
        session.play(action)
    seat.leave([0.0])
    assert [*answers(spec, pipe.lines, seed=0)][1:] == chosen


@pytest.mark.parametrize(
    ("spec", "told"),
    [("search:5", "needs more"), ("process:true", "needs more"), ("kaggle:no.py:f", "FILE.py")],
)
def test_what_cannot_be_played_is_refused(spec: str, told: str) -> None:
    with pytest.raises(PolicyError, match=told):
        next(answers(spec, first_lines(GAME), seed=0))


@pytest.mark.parametrize("line", ["{", "[]", "{}", "7"])
def test_a_line_that_is_no_message_is_refused(line: str) -> None:
    with pytest.raises(PolytrixError, match="a line is"):
        next(answers("greedy", [line], seed=0))


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("protocol", 2, "is 2; expected 1"),
        ("id", "polytrix/resistor-v999", "resistor-v0"),
        ("id", 5, r"id, options and data are \[5, .*; expected a text and two objects"),
        ("options", [], "expected a text and two objects"),
        ("data", 7, "expected a text and two objects"),
        ("type", "choose", "before"),
    ],
)
def test_a_message_that_is_wrong_is_refused(name: str, content: object, told: str) -> None:
    hello = json.loads(first_lines(GAME)[0])
    with pytest.raises(PolytrixError, match=told):
        next(answers("greedy", [json.dumps({**hello, name: content})], seed=0))


@pytest.mark.parametrize("part", ["id", "options", "data"])
def test_a_message_without_a_part_is_refused(part: str) -> None:
    hello = json.loads(first_lines(GAME)[0])
    del hello[part]
    with pytest.raises(PolytrixError, match=f"'{part}' is missing; there are 'type', "):
        next(answers("greedy", [json.dumps(hello)], seed=0))


@pytest.mark.parametrize("name", ["agent", "alone"])
def test_a_function_in_kaggles_form_plays_in_the_arena(name: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(FUNCTION)
    command = [sys.executable, "-m", "polytrix.cli", "bot", f"kaggle:{file}:{name}"]
    spec = f"mine=process:{shlex.join(command)},seconds=1000"
    out = tmp_path / "result.json"
    run("arena", "resistor", "random", spec, "--deals", "1", "--concurrency", "1", "--json", out)
    figures = json.loads(out.read_text())["language_models"]["models"]["mine"]
    assert figures["games"] == 2 and figures["forfeits"] == figures["failed"] == 0


def test_the_command_writes_answers_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "loud.py").write_text(
        "def loud(observation, mask, rng):\n    print('!')\n    return mask.argmax(1)\n"
    )
    lines = first_lines(GAME)
    said = run("bot", f"{tmp_path / 'loud.py'}:loud", typed="".join(f"{line}\n" for line in lines))
    assert [*map(json.loads, io.StringIO(said.stdout))][1] == {"move": json.loads(lines[-1])["legal"][0]["id"]}
    assert "!" in said.stderr
