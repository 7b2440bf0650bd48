"""What must hold in every state of every game, and from one state to the next."""

from __future__ import annotations

from polytrix.core.state import CHANCE, OVER, Record

from .choices import UNDECIDED, only_choice
from .effects import CONDITIONS
from .matrix import ADJACENT, COLOUR, MATRIX, SHIFT, SQUARES, TILE, WORD, size
from .rearranging import partly_black
from .state import (
    BEFORE_ROLL,
    BID,
    BID_DICE,
    DEAL,
    DIVIDE,
    DRAWN,
    FACES,
    FAIL,
    FINISHED,
    FLIP,
    GREEN,
    INVERT,
    LEADER_DICE,
    MARKERS,
    MOVE,
    NO_WINDOW,
    NODE,
    ORDER,
    PAYER,
    PLACE,
    RECLAIM,
    RED,
    REVERSE,
    SEATS,
    SHIELD,
    SWAP,
    TELEPORT,
    TURN,
    WINDOW,
    blackouts,
    clockwise,
    open_squares,
)
from .tiles import FACE_CONTROL

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
    "PM-89: a seat that is asked has a choice, of what the phase allows",
    "PM-21: the destinations are those of the movement",
    "PM-14: the dice and the movement are those of a turn",
    "what is pending belongs to the phase",
    "PM-10: turns go clockwise, one after the other",
    "PM-06: bids are made from seat 0 clockwise, and stay",
    "the game is over at its end or at its limit, and not later (PM-91)",
)


def check(before: Record, s: Record) -> int:
    """The number of an invariant that is broken, 0 if none is."""
    if not markers_are_complete(s):
        return 1
    for seat in range(SEATS):
        if s.credits[seat] < 0:
            return 2
    if not markers_lie_right(s):
        return 3
    if not runners_stand_right(s):
        return 4
    if not GREEN <= s.level <= RED:
        return 5
    if not blackouts_agree(s):
        return 6
    if not faces_agree(s):
        return 7
    if not special_nodes_agree(s):
        return 8
    if not phase_fits(s):
        return 9
    if s.mover >= 0 and not choice_fits(s):
        return 10
    if s.mover >= 0 and s.phase == MOVE and not destinations_fit(s):
        return 11
    if not dice_fit(s):
        return 12
    if not pending_fits(s):
        return 13
    if not turns_follow(before, s):
        return 14
    if not bids_follow(before, s):
        return 15
    if not end_fits(s):
        return 16
    return 0


def markers_are_complete(s: Record) -> bool:
    """PM-02."""
    for seat in range(SEATS):
        inside = size(int(s.marker[seat, 0])) + size(int(s.marker[seat, 1]))
        expected = MARKERS if seat < s.num_players else 0
        if int(s.hand[seat]) + inside + int(s.discarded[seat]) != expected:
            return False
    return True


def markers_lie_right(s: Record) -> bool:
    """PM-62."""
    for word in range(2):
        special = 0
        for condition in range(CONDITIONS):
            special |= int(s.control[condition, word])
        taken = 0
        for seat in range(SEATS):
            nodes = int(s.marker[seat, word])
            if nodes & taken or nodes & ~special:
                return False
            taken |= nodes
    return True


def runners_stand_right(s: Record) -> bool:
    """PM-81, PM-09: each runner on a square of its own, all of them once the turns have begun."""
    squares = 0
    for seat in range(SEATS):
        square = int(s.runner[seat])
        if square < 0:
            if seat < s.num_players and s.turns > 0:
                return False
            continue
        if squares >> square & 1 or not int(MATRIX[s.num_players]) >> square & 1:
            return False
        squares |= 1 << square
    return squares == int(s.occupied)


def blackouts_agree(s: Record) -> bool:
    """Full tiles."""
    full = 0
    for square in range(SQUARES):
        nodes = blackouts(s, square)
        if nodes and not int(MATRIX[s.num_players]) >> square & 1:
            return False
        if nodes == TILE:
            full |= 1 << square
    return full == int(s.full)


