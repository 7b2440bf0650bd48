"""Invariants of states and of steps between them: the table, the opening, turns and the end.

Those of the question are in `questions.py`, those of what follows it in `pending.py`.
"""

from __future__ import annotations

from polytrix.core.bits import size
from polytrix.core.constants import Constants
from polytrix.core.state import CHANCE, OVER

from .effects import CONDITIONS, Level
from .matrix import HALF, MATRIX, SHIFT, SQUARES, STARTS, TILE
from .opening import with_most
from .pending import (
    again_fits,
    announcements_fit,
    effect_fits,
    full_fits,
    gifts_fit,
    node_fits,
    pending_fits,
    resume_fits,
    roll_off_fits,
    shield_fits,
    turning_fits,
    won_fits,
)
from .questions import (
    choices_fit,
    could_roll,
    destinations_fit,
    dice_fit,
    is_opening,
    made_bids,
    phase_fits,
    placed_runners,
)
from .state import (
    CREDITS,
    FACES,
    HALF_FACES,
    MARKERS,
    MOST_WON,
    SEATS,
    Phase,
    Reverse,
    State,
    blackouts,
    clockwise,
)
from .tiles import FACE_CONTROL, SETTINGS, Setting

INVARIANTS = (
    "PM-02: hand, Matrix and discarded markers of a seat make five; a seat that does not play has none",
    "PM-37: Credits are never negative",
    "PM-62: a Control Marker lies alone on its node, which is special and in the Matrix",
    "PM-81: runners stand on different tiles of the Matrix, and the set of their squares says so",
    "PM-25: the Pressure Level is green, yellow or red",
    "the set of full tiles is that of the tiles with four Blackout Markers; none lies outside of the Matrix",
    "PM-04, PM-93: the squares of the Matrix have different faces, and the unseen ones are the others",
    "the sets of special nodes say what is on the faces",
    "the phase is one to wait in, and the mover is the one it waits for",
    "PM-89: a seat that is asked has a choice, of all that the phase allows",
    "PM-21, PM-22: the destinations are those of the movement; a move that has failed has none",
    "PM-14 to PM-17: the dice and the movement are those of a turn",
    "what is pending belongs to the phase",
    "PM-10: turns go clockwise, one after the other",
    "PM-06: bids are made from seat 0 clockwise, and stay",
    "the game is over at its end or at its limit, and not later (PM-91)",
    "PM-01: seats and squares that are named take part; seats that do not play have nothing",
    "PM-03, PM-07, PM-09: the first player has bid the most; before the first turn nothing else "
    "has happened than that this was paid, and runners were placed in order",
    "PM-92: there are no more Credits than the decisions can have brought",
    "PM-12, PM-24: whoever rolls has a marker in hand until the move is made",
    "what is asked is asked by the effect that is being carried out",
    "the rules go on where they asked",
    "PM-29: the node of a Pressure Phase is blacked out, and its tile has the active runner",
    "PM-53: a new Pressure Phase is due only once the active runner has been teleported",
    "PM-76: reactions to a full tile are to the one that the phase has filled",
    "PM-60, PM-74: what a node has won is what it wins, and nothing before",
    "PM-44, PM-93: a tile whose other side is being drawn is cleared, and is the one that is turned over",
    "PM-73, PM-77, PM-78: announced reactions are in hand again, and are those of seats that have been asked",
    "PM-40, PM-41, PM-75: a SHIELD is asked of a victim, for what it would lose",
    "PM-39: who has not enough for all divides it, nobody getting more than the amount",
    "PM-08, PM-43: several of the best roll for it, one after the other",
)


class Broken(Constants):
    """The invariants by number, from 1."""

    (
        MARKERS, CREDITS, LYING_MARKERS, RUNNERS, LEVEL, FULL_TILES, FACES, SPECIAL_NODES, PHASE, CHOICES,
        DESTINATIONS, DICE, PENDING, TURNS, BIDS, END, SEATS, OPENING, PAYOFFS, HAND, EFFECT, RESUME, NODE,
        AGAIN, FILLED, WON, TURNING, ANNOUNCEMENTS, SHIELD, GIFTS, ROLL_OFF,
    ) = range(1, 1 + len(INVARIANTS))  # fmt: skip


def check(before: State, s: State) -> int:
    """The number of an invariant that is broken, 0 if none is."""
    fault = check_table(s)
    if fault != 0:
        return fault
    if not bids_follow(before, s):
        return Broken.BIDS
    fault = check_question(s)
    if fault == 0:
        fault = check_pending(s)
    if fault != 0:
        return fault
    if not turns_follow(before, s):
        return Broken.TURNS
    return 0 if end_fits(s) else Broken.END


