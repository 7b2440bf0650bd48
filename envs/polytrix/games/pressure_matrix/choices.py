"""The choices of the mover, which the record keeps as sets."""

from __future__ import annotations

from polytrix.core.bits import lowest

from .effects import When
from .markers import fitting
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


def offer_uses(s: State, seat: int, phase: int, simple: int, condition: int) -> None:
    """Ask a seat whether it uses a marker of one condition."""
    offer(s, seat, phase, simple, Act.USE, fitting(s, seat, condition, 0), fitting(s, seat, condition, 1))


def offer_before_roll(s: State) -> None:
    """PM-11: the active seat may use markers, then rolls. PM-12: with an empty hand it is frozen."""
    first, second = uses_before_roll(s, 0), uses_before_roll(s, 1)
    simple = 1 << Act.FREEZE if s.hand[s.active] == 0 else 1 << Act.ROLL
    offer(s, s.active, Phase.BEFORE_ROLL, simple, Act.USE, first, second)


def uses_before_roll(s: State, half: int) -> int:
    """The nodes of one half with markers for use before the roll; PM-67: JUMP needs an open square."""
    seat = s.active
    nodes = fitting(s, seat, When.AT_ROLL, half)
    jumps = fitting(s, seat, When.JUMPING, half)
    if jumps and open_squares(s):
        nodes |= jumps
    if s.hand[seat] == 0:
        nodes |= fitting(s, seat, When.FROZEN, half)
    return nodes


def can_use(s: State, seat: int, condition: int) -> bool:
    """Whether the seat has a marker of this condition that it may use."""
    return (fitting(s, seat, condition, 0) | fitting(s, seat, condition, 1)) != 0


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
