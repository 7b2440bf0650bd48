"""What a seat sees: everything but the bids of others, until all have bid."""

from __future__ import annotations

import numpy as np

from polytrix.core.bits import lowest, size
from polytrix.core.constants import Constants
from polytrix.core.layout import Block, Layout
from polytrix.core.state import OVER, ByteArray

from .aspects import ASPECT_BLOCKS, ASPECTS, CONTROLS, KINDS, LARGEST, Aspect, as_entries
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

PURSE, LEAD = 31, 15  # bounds of Credits and of their differences in blocks where one Credit counts


def _node_blocks(prefix: str, where: str, shape: tuple[int, ...], aspects: int) -> tuple[Block, ...]:
    """A block for each of the first aspects, in their order."""
    return tuple(
        Block(f"{prefix}_{name}", shape, f"{where}, blacked out now: {help}", low=-bound, high=bound)
        for name, bound, help in ASPECT_BLOCKS[:aspects]
    )


SHOWN_PHASES = Phase.OVER + 1

OBSERVATIONS = Layout(
    Block("exists", (SEATS,), "the seat plays; here and below, entry k is the k-th seat to the viewer's left"),
    Block("credits", (SEATS,), "Credits, at most 127 shown", high=127),
    Block("hand", (SEATS,), "Control Markers in hand", high=MARKERS),
    Block("matrix", (SEATS,), "Control Markers in the Matrix", high=MARKERS),
    Block("discarded", (SEATS,), "Control Markers out of the game", high=MARKERS),
    Block("bid", (SEATS,), "1 + bid, where the viewer knows it", high=HIGHEST_BID + 1),
    Block("first", (SEATS,), "one-hot: who had the first turn"),
    Block("active", (SEATS,), "one-hot: whose turn it is"),
    Block("mover", (SEATS,), "one-hot: who decides"),
    Block("phase", (SHOWN_PHASES,), "one-hot " + ", ".join(Phase.names()[:SHOWN_PHASES])),
    Block("level", (3,), "one-hot green, yellow, red"),
    Block("forced", (3,), "one-hot: the colour of a LEVEL used this turn"),
    Block("adjust", (1,), "sum of the MOVE nodes used this turn", low=-3 * MARKERS, high=3 * MARKERS),
    Block("dice", (3, 6), "one-hot: the dice of this turn, ascending"),
    Block("movement", (1,), "movement of this turn, once rolled", high=6 + 3 * MARKERS),
    Block(
        "effect",
        (len(CATALOGUE),),
        "one-hot: the code of the node or marker being carried out, in the order of the catalogue, and then of "
        "the one that seats react to; reactions show no code of their own, so that a TOLL shows none",
    ),
    Block("amount", (1,), "its amount", low=-3, high=9),
    Block("square", (SQUARES,), "one-hot: the tile of this Pressure Phase's node"),
    Block("node", (PLACES,), "one-hot: that node"),
    Block("filled", (1,), "its blackout has made the tile full: yellow will follow"),
    Block("again", (1,), "a new Pressure Phase will follow"),
    Block("won", (1,), "Credits won by the node: what a TAX takes", high=9),
    Block("stake", (1,), "Credits that a SHIELD would save", high=9),
    Block("thief", (SEATS,), "one-hot: who would get them"),
    Block("victim", (SEATS,), "one-hot: who would lose them"),
    Block("window", (3,), "one-hot: reactions to landing, to a win, to a full tile"),
    Block("declared", (SEATS,), "reactions announced and not yet carried out", high=MARKERS),
    Block("left", (SEATS,), "what the seat may still be given by GIVE_EACH", high=9),
    Block("tied", (SEATS,), "who can be made to pay"),
    Block("teleported", (SEATS,), "one-hot: whose runner is being teleported"),
    Block("held", (SEATS, len(CONTROLS)), "markers of the seat on " + ", ".join(CONTROLS), high=MARKERS),
    Block("runner", (SEATS, SQUARES), "one-hot: where the seat's runner stands"),
    Block("open", (SQUARES,), "the square may be entered"),
    Block("black", (SQUARES, PLACES), "Blackout Markers"),
    Block("own_marker", (SQUARES, PLACES), "Control Markers of the viewer"),
    Block("rival_marker", (SQUARES, PLACES), "those of others: places to the viewer's left", high=SEATS - 1),
    Block("face", (SQUARES,), "1 + number of the face that is up", high=FACES),
    Block("reverse", (SQUARES,), "1 + number of the face on the other side, if known", high=FACES),
    Block("purse", (SEATS,), "Credits, at most 31 shown", high=PURSE),
    Block("lead", (SEATS,), "own Credits less the seat's, from -15 to 15", low=-LEAD, high=LEAD),
    Block("best", (SQUARES,), "the largest gain among the free nodes", low=-LARGEST, high=LARGEST),
    *_node_blocks("node", "free nodes", (SQUARES, PLACES), ASPECTS),
    *_node_blocks("here", "free nodes of the tile of the viewer's runner", (PLACES,), Aspect.KIND),
    Block("here_kind", (PLACES, KINDS), "one-hot: the kind of the rest, there"),
    Block("reverse_drawn", (1,), "the option: other sides are drawn"),
    Block("by_margin", (1,), "the option: payoff by margin"),
    Block("clock", (1,), "127 x decisions / max_decisions, rounded down", high=127),
)