def check_table(s: State) -> int:
    """The table and the seats; the first invariant is one that all others rely on."""
    if not all_take_part(s):
        return Broken.SEATS
    if not markers_are_complete(s):
        return Broken.MARKERS
    for seat in range(SEATS):
        if s.credits[seat] < 0:
            return Broken.CREDITS
    if not markers_lie_right(s):
        return Broken.LYING_MARKERS
    if not runners_stand_right(s):
        return Broken.RUNNERS
    if not Level.GREEN <= s.level <= Level.RED:
        return Broken.LEVEL
    if not blackouts_agree(s):
        return Broken.FULL_TILES
    if not faces_agree(s):
        return Broken.FACES
    if not special_nodes_agree(s):
        return Broken.SPECIAL_NODES
    if not credits_are_won(s):
        return Broken.PAYOFFS
    return 0


def check_question(s: State) -> int:
    """Phase, question and dice, see `questions.py`."""
    if not phase_fits(s):
        return Broken.PHASE
    if not opening_fits(s):
        return Broken.OPENING
    if not choices_fit(s):
        return Broken.CHOICES
    if not destinations_fit(s):
        return Broken.DESTINATIONS
    if not dice_fit(s):
        return Broken.DICE
    if not could_roll(s):
        return Broken.HAND
    return 0


def check_pending(s: State) -> int:
    """Effect, node and reactions, see `pending.py`."""
    if not pending_fits(s):
        return Broken.PENDING
    if not effect_fits(s):
        return Broken.EFFECT
    if not resume_fits(s):
        return Broken.RESUME
    if not node_fits(s):
        return Broken.NODE
    if not again_fits(s):
        return Broken.AGAIN
    if not full_fits(s):
        return Broken.FILLED
    if not won_fits(s):
        return Broken.WON
    if not turning_fits(s):
        return Broken.TURNING
    if not announcements_fit(s):
        return Broken.ANNOUNCEMENTS
    if not shield_fits(s):
        return Broken.SHIELD
    if not gifts_fit(s):
        return Broken.GIFTS
    if not roll_off_fits(s):
        return Broken.ROLL_OFF
    return 0


# -- the table ------------------------------------------------------------------------------------


def all_take_part(s: State) -> bool:
    """PM-01: seats and squares in the record take part; other seats have nothing."""
    n = s.num_players
    if not 2 <= n <= SEATS:
        return False
    if s.first >= n or s.active >= n or s.thief >= n or s.victim >= n or s.teleported >= n or s.roll_seat >= n:
        return False
    for seat in range(n, SEATS):
        if s.credits[seat] != 0 or s.bid[seat] >= 0 or s.runner[seat] >= 0:
            return False
        if s.declared[seat] != 0 or s.left[seat] != 0 or s.roll_sum[seat] != 0:
            return False
    for square in (s.node_square, s.turning):
        if square >= 0 and not int(MATRIX[n]) >> square & 1:
            return False
    return True


def markers_are_complete(s: State) -> bool:
    """PM-02: hand, Matrix and discarded markers make five."""
    for seat in range(SEATS):
        inside = size(int(s.marker[seat, 0])) + size(int(s.marker[seat, 1]))
        expected = MARKERS if seat < s.num_players else 0
        if int(s.hand[seat]) + inside + int(s.discarded[seat]) != expected:
            return False
    return True


def markers_lie_right(s: State) -> bool:
    """PM-62: Control Markers are on special nodes, one on each."""
    for half in range(2):
        special = 0
        for condition in range(CONDITIONS):
            special |= int(s.control[condition, half])
        taken = 0
        for seat in range(SEATS):
            nodes = int(s.marker[seat, half])
            if nodes & taken or nodes & ~special:
                return False
            taken |= nodes
    return True


def runners_stand_right(s: State) -> bool:
    """PM-81: each runner is on a square of its own."""
    squares = 0
    for seat in range(SEATS):
        square = int(s.runner[seat])
        if square < 0:
            continue
        if squares >> square & 1 or not int(MATRIX[s.num_players]) >> square & 1:
            return False
        squares |= 1 << square
    return squares == s.occupied


def blackouts_agree(s: State) -> bool:
    """Full tiles are those in `full`, and all blackouts are in the Matrix."""
    full = 0
    for square in range(SQUARES):
        nodes = blackouts(s, square)
        if nodes and not int(MATRIX[s.num_players]) >> square & 1:
            return False
        if nodes == TILE:
            full |= 1 << square
    return full == s.full


