"""Wins, odds, payoffs, the limit and the potential: QX-80 to QX-86."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.core.simulator import Simulator
from polytrix.core.state import OVER, Record
from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.state import Phase, board

from .play import Position
from .random_positions import decisions, seen_from

clause = pytest.mark.clause

ONE_MOVE_FROM_THE_END = """
    10 p p p p p p r
    5 . . . . . . d
    4 . . . P . . ."""


@clause("QX-80")
def test_the_seventh_pip_wins_wherever_it_stands_in_the_zone() -> None:
    table = Position("""
        10 p . p . p . r
        9 . p . p . p .
        5 . . . . . . d""").roll("red 5-1")
    assert table.play("Dg5+g10#").turn == "OVER"
    assert table.result == "red 1"
    assert table.legal == set()


@clause("QX-80")
def test_ring_and_disc_apart_are_no_pip() -> None:
    table = Position("""
        10 p p p p p p r
        7 . . . . . . d""").roll("red 2-1")
    assert table.play("Dg7-g9").turn == "MOVE red"


@clause("QX-80")
def test_a_pip_moved_as_a_unit_wins_on_doubles() -> None:
    table = Position("""
        10 p p p p p p .
        6 . . . . . . p""").roll("red 3-3")
    assert table.play("Pg6-g9#").result == "red 1"


@clause("QX-80")
def test_a_ring_wins_by_joining_its_disc() -> None:
    table = Position("""
        10 p p p p p p d
        7 . . . . . . r""").roll("red 3-1")
    assert table.play("Rg7+g10#").result == "red 1"


@clause("QX-80")
@pytest.mark.parametrize(("depth", "over"), [(1, False), (2, True), (3, True)])
def test_the_zone_is_as_deep_as_the_option_says(depth: int, over: bool) -> None:
    table = Position(
        """
        10 p p p p p p .
        9 . . . . . . r
        7 . . . . . . d""",
        finish_depth=depth,
    ).roll("red 2-1")
    table.play("Dg7+g9#" if over else "Dg7+g9")
    assert (table.turn == "OVER") == over


@clause("QX-80")
def test_blue_wins_at_reds_end() -> None:
    table = Position("""
        6 . . D . . . .
        3 . . R . . . .
        2 P P . P P P P
        1 p . . . . . .""").roll("blue 3-1")
    assert table.play("Dc6+c3#").result == "blue 3"


@clause("QX-81")
def test_the_other_die_is_not_played_after_the_last_move() -> None:
    table = Position(ONE_MOVE_FROM_THE_END).roll("red 5-4").play("Dg5+g10#")
    assert table.state.used.tolist() == [1, 0]
    assert table.state.mover == OVER


@clause("QX-82")
def test_a_winning_move_is_legal_though_it_uses_one_die_only() -> None:
    """With both dice playable the win is added; it does not free the moves that the duty forbids."""
    walls = """
        10 p p p p p p d
        9 P P P P P P .
        8 . . . . . . .
        5 . . . . . . r"""
    legal = Position(walls).roll("red 5-1").legal
    assert "Rg5+g10#" in legal
    others = {text for text in legal if not text.endswith("#")}
    assert others
    for text in others:
        assert Position(walls).roll("red 5-1").play(text).turn == "MOVE red"


@clause("QX-83")
def test_odds_one() -> None:
    table = Position(ONE_MOVE_FROM_THE_END).roll("red 5-1")
    assert table.play("Dg5+g10#").result == "red 1"


@clause("QX-84")
@pytest.mark.parametrize(("depth", "odds"), [(1, 1), (2, 1), (3, 2)])
def test_odds_two_for_a_loser_in_the_winners_zone(depth: int, odds: int) -> None:
    table = Position(
        """
        10 p p p p p p d
        8 R . . . . . .
        5 . . . . . . r""",
        finish_depth=depth,
    ).roll("red 5-1")
    assert table.play("Rg5+g10#").result == f"red {odds}"


@clause("QX-84")
def test_the_losers_own_zone_does_not_count() -> None:
    table = Position("""
        10 p p p p p p d
        5 . . . . . . r
        2 D . . . . . .""").roll("red 5-1")
    assert table.play("Rg5+g10#").result == "red 1"


@clause("QX-85")
@pytest.mark.parametrize("unit", "RDP")
def test_odds_three_for_any_unit_on_the_losers_track(unit: str) -> None:
    table = Position(f"""
        11 {unit} . . . . . .
        10 p p p p p p d
        9 D . . . . . .
        5 . . . . . . r""").roll("red 5-1")
    assert table.play("Rg5+g10#").result == "red 3"


@clause("QX-83", "QX-84", "QX-85")
@pytest.mark.parametrize(("scoring", "stake"), [("win", 1.0), ("odds", 2 / 3)])
@pytest.mark.parametrize("colour", ["red", "blue"])
def test_payoffs(colour: str, scoring: str, stake: float) -> None:
    picture = """
        10 p p p p p p d
        9 D . . . . . .
        5 . . . . . . r"""
    turned = """
        7 R . . . . . .
        3 . . . . . . d
        2 D P P P P P P"""
    table = Position(picture if colour == "red" else turned, scoring=scoring).roll(f"{colour} 5-1")
    table.play("Rg5+g10#" if colour == "red" else "Ra7+a2#")
    assert table.result == f"{colour} 2"
    out = np.zeros(2, np.float32)
    GAME.payoff(table.state, out)
    assert out.tolist() == pytest.approx([stake, -stake] if colour == "red" else [-stake, stake])


@clause("QX-86")
def test_the_limit_ends_the_game_without_a_winner() -> None:
    simulator = Simulator(GAME, options={"max_decisions": 7, "scoring": "odds"}, seed=3)
    for _ in range(7):
        assert not simulator.over[0]
        simulator.step(simulator.random_actions())
    assert simulator.truncated[0]
    assert simulator.reward.tolist() == [[0, 0]]
    assert simulator.states[0].winner == -1


@clause("QX-86")
def test_the_limit_may_fall_between_a_pop_and_the_return() -> None:
    table = Position(
        """
        5 . . . R . . .
        1 . . . d . . .""",
        max_decisions=1,
    ).roll("red 4-2")
    table.play("Dd1xd5")
    assert table.result == "truncated"
    assert table.shows("5 . . . d . . .")
    assert table.state.phase == Phase.PLACE  # the ring has not been returned
    assert table.observation("red")["phase"].tolist() == [0, 0, 0, 0, 1]


@clause("QX-86")
def test_a_win_on_the_last_decision_counts() -> None:
    table = Position(ONE_MOVE_FROM_THE_END, max_decisions=1).roll("red 5-1")
    assert table.play("Dg5+g10#").result == "red 1"


def potential(s: Record, seat: int) -> float:
    """Advance of the own pieces less that of the enemy's, as a fraction of all that is possible."""
    z = 10 - int(s.options.finish_depth)
    weights = {0: 0, 1: 1, 2: 1, 3: 2}
    advance = []
    for view in (seat, 1 - seat):
        units = seen_from(view, board(s))
        advance.append(sum(weights.get(int(units[r, c]), 0) * min(r, z) for r in range(11) for c in range(7)))
    return (advance[0] - advance[1]) / (14 * z)


def test_potential() -> None:
    simulator = decisions(np.random.default_rng(9), 300)
    found = simulator.potential()
    for s, pair in zip(simulator.states, found, strict=True):
        assert pair.tolist() == pytest.approx([potential(s, 0), potential(s, 1)], abs=1e-6)
    assert np.abs(found.sum(axis=1)).max() < 1e-6
