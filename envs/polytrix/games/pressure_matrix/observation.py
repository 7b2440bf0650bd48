"""What a seat sees: everything but the bids of others, until all have bid."""

from __future__ import annotations

import numpy as np

from polytrix.core.bits import first_and_rest, lowest, size
from polytrix.core.layout import Axis, Layout, block
from polytrix.core.state import OVER, ByteArray

from .aspects import ASPECTS, ASPECTS_SHOWN, CONTROLS, KINDS, LARGEST, Aspect, as_entries
from .effects import CATALOGUE, MOST_AMOUNT, Code
from .matrix import FIRST_NODES, NODES, PLACES, SQUARES, TILE
from .opening import bids_revealed, richest
from .state import (
    FACES,
    HIGHEST_BID,
    MARKERS,
    SEATS,
    Payoff,
    Phase,
    Reverse,
    State,
    Window,
    blackouts,
    clockwise,
    open_squares,
    places_from,
)
from .tiles import FACE_AMOUNT, FACE_ASPECTS, FACE_BY_MINE, FACE_BY_RICH, FACE_CODE, FACE_COLUMN, FACE_POSITION

MOST_PURSE, MOST_LEAD = 31, 15  # bounds of Credits and of their differences in blocks where one Credit counts


def _node_blocks(where: str, *shape: int) -> list[int]:
    """A block for each aspect, in their order."""
    return [
        block(*shape, meaning=f"{where}, blacked out now: {help}", low=-bound, high=bound)
        for bound, help in ASPECTS_SHOWN
    ]


SHOWN_PHASES = Phase.OVER + 1
_SEAT, _SQUARE, _NODE = Axis("seat", SEATS), Axis("square", SQUARES), Axis("node", PLACES)


class Obs(Layout):
    """What a seat sees."""

    EXISTS = block(
        _SEAT, meaning="the seat plays; here and below, entry k is the k-th seat to the viewer's left"
    )
    CREDITS = block(_SEAT, meaning="Credits, at most 127 shown", high=127)
    HAND = block(_SEAT, meaning="Control Markers in hand", high=MARKERS)
    MATRIX = block(_SEAT, meaning="Control Markers in the Matrix", high=MARKERS)
    DISCARDED = block(_SEAT, meaning="Control Markers out of the game", high=MARKERS)
    BID = block(_SEAT, meaning="1 + bid, where the viewer knows it", high=HIGHEST_BID + 1)
    FIRST = block(_SEAT, meaning="who had the first turn", one_hot=1)
    ACTIVE = block(_SEAT, meaning="whose turn it is", one_hot=1)
    MOVER = block(_SEAT, meaning="who decides", one_hot=1)
    PHASE = block(SHOWN_PHASES, meaning=", ".join(Phase.names()[:SHOWN_PHASES]), one_hot=1)
    LEVEL = block(3, meaning="green, yellow, red", one_hot=1)
    FORCED = block(3, meaning="the colour of a LEVEL used this turn", one_hot=1)
    ADJUST = block(meaning="sum of the MOVE nodes used this turn", low=-3 * MARKERS, high=3 * MARKERS)
    DICE = block(3, 6, meaning="the dice of this turn, ascending", one_hot=1)
    MOVEMENT = block(meaning="movement of this turn, once rolled", high=6 + 3 * MARKERS)
    EFFECT = block(
        len(CATALOGUE),
        meaning="the code of the node or marker being carried out, in the order of the catalogue, and then of "
        "the one that seats react to; reactions show no code of their own, so that a TOLL shows none",
        one_hot=1,
    )
    AMOUNT = block(meaning="its amount", low=-3, high=9)
    SQUARE = block(_SQUARE, meaning="the tile of this Pressure Phase's node", one_hot=1)
    NODE = block(_NODE, meaning="that node", one_hot=1)
    FILLED = block(meaning="its blackout has made the tile full: yellow will follow")
    AGAIN = block(meaning="a new Pressure Phase will follow")
    WON = block(meaning="Credits won by the node: what a TAX takes", high=9)
    STAKE = block(meaning="Credits that a SHIELD would save", high=9)
    THIEF = block(_SEAT, meaning="who would get them", one_hot=1)
    VICTIM = block(_SEAT, meaning="who would lose them", one_hot=1)
    WINDOW = block(3, meaning="reactions to landing, to a win, to a full tile", one_hot=1)
    DECLARED = block(_SEAT, meaning="reactions announced and not yet carried out", high=MARKERS)
    LEFT = block(_SEAT, meaning="what the seat may still be given by GIVE_EACH", high=9)
    TIED = block(_SEAT, meaning="who can be made to pay")
    TELEPORTED = block(_SEAT, meaning="whose runner is being teleported", one_hot=1)
    HELD = block(_SEAT, len(CONTROLS), meaning="markers of the seat on " + ", ".join(CONTROLS), high=MARKERS)
    RUNNER = block(_SEAT, _SQUARE, meaning="where the seat's runner stands", one_hot=1)
    OPEN = block(_SQUARE, meaning="the square may be entered")
    BLACK = block(_SQUARE, _NODE, meaning="Blackout Markers")
    OWN_MARKER = block(_SQUARE, _NODE, meaning="Control Markers of the viewer")
    RIVAL_MARKER = block(_SQUARE, _NODE, meaning="those of others: places to the viewer's left", high=SEATS - 1)
    FACE = block(_SQUARE, meaning="1 + number of the face that is up", high=FACES)
    REVERSE = block(_SQUARE, meaning="1 + number of the face on the other side, if known", high=FACES)
    PURSE = block(_SEAT, meaning="Credits, at most 31 shown", high=MOST_PURSE)
    LEAD = block(_SEAT, meaning="own Credits less the seat's, from -15 to 15", low=-MOST_LEAD, high=MOST_LEAD)
    BEST = block(_SQUARE, meaning="the largest gain among the free nodes", low=-LARGEST, high=LARGEST)
    (
        NODE_GAIN,
        NODE_RIVALS,
        NODE_HAND,
        NODE_TELEPORT,
        NODE_FLIP,
        NODE_INVERT,
        NODE_PRESSURE,
        NODE_SPECIAL,
        NODE_KIND,
    ) = _node_blocks("free nodes", _SQUARE, _NODE)
    (
        HERE_GAIN,
        HERE_RIVALS,
        HERE_HAND,
        HERE_TELEPORT,
        HERE_FLIP,
        HERE_INVERT,
        HERE_PRESSURE,
        HERE_SPECIAL,
    ) = _node_blocks("free nodes of the tile of the viewer's runner", _NODE)[: Aspect.KIND]
    HERE_KIND = block(_NODE, KINDS, meaning="the kind of the rest, there", one_hot=1)
    REVERSE_DRAWN = block(meaning="the option: other sides are drawn")
    BY_MARGIN = block(meaning="the option: payoff by margin")
    CLOCK = block(meaning="127 x decisions / max_decisions, rounded down", high=127)


