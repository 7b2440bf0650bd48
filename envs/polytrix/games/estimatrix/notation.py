"""Actions as text (`ban white`, `roll`, `hint apple`, `set red`, `wait`); chance outcomes as text."""

from __future__ import annotations

from .lexicon import DOMAIN, FACE, SYMBOL, WORD
from .state import ACTIONS, COLOURS, LETTERS, NONE, WORDS, Hints, Phase, State


def hint_name(s: State, word: int) -> str:
    """A word of the lexicon, or the symbol with that number."""
    return str(SYMBOL[word] if s.options.hints == Hints.SYMBOLS else WORD[word])


def format_action(s: State, action: int) -> str:
    """The action in notation."""
    block, (number,) = ACTIONS.locate(action)
    if block.name == "hint":
        return f"hint {hint_name(s, number)}"
    return block.name if block.size == 1 else f"{block.name} {COLOURS[number]}"


def format_chance(s: State, outcome: int) -> str:
    """An outcome: first Negater `negater=M`, reading `apple.0=red`, wavelength `M.food=2`, ban `ban=red`."""
    row, column = s.dealt_row, s.dealt_column
    if s.phase == Phase.ROLL:
        return f"ban={COLOURS[outcome]}"
    if row == NONE:
        return f"negater={LETTERS[outcome]}"
    if row < WORDS:
        return f"{WORD[row]}.{column}={COLOURS[FACE[row, outcome]]}"
    return f"{LETTERS[row - WORDS]}.{DOMAIN[column]}={outcome}"
