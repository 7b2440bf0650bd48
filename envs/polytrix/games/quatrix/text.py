"""The position as text for a terminal."""

from __future__ import annotations

from polytrix.core.state import OVER

from .bitboard import ROWS
from .ending import odds, pips_home
from .notation import COLOURS
from .state import Phase, Scoring, Seat, State, board


def text(s: State, seat: int | None) -> str:
    """The board with red rings, discs and pips as r d p, blue ones as R D P, and the status below."""
    units = board(s)
    turned = seat == Seat.BLUE
    lines = []
    for row in range(ROWS) if turned else reversed(range(ROWS)):
        signs = [".rdpRDP"[unit] for unit in units[row]]
        lines.append(f"{row + 1:2} " + " ".join(reversed(signs) if turned else signs))
    lines.append("   " + " ".join("gfedcba" if turned else "abcdefg"))
    lines.append(status(s))
    return "\n".join(lines)


def status(s: State) -> str:
    """Turn, dice and pips home in one line; a used die stands in brackets."""
    home = f"home {pips_home(s, Seat.RED)}:{pips_home(s, Seat.BLUE)}"
    if s.mover == OVER:
        return f"{result(s)}  {home}"
    if s.turn_seat < 0:
        return f"opening roll  {home}"
    dice = "-".join(f"({n})" if used else str(n) for n, used in zip(s.dice, s.used, strict=True) if n)
    return f"{COLOURS[s.turn_seat]} {Phase.name_of(s.phase)} {dice or 'to roll'}  {home}"


def result(s: State) -> str:
    """How the game ended, with the odds if they count."""
    if s.truncated:
        return "cut off, nobody wins"
    counted = f", odds {odds(s)}" if s.options.scoring == Scoring.ODDS else ""
    return f"{COLOURS[s.winner]} wins{counted}"