MOST_SHOWN = 127
COLUMNS = len(CONTROLS)

_PLACES = np.arange(1 << PLACES)[:, None] >> np.arange(PLACES) & 1
ONES = as_entries(_PLACES)
"""[places, as bits]: the entries of a tile with 1 at these places and 0 elsewhere, see `Entries`."""
ALL_BITS = as_entries(-_PLACES)
"""The same with -1 in place of 1."""
LOWEST = as_entries(-128 * _PLACES)
"""The same with -128, which is below every gain."""


def observe(s: State, seat: int, out: ByteArray) -> None:
    """Write the observation of a seat; seats are counted from it to its left."""
    show_seats(s, seat, out)
    show_turn(s, out)
    show_pending(s, seat, out)
    show_tiles(s, seat, out)


# -- seats and turn -----------------------------------------------------------------------------


def show_seats(s: State, seat: int, out: ByteArray) -> None:
    """Credits, markers, bids and runners of the seats."""
    revealed = bids_revealed(s)
    mine = int(s.credits[seat])
    for k in range(s.num_players):
        other = clockwise(s, seat, k)
        out[Obs.EXISTS + k] = 1
        show_wealth(int(s.credits[other]), mine, k, out)
        out[Obs.HAND + k] = s.hand[other]
        out[Obs.DISCARDED + k] = s.discarded[other]
        if revealed or k == 0:  # PM-90
            out[Obs.BID + k] = s.bid[other] + 1
        out[Obs.DECLARED + k] = s.declared[other]
        out[Obs.LEFT + k] = s.left[other]
        if s.runner[other] >= 0:
            out[Obs.RUNNER + SQUARES * k + int(s.runner[other])] = 1
    show_markers(s, seat, out)


def show_wealth(credits: int, mine: int, k: int, out: ByteArray) -> None:
    """The Credits of the k-th seat, up to 127 and with bounds small enough that one Credit counts."""
    out[Obs.CREDITS + k] = min(credits, MOST_SHOWN)
    out[Obs.PURSE + k] = min(credits, MOST_PURSE)
    out[Obs.LEAD + k] = min(max(mine - credits, -MOST_LEAD), MOST_LEAD)


