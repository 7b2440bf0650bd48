"""Logs in words: what is told is true, every change is told to everybody, and nobody is told what is hidden."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

import polytrix
from polytrix.agents import RandomPolicy
from polytrix.core.game import Game
from polytrix.core.viewers import SPECTATOR
from polytrix.play.known import HIDDEN, following
from polytrix.play.log import Log
from polytrix.play.session import Session
from tests.games.truth import reader_of, report, search

GAMES = polytrix.all_games()
DECISIONS = 60
TELLING = [game for game in GAMES if game.tell is not None]


def played(game: Game, seed: int) -> Session:
    session = Session(game, game.options.defaults, seed)
    policy = RandomPolicy(game)
    while not session.over and len(session.actions) < DECISIONS:
        session.play(session.choose(policy))
    return session


@pytest.mark.parametrize("game", TELLING, ids=lambda game: game.name)
def test_every_decision_is_told_to_every_viewer(game: Game) -> None:
    session = played(game, seed=5)
    log = Log(session)
    general = {block.meaning for block in game.actions.blocks}
    for viewer in (*range(len(session.seats)), SPECTATOR, None):
        for entry in log.entries(viewer, 0):
            assert all(line.strip() for line in entry.words) and not general & set(entry.words)
            assert (
                entry.words or entry.move == "roll"
            )  # the dice are told by their number, once all have fallen


@pytest.mark.parametrize("game", TELLING, ids=lambda game: game.name)
def test_a_hidden_move_is_told_as_any_other_that_looks_the_same(game: Game) -> None:
    assert game.tell is not None and game.secret is not None
    hidden = 0
    for seed in (5, 6, 7):
        session = played(game, seed)
        for number, action in enumerate(session.actions):
            s = session.position(number)
            seats = [seat for seat in range(len(session.seats)) if seat != s.mover]
            for viewer in seats:
                if session.turn(number, viewer).move != HIDDEN:
                    continue
                after = following(game, s, [action])[0]
                for other in legal(session, number):
                    reached = following(game, s, [other])[0]
                    if game.text(reached, viewer) == game.text(after, viewer):
                        hidden += other != action
                        assert game.tell(s, other, reached, viewer) == game.tell(s, action, after, viewer)
    assert hidden > 0 or game.name == "resistor"  # which hides no actions


def legal(session: Session, number: int) -> list[int]:
    fork = session.fork()
    fork.back_to(number)
    return fork.legal()


# -- truth, as each game's `log_reader.py` has it ------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("steps", [600, pytest.param(20_000, marks=pytest.mark.slow)])
def test_every_line_is_true_and_every_public_change_is_told(game: Game, steps: int) -> None:
    findings = search(game, steps, seed=1)
    assert not findings.examples, report(findings)
    kinds = {truth.__name__ for truth in reader_of(game).kinds.values()}
    unseen = kinds - findings.lines.keys()
    assert len(unseen) <= len(kinds) // (3 if steps < 5_000 else 20), unseen


Tell = Callable[..., list[str]]


def too_little(tell: Tell) -> Tell:
    """The last line is left out, as a line of the old logs was."""
    return lambda *step: tell(*step)[:-1]


def of_another_step(tell: Tell) -> Tell:
    """What is told is as if nothing had changed."""
    return lambda before, event, after, viewer: tell(before, event, before, viewer)


@pytest.mark.parametrize("wrong", [too_little, of_another_step])
@pytest.mark.parametrize("game", TELLING, ids=lambda game: game.name)
def test_the_reader_finds_what_is_false_or_left_out(game: Game, wrong: Callable[[Tell], Tell]) -> None:
    assert game.tell is not None
    findings = search(replace(game, tell=wrong(game.tell)), 200, seed=1)
    assert findings.untold
