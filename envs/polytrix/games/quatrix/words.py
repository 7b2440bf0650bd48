"""Actions explained in words, and notes that complete the text of a position."""

from __future__ import annotations

from polytrix.core.notation import ids_of

from .bitboard import COLUMNS, LAST_ROW, ROWS
from .notation import COLOURS, LETTERS, die_move, square_name, unit_at, wins
from .rules import legal
from .state import ACTIONS, MAX_LEGAL, Act, Kind, Phase, Seat, State

UNITS = tuple(name.lower() for name in Kind.names())
DIRECTIONS = ("forward", "backward", "sideways", "sideways")  # left and right depend on the viewer

LEGEND = (
    "the board is drawn from your side, with your start track at the bottom. r d p are red rings, discs and "
    "pips (a ring on a disc), R D P blue ones. Below it: whose turn it is, the phase, the dice (a used one "
    "in brackets), and pips in their zones, red:blue. You win with seven pips in your zone, near the far "
    "end of the board."
)

CLAUSES = {
    "move": ("QX-10", "QX-11", "QX-15", "QX-20", "QX-21", "QX-50", "QX-52", "QX-60", "QX-70"),
    "pip": ("QX-20", "QX-40", "QX-41", "QX-50", "QX-52", "QX-44"),
    "place": ("QX-62", "QX-63", "QX-64"),
    "pass": ("QX-71", "QX-72"),
}
"""The clauses that matter most for a kind of action."""


def task(s: State) -> str:
    """What the mover is to do."""
    if s.phase == Phase.PLACE:
        return "put the popped ring back"
    if ids_of(legal, s, MAX_LEGAL) == [Act.PASS]:
        return "forfeit the roll"
    left = dict.fromkeys(str(die) for die, used in zip(s.dice, s.used, strict=True) if not used)
    return f"go {' or '.join(left)} square{'s' * (list(left) != ['1'])}"


def explain(s: State, action: int) -> str:
    """Say what a legal action does."""
    block, where = ACTIONS.locate(action)
    if block.name == "pass":
        return "forfeit the roll: nothing can be moved"
    seat = s.turn_seat
    if block.name == "place":
        square = LAST_ROW * COLUMNS + where[0]
        meets = ", where it makes a pip with the disc there" if unit_at(s, square) else ""
        return f"put the popped ring back on {square_name(seat, square)}{meets}"
    move = die_move(s, action)
    unit = "ring of the pip" if move.leaves_disc else "whole pip" if move.kind == Kind.PIP else UNITS[move.kind]
    squares = f"{move.steps} square{'s' * (move.steps != 1)}"
    words = f"move the {unit} {squares} {DIRECTIONS[move.direction]}"
    words += f" from {square_name(seat, move.square)} to {square_name(seat, move.landing)}"
    if move.target in LETTERS:
        met = Kind.DISC if move.kind == Kind.RING else Kind.RING
        words += f", where it makes a pip with the {UNITS[met]} there"
    elif move.target:
        words += ", where it pops the enemy ring"
    if wins(s, action, move):
        words += ", which wins the game"
    return words


def notes(s: State, seat: int) -> list[str]:
    """Where the finish zones are, and the first die move of this turn."""
    depth = s.options.finish_depth
    zones = {Seat.RED: (ROWS - depth, ROWS - 1), Seat.BLUE: (2, 1 + depth)}
    rows = {who: f"row {low}" if low == high else f"rows {low} to {high}" for who, (low, high) in zones.items()}
    lines = [f"{COLOURS[who].capitalize()} wins with seven pips in {rows[who]}." for who in (seat, 1 - seat)]
    if s.first_kind != Kind.NONE:
        mover = s.turn_seat
        lines.append(
            f"The first die move of this turn: the {UNITS[s.first_kind]} "
            f"from {square_name(mover, s.first_from)} to {square_name(mover, s.first_to)}."
        )
    return lines
