"""The position for a terminal, as a seat reads it; `words.LEGEND` says how to read it.

`(blue knows)` after a card: blue has seen both sides too.
"""

from __future__ import annotations

from polytrix.core.state import OVER
from polytrix.core.viewers import Viewer, side_of

from .deck import COLOURS, Seat
from .reading import (
    SEATS,
    Line,
    Reading,
    Sight,
    actions_left,
    hand_sights,
    pile,
    read_sides,
    row_sights,
    sight,
    status,
)
from .state import OPTIONS, Place, State, deck_size

NOTHING = "--"  # where no card lies
ARROWS = "^v"
WAYS = ("up", "down")  # of the arrow
EDGES = ("top", "bottom")  # where chips are


def text(s: State, seat: Viewer) -> str:
    """The position as a viewer knows it, from Red's side without a seat; None sees the ids of cards too."""
    own = side_of(seat)
    enemy = 1 - own
    row, drawn = row_sights(s, seat), sight(s, Place.DRAWN, seat)
    own_cards, enemy_cards = hand_sights(s, own, seat), hand_sights(s, enemy, seat)
    seen = [card for card in (*row, *own_cards, *enemy_cards, drawn) if card]
    width = max((len(face_text(card.front)) for card in seen), default=0)
    lines = [
        main_frame(s, own),
        *numbered(row, width, in_row=True),
        main_frame(s, enemy),
        f"{SEATS[own]} hand",
        *numbered(own_cards, width),
        f"{SEATS[enemy]} hand",
        *numbered(enemy_cards, width),
    ]
    if drawn:
        lines += ["drawn", f"   {card_text(drawn, width)}"]
    return "\n".join([*lines, piles(s, own), *options(s), situation(s)])


def main_frame(s: State, seat: int) -> str:
    """An end of the row."""
    return f"{SEATS[seat]} MainFrame, DEFCON {s.defcon[seat]}"


def numbered(cards: list[Sight | None], width: int, in_row: bool = False) -> list[str]:
    """A line for each card, with its position or slot."""
    return [f"{i + 1:2} {card_text(card, width, in_row) if card else NOTHING}" for i, card in enumerate(cards)]


def card_text(card: Sight, width: int, in_row: bool = False) -> str:
    """A card: the visible side, the other side, and marks for seats that know it or have locked it."""
    arrow = f" {ARROWS[card.front.turned]}" if in_row and card.front else ""
    front = face_text(card.front).ljust(width) + arrow
    back = face_text(card.back)
    name = f"{card.name:4} " if card.name else ""
    marks = [f"{SEATS[other]} knows" for other in card.knowers]
    marks += [f"{SEATS[owner]} lock" for owner in card.locks]
    marks += [card.note] if card.note else []
    return f"{name}{front} | {back}" + (f"  ({', '.join(marks)})" if marks else "")


def face_text(face: Reading | None) -> str:
    """The lines of a face, `-` if it has none, `?` if it is not known.

    >>> face_text(Reading(True, (Line(0, 1, None), Line(1, None, 0)), 0))
    '* r1* b*0'
    """
    if face is None:
        return "?"
    return " ".join(["*"] * face.diamond + [line_text(line) for line in face.lines]) or "-"


def line_text(line: Line) -> str:
    """Colour, near end and far end of a line."""
    return COLOURS[line.colour] + "".join("*" if end is None else str(end) for end in (line.near, line.far))


def face_in_words(face: Reading | None) -> str:
    """The lines of a side, from left to right; left is the reader's own MainFrame.

    >>> face_in_words(Reading(False, (Line(0, 0, 0), Line(0, 1, 0), Line(1, 1, 1)), 0))
    'red along the top and from bottom to top, blue along the bottom'
    >>> face_in_words(Reading(True, (Line(0, 1, None), Line(1, None, 0)), 0))
    'a Resistor with red from the lower left, blue to the upper right'
    """
    if face is None:
        return "not known to you"
    colours = dict.fromkeys(line.colour for line in face.lines)
    lines = ", ".join(
        f"{SEATS[colour]} {' and '.join(course(line) for line in face.lines if line.colour == colour)}"
        for colour in colours
    )
    if face.diamond:
        return f"a Resistor with {lines or 'no line'}"
    return lines or "no line"


def course(line: Line) -> str:
    """Where a line runs."""
    near, far = line.near, line.far
    if near is None or far is None:
        end = ("upper", "lower")[max(x for x in (near, far) if x is not None)]
        return f"from the {end} left" if far is None else f"to the {end} right"
    return f"along the {EDGES[near]}" if near == far else f"from {EDGES[near]} to {EDGES[far]}"


def both_sides(card: int, reader: int) -> str:
    """Sides a and b of a card."""
    return " | ".join(map(face_text, read_sides(card, reader)))


def piles(s: State, reader: int) -> str:
    """The deck, and the discards with both sides of the newest."""
    newest = "".join(f", newest {both_sides(card, reader)}" for card in pile(s)[:1])
    return f"deck {deck_size(s)}, discards {s.pile_size}{newest}"


def options(s: State) -> list[str]:
    """A line with the optional rules in force, if any."""
    names = [name for name, value in OPTIONS.read(s.options).items() if value is True]
    return [f"with {', '.join(names)}"] if names else []


def situation(s: State) -> str:
    """The turn, the actions left and the phase; at the end the result."""
    if s.mover == OVER or s.turn == Seat.NOBODY:
        return status(s)
    left = [name for name, is_left in actions_left(s) if is_left]
    return f"{SEATS[s.turn]} turn, left: {', '.join(left) or 'nothing'}. {status(s)}"
