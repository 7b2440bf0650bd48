"""What must hold in every state of every game."""

from __future__ import annotations

import numpy as np

from polytrix.core.state import CHANCE, OVER, Record

from .state import (
    BLUE,
    DISC,
    LAST_ROW,
    MOVE,
    NO_KIND,
    OPENING,
    PIECES,
    PIP,
    PLACE,
    RED,
    RING,
    ROLL,
    board,
    pips_home,
    set_board,
)


def check(s: Record) -> None:
    """Raise AssertionError if the state is one that no play can reach."""
    check_pieces(s)
    check_home(s)
    check_turn(s)


def check_pieces(s: Record) -> None:
    """QX-04, QX-05, QX-12: the right pieces on squares they may stand on, the same seen from both sides."""
    units = board(s)
    rebuilt = s.copy()
    set_board(rebuilt, units)
    for name in s.dtype.names:
        assert np.all(rebuilt[name] == s[name]), f"QX-05: the sets of pieces contradict each other in {name}"
    popped_from = 1 - int(s.turn_seat) if s.phase == PLACE else None
    for seat, enemy_track in ((RED, LAST_ROW), (BLUE, 0)):
        kinds = units - 3 * seat
        rings = np.count_nonzero((kinds == RING) | (kinds == PIP))
        discs = np.count_nonzero((kinds == DISC) | (kinds == PIP))
        assert rings == PIECES - (seat == popped_from), f"QX-04: seat {seat} has {rings} rings"
        assert discs == PIECES, f"QX-04: seat {seat} has {discs} discs"
        there = kinds[enemy_track]
        assert not ((there >= RING) & (there <= PIP)).any(), f"QX-12: seat {seat} is on the enemy start track"


def check_home(s: Record) -> None:
    """QX-80: whoever has seven pips home has won."""
    for seat in (RED, BLUE):
        home = pips_home(s, seat)
        assert (home == PIECES) == (s.winner == seat), f"QX-80: seat {seat} has {home} pips home"
    assert (s.winner >= 0) == (1 <= s.odds <= 3), f"odds {s.odds} with winner {s.winner}"


def check_turn(s: Record) -> None:
    """The phase, the mover and the dice agree."""
    assert (s.mover == OVER) == (s.winner >= 0 or bool(s.truncated)), "the game ends by a win or at its limit"
    if s.mover == OVER:
        return
    if s.phase in (OPENING, ROLL):
        assert s.mover == CHANCE, f"phase {s.phase} waits for the dice, not for seat {s.mover}"
        assert s.first_kind == NO_KIND and not s.used.any(), "a die is used before the roll"
    else:
        assert s.phase in (MOVE, PLACE) and s.mover == s.turn_seat, f"phase {s.phase}, mover {s.mover}"
        assert 1 <= s.dice[1] <= s.dice[0] <= 6, f"dice {s.dice}"
        assert (s.first_kind == NO_KIND) == (not s.used.any()), "the first die move is not recorded"
        assert s.phase == PLACE or s.used.sum() < 2, "the turn goes on without a die"
