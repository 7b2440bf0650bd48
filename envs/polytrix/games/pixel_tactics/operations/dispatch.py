"""The operations of a power or an order, one after another."""

from __future__ import annotations

from ..board.stack import next_operation, pop
from ..cards.cards import OPERATIONS, Which
from ..cards.effects import Operation
from ..state import NONE, Act, Frame, FrameKind, State
from .cards import cards_operation
from .damage import damage_operation
from .field import field_operation


def step_operations(s: State, f: Frame) -> None:
    """Run one step of a power or an order."""
    if s.answer == Act.PASS:  # whoever passes ends the operation
        s.drawn = NONE
        next_operation(f)
        return
    card, op = f.card, f.op
    which = Which.ORDER if f.kind == FrameKind.ORDER else f.row
    operation, how = int(OPERATIONS[card, which, op, 0]), int(OPERATIONS[card, which, op, 1])
    n, k = int(OPERATIONS[card, which, op, 2]), int(OPERATIONS[card, which, op, 3])
    if operation == Operation.STOP:
        pop(s)  # PT-94: from now on it may be used again
    elif Operation.HIT <= operation <= Operation.SHIFT:
        damage_operation(s, f, operation, how, n, k)
    elif Operation.BOOST <= operation <= Operation.COPY:
        field_operation(s, f, operation, how, n, int(OPERATIONS[card, which, op + 1, 0]))
    else:
        cards_operation(s, f, operation, how, n, int(OPERATIONS[card, which, op + 1, 0]))
