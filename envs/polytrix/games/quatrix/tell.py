"""What moves and dice have done, for a log: nothing is hidden, so moves are told as they are explained."""

from __future__ import annotations

from polytrix.core.state import CHANCE
from polytrix.core.viewers import Viewer

from .notation import COLOURS
from .state import Seat, State
from .words import explain


def tell(before: State, event: int, after: State, viewer: Viewer) -> list[str]:
    """A move; or two dice, with the second of them."""
    if before.mover != CHANCE:
        verb, _, rest = explain(before, event).partition(" ")
        return [f"{verb}s {rest}"]
    if before.turn_seat == Seat.NOBODY:
        return opening_roll(before, event + 1, after)
    return [rolls(before.turn_seat, *after.dice)] if before.dice[0] else []


def opening_roll(before: State, number: int, after: State) -> list[str]:
    """QX-06: the dice of a seat, and at the last one of all, what they decide."""
    rolled = [int(die) for die in before.opening.flat if die] + [number]
    if len(rolled) % 2:
        return []
    lines = [rolls(len(rolled) // 2 - 1, *rolled[-2:])]
    if len(rolled) < 4:
        return lines
    begins = after.turn_seat
    return [*lines, "equal: both roll again" if begins == Seat.NOBODY else f"{COLOURS[begins]} begins"]


def rolls(seat: int, first: int, second: int) -> str:
    """The dice of a seat, in words."""
    return f"{COLOURS[seat]} rolls {first} and {second}"