def faces_agree(s: State) -> bool:
    """PM-04, PM-93: every face is unseen or on the table, and none is there twice."""
    seen_low, seen_high = 0, 0  # faces 0..49, 50..99
    for square in range(SQUARES):
        up, reverse = int(s.up[square]), int(s.reverse[square])
        inside = int(MATRIX[s.num_players]) >> square & 1
        if up >= FACES or reverse >= FACES or (up >= 0 and not inside) or (reverse >= 0 and up < 0):
            return False
        if inside and (up >= 0) == (s.phase == Phase.DEAL and square >= s.turning):
            return False
        if s.options.reverse != Reverse.DRAWN and up >= 0 and reverse != up ^ 1:
            return False
        for face in (up, reverse):
            if face >= 0:
                bit = 1 << (face % HALF_FACES)
                if (seen_low if face < HALF_FACES else seen_high) & bit:
                    return False
                if face < HALF_FACES:
                    seen_low |= bit
                else:
                    seen_high |= bit
    everything = (1 << HALF_FACES) - 1
    return seen_low ^ int(s.unseen[0]) == everything and seen_high ^ int(s.unseen[1]) == everything


def special_nodes_agree(s: State) -> bool:
    """Special nodes by condition follow from the faces."""
    for square in range(SQUARES):
        half, shift = int(HALF[square]), int(SHIFT[square])
        for condition in range(CONDITIONS):
            expected = int(FACE_CONTROL[int(s.up[square]), condition]) if s.up[square] >= 0 else 0
            if int(s.control[condition, half]) >> shift & TILE != expected:
                return False
    return True


def credits_are_won(s: State) -> bool:
    """PM-92: Credits stay below the bound that payoffs rely on."""
    total = 0
    for seat in range(SEATS):
        total += int(s.credits[seat])
    return total <= MOST_WON * (1 + s.decisions)


# -- the course of the game -----------------------------------------------------------------------


def opening_fits(s: State) -> bool:
    """PM-03, PM-06 to PM-09: before the first turn, only bids, its price and runners change anything."""
    n, phase = s.num_players, s.phase
    bids = made_bids(s)
    if (bids > 0 and phase == Phase.DEAL) or (bids == n) == (phase in (Phase.DEAL, Phase.BID)):
        return False
    if s.first >= 0 and not with_most(s.bid, n, 0) >> s.first & 1:
        return False
    if not is_opening(s):
        return placed_runners(s) == n
    if s.black[0] | s.black[1] or s.level != Level.GREEN or s.rolled != 0 or s.adjust != 0 or s.forced >= 0:
        return False
    for seat in range(n):
        paid = int(s.bid[seat]) if seat == s.first else 0
        if s.hand[seat] != MARKERS or s.credits[seat] != CREDITS - paid:
            return False
    return runners_follow(s)


def runners_follow(s: State) -> bool:
    """PM-09: runners are placed clockwise from the first player, on starting squares."""
    n, placed = s.num_players, placed_runners(s)
    if s.phase != Phase.PLACE:
        return placed == 0
    if s.active != s.first:
        return False
    for places in range(n):
        square = int(s.runner[clockwise(s, s.first, places)])
        if (square >= 0) != (places < placed):
            return False
    left = s.occupied
    for place in range(5):
        square = int(STARTS[n, place])
        if square >= 0:
            left &= ~(1 << square)
    return placed < n and left == 0


def turns_follow(before: State, s: State) -> bool:
    """PM-10: the next turn is that of the seat to the left; none is skipped, as every turn asks or rolls."""
    if s.turns == before.turns:
        return s.active == before.active or before.active < 0
    if s.turns != before.turns + 1:
        return False
    expected = s.first if s.turns == 1 else clockwise(s, before.active, 1)
    return s.active == expected


def bids_follow(before: State, s: State) -> bool:
    """PM-06: bids are made in order, and stay."""
    for seat in range(SEATS):
        if s.bid[seat] > 5 or (s.bid[seat] >= 0 and seat >= s.num_players):
            return False
        if seat > 0 and s.bid[seat] >= 0 and s.bid[seat - 1] < 0:
            return False
        if before.bid[seat] >= 0 and before.bid[seat] != s.bid[seat]:
            return False
    return True


def end_fits(s: State) -> bool:
    """PM-13, PM-91, PM-95: a frozen seat or the last turn ends the game, or a limit where a seat is asked."""
    if s.mover != OVER:  # chance may follow the last decision
        return s.truncated == 0 and (s.mover == CHANCE or s.decisions < s.options.max_decisions)
    if s.truncated:
        return s.phase < Phase.OVER and s.decisions == s.options.max_decisions
    return bool(s.phase == Phase.OVER and (s.hand[s.active] == 0 or 0 < SETTINGS[Setting.TURNS] <= s.turns))
