"""Who may know what: everything but the bids, until all have bid. The blocks are those of `sight.py`."""

from __future__ import annotations

from polytrix.core.random import draw
from polytrix.core.state import OVER, ByteArray

from .effects import CODES
from .ending import score
from .matrix import FIRST_SQUARES, MATRIX, NODES, PLACES, SQUARES, TILE, lowest_index, size
from .opening import bids_revealed, richest
from .sight import (
    CHANGING,
    CONTROLS,
    FIXED,
    KIND,
    KINDS,
    LARGEST,
    LEAD,
    OBSERVATIONS,
    OWN_CREDITS,
    PURSE,
    RIVALS,
)
from .state import (
    BY_MARGIN,
    DRAWN,
    FINISHED,
    HIGHEST_BID,
    NO_WINDOW,
    PAYER,
    State,
    blackouts,
    clockwise,
    open_squares,
    places_from,
)
from .tiles import FACE_AMOUNT, FACE_CODE, FACE_COLUMN, FACE_DEPENDS, FACE_SHOWN

EXISTS = OBSERVATIONS.offset("exists")
CREDITS = OBSERVATIONS.offset("credits")
HAND_HELD = OBSERVATIONS.offset("hand")
IN_MATRIX = OBSERVATIONS.offset("matrix")
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
WINDOW_SHOWN = OBSERVATIONS.offset("window")
DECLARED = OBSERVATIONS.offset("declared")
LEFT = OBSERVATIONS.offset("left")
TIED = OBSERVATIONS.offset("tied")
TELEPORTED = OBSERVATIONS.offset("teleported")
HELD = OBSERVATIONS.offset("held")
RUNNER_AT = OBSERVATIONS.offset("runner")
OPEN = OBSERVATIONS.offset("open")
BLACK = OBSERVATIONS.offset("black")
OWN_MARKER = OBSERVATIONS.offset("own_marker")
RIVAL_MARKER = OBSERVATIONS.offset("rival_marker")
FACE = OBSERVATIONS.offset("face")
REVERSE = OBSERVATIONS.offset("reverse")
BEST = OBSERVATIONS.offset("best")
PURSE_HELD = OBSERVATIONS.offset("purse")
LEAD_OVER = OBSERVATIONS.offset("lead")
NODE_SHOWN = OBSERVATIONS.offset("node_gain")
HERE = OBSERVATIONS.offset("here_gain")
HERE_KIND = OBSERVATIONS.offset("here_kind")
REVERSE_DRAWN = OBSERVATIONS.offset("reverse_drawn")
MARGIN = OBSERVATIONS.offset("by_margin")
CLOCK = OBSERVATIONS.offset("clock")

MOST_SHOWN = 127
COLUMNS = len(CONTROLS)
LARGEST_AMOUNT = 9

WIN_LEVEL = CODES.index("WIN_LEVEL")
WIN_BLACK = CODES.index("WIN_BLACK")
LEADER_PAYS = CODES.index("LEADER_PAYS")
GIVE_EACH = CODES.index("GIVE_EACH")


def observe(s: State, seat: int, out: ByteArray) -> None:
    """What `seat` may know, with the others numbered from its left."""
    show_seats(s, seat, out)
    show_turn(s, out)
    show_pending(s, seat, out)
    show_tiles(s, seat, out)


# -- seats and turn -----------------------------------------------------------------------------


def show_seats(s: State, seat: int, out: ByteArray) -> None:
    """What belongs to each seat."""
    revealed = bids_revealed(s)
    mine = int(s.credits[seat])
    for k in range(s.num_players):
        other = clockwise(s, seat, k)
        out[EXISTS + k] = 1
        show_wealth(int(s.credits[other]), mine, k, out)
        out[HAND_HELD + k] = s.hand[other]
        out[DISCARDED + k] = s.discarded[other]
        if revealed or k == 0:  # PM-90
            out[BID + k] = s.bid[other] + 1
        out[DECLARED + k] = s.declared[other]
        out[LEFT + k] = s.left[other]
        if s.runner[other] >= 0:
            out[RUNNER_AT + SQUARES * k + int(s.runner[other])] = 1
        show_markers(s, other, k, out)


