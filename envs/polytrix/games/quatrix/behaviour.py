"""How seats play: pips kept whole, taken apart and brought home, rings popped, steps back."""

from __future__ import annotations

from polytrix.core.behaviour import mean, note, share
from polytrix.core.bits import size
from polytrix.core.layout import Layout
from polytrix.core.state import OVER, IntArray

from .bitboard import Half, has
from .ending import pips_home
from .state import Act, Direction, Kind, Phase, State


class Behaviour(Layout):
    """What is counted of a seat."""

    WHOLE = mean("pips among its seven rings and discs when it begins a turn")
    SPLITS = share("die moves that take a ring from its pip")
    POPS = mean("enemy rings popped in a game")
    BACKWARD = share("die moves that go backward")
    HOME = mean("pips in its finish zone at the end")


def tally(before: State, action: int, s: State, out: IntArray) -> None:
    """Count the pips that a roll finds, what a die move does, and the end."""
    seat = before.turn_seat
    if before.phase == Phase.MOVE and before.first_kind == Kind.NONE:
        note(out, seat, Behaviour.WHOLE, whole_pips(before, seat))
    if action < Act.PLACE:
        square = (action - Act.MOVE) // 4 % (Act.PIP // 8)
        is_pip = has(before.ring[seat], square) and has(before.disc[seat], square)
        note(out, seat, Behaviour.SPLITS, action < Act.PIP and is_pip)
        note(out, seat, Behaviour.BACKWARD, action % 4 == Direction.BACKWARD)
        out[seat, Behaviour.POPS] += s.phase == Phase.PLACE
    if s.mover == OVER:
        for each in range(2):
            note(out, each, Behaviour.POPS, 0)
            note(out, each, Behaviour.HOME, pips_home(s, each))


def whole_pips(s: State, seat: int) -> int:
    """The number of a colour's pips (QX-05)."""
    near = s.ring[seat, Half.NEAR] & s.disc[seat, Half.NEAR]
    far = s.ring[seat, Half.FAR] & s.disc[seat, Half.FAR]
    return size(int(near)) + size(int(far))
