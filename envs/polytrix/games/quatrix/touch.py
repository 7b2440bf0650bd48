"""What a player touches to make a move: squares, by the names that both seats use."""

from __future__ import annotations

from .bitboard import COLUMNS, LAST_ROW
from .notation import die_move, square_name
from .state import ACTIONS, State


def touch(s: State, action: int) -> tuple[str, ...]:
    """The unit and its landing square; the square to which a popped ring returns."""
    block, where = ACTIONS.locate(action)
    seat = s.turn_seat
    if block.name == "pass":
        return ()
    if block.name == "place":
        return (square_name(seat, LAST_ROW * COLUMNS + where[0]),)
    move = die_move(s, action)
    return square_name(seat, move.square), square_name(seat, move.landing)
