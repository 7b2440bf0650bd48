"""What a player touches to make a move: tiles `b3`, nodes `b3.ne`, runners, and seats by their colours."""

from __future__ import annotations

from .matrix import PLACES, STARTS, node_name, square_name
from .state import ACTIONS, HAND, SEAT_NAMES, SEATS, State, clockwise

WITHOUT_PLACE = ("roll", "freeze", "pass", "recall", "bid")
"""Blocks of actions that touch nothing."""
ON_A_TILE = ("move", "flip", "invert", "teleport", "swap")


def runner_place(seat: int) -> str:
    """A seat's runner."""
    return f"runner-{SEAT_NAMES[seat]}"


def touch(s: State, action: int) -> tuple[str, ...]:
    """The tile, node, runner or seat that the action is about."""
    block, (number,) = ACTIONS.locate(action)
    if block.name in WITHOUT_PLACE:
        return ()
    if block.name == "start":
        return (square_name(int(STARTS[s.num_players, number])),)
    if block.name in ON_A_TILE:
        return (square_name(number),)
    if block.name == "node":
        return (node_name(PLACES * int(s.runner[s.mover]) + number),)
    if block.name in ("use", "reclaim", "discard"):
        return (SEAT_NAMES[s.mover] if number == HAND else node_name(number),)
    seat = clockwise(s, s.mover, number + SEATS - block.size)
    return (runner_place(seat) if block.name == "runner" else SEAT_NAMES[seat],)
