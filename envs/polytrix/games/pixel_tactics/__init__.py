"""Pixel Tactics: two units of a leader and heroes on 3 x 3 slots, from equal decks of 25 cards."""

from importlib import import_module
from typing import Any

from polytrix.core import rules as core_rules
from polytrix.core.game import Game

from . import sight, state


def _part(module: str, name: str) -> Any:
    """While the game is being built: a function of a module that may not exist yet."""
    try:
        return getattr(import_module(f"{__name__}.{module}"), name)
    except (ImportError, AttributeError):
        return getattr(core_rules, name, lambda *_: "")


GAME = Game(
    name="pixel_tactics",
    title="Pixel Tactics",
    version=0,
    seats=("south", "north"),
    state=state.STATE,
    options=state.OPTIONS,
    actions=state.ACTIONS,
    observations=sight.OBSERVATIONS,
    max_legal=state.MAX_LEGAL,
    setup=_part("rules", "setup"),
    chance=_part("rules", "chance"),
    legal=_part("rules", "legal"),
    apply=_part("rules", "apply"),
    payoff=_part("ending", "pay_out"),
    observe=_part("view", "observe"),
    redeal=_part("knowledge", "redeal"),
    potential=_part("knowledge", "potential"),
    greedy=_part("greedy", "greedy"),
    format_action=_part("notation", "format_action"),
    parse_action=_part("notation", "parse_action"),
    format_chance=_part("notation", "format_chance"),
    text=_part("description", "text"),
    draw=_part("drawing", "draw"),
    check=_part("invariants", "check"),
    invariants=("temporary",),
)