def faces_agree(s: Record) -> bool:
    """PM-04, PM-93: no face twice, and those that are seen are not among the unseen."""
    seen_low, seen_high = 0, 0  # faces 0..49, 50..99
    for square in range(SQUARES):
        up, reverse = int(s.up[square]), int(s.reverse[square])
        inside = int(MATRIX[s.num_players]) >> square & 1
        if up >= FACES or reverse >= FACES or (up >= 0 and not inside) or (reverse >= 0 and up < 0):
            return False
        if inside and up < 0 and s.phase != DEAL:
            return False
        if s.options.reverse != DRAWN and up >= 0 and reverse != up ^ 1:
            return False
        for face in (up, reverse):
            if face >= 0:
                bit = 1 << (face % (FACES // 2))
                if (seen_low if face < FACES // 2 else seen_high) & bit:
                    return False
                if face < FACES // 2:
                    seen_low |= bit
                else:
                    seen_high |= bit
    everything = (1 << (FACES // 2)) - 1
    return seen_low ^ int(s.unseen[0]) == everything and seen_high ^ int(s.unseen[1]) == everything


def special_nodes_agree(s: Record) -> bool:
    """The sets by condition, tile by tile."""
    for square in range(SQUARES):
        word, shift = int(WORD[square]), int(SHIFT[square])
        for condition in range(CONDITIONS):
            expected = int(FACE_CONTROL[int(s.up[square]), condition]) if s.up[square] >= 0 else 0
            if int(s.control[condition, word]) >> shift & TILE != expected:
                return False
    return True


def phase_fits(s: Record) -> bool:
    """Seats are asked in the phases before FINISHED, chance after it; nothing else is waited for."""
    if s.mover == OVER:
        return bool(s.phase <= FINISHED or s.truncated == 1)
    if s.mover == CHANCE:
        return bool(FINISHED < s.phase < TURN)
    if not 0 <= s.phase < FINISHED or s.mover >= s.num_players:
        return False
    others_decide = s.phase in (BID, PLACE, SHIELD, WINDOW, PAYER)
    return bool(others_decide or s.mover == s.active)


def choice_fits(s: Record) -> bool:
    """PM-89, and the sets of choices that can be told from the table."""
    simple, first, second = int(s.choice_simple), int(s.choices[0]), int(s.choices[1])
    if first | second | simple == 0 or only_choice(s) != UNDECIDED:
        return False
    matrix = int(MATRIX[s.num_players])
    if s.phase == NODE:
        return first == TILE & ~blackouts(s, int(s.runner[s.active]))
    if s.phase == FLIP:
        return first == matrix & ~int(s.occupied)
    if s.phase == TELEPORT:
        return first == open_squares(s)
    if s.phase == SWAP:
        return first == matrix & ~(1 << int(s.node_square))
    if s.phase == INVERT:
        return first == partly_black(s)
    if s.phase in (BEFORE_ROLL, WINDOW, SHIELD, FAIL, RECLAIM):  # PM-80: only own markers
        own = int(s.marker[s.mover, 0]), int(s.marker[s.mover, 1])
        return first & ~own[0] == 0 and second & ~own[1] == 0
    return True


def destinations_fit(s: Record) -> bool:
    """PM-20, PM-21: open squares of the right colour, not nearer than adjacent ones, for one step those."""
    start = int(s.runner[s.active])
    ends = int(s.choices[0])
    if ends & ~(open_squares(s) & int(COLOUR[(start + int(s.movement)) % 2])):
        return False
    return bool(s.movement > 1) or ends == int(ADJACENT[start]) & open_squares(s)


def dice_fit(s: Record) -> bool:
    """PM-14, PM-16: pips, and a movement only after the third die."""
    for die in range(3):
        if s.dice[die] > 6 or (die < s.rolled) != (s.dice[die] > 0):
            return False
    most = 6 + 3 * MARKERS
    if s.rolled < 3:
        return bool(s.movement < 0)
    return bool(0 <= s.movement <= most)


def pending_fits(s: Record) -> bool:
    """Victims, windows, gifts and squares are named only where something is asked about them."""
    if s.mover == OVER:
        return True
    if (
        (s.phase == SHIELD) != (s.thief >= 0)
        or (s.thief >= 0) != (s.victim >= 0)
        or (s.thief >= 0) != (s.stake > 0)
    ):
        return False
    if s.phase in (WINDOW, ORDER) and s.window == NO_WINDOW:
        return False
    if (s.phase == TELEPORT) != (s.teleported >= 0) or (s.phase in (DEAL, REVERSE)) != (s.turning >= 0):
        return False
    if (s.phase in (BID_DICE, LEADER_DICE)) != (s.roll_seat >= 0):
        return False
    left = 0
    for seat in range(SEATS):
        left += int(s.left[seat])
    return bool((s.phase == DIVIDE) == (left > 0) and (s.node_square >= 0) == (s.node_place >= 0))


def turns_follow(before: Record, s: Record) -> bool:
    """PM-10: each turn is that of the seat to the left; every turn asks or rolls, so none is skipped."""
    if s.turns == before.turns:
        return bool(s.active == before.active or before.active < 0)
    if s.turns != before.turns + 1:
        return False
    expected = int(s.first) if s.turns == 1 else clockwise(s, int(before.active), 1)
    return bool(s.active == expected)


def bids_follow(before: Record, s: Record) -> bool:
    """PM-06: a bid once made stays, and nobody bids before the seats to the right have."""
    for seat in range(SEATS):
        if s.bid[seat] > 5 or (s.bid[seat] >= 0 and seat >= s.num_players):
            return False
        if seat > 0 and s.bid[seat] >= 0 and s.bid[seat - 1] < 0:
            return False
        if before.bid[seat] >= 0 and before.bid[seat] != s.bid[seat]:
            return False
    return True


def end_fits(s: Record) -> bool:
    """PM-13, PM-91: it ends with a frozen seat, or cut off where a seat would have been asked."""
    if s.mover != OVER:  # chance that follows the last decision is still to speak
        return bool(s.truncated == 0 and (s.mover == CHANCE or s.decisions < s.options.max_decisions))
    if s.truncated:
        return bool(s.phase < FINISHED and s.decisions == s.options.max_decisions)
    return bool(s.phase == FINISHED and s.hand[s.active] == 0)
