"""The table as a seat or a spectator reads it, for text, words and picture."""

from __future__ import annotations

from typing import NamedTuple

from polytrix.core.state import OVER
from polytrix.core.viewers import SPECTATOR, Viewer, side_of

from .deck import Seat
from .state import DRAWN_GAME, HAND_SIZE, NONE, ROW, Left, State, facing, hand_place, index_of, is_known
from .tables import ENTRIES, Entry, lying

SEATS = ("red", "blue")
STATUS = (
    "{} to act",
    "{} to place the drawn card",
    "{} has to flip a card",
    "{} may undo the flip",
    "{} to pick a Resistor",
    "The row is laid",
    "The hands are dealt",
    "A tie: new card in the centre",
    "{} draws",
    "A new hand is drawn",
)  # by phase
ENDINGS = ("", "a hit at DEFCON 4", "one card left in the row", "the deck is empty")  # by reason


class Line(NamedTuple):
    """A line of a face. An end is chip 0 or 1, or None for the diamond."""

    colour: int
    near: int | None
    far: int | None


class Reading(NamedTuple):
    """A face as it lies before its reader, whose MainFrame is near."""

    diamond: bool
    lines: tuple[Line, ...]  # the reader's first
    turned: int


class Sight(NamedTuple):
    """A card as a reader sees it."""

    front: Reading | None  # the side that lies up, or faces the reader; None if a spectator does not know it
    back: Reading | None  # the other side, in the row as it would lie after a flip; None if not known
    knowers: tuple[int, ...]  # other seats that know both sides
    locks: tuple[int, ...]  # seats with a Lock Card on it
    note: str  # `resolving`, `undo?` or empty
    name: str  # "17a+" for those who see everything, else "": equal cards have different ids


def sight(s: State, place: int, seat: Viewer) -> Sight | None:
    """The card at a place as a viewer sees it, as Red for one without a seat; None without a card."""
    card = int(s.card[place])
    if card == NONE:
        return None
    reader = side_of(seat)
    in_row = place < ROW
    side = facing(s, place, reader)
    turned = int(s.turned[place]) ^ reader if in_row else 0
    name = f"{card}{'ab'[side]}{'+-'[turned] if in_row else ''}"
    return Sight(
        front=read_face(card, side, turned, reader) if knows_front(s, place, seat) else None,
        back=read_face(card, side ^ 1, turned ^ 1 if in_row else 0, reader)
        if knows_back(s, place, seat)
        else None,
        knowers=tuple(other for other in (Seat.RED, Seat.BLUE) if other != seat and is_known(s, place, other)),
        locks=tuple(owner for owner in (Seat.RED, Seat.BLUE) if in_row and int(s.lock[place]) >> owner & 1),
        note=note(s, place),
        name=name if seat is None else "",
    )


def knows_front(s: State, place: int, viewer: Viewer) -> bool:
    """Whether a viewer knows the side that lies up or faces the reader.

    Of a card in a hand the enemy sees the other side, so spectators know this one only if the enemy does.
    """
    return place < ROW or viewer != SPECTATOR or is_known(s, place, Seat.BLUE)


def knows_back(s: State, place: int, viewer: Viewer) -> bool:
    """Whether a viewer knows the other side; in a hand it faces the enemy, for spectators Blue."""
    if viewer is None:
        return True
    if viewer == SPECTATOR:
        return is_known(s, place, Seat.RED) and (place >= ROW or is_known(s, place, Seat.BLUE))
    return is_known(s, place, viewer)


def note(s: State, place: int) -> str:
    """A mark for the card under way: `resolving`, `undo?` or empty."""
    if s.mover == OVER:
        return ""
    if place == s.resolving:
        return "resolving"
    return "undo?" if place == s.flipped else ""


def row_sights(s: State, seat: Viewer) -> list[Sight | None]:
    """The row from the reader's MainFrame on; None where a card is being replaced."""
    reader = side_of(seat)
    return [sight(s, index_of(s, reader, position), seat) for position in range(s.length)]


def hand_sights(s: State, owner: int, seat: Viewer) -> list[Sight | None]:
    """The hand of `owner` as `seat` sees it; None where a slot is empty."""
    return [sight(s, hand_place(owner, slot), seat) for slot in range(HAND_SIZE)]


def read_face(card: int, side: int, turned: int, reader: int) -> Reading:
    """A face from the end of the reading seat; `turned` in that seat's reading."""
    numbers = ENTRIES[reader, lying(card, side, turned)].nonzero()[0].tolist()
    lines = tuple(read_line(number, reader) for number in numbers if number >= Entry.LINES)
    return Reading(Entry.DIAMOND in numbers, lines, turned)


def read_line(number: int, reader: int) -> Line:
    """The line of an entry of a face (`tables.FACE_SIZE`)."""
    if number < Entry.STUBS:
        enemy, near, far = number - Entry.LINES >> 2, number - Entry.LINES >> 1 & 1, number - Entry.LINES & 1
        return Line(reader ^ enemy, near, far)
    enemy, at_far_end, chip = number - Entry.STUBS >> 2, number - Entry.STUBS >> 1 & 1, number & 1
    return Line(reader ^ enemy, None if at_far_end else chip, chip if at_far_end else None)


def read_sides(card: int, reader: int) -> tuple[Reading, Reading]:
    """Sides a and b of a card."""
    return read_face(card, 0, 0, reader), read_face(card, 1, 0, reader)


def pile(s: State) -> list[int]:
    """The discards, newest first."""
    return [int(card) for card in s.pile[: s.pile_size][::-1]]


def actions_left(s: State) -> list[tuple[str, bool]]:
    """The turn's actions in this game, and whether each is still to be taken."""
    actions = Left.members().items()
    return [
        (name.lower(), s.left & bit != 0) for name, bit in actions if bit != Left.LOCK or s.options.lock_down
    ]


def hero(s: State) -> int:
    """The seat that `status` names: the mover, else the turn player, at the end the winner; or NOBODY."""
    if s.mover == OVER:
        return Seat.NOBODY if s.winner == DRAWN_GAME else s.winner
    return s.mover if s.mover >= 0 else s.turn


def status(s: State) -> str:
    """Phase or result in a few words."""
    seat = hero(s)
    who = SEATS[seat].capitalize() if seat != Seat.NOBODY else ""
    if s.truncated:
        return "Truncated, nobody wins"
    if s.mover == OVER:
        return f"{who} wins: {ENDINGS[s.reason]}" if who else f"Drawn game: {ENDINGS[s.reason]}"
    return STATUS[s.phase].format(who)
