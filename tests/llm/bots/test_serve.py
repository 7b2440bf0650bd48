"""`polytrix bot`: agents choose there what they choose here; functions in Kaggle's form play, too."""

from __future__ import annotations

import io
import json
import shlex
import sys
from pathlib import Path

import pytest

import polytrix
from polytrix.core.errors import PolicyError
from polytrix.core.game import Game
from polytrix.llm.bots import Talk
from polytrix.llm.bots.serve import MessageError, answer_all
from polytrix.play.log import Log
from polytrix.play.opponents import agent
from polytrix.play.session import Session
from tests.cli.running import run

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


def answers(game: str, spec: str, lines: list[str]) -> list[dict[str, object]]:
    written: list[str] = []
    answer_all(game, spec, lines, written.append, seed=0)
    return [json.loads(line) for line in written]


@pytest.mark.parametrize("game", polytrix.all_games(), ids=lambda game: game.name)
def test_an_agent_chooses_there_what_it_chooses_here(game: Game, tmp_path: Path) -> None:
    (tmp_path / "mixing.py").write_text(MIXING)
    spec = f"{tmp_path / 'mixing.py'}:mixing"
    session = Session(game, game.options.defaults, 5)
    policy, talk = agent(spec, game), Talk(session, Log(session), 0)
    lines, chosen = [talk.task], []
    while not session.over and len(chosen) < 8:
        action = session.choose(policy)
        if session.state.mover == 0 and len(session.legal()) > 1:
            lines += [each["content"] for each in talk.messages()[1:]]
            talk.decided("")
            chosen.append({"move": action})
        session.play(action)
    assert answers(game.name, spec, [*lines, *talk.farewell([0.0])])[1:] == chosen


def test_what_cannot_be_played_is_refused() -> None:
    hello = Talk(session := Session(polytrix.find("resistor"), {}, 1), Log(session), 0).task if False else None
    assert hello is None
    for spec, told in (
        ("search:5", "looks ahead"),
        ("process:true", "looks ahead"),
        ("kaggle:no.py:f", "FILE.py"),
    ):
        with pytest.raises(PolicyError, match=told):
            answers("resistor", spec, [])
    for line in ("{", "[]", "{}", "7"):
        with pytest.raises(MessageError, match="a line is"):
            answers("resistor", "greedy", [line])
    for name, content in (("protocol", 2), ("id", "polytrix/quatrix-v0")):
        game = polytrix.find("resistor")
        session = Session(game, game.options.defaults, 1)
        line = json.dumps({**json.loads(Talk(session, Log(session), 0).task), name: content})
        with pytest.raises(MessageError, match="expected polytrix/resistor-v0, protocol 1"):
            answers("resistor", "greedy", [line])


@pytest.mark.parametrize("name", ["agent", "alone"])
def test_a_function_in_kaggles_form_plays_in_the_arena(name: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(FUNCTION)
    command = [sys.executable, "-m", "polytrix.cli", "bot", "resistor", f"kaggle:{file}:{name}"]
    spec = f"mine=process:{shlex.join(command)},seconds=1000"
    out = tmp_path / "result.json"
    run("arena", "resistor", "random", spec, "--deals", "1", "--concurrency", "1", "--json", out)
    figures = json.loads(out.read_text())["language_models"]["models"]["mine"]
    assert figures["games"] == 2 and figures["forfeits"] == figures["failed"] == 0


def test_the_command_writes_answers_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "loud.py").write_text(
        "def loud(observation, mask, rng):\n    print('!')\n    return mask.argmax(1)\n"
    )
    game = polytrix.find("resistor")
    session = Session(game, game.options.defaults, 1)
    talk = Talk(session, Log(session), int(session.state.mover))
    lines = [talk.task, *(each["content"] for each in talk.messages()[1:])]
    said = run("bot", "resistor", f"{tmp_path / 'loud.py'}:loud", typed="".join(f"{line}\n" for line in lines))
    assert [*map(json.loads, io.StringIO(said.stdout))][1] == {"move": session.legal()[0]}
    assert "!" in said.stderr