def show_markers(s: State, seat: int, out: ByteArray) -> None:
    """The Control Markers, by seat, node and use."""
    for half in range(2):
        nodes = 0
        for owner in range(SEATS):  # those that do not play have none
            nodes |= int(s.marker[owner, half])
        while nodes:
            member, nodes = first_and_rest(nodes)
            node = FIRST_NODES * half + member
            k = places_from(s, seat, owner_of(s, half, member))
            out[Obs.OWN_MARKER + node] = k == 0
            out[Obs.RIVAL_MARKER + node] = k
            out[Obs.MATRIX + k] += 1
            out[Obs.HELD + COLUMNS * k + int(FACE_COLUMN[int(s.up[node // PLACES]), node % PLACES])] += 1


def owner_of(s: State, half: int, member: int) -> int:
    """The seat that has a marker on a node, given by its half and its number there (PM-62: one seat has)."""
    owner = 0
    for seat in range(1, SEATS):
        owner += seat * (int(s.marker[seat, half]) >> member & 1)
    return owner


def show_turn(s: State, out: ByteArray) -> None:
    """Phase, level, dice, options and clock."""
    phase = Phase.OVER if s.mover == OVER else s.phase
    if phase <= Phase.OVER:
        out[Obs.PHASE + phase] = 1
    out[Obs.LEVEL + s.level] = 1
    if s.forced >= 0:
        out[Obs.FORCED + s.forced] = 1
    out[Obs.ADJUST] = s.adjust
    if s.rolled == 3:
        one, two, three = int(s.dice[0]), int(s.dice[1]), int(s.dice[2])
        lowest, highest = min(one, two, three), max(one, two, three)
        out[Obs.DICE + lowest - 1] = 1
        out[Obs.DICE + 6 + one + two + three - lowest - highest - 1] = 1
        out[Obs.DICE + 12 + highest - 1] = 1
    if s.movement >= 0:
        out[Obs.MOVEMENT] = s.movement
    out[Obs.REVERSE_DRAWN] = s.options.reverse == Reverse.DRAWN
    out[Obs.BY_MARGIN] = s.options.payoff == Payoff.MARGIN
    out[Obs.CLOCK] = 127 * s.decisions // s.options.max_decisions


def show_pending(s: State, seat: int, out: ByteArray) -> None:
    """The seats that are involved, and the effect that is being carried out."""
    show_seat(s, seat, s.first, Obs.FIRST, out)
    show_seat(s, seat, s.active, Obs.ACTIVE, out)
    show_seat(s, seat, s.mover, Obs.MOVER, out)
    show_effect(s, out)
    if s.node_square >= 0:
        out[Obs.SQUARE + s.node_square] = 1
        out[Obs.NODE + s.node_place] = 1
        out[Obs.FILLED] = s.filled
        out[Obs.WON] = s.won
    out[Obs.AGAIN] = s.again
    if s.thief >= 0:
        out[Obs.STAKE] = s.stake
        show_seat(s, seat, s.thief, Obs.THIEF, out)
        show_seat(s, seat, s.victim, Obs.VICTIM, out)
    if s.window != Window.NONE:
        out[Obs.WINDOW + s.window - 1] = 1
    show_seat(s, seat, s.teleported, Obs.TELEPORTED, out)
    if s.phase == Phase.PAYER and s.mover != OVER:
        leaders = richest(s)
        for other in range(s.num_players):
            if leaders >> other & 1:
                show_seat(s, seat, other, Obs.TIED, out)


def show_effect(s: State, out: ByteArray) -> None:
    """The effect that is being carried out, by code and amount."""
    if s.code:
        out[Obs.EFFECT + s.code - 1] = 1
        out[Obs.AMOUNT] = s.amount


def show_seat(s: State, seat: int, other: int, at: int, out: ByteArray) -> None:
    """A seat as one-hot, counted from the viewer; zeros if `other` is negative."""
    if other >= 0:
        out[at + places_from(s, seat, other)] = 1


# -- tiles --------------------------------------------------------------------------------------


def show_tiles(s: State, seat: int, out: ByteArray) -> None:
    """Every tile: its Blackout Markers, its faces, and the aspects of its free nodes."""
    mine, rich = int(s.credits[seat]), richest_other(s, seat)
    by_mine, by_rich = min(mine, MOST_AMOUNT), min(rich, MOST_AMOUNT)
    enterable = open_squares(s)
    unfinished = 0  # squares of tiles with free nodes whose Credits depend on the position
    for square in range(SQUARES):
        face = int(s.up[square])
        if face < 0:  # beyond the Matrix, or not dealt yet
            continue
        black = blackouts(s, square)
        free = int(ALL_BITS[TILE ^ black])
        gain = (int(FACE_BY_MINE[by_mine, face, 0]) | int(FACE_BY_RICH[by_rich, face, 0])) & free
        rivals = (int(FACE_BY_MINE[by_mine, face, 1]) | int(FACE_BY_RICH[by_rich, face, 1])) & free
        position = int(FACE_POSITION[face])
        unfinished |= int(position & ~black != 0) << square
        out[Obs.FACE + square] = face + 1
        out[Obs.REVERSE + square] = s.reverse[square] + 1
        out[Obs.OPEN + square] = enterable >> square & 1
        show_four(int(ONES[black]), Obs.BLACK + PLACES * square, out)
        node = Obs.NODE_GAIN + PLACES * square
        show_four(gain, node, out)
        show_four(rivals, node + NODES, out)
        for aspect in range(Aspect.MARKER, ASPECTS):
            show_four(int(FACE_ASPECTS[face, aspect]) & free, node + NODES * aspect, out)
        least = 0 if black == TILE else -LARGEST
        out[Obs.BEST + square] = max(least, largest(gain | int(LOWEST[black | position])))
    while unfinished:
        show_position_nodes(s, seat, lowest(unfinished), mine, rich, out)
        unfinished &= unfinished - 1
    if s.runner[seat] >= 0:
        show_here(int(s.runner[seat]), out)


def show_position_nodes(s: State, seat: int, square: int, mine: int, rich: int, out: ByteArray) -> None:
    """The Credits of the free nodes of a tile that depend on the position."""
    face = int(s.up[square])
    black = blackouts(s, square)
    best = int(out[Obs.BEST + square])
    left = int(FACE_POSITION[face]) & ~black
    while left:
        place, left = first_and_rest(left)
        code, amount = int(FACE_CODE[face, place]), int(FACE_AMOUNT[face, place])
        own = own_credits(s, seat, code, amount, black, mine, rich)
        rivals = rival_credits(code, amount, own, mine, rich)
        gain = min(max(own, -LARGEST), LARGEST)
        node = Obs.NODE_GAIN + PLACES * square + place
        out[node] = gain
        out[node + NODES] = min(max(rivals, -LARGEST), LARGEST)
        best = max(best, gain)
    out[Obs.BEST + square] = best


def richest_other(s: State, seat: int) -> int:
    """The Credits of the richest other seat; seats that do not play have none."""
    rich = 0
    for other in range(SEATS):
        rich = max(rich, int(s.credits[other]) if other != seat else 0)
    return rich


def own_credits(s: State, seat: int, code: int, amount: int, black: int, mine: int, rich: int) -> int:
    """The viewer's Credits from a node that depends on the position."""
    if code == Code.WIN_LEVEL:  # PM-36
        return 1 + s.level
    if code == Code.WIN_BLACK:
        return 1 + size(black)
    if code == Code.LEADER_PAYS:  # PM-42; not known with a tie
        return -min(amount, mine) if mine > rich else 0
    if code == Code.GIVE_EACH:  # PM-39
        return -min(amount * (s.num_players - 1), mine)
    stolen = 0  # PM-41
    for other in range(SEATS):
        stolen += min(amount, int(s.credits[other])) if other != seat else 0
    return stolen


def rival_credits(code: int, amount: int, own: int, mine: int, rich: int) -> int:
    """The Credits of all others from the same node."""
    if code == Code.LEADER_PAYS:
        return -min(amount, rich) if rich > mine else 0
    return 0 if code == Code.WIN_LEVEL or code == Code.WIN_BLACK else -own


def show_four(entries: int, at: int, out: ByteArray) -> None:
    """Four entries in a row: the bytes of an integer, the lowest first."""
    out[at] = signed_byte(entries)
    out[at + 1] = signed_byte(entries >> 8)
    out[at + 2] = signed_byte(entries >> 16)
    out[at + 3] = signed_byte(entries >> 24)


def signed_byte(bits: int) -> int:
    """The lowest eight bits as a number from -128 to 127."""
    return (bits & 0xFF ^ 0x80) - 0x80


def largest(entries: int) -> int:
    """The largest of four entries, given as the bytes of an integer."""
    one = max(signed_byte(entries), signed_byte(entries >> 8))
    return max(one, signed_byte(entries >> 16), signed_byte(entries >> 24))


def show_here(square: int, out: ByteArray) -> None:
    """The nodes of the tile of the viewer's runner again."""
    node = Obs.NODE_GAIN + PLACES * square
    for aspect in range(Aspect.KIND):
        show_four(shown_four(node + NODES * aspect, out), Obs.HERE_GAIN + PLACES * aspect, out)
    for place in range(PLACES):
        kind = int(out[node + NODES * Aspect.KIND + place])
        out[Obs.HERE_KIND + KINDS * place + max(kind - 1, 0)] = kind > 0


def shown_four(at: int, out: ByteArray) -> int:
    """Four entries in a row as the bytes of an integer, the first lowest."""
    low = int(out[at]) & 0xFF | (int(out[at + 1]) & 0xFF) << 8
    return low | (int(out[at + 2]) & 0xFF) << 16 | (int(out[at + 3]) & 0xFF) << 24
