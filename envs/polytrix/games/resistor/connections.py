"""Lines across the row: what is connected with what, and what a row is worth.

Between the cards lie junctions 0 .. length with two chips each; card i lies between junctions
i and i + 1 (RS-05). A set of chips has bit 2 * junction + chip, so that the four chips of
card i (near 0, near 1, far 0, far 1) are bits 2 * i .. 2 * i + 3.
"""

from __future__ import annotations

from polytrix.core.state import Record

from .deck import RED
from .tables import BOTH_TRACKS, DIAMOND, HUES, LINKED, TOUCHED

BOTH_CHIPS = 0b11


def connected(s: Record, colour: int, chips: int) -> int:
    """These chips of the row with all that lines of a colour connect with them (RS-06, RS-07).

    Lines run both ways, so the row is swept there and back until nothing is added.
    """
    length = int(s.length)
    while True:
        before = chips
        for i in range(length):
            chips |= linked_at(s, i, colour, chips)
        for i in range(length - 2, -1, -1):
            chips |= linked_at(s, i, colour, chips)
        if chips == before:
            return chips


def linked_at(s: Record, i: int, colour: int, chips: int) -> int:
    """What the card at index i connects with those of the chips that are its own."""
    own = chips >> 2 * i & 15
    return int(LINKED[int(s.card[i]), int(s.side[i]), int(s.turned[i]), colour, own]) << 2 * i


def chips_at(s: Record, i: int, colour: int) -> int:
    """The chips at which the lines of the card at index i end, also those that begin at its diamond."""
    return int(TOUCHED[int(s.card[i]), int(s.side[i]), int(s.turned[i]), colour]) << 2 * i


def main_frame(s: Record, seat: int) -> int:
    """The chips at which lines are connected with a seat's MainFrame (RS-08)."""
    return BOTH_CHIPS if seat == RED else BOTH_CHIPS << 2 * int(s.length)


def is_connected(s: Record, colour: int) -> bool:
    """Whether lines of a colour connect the two MainFrames (RS-42)."""
    return connected(s, colour, main_frame(s, RED)) & main_frame(s, 1 - RED) != 0


def is_doubled(s: Record, colour: int) -> bool:
    """Whether two lines of a colour run from end to end without sharing a chip or crossing (RS-43)."""
    for i in range(int(s.length)):
        if BOTH_TRACKS[int(s.card[i]), int(s.side[i]), colour] == 0:
            return False
    return True


def points(s: Record, colour: int) -> int:
    """What the row is worth to the seat of a colour (RS-42, RS-43)."""
    if is_doubled(s, colour):
        return 2
    return 1 if is_connected(s, colour) else 0


def shows_diamond(s: Record, i: int) -> bool:
    """Whether the card at index i shows a diamond."""
    return int(DIAMOND[int(s.card[i]), int(s.side[i])]) == 1


def visible_diamonds(s: Record) -> int:
    """Bits of the row indices that show a diamond."""
    found = 0
    for i in range(int(s.length)):
        if shows_diamond(s, i):
            found |= 1 << i
    return found


def hues(s: Record, i: int) -> int:
    """Bits of the colours that the card at index i shows."""
    return int(HUES[int(s.card[i]), int(s.side[i])])


def gap(s: Record, colour: int) -> int:
    """The least number of row cards that a chain of a colour from end to end would have to leave out."""
    at0 = at1 = 0  # the least to come to either chip of a junction
    for i in range(int(s.length)):
        card, side, turned = int(s.card[i]), int(s.side[i]), int(s.turned[i])
        from0 = int(LINKED[card, side, turned, colour, 0b01])
        from1 = int(LINKED[card, side, turned, colour, 0b10])
        jump = min(at0, at1) + 1
        far0 = least(jump, at0, at1, from0, from1, 0b0100)
        far1 = least(jump, at0, at1, from0, from1, 0b1000)
        at0, at1 = far0, far1
    return min(at0, at1)


def least(jump: int, at0: int, at1: int, from0: int, from1: int, chip: int) -> int:
    """The least to come to a far chip: past the card, or along a line from either near chip."""
    best = jump
    if from0 & chip:
        best = min(best, at0)
    if from1 & chip:
        best = min(best, at1)
    return best
