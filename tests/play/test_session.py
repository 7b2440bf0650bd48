"""A game in the terminal is the game of its seed, and tells no secrets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polytrix
from polytrix.agents import RandomPolicy
from polytrix.core.compile.compiler import Mode
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import CHANCE, Record
from polytrix.core.transcript import Transcript
from polytrix.core.viewers import SPECTATOR
from polytrix.play.known import HIDDEN, following, may_know
from polytrix.play.log import Log
from polytrix.play.session import Session
from tests.every_game import every_game
from tests.toys import SECRET, broken, format_action

QUATRIX = polytrix.find("quatrix")


@pytest.mark.parametrize(
    ("game", "given"),
    [(QUATRIX, {"max_decisions": 30}), (SECRET, {}), (SECRET, {"doubling": False, "top": 4})],
    ids=["quatrix", "secret", "secret without doubling"],
)
def test_it_is_the_same_game_as_in_the_simulator(game: Game, given: dict[str, Any]) -> None:
    options = game.options.validate(given)
    session = Session(game, options, seed=11)
    sim = Simulator(game, 1, options, seed=11, mode=Mode.PLAIN)
    while True:
        assert session.state.tobytes() == sim.states[0].tobytes()
        if session.over:
            break
        action = session.choose(RandomPolicy(game))
        session.play(action)
        sim.step([action])
    assert sim.over[0]


def settled(s: Record) -> bytes:
    """A position without its generator, which draws but does not follow."""
    s = s.copy()
    s.generator = 0
    return bytes(s.tobytes())


@every_game
def test_what_happened_is_what_the_rules_do_again(game: Game) -> None:
    session = Session(game, game.options.defaults, seed=5)
    for number in range(12):
        session.play(session.choose(RandomPolicy(game)))
        steps = session.steps(number)
        assert steps[0][0].tobytes() == session.decision(number).states[0].tobytes()
        numbers = [event for _, event, _ in steps]
        for i, (before, _, after) in enumerate(steps):
            assert settled(following(game, before, numbers[i:])[0]) == settled(session.state)
            assert settled(following(game, before, numbers[i : i + 1])[0]) == settled(after)


def test_actions_of_numpy_are_kept_as_whole_numbers(tmp_path: Path) -> None:
    session = Session(QUATRIX, {**QUATRIX.options.defaults, "finish_depth": np.int64(3)}, seed=np.int64(1))  # type: ignore[dict-item,arg-type]
    session.play(np.int64(session.legal()[0]))  # type: ignore[arg-type]
    assert [type(action) for action in session.actions] == [int]
    session.save(tmp_path / "game.json")
    assert Transcript.load(tmp_path / "game.json", Mode.PLAIN) == session.transcript()


def test_a_fork_that_takes_back_changes_no_past_of_the_other() -> None:
    session = Session(QUATRIX, QUATRIX.options.defaults, seed=1)
    session.play(session.legal()[0])
    before, fork = session.decision(0).states.tobytes(), session.fork()
    fork.back_to(0)
    fork.play(fork.legal()[-1])
    assert session.decision(0).states.tobytes() == before


def number_of_another(s: Record, event: int, seat: int) -> bool:
    """Whether the event deals the other seat its number."""
    return bool(s.mover == CHANCE and s.secret[1] < 0 and (s.secret[0] < 0) == (seat == 1))


TOLD = replace(SECRET, secret=number_of_another)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("seed", range(10))
def test_a_player_is_told_the_own_number_and_not_the_other(seed: int, seat: int) -> None:
    session = Session(TOLD, TOLD.options.defaults, seed, viewer=seat)
    assert session.opening[seat] == f"number {session.state.secret[seat]}"
    assert session.opening[1 - seat] == HIDDEN


@pytest.mark.parametrize("seat", [0, 1])
def test_what_all_can_see_is_told_while_numbers_are_hidden(seat: int) -> None:
    session = Session(TOLD, TOLD.options.defaults, seed=1, viewer=seat)
    for _ in range(2):
        turn = session.play(2)  # by either seat
        assert turn.move == "+3"
        assert turn.chance in (("x1",), ("x2",))


def telling_format(s: Record, action: int) -> str:
    """A notation that names the mover's secret."""
    return f"{format_action(s, action)} with {s.secret[s.turn]}"


@pytest.mark.parametrize("seat", [0, 1])
def test_in_a_game_that_does_not_say_what_is_secret_seats_are_told_their_own_moves(seat: int) -> None:
    game = broken("telling_format", format_action=telling_format)
    session = Session(game, game.options.defaults, seed=2, viewer=seat)
    moves = [session.play(0).move for _ in range(2)]
    assert moves[seat] == f"+1 with {session.state.secret[seat]}"
    assert moves[1 - seat] == HIDDEN


def test_dice_of_an_open_game_are_told_even_where_no_view_shows_them_yet() -> None:
    session = Session(QUATRIX, QUATRIX.options.defaults, seed=1, viewer=1)
    assert all(shown.startswith("=") for shown in session.opening)
    assert may_know(QUATRIX, session.state, session.legal()[0], viewer=1)


def test_a_long_opening_is_told_to_the_observer_only() -> None:
    game = polytrix.find("estimatrix")
    options = game.options.defaults
    assert Session(game, options, seed=1, viewer=2).opening == ()
    assert len(Session(game, options, seed=1).opening) == 169
    assert len(Session(game, {**options, "hints": "none"}, seed=1, viewer=2).opening) == 1


@pytest.mark.parametrize("viewer", [0, 1, SPECTATOR, None])
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("estimatrix", ("now M is the Kvanter, R the Negater",)),
        (
            "resistor",
            (
                "both colours are on equally many cards: the one in the centre is replaced (3 times)",
                "blue begins: red lines are on 5 cards of the row, blue ones on 4",
            ),
        ),
        ("pressure_matrix", ()),  # it begins with bids
    ],
)
def test_the_log_says_in_words_how_a_game_begins_however_long_its_opening_is(
    name: str, told: tuple[str, ...], viewer: int | None
) -> None:
    game = polytrix.find(name)
    assert Log(Session(game, game.options.defaults, seed=3)).opening(viewer) == told


def test_the_winner_is_told_so() -> None:
    game = polytrix.find("resistor")
    session = Session(game, game.options.defaults, seed=4)
    while not session.over:
        session.play(session.legal()[0])
    payoffs = list(session.payoff())
    winner = payoffs.index(1)
    name = session.seats[winner]
    assert session.result(winner) == "The game is over: you win."
    assert session.result() == session.result(1 - winner) == f"The game is over: {name} wins."


@pytest.mark.parametrize(("limit", "told"), [(False, "it is a draw"), (True, "nobody wins")])
def test_a_draw_is_called_a_draw_and_a_game_that_reached_its_limit_is_not(limit: bool, told: str) -> None:
    """In `SECRET` nobody wins."""
    options = {**SECRET.options.defaults, **({"max_decisions": 2} if limit else {})}
    session = Session(SECRET, options, seed=4)
    while not session.over:
        session.play(session.legal()[0])
    assert session.result().endswith(f": {told}.")


@pytest.mark.parametrize(
    "game", [game for game in polytrix.all_games() if game.hides], ids=lambda game: game.name
)
def test_a_seat_is_told_its_own_actions(game: Game) -> None:
    session = Session(game, game.options.defaults, seed=3)
    for _ in range(20):
        if session.over:
            break
        action = session.choose(RandomPolicy(game))
        assert may_know(game, session.state, action, int(session.state.mover))
        session.play(action)
