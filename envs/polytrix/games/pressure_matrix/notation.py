"""Actions and chance outcomes as text.

Squares are `a1` to `e5`, nodes `b3.ne`; `+k` is the k-th seat to the left of the mover, `+0` the mover itself.
"""

from __future__ import annotations

from polytrix.core.bits import nth
from polytrix.core.layout import Block

from .faces import take_unseen
from .matrix import NODES, PLACE_NAMES, SQUARES, node_name, square_name
from .state import ACTIONS, SEATS, Phase, State
from .tiles import SETTINGS, Setting, face_name


def argument_names(block: Block) -> list[str]:
    """The text after the name of the block, for each of its actions."""
    if block.name == "bid":
        return [f" {credits}" for credits in range(block.size)]
    if block.name == "start":
        return [f" {place}" for place in (*PLACE_NAMES, "centre")]
    if block.name == "node":
        return [f" {place}" for place in PLACE_NAMES]
    if block.size == 1:
        return [""]
    if block.size == SQUARES:
        return [f" {square_name(square)}" for square in range(SQUARES)]
    if block.size >= NODES:
        return [f" {node_name(node)}" for node in range(NODES)] + [" hand"] * (block.size - NODES)
    return [f" +{places}" for places in range(SEATS - block.size, SEATS)]


ACTION_NAMES = tuple(block.name + argument for block in ACTIONS for argument in argument_names(block))
"""All actions by number; a text means the same action in every position."""


def format_action(s: State, action: int) -> str:
    """The action in notation."""
    ACTIONS.locate(action)
    return ACTION_NAMES[action]


def format_chance(s: State, outcome: int) -> str:
    """A face (`deal b2 17f`, `reverse b2 17b`), a die (`die 3`, `rolloff 2: 3`) or a lot (`lot 2`)."""
    if s.phase in (Phase.DEAL, Phase.REVERSE):
        face = take_unseen(s.copy(), outcome)
        word = "deal" if s.phase == Phase.DEAL else "reverse"
        return f"{word} {square_name(s.turning)} {face_name(face)}"
    if s.phase in (Phase.BID_DICE, Phase.LEADER_DICE):
        if SETTINGS[Setting.LOTS]:
            return f"lot {nth(s.tied, outcome)}"
        return f"rolloff {s.roll_seat}: {outcome + 1}"
    return f"die {outcome + 1}"
