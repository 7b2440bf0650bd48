"""What is dealt anew that a seat cannot know, and not one byte of the pipe changes."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest

import polytrix
from polytrix.agents import RandomPolicy
from polytrix.core.game import Game
from polytrix.core.random import reseed
from polytrix.play.session import Session
from tests.every_game import every_game
from tests.toys import broken, leaking_explain, leaking_tell, leaking_text

from .running import Pipe, greeted, legal_moves

DECISIONS = 12


def twin_of(session: Session, seat: int, key: int) -> Session:
    """The same game, in which everything is dealt anew that a seat cannot know."""
    twin = session.fork()
    reseed(twin.state.generator, np.uint64(key))
    twin.game.redeal(twin.state, seat)
    return twin


def sent(session: Session, number: int) -> list[str]:
    """All that a program in this seat is sent if it is asked now, and if the game ends now."""
    pipe = Pipe()
    seat = greeted(session, number, pipe)
    if session.state.mover == number:
        seat.ask(legal_moves(session))
    seat.leave([0.0])
    return pipe.lines


def compared(game: Game, seed: int) -> tuple[int, int]:
    """Play a game; the numbers of twins that hide something else, and of those that look the same later."""
    session, policy = Session(game, game.options.defaults, seed), RandomPolicy(game)
    hiding = following = 0
    for number in range(DECISIONS):
        if session.over:
            break
        twins = {seat: twin_of(session, seat, 100 * number + seat) for seat in range(len(session.seats))}
        action = session.choose(policy)
        for seat, twin in twins.items():
            hiding += twin.state.tobytes() != session.state.tobytes()
            assert sent(twin, seat) == sent(session, seat), f"decision {number}, seat {seat}"
        session.play(action)
        for seat, twin in twins.items():
            if action not in twin.legal():
                continue
            twin.play(action)
            ours, theirs = sent(session, seat), sent(twin, seat)
            if seen(ours) == seen(theirs):
                following += 1
                assert ours == theirs, f"after decision {number}, seat {seat}"
    return hiding, following


def seen(lines: list[str]) -> object:
    """What is sent without the log: worlds that look the same."""
    return [{**json.loads(line), "log": None} for line in lines]


@every_game
def test_the_bytes_of_the_pipe_depend_on_what_the_seat_knows(game: Game) -> None:
    counts = [compared(game, seed) for seed in (1, 2)]
    hiding, following = (sum(each) for each in zip(*counts, strict=True))
    assert hiding > 0 or game.perfect_information or game.name == "pressure_matrix"
    assert following > 0


@pytest.mark.parametrize(
    ("function", "leaking"), [("text", leaking_text), ("explain", leaking_explain), ("tell", leaking_tell)]
)
def test_it_would_find_a_leak(
    function: str, leaking: Callable[..., object], register: Callable[[Game], Game]
) -> None:
    game = register(broken(f"in_a_pipe_{function}", **{function: leaking}))
    with pytest.raises(AssertionError, match="decision"):
        compared(game, 1)


def test_the_seed_is_not_told() -> None:
    game = polytrix.find("resistor")
    assert "987654321" not in "".join(sent(Session(game, game.options.defaults, 987654321), 0))
