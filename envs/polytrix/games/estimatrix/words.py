"""Actions explained in English, and a legend to the position's text."""

from __future__ import annotations

from polytrix.core.state import CHANCE

from .state import ACTIONS, COLOURS, NONE, Act, Hints, Phase, State, is_introduced, own_reading
from .text import hint_shown

LEGEND = (
    "a line for each seat: how many pieces of each letter it holds, its die (`?` is set and hidden, `-` "
    "not set), its role. You win with a piece of every other seat's letter. Colours are W Y R G B P: "
    "white, yellow, red, green, blue, purple. If hints are words, above are your readings by domain "
    "(`+`: everybody's reading is known) and, for each other seat, signs that it reads the domain as you "
    "do / that it does not; then what is known of words used so far."
)

CLAUSES = {
    "ban": ("ES-18", "ES-19", "ES-22"),
    "roll": ("ES-19", "ES-22"),
    "hint": ("ES-21", "ES-10", "ES-11", "ES-16"),
    "set": ("ES-22", "ES-25", "ES-27", "ES-28", "ES-29", "ES-32"),
    "wait": ("ES-23", "ES-25"),
}
"""The clauses that matter most for a kind of action."""


def task(s: State) -> str:
    """What the mover is to do."""
    if s.phase == Phase.BAN:
        return "ban a colour, or roll for one"
    if s.phase == Phase.HINT:
        return "hint a word"
    return "set your die" + (", or let the others go first" if s.mover == s.kvanter and not s.waited else "")


def explain(s: State, action: int) -> str:
    """What a legal action does, and the mover's reading of a hint."""
    block, (number,) = ACTIONS.locate(action)
    if block.name == "ban":
        return f"ban {COLOURS[number]}: nobody may set it in this turn"
    if block.name == "roll":
        return "roll the Kvanter die: the colour that it shows is banned"
    if block.name == "hint":
        known = ", and everybody knows how all read it" if is_introduced(s, number) else ""
        return f"hint {hint_shown(s, number, s.mover)}{known}"
    if block.name == "set":
        return f"set your die to {COLOURS[number]}{reading(s, number)}"
    return "as Kvanter: let all others set their dice first"


def reading(s: State, colour: int) -> str:
    """A note if the colour is the mover's reading of the hint."""
    if s.hint == NONE or s.options.hints != Hints.LEXICON:
        return ""
    return ", as you read the hint" if own_reading(s, s.mover, s.hint) == colour + 1 else ""


def secret(s: State, event: int, seat: int) -> bool:
    """ES-25: dice of other seats, but for the last one, which reveals all; and readings and wavelengths."""
    if s.mover == CHANCE:
        return s.phase != Phase.ROLL and s.dealt_row != NONE
    unset = sum(s.die[other] == NONE for other in range(s.num_players))
    return bool(s.mover != seat and Act.SET <= event < Act.WAIT and unset > 1)