def show_wealth(credits: int, mine: int, k: int, out: ByteArray) -> None:
    """The Credits of the k-th seat: all of them, and with bounds in which one Credit counts."""
    out[CREDITS + k] = min(credits, MOST_SHOWN)
    out[PURSE_HELD + k] = min(credits, PURSE)
    out[LEAD_OVER + k] = min(max(mine - credits, -LEAD), LEAD)


def show_markers(s: State, seat: int, k: int, out: ByteArray) -> None:
    """The Control Markers of the k-th seat, and what they can be used for."""
    count = 0
    for word in range(2):
        nodes = int(s.marker[seat, word])
        while nodes:
            node = PLACES * FIRST_SQUARES * word + lowest_index(nodes)
            nodes &= nodes - 1
            count += 1
            if k == 0:
                out[OWN_MARKER + node] = 1
            else:
                out[RIVAL_MARKER + node] = k
            out[HELD + COLUMNS * k + int(FACE_COLUMN[int(s.up[node // PLACES]), node % PLACES])] += 1
    out[IN_MATRIX + k] = count


def show_turn(s: State, out: ByteArray) -> None:
    """Phase, level, dice; options and clock."""
    phase = FINISHED if s.mover == OVER else int(s.phase)
    if phase <= FINISHED:
        out[PHASE + phase] = 1
    out[LEVEL + int(s.level)] = 1
    if s.forced >= 0:
        out[FORCED + int(s.forced)] = 1
    out[ADJUST] = s.adjust
    if s.rolled == 3:
        one, two, three = int(s.dice[0]), int(s.dice[1]), int(s.dice[2])
        lowest, highest = min(one, two, three), max(one, two, three)
        out[DICE + lowest - 1] = 1
        out[DICE + 6 + one + two + three - lowest - highest - 1] = 1
        out[DICE + 12 + highest - 1] = 1
    if s.movement >= 0:
        out[MOVEMENT] = s.movement
    out[REVERSE_DRAWN] = s.options.reverse == DRAWN
    out[MARGIN] = s.options.payoff == BY_MARGIN
    out[CLOCK] = 127 * int(s.decisions) // int(s.options.max_decisions)


def show_pending(s: State, seat: int, out: ByteArray) -> None:
    """Who is concerned, and the effect that is being carried out."""
    show_seat(s, seat, int(s.first), FIRST, out)
    show_seat(s, seat, int(s.active), ACTIVE, out)
    show_seat(s, seat, int(s.mover), MOVER, out)
    show_effect(s, out)
    if s.node_square >= 0:
        out[SQUARE + int(s.node_square)] = 1
        out[NODE + int(s.node_place)] = 1
        out[FILLED] = s.filled
        out[WON] = s.won
    out[AGAIN] = s.again
    if s.thief >= 0:
        out[STAKE] = s.stake
        show_seat(s, seat, int(s.thief), THIEF, out)
        show_seat(s, seat, int(s.victim), VICTIM, out)
    if s.window != NO_WINDOW:
        out[WINDOW_SHOWN + int(s.window) - 1] = 1
    show_seat(s, seat, int(s.teleported), TELEPORTED, out)
    if s.phase == PAYER and s.mover != OVER:
        leaders = richest(s)
        for other in range(s.num_players):
            if leaders >> other & 1:
                show_seat(s, seat, other, TIED, out)


def show_effect(s: State, out: ByteArray) -> None:
    """The effect that is being carried out, by code and amount."""
    if s.code:
        out[EFFECT + int(s.code) - 1] = 1
        out[AMOUNT] = s.amount


def show_seat(s: State, seat: int, other: int, at: int, out: ByteArray) -> None:
    """One seat of five, counted from the viewer; none if `other` is negative."""
    if other >= 0:
        out[at + places_from(s, seat, other)] = 1


# -- tiles --------------------------------------------------------------------------------------


def show_tiles(s: State, seat: int, out: ByteArray) -> None:
    """Every tile with its Blackout Markers, its faces, and what its free nodes would do."""
    n = int(s.num_players)
    mine = int(s.credits[seat])
    rich = 0
    for other in range(n):
        if other != seat:
            rich = max(rich, int(s.credits[other]))
    someone_short = mine < LARGEST_AMOUNT or rich < LARGEST_AMOUNT
    enterable = open_squares(s)
    left = int(MATRIX[n])
    while left:
        square = lowest_index(left)
        left &= left - 1
        face = int(s.up[square])
        if face < 0:  # not dealt yet
            continue
        out[FACE + square] = face + 1
        out[REVERSE + square] = s.reverse[square] + 1
        out[OPEN + square] = enterable >> square & 1
        black = blackouts(s, square)
        best = -LARGEST
        for place in range(PLACES):
            if black >> place & 1:
                out[BLACK + PLACES * square + place] = 1
                continue
            node = PLACES * square + place
            for i in range(2):
                aspect = int(FACE_SHOWN[face, place, i, 0])
                out[NODE_SHOWN + NODES * aspect + node] += FACE_SHOWN[face, place, i, 1]
            depends = FACE_DEPENDS[face, place]
            if depends != FIXED and (someone_short or depends == CHANGING):
                show_credits(s, seat, face, place, black, mine, rich, NODE_SHOWN + node, out)
            best = max(best, int(out[NODE_SHOWN + node]))
        if black != TILE:
            out[BEST + square] = best
    if s.runner[seat] >= 0:
        show_here(int(s.runner[seat]), out)


def show_here(square: int, out: ByteArray) -> None:
    """The nodes of the tile of the viewer's runner, once more."""
    for place in range(PLACES):
        node = NODE_SHOWN + PLACES * square + place
        for aspect in range(KIND):
            out[HERE + PLACES * aspect + place] = out[node + NODES * aspect]
        kind = int(out[node + NODES * KIND])
        if kind > 0:
            out[HERE_KIND + KINDS * place + kind - 1] = 1


def show_credits(
    s: State, seat: int, face: int, place: int, black: int, mine: int, rich: int, at: int, out: ByteArray
) -> None:
    """The Credits that a node would bring now, where that is not just its amount; `at`: its gain."""
    depends = FACE_DEPENDS[face, place]
    code = FACE_CODE[face, place]
    amount = int(FACE_AMOUNT[face, place])
    own = 0
    rivals = 0
    if depends == OWN_CREDITS:  # PM-37, PM-38
        own = -min(amount, mine)
        if out[at + NODES * RIVALS]:
            rivals = -own
    elif depends != CHANGING:  # PM-40
        own = min(amount, rich)
        rivals = -own
    elif code == WIN_LEVEL:  # PM-36
        own = 1 + int(s.level)
    elif code == WIN_BLACK:
        own = 1 + size(black)
    elif code == LEADER_PAYS:  # PM-42; with a tie somebody will have to choose
        if mine > rich:
            own = -min(amount, mine)
        elif rich > mine:
            rivals = -min(amount, rich)
    elif code == GIVE_EACH:  # PM-39
        own = -min(amount * (int(s.num_players) - 1), mine)
        rivals = -own
    else:  # PM-41
        for other in range(s.num_players):
            if other != seat:
                own += min(amount, int(s.credits[other]))
        rivals = -own
    out[at] = min(max(own, -LARGEST), LARGEST)
    out[at + NODES * RIVALS] = min(max(rivals, -LARGEST), LARGEST)


# -- what is hidden, and how well a seat stands ---------------------------------------------------


def redeal(s: State, seat: int) -> None:
    """PM-06, PM-90: until all have bid, the bids of the others may be anything."""
    if bids_revealed(s):
        return
    for other in range(s.num_players):
        if other != seat and s.bid[other] >= 0:
            s.bid[other] = draw(s.generator, HIGHEST_BID + 1)


def potential(s: State, seat: int) -> float:
    """A twentieth of what the seat has more than the others on average, markers in hand included."""
    n = int(s.num_players)
    total = 0
    for other in range(n):
        total += score(s, other)
    own = score(s, seat)
    return 0.05 * (own - (total - own) / (n - 1.0))
