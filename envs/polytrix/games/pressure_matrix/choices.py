"""The choices of the mover, which the record keeps as sets."""

from __future__ import annotations

from polytrix.core.bits import lowest

from .effects import When
from .markers import usable
from .matrix import FIRST_NODES
from .state import Act, Phase, State, open_squares

UNDECIDED = -1
"""In place of an action: none is chosen yet."""


def offer(s: State, seat: int, phase: int, simple: int, block: int, first: int, second: int) -> None:
    """Ask a seat for a decision.

    Args:
        s: the game.
        seat: the seat that decides.
        phase: what it decides.
        simple: the legal ones of the actions 0..3, as bits.
        block: where the block of the other legal actions begins.
        first: the legal ones of its members 0..51, as bits.
        second: those from 52 on.
    """
    s.mover = seat
    s.phase = phase
    s.choice_simple = simple
    s.choice_block = block
    s.choices[0] = first
    s.choices[1] = second


def offer_one_of(s: State, seat: int, phase: int, block: int, members: int) -> None:
    """Ask a seat for one member of a block: a square, a seat or a number."""
    offer(s, seat, phase, 0, block, members, 0)


def offer_uses(s: State, seat: int, phase: int, simple: int, when: int) -> None:
    """Ask a seat whether it uses a marker, under one of the conditions `when`."""
    offer(s, seat, phase, simple, Act.USE, usable(s, seat, when, 0), usable(s, seat, when, 1))


def offer_before_roll(s: State) -> None:
    """PM-11: the active seat may use markers, then rolls. PM-12: with an empty hand it is frozen."""
    frozen = s.hand[s.active] == 0
    when = When.AT_ROLL | When.FROZEN if frozen else When.AT_ROLL
    if can_use(s, s.active, When.JUMPING) and open_squares(s):  # PM-67
        when |= When.JUMPING
    offer_uses(s, s.active, Phase.BEFORE_ROLL, 1 << (Act.FREEZE if frozen else Act.ROLL), when)


def can_use(s: State, seat: int, when: int) -> bool:
    """Whether the seat has a marker for use under one of the conditions `when`."""
    return (usable(s, seat, when, 0) | usable(s, seat, when, 1)) != 0


def only_choice(s: State) -> int:
    """The only legal action, or UNDECIDED if there are several (PM-89)."""
    simple, first, second = s.choice_simple, int(s.choices[0]), int(s.choices[1])
    if first == 0 and second == 0:
        return lowest(simple) if simple & (simple - 1) == 0 else UNDECIDED
    if simple:
        return UNDECIDED
    if second == 0:
        return s.choice_block + lowest(first) if first & (first - 1) == 0 else UNDECIDED
    if first == 0 and second & (second - 1) == 0:
        return s.choice_block + FIRST_NODES + lowest(second)
    return UNDECIDED
