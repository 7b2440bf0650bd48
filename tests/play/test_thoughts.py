"""`polytrix replay --hint` shows what an agent thinks at each decision, from what the seat knows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import polytrix
from polytrix.agents import NetworkPolicy, reasons, resolve
from polytrix.agents.resolve import PolicySpec
from polytrix.core.compile.compiler import Mode
from polytrix.core.game import Game
from polytrix.core.random import reseed
from polytrix.core.state import Record, new_records
from polytrix.core.transcript import Transcript, play
from polytrix.play.session import Session
from polytrix.play.thoughts import (
    SHOWN,
    Opinion,
    as_markdown,
    expected_payoff,
    figures,
    how_to_read,
    in_text,
    opinion,
)
from tests.cli.running import refused, run
from tests.remembering import Elephant
from tests.searching import searched

SEARCH = "search:30"


def recorded(name: str, decisions: int = 8, **options: int) -> Transcript:
    """A game of random play."""
    return play(polytrix.find(name), options, seed=5, decisions=decisions, mode=Mode.PLAIN)


def at_start(transcript: Transcript) -> Session:
    return Session(transcript.description(), transcript.options, transcript.seed)


def all_thoughts(transcript: Transcript, policy: PolicySpec) -> list[Opinion]:
    """What an agent thinks before each decision."""
    session = at_start(transcript)
    asked = resolve(policy, session.game)
    told = []
    for action in transcript.actions:
        told.append(opinion(session, asked))
        session.play(action)
    return told


@pytest.mark.parametrize(
    ("name", "players"),
    [("resistor", {}), ("pressure_matrix", {"players": 4})],
    ids=["two seats", "four seats"],
)
@pytest.mark.parametrize("agent", [SEARCH, "ppo", "greedy"])
def test_they_are_the_reasons_that_one_gets_by_hand(agent: str, name: str, players: dict[str, int]) -> None:
    transcript = recorded(name, **players)
    policy = resolve("ppo-players4" if players and agent == "ppo" else agent, transcript.description())
    told = all_thoughts(transcript, policy)
    played = transcript.notation()
    for number, (sim, thought) in enumerate(zip(transcript.simulators(Mode.PLAIN), told, strict=False)):
        rng = np.random.default_rng([transcript.seed, number])
        numbers = reasons(policy, sim.observation, sim.mask, rng, sim.states)
        legal = sim.legal_ids[0, : sim.num_legal[0]]
        first = next(iter(numbers.values()))[0]
        moves = thought.first(SHOWN, transcript.actions[number])
        shown = [sim.game.parse_action(sim.states[0], each.move.notation) for each in moves]
        likes = sorted((float(first[action]) for action in legal), reverse=True)
        assert [float(first[action]) for action in shown[:SHOWN]] == likes[:SHOWN]
        parts = in_text(thought, transcript.actions[number]).partition(": ")[2].split(", ")
        (marked,) = (part for part in parts if part.endswith(" (played)"))
        assert marked.startswith(f"{played[number]} ")
        assert len(shown) <= SHOWN + 1
        if agent == SEARCH:
            visits, value = numbers["visits"][0], numbers["value"][0]
            payoff = f"{max(value[i] for i in legal if visits[i] == visits.max()):+.2f}"
            numbers_shown = [
                f"{visits[i] / visits.sum():.1%} {f'{value[i]:+.2f}' if visits[i] else '-'}" for i in shown
            ]
        elif agent == "ppo":
            assert isinstance(policy, NetworkPolicy)
            valued = policy.values is not None
            payoff = f"{policy.payoffs(sim.observation)[0, 0]:+.2f}" if valued else "-"
            numbers_shown = [f"{first[i]:.1%}" for i in shown]
        else:
            payoff, numbers_shown = "-", [f"{first[i]:.2f}" for i in shown]
        assert expected_payoff(thought) == payoff
        assert [figures(thought, each) for each in moves] == numbers_shown


HIDING = [polytrix.find(name) for name in ("resistor", "estimatrix", "pixel_tactics")]


def worlds(game: Game, s: Record, viewer: int, tries: int) -> Iterator[Record]:
    """Sampled states that the viewer cannot distinguish from this one."""
    for key in range(tries):
        states = new_records(1, game.state)
        states[0] = s
        reseed(states[0].generator, np.uint64(key))
        game.redeal(states[0], viewer)
        yield states[0]


@pytest.mark.parametrize(
    ("game", "agent"), [(game, "ppo") for game in HIDING] + [searched(game, SEARCH) for game in HIDING]
)
def test_they_do_not_depend_on_what_is_hidden_from_the_seat(game: Game, agent: str) -> None:
    transcript = recorded(game.name, decisions=6)
    session = at_start(transcript)
    policy = resolve(agent, session.game)
    hidden = 0
    for action in transcript.actions:
        s = session.state.copy()
        thought = in_text(opinion(session, policy), action)
        for world in worlds(session.game, s, int(s.mover), tries=2):
            world["generator"] = s["generator"]
            hidden += world.tobytes() != s.tobytes()
            session._states[0] = world
            assert in_text(opinion(session, policy), action) == thought
        session._states[0] = s
        session.play(action)
    assert hidden


def test_they_are_those_with_which_the_agent_chose(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    game = ("quatrix", "--seed", 3, "--delay", 0, "-o", "max_decisions=10", "--save", file)
    run("watch", *game, SEARCH, "random")
    transcript = Transcript.load(file)
    movers = [int(s.mover) for s in transcript.positions(Mode.PLAIN)]
    told = all_thoughts(transcript, SEARCH)
    liked = [thought.likes_best(action) for thought, action in zip(told, transcript.actions, strict=True)]
    own = [likes for likes, mover in zip(liked, movers, strict=False) if mover == 0]
    assert len(own) > 3 and all(own)
    assert not all(likes for likes, mover in zip(liked, movers, strict=False) if mover == 1)


def test_a_policy_with_a_memory_remembers_each_decision_once() -> None:
    transcript = recorded("quatrix")
    policy = Elephant(transcript.description())
    session = at_start(transcript)
    for action in transcript.actions:
        thought = in_text(opinion(session, policy), action)
        session.play(action)
    again = at_start(transcript)
    for action in transcript.actions[:-1]:
        again.play(action)
    assert in_text(opinion(again, policy), transcript.actions[-1]) == thought


def test_replay_prints_them_below_each_move_and_writes_them_as_markdown(tmp_path: Path) -> None:
    transcript = recorded("resistor", decisions=5)
    file, page = tmp_path / "game.json", tmp_path / "game.md"
    transcript.save(file)
    shown = run("replay", file, "--hint", SEARCH).stdout
    assert SEARCH not in run("replay", file, "--hint", SEARCH, "--markdown", page).stdout
    told = all_thoughts(transcript, SEARCH)
    lines = shown.splitlines()
    assert how_to_read(resolve(SEARCH, transcript.description())) in lines
    moves = list(zip(told, transcript.actions, transcript.notation(), strict=True))
    for number, (thought, action, move) in enumerate(moves, start=1):
        place = next(
            i for i, line in enumerate(lines) if re.match(rf"{number}\. \w+: {re.escape(move)}( |$)", line)
        )
        assert lines[place + 1] == f"{SEARCH} {in_text(thought, action)}"
    written = page.read_text(encoding="utf-8")
    rows = [line for line in written.splitlines() if line.startswith("|")]
    assert len(rows) == 2 + len(told)
    assert f"{SEARCH} expects" in rows[0]
    for row, thought, move in zip(rows[2:], told, transcript.notation(), strict=True):
        assert f"| `{move}` |" in row and f"| {expected_payoff(thought)} |" in row
        assert re.findall(r"\*\*`(.*?)`\*\*", row) == [move]
    assert written.count("```text") == 2


def test_bars_do_not_end_cells() -> None:
    transcript = recorded("quatrix", decisions=1)
    turn = at_start(transcript).play(transcript.actions[0])
    assert r"`a \| b`" in as_markdown(["", "seat", "move", "chance"], [(replace(turn, move="a | b"), 0, ())])


def test_what_cannot_be_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game.json"
    recorded("quatrix", decisions=2).save(file)
    assert "policy 'nobody' is neither" in refused("replay", file, "--hint", "nobody")
    (tmp_path / "mute_policy.py").write_text("def first(o, mask, rng):\n    return mask.argmax(axis=1)\n")
    monkeypatch.chdir(tmp_path)
    assert "'first' does not tell its reasons" in refused("replay", file, "--hint", "mute_policy:first")
