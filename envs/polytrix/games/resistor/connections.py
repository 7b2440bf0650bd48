"""Lines across the row: connections, points, diamonds and gaps.

Between the cards lie junctions 0 .. length with two chips each; card i lies between junctions
i and i + 1 (RS-05). A set of chips has bit 2 * junction + chip, so that the four chips of
card i (near 0, near 1, far 0, far 1) are bits 2 * i .. 2 * i + 3.
"""

from __future__ import annotations

from .deck import Seat
from .state import ROW, State, index_of
from .tables import BEYOND, DIAMOND, ENTRIES, HUES, LINKED, PAIRS, TOUCHED, Entry, lying

BOTH_CHIPS = 0b11
BOTH_COLOURS = 0b11
EVERY_CHIP = 0b1111  # of a junction, for both colours


def connected(s: State, colour: int, chips: int) -> int:
    """These chips of the row, and all that lines of a colour connect with them (RS-06, RS-07).

    Lines run both ways, so the row is swept there and back until nothing is added.
    """
    length = s.length
    while True:
        before = chips
        for i in range(length):
            chips |= linked_at(s, i, colour, chips)
        for i in range(length - 2, -1, -1):
            chips |= linked_at(s, i, colour, chips)
        if chips == before:
            return chips


def linked_at(s: State, i: int, colour: int, chips: int) -> int:
    """The chips of the card at index i that its lines connect with any of these chips."""
    own = chips >> 2 * i & 15
    return int(LINKED[s.card[i], s.side[i], s.turned[i], colour, own]) << 2 * i


def chips_at(s: State, i: int, colour: int) -> int:
    """The chips at which the lines of the card at index i end, also those that begin at its diamond."""
    return int(TOUCHED[s.card[i], s.side[i], s.turned[i], colour]) << 2 * i


def main_frame(s: State, seat: int) -> int:
    """The chips at which lines are connected with a seat's MainFrame (RS-08)."""
    return BOTH_CHIPS if seat == Seat.RED else BOTH_CHIPS << 2 * s.length


def is_doubled(s: State, colour: int) -> bool:
    """Whether two lines of a colour run from end to end without sharing a chip or crossing (RS-43)."""
    for i in range(s.length):
        entries = ENTRIES[colour, lying(s.card[i], s.side[i], 0)]
        if entries[Entry.LINES] + entries[Entry.LINES + 3] < 2:  # 0-0 and 1-1, which a half turn exchanges
            return False
    return True


def points(s: State, colour: int) -> int:
    """The points of a colour in the row (RS-42, RS-43)."""
    if gap(s, colour) > 0:
        return 0
    return 2 if is_doubled(s, colour) else 1


def shows_diamond(s: State, i: int) -> bool:
    """Whether the card at index i shows a diamond."""
    return int(DIAMOND[s.card[i], s.side[i]]) == 1


def visible_diamonds(s: State) -> int:
    """Bits of the row indices that show a diamond."""
    found = 0
    for i in range(ROW):
        card = max(s.card[i], 0)  # for NONE any: nothing lies beyond the row
        found |= int(DIAMOND[card, s.side[i]]) << i
    return found & (1 << s.length) - 1


def hues(s: State, i: int) -> int:
    """Bits of the colours that the card at index i shows."""
    return int(HUES[s.card[i], s.side[i]])


# The cheapest chains of a colour from one end to a junction leave out the fewest cards. Their *front* is the
# set of chips of that junction to which they lead; a chain to its other chip leaves out one card more. A number
# holds the fronts of both colours as a seat sees them: own chips in bits 0 and 1, the enemy's in bits 2 and 3.


def gap(s: State, colour: int) -> int:
    """The least number of row cards that a chain of a colour from end to end has to leave out."""
    front, gaps = EVERY_CHIP, 0
    for position in range(s.length):
        step = int(BEYOND[pairs_at(s, colour, position), front])
        front = step & EVERY_CHIP
        gaps += step >> 4
    return gaps & 7


def pairs_at(s: State, seat: int, position: int) -> int:
    """The pairs of chips that the lines of a row card connect, as a seat reads them."""
    i = index_of(s, seat, position)
    return int(PAIRS[seat, lying(s.card[i], s.side[i], s.turned[i] ^ seat)])
