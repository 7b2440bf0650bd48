"""PM-29 to PM-34: a Pressure Phase, and the steps of effects."""

from __future__ import annotations

from polytrix.core.state import OVER

from .choices import offer_one_of
from .effects import CONDITION, STEPS, Level, Op, When
from .markers import black_out
from .matrix import PLACES, TILE
from .money import gain, give, lose, steal
from .opening import clear_node
from .reactions import open_window
from .rearranging import flip, invert, shift_level, swap, teleport
from .recovery import discard_for, hold, reclaim
from .state import Act, Phase, State, Window, blackouts
from .tiles import FACE_AMOUNT, FACE_CODE


def begin_pressure(s: State) -> None:
    """PM-29: ask for a free node of the runner's tile; PM-27: on a full tile nothing happens."""
    clear_node(s)
    free = TILE & ~blackouts(s, int(s.runner[s.active]))
    if free:
        offer_one_of(s, s.active, Phase.NODE, Act.NODE, free)
    else:
        s.phase = Phase.NEXT


def choose_node(s: State, place: int) -> None:
    """PM-29: black out the node, then carry out its effect; PM-62: a special node only takes a marker."""
    square = int(s.runner[s.active])
    black_out(s, square, place)
    s.node_square = square
    s.node_place = place
    s.filled = s.full >> square & 1
    face = int(s.up[square])
    s.code = FACE_CODE[face, place]
    s.amount = FACE_AMOUNT[face, place]
    if CONDITION[s.code] == When.INSTANT:
        s.phase = Phase.EFFECT
    else:
        hold(s, PLACES * square + place)
        s.phase = Phase.CLOSE


def carry_out(s: State) -> None:
    """Carry out the next step of the effect; PM-30: an impossible step does nothing."""
    operation = STEPS[s.code, s.step, 0]
    how = int(STEPS[s.code, s.step, 1])
    s.step += 1
    s.phase = Phase.EFFECT
    if operation == Op.STOP:
        end_effect(s)
    elif operation == Op.GAIN:
        gain(s, how)
    elif operation == Op.LOSE:
        lose(s, how)
    elif operation == Op.GIVE:
        give(s, how)
    elif operation == Op.STEAL:
        steal(s, how)
    elif operation == Op.FLIP:
        flip(s, how)
    elif operation == Op.INVERT:
        invert(s, how)
    elif operation == Op.TELEPORT:
        teleport(s, how)
    elif operation == Op.SWAP:
        swap(s)
    elif operation == Op.SHIFT:
        shift_level(s)
    elif operation == Op.RECLAIM:
        reclaim(s)
    elif operation == Op.DISCARD:
        discard_for(s, how)
    elif operation == Op.ADJUST:  # PM-16: amounts add up
        s.adjust += s.amount
    elif operation == Op.RECOLOUR:  # PM-17, PM-68: the last one counts
        s.forced = s.amount
    else:  # never: the game ends in a phase that waits for chance, which breaks an invariant
        s.phase = Phase.ROLL
        s.mover = OVER


def end_effect(s: State) -> None:
    """The effect of a node ends its Pressure Phase. PM-69 to PM-72: that of a marker may lead to a new one."""
    if s.node_square >= 0:
        s.phase = Phase.CLOSE
    else:
        s.phase = Phase.PRESSURE if s.again else Phase.READY


def close(s: State) -> None:
    """PM-76: seats may first turn over a tile that this phase has filled, if it is still full."""
    if s.filled and s.full >> s.node_square & 1:
        open_window(s, Window.FULL, Phase.CLOSED)
    else:
        s.phase = Phase.CLOSED


def end_pressure(s: State) -> None:
    """PM-31, PM-32: after filling a tile the level is yellow. PM-34, PM-53: the next phase or turn."""
    if s.filled:
        s.level = Level.YELLOW
    s.phase = Phase.PRESSURE if s.again else Phase.NEXT
