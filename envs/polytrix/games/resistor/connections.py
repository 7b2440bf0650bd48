"""Lines across the row: connections, points, diamonds and gaps.

Between the cards lie junctions 0 .. length with two chips each; card i lies between junctions
i and i + 1 (RS-05). A set of chips has bit 2 * junction + chip, so that the four chips of
card i (near 0, near 1, far 0, far 1) are bits 2 * i .. 2 * i + 3.
"""

from __future__ import annotations

from .deck import Seat
from .state import State
from .tables import BOTH_TRACKS, DIAMOND, HUES, LINKED, TOUCHED

BOTH_CHIPS = 0b11
BOTH_COLOURS = 0b11


def connected(s: State, colour: int, chips: int) -> int:
    """These chips of the row, and all that lines of a colour connect with them (RS-06, RS-07).

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


def linked_at(s: State, i: int, colour: int, chips: int) -> int:
    """The chips of the card at index i that its lines connect with any of these chips."""
    own = chips >> 2 * i & 15
    return int(LINKED[int(s.card[i]), int(s.side[i]), int(s.turned[i]), colour, own]) << 2 * i


def chips_at(s: State, i: int, colour: int) -> int:
    """The chips at which the lines of the card at index i end, also those that begin at its diamond."""
    return int(TOUCHED[int(s.card[i]), int(s.side[i]), int(s.turned[i]), colour]) << 2 * i


def main_frame(s: State, seat: int) -> int:
    """The chips at which lines are connected with a seat's MainFrame (RS-08)."""
    return BOTH_CHIPS if seat == Seat.RED else BOTH_CHIPS << 2 * int(s.length)


def is_connected(s: State, colour: int) -> bool:
    """Whether lines of a colour connect the two MainFrames (RS-42)."""
    return connected(s, colour, main_frame(s, Seat.RED)) & main_frame(s, 1 - Seat.RED) != 0


def is_doubled(s: State, colour: int) -> bool:
    """Whether two lines of a colour run from end to end without sharing a chip or crossing (RS-43)."""
    for i in range(int(s.length)):
        if BOTH_TRACKS[int(s.card[i]), int(s.side[i]), colour] == 0:
            return False
    return True


def points(s: State, colour: int) -> int:
    """The points of a colour in the row (RS-42, RS-43)."""
    if is_doubled(s, colour):
        return 2
    return 1 if is_connected(s, colour) else 0


def shows_diamond(s: State, i: int) -> bool:
    """Whether the card at index i shows a diamond."""
    return int(DIAMOND[int(s.card[i]), int(s.side[i])]) == 1


def visible_diamonds(s: State) -> int:
    """Bits of the row indices that show a diamond."""
    found = 0
    for i in range(int(s.length)):
        if shows_diamond(s, i):
            found |= 1 << i
    return found


def hues(s: State, i: int) -> int:
    """Bits of the colours that the card at index i shows."""
    return int(HUES[int(s.card[i]), int(s.side[i])])


def gap(s: State, colour: int) -> int:
    """The least number of row cards that a chain of a colour from end to end has to leave out."""
    return least_cost(costs_from_red(s, colour), int(s.length))


# The cost of a chip: the least number of cards that a chain from one end has to leave out to reach it. The
# costs of all chips are packed into one number, three bits each; those of junction j begin at bit 6 * j.


def costs_from_red(s: State, colour: int) -> int:
    """The costs of all chips for chains that begin at Red's end."""
    costs = at0 = at1 = 0
    for i in range(int(s.length)):
        card, side, turned = int(s.card[i]), int(s.side[i]), int(s.turned[i])
        from0 = int(LINKED[card, side, turned, colour, 0b0001]) >> 2
        from1 = int(LINKED[card, side, turned, colour, 0b0010]) >> 2
        at0, at1 = beyond(at0, at1, from0, from1, 0b01), beyond(at0, at1, from0, from1, 0b10)
        costs |= (at0 | at1 << 3) << 6 * (i + 1)
    return costs


def costs_from_blue(s: State, colour: int) -> int:
    """The costs of all chips for chains that begin at Blue's end."""
    costs = at0 = at1 = 0
    for i in range(int(s.length) - 1, -1, -1):
        card, side, turned = int(s.card[i]), int(s.side[i]), int(s.turned[i])
        from0 = int(LINKED[card, side, turned, colour, 0b0100])
        from1 = int(LINKED[card, side, turned, colour, 0b1000])
        at0, at1 = beyond(at0, at1, from0, from1, 0b01), beyond(at0, at1, from0, from1, 0b10)
        costs |= (at0 | at1 << 3) << 6 * i
    return costs


def beyond(at0: int, at1: int, from0: int, from1: int, chip: int) -> int:
    """The cost of a chip at the other end of a card: past it, or along lines from chips 0 and 1 of this end."""
    best = min(at0, at1) + 1
    if from0 & chip:
        best = min(best, at0)
    if from1 & chip:
        best = min(best, at1)
    return best


def cost_at(costs: int, junction: int, chip: int) -> int:
    """The cost of a chip."""
    return costs >> 6 * junction + 3 * chip & 7


def least_cost(costs: int, junction: int) -> int:
    """The cost of the cheaper chip of a junction."""
    return min(cost_at(costs, junction, 0), cost_at(costs, junction, 1))


def useful_pairs(red: int, blue: int, i: int, most: int) -> int:
    """The pairs of near and far chips through which a chain across index i costs at most `most`."""
    pairs = 0
    for near in range(2):
        for far in range(2):
            if cost_at(red, i, near) + cost_at(blue, i + 1, far) <= most:
                pairs |= 1 << 2 * near + far
    return pairs