class Obs(Constants):
    """Where the blocks of observations begin."""

    EXISTS = OBSERVATIONS.offset("exists")
    CREDITS = OBSERVATIONS.offset("credits")
    HAND = OBSERVATIONS.offset("hand")
    MATRIX = OBSERVATIONS.offset("matrix")
    DISCARDED = OBSERVATIONS.offset("discarded")
    BID = OBSERVATIONS.offset("bid")
    FIRST = OBSERVATIONS.offset("first")
    ACTIVE = OBSERVATIONS.offset("active")
    MOVER = OBSERVATIONS.offset("mover")
    PHASE = OBSERVATIONS.offset("phase")
    LEVEL = OBSERVATIONS.offset("level")
    FORCED = OBSERVATIONS.offset("forced")
    ADJUST = OBSERVATIONS.offset("adjust")
    DICE = OBSERVATIONS.offset("dice")
    MOVEMENT = OBSERVATIONS.offset("movement")
    EFFECT = OBSERVATIONS.offset("effect")
    AMOUNT = OBSERVATIONS.offset("amount")
    SQUARE = OBSERVATIONS.offset("square")
    NODE = OBSERVATIONS.offset("node")
    FILLED = OBSERVATIONS.offset("filled")
    AGAIN = OBSERVATIONS.offset("again")
    WON = OBSERVATIONS.offset("won")
    STAKE = OBSERVATIONS.offset("stake")
    THIEF = OBSERVATIONS.offset("thief")
    VICTIM = OBSERVATIONS.offset("victim")
    WINDOW = OBSERVATIONS.offset("window")
    DECLARED = OBSERVATIONS.offset("declared")
    LEFT = OBSERVATIONS.offset("left")
    TIED = OBSERVATIONS.offset("tied")
    TELEPORTED = OBSERVATIONS.offset("teleported")
    HELD = OBSERVATIONS.offset("held")
    RUNNER = OBSERVATIONS.offset("runner")
    OPEN = OBSERVATIONS.offset("open")
    BLACK = OBSERVATIONS.offset("black")
    OWN_MARKER = OBSERVATIONS.offset("own_marker")
    RIVAL_MARKER = OBSERVATIONS.offset("rival_marker")
    FACE = OBSERVATIONS.offset("face")
    REVERSE = OBSERVATIONS.offset("reverse")
    PURSE = OBSERVATIONS.offset("purse")
    LEAD = OBSERVATIONS.offset("lead")
    BEST = OBSERVATIONS.offset("best")
    NODE_GAIN = OBSERVATIONS.offset("node_gain")
    HERE_GAIN = OBSERVATIONS.offset("here_gain")
    HERE_KIND = OBSERVATIONS.offset("here_kind")
    REVERSE_DRAWN = OBSERVATIONS.offset("reverse_drawn")
    BY_MARGIN = OBSERVATIONS.offset("by_margin")
    CLOCK = OBSERVATIONS.offset("clock")


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
    out[Obs.PURSE + k] = min(credits, PURSE)
    out[Obs.LEAD + k] = min(max(mine - credits, -LEAD), LEAD)


def show_markers(s: State, seat: int, out: ByteArray) -> None:
    """The Control Markers, by seat, node and use."""
    for half in range(2):
        nodes = 0
        for owner in range(SEATS):  # those that do not play have none
            nodes |= int(s.marker[owner, half])
        while nodes:
            member = lowest(nodes)
            nodes &= nodes - 1
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
    phase = Phase.OVER if s.mover == OVER else int(s.phase)
    if phase <= Phase.OVER:
        out[Obs.PHASE + phase] = 1
    out[Obs.LEVEL + int(s.level)] = 1
    if s.forced >= 0:
        out[Obs.FORCED + int(s.forced)] = 1
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
    out[Obs.CLOCK] = 127 * int(s.decisions) // int(s.options.max_decisions)


def show_pending(s: State, seat: int, out: ByteArray) -> None:
    """The seats that are involved, and the effect that is being carried out."""
    show_seat(s, seat, int(s.first), Obs.FIRST, out)
    show_seat(s, seat, int(s.active), Obs.ACTIVE, out)
    show_seat(s, seat, int(s.mover), Obs.MOVER, out)
    show_effect(s, out)
    if s.node_square >= 0:
        out[Obs.SQUARE + int(s.node_square)] = 1
        out[Obs.NODE + int(s.node_place)] = 1
        out[Obs.FILLED] = s.filled
        out[Obs.WON] = s.won
    out[Obs.AGAIN] = s.again
    if s.thief >= 0:
        out[Obs.STAKE] = s.stake
        show_seat(s, seat, int(s.thief), Obs.THIEF, out)
        show_seat(s, seat, int(s.victim), Obs.VICTIM, out)
    if s.window != Window.NONE:
        out[Obs.WINDOW + int(s.window) - 1] = 1
    show_seat(s, seat, int(s.teleported), Obs.TELEPORTED, out)
    if s.phase == Phase.PAYER and s.mover != OVER:
        leaders = richest(s)
        for other in range(s.num_players):
            if leaders >> other & 1:
                show_seat(s, seat, other, Obs.TIED, out)


def show_effect(s: State, out: ByteArray) -> None:
    """The effect that is being carried out, by code and amount."""
    if s.code:
        out[Obs.EFFECT + int(s.code) - 1] = 1
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
        place = lowest(left)
        left &= left - 1
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
        return 1 + int(s.level)
    if code == Code.WIN_BLACK:
        return 1 + size(black)
    if code == Code.LEADER_PAYS:  # PM-42; not known with a tie
        return -min(amount, mine) if mine > rich else 0
    if code == Code.GIVE_EACH:  # PM-39
        return -min(amount * (int(s.num_players) - 1), mine)
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
