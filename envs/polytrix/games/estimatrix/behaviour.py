"""How seats play: whom their hints reach, how they answer, and whether they repeat words or wait."""

from __future__ import annotations

from polytrix.core.behaviour import note, share
from polytrix.core.layout import Layout
from polytrix.core.state import IntArray

from .state import NONE, Act, Phase, State


class Behaviour(Layout):
    """What is counted of a seat. One die in five hits if it is set at random."""

    REACH = share("dice of the Estimators that hit the seat's colour while it is the Kvanter")
    LEAK = share("dice of the Negater that hit the seat's colour while it is the Kvanter")
    ESTIMATES = share("the seat's dice that hit while it is an Estimator")
    NEGATES = share("the seat's dice that hit while it is the Negater")
    REPEATS = share("the seat's hints that were the hint before in the game")
    WAITS = share("turns as Kvanter in which the seat lets the others set their dice first")


def tally(before: State, action: int, s: State, out: IntArray) -> None:
    """Count a hint; and once the last die of a turn is set, the hits (ES-27) and whether the Kvanter waited."""
    if before.phase == Phase.HINT:
        note(out, before.mover, Behaviour.REPEATS, before.said[action - Act.HINT] != 0)
    if not completes_turn(before, action):
        return
    kvanter, negater = before.kvanter, before.negater
    note(out, kvanter, Behaviour.WAITS, before.waited)
    for seat in range(s.num_players):
        hit = s.last_die[seat] == s.last_die[kvanter]
        if seat == negater:
            note(out, kvanter, Behaviour.LEAK, hit)
            note(out, seat, Behaviour.NEGATES, hit)
        elif seat != kvanter:
            note(out, kvanter, Behaviour.REACH, hit)
            note(out, seat, Behaviour.ESTIMATES, hit)


def completes_turn(s: State, action: int) -> bool:
    """ES-26: the action sets the last die of a turn."""
    missing = 0
    for seat in range(s.num_players):
        missing += s.die[seat] == NONE
    return bool(s.phase == Phase.DIE and action != Act.WAIT and missing == 1)
