"""Invariants of the phase, its question, and the dice of the turn.

`invariants.py` has checked the table before, and that all seats and squares in the record take part. A game
that was cut off is still in the phase of the question that nobody answers.
"""

from __future__ import annotations

import numpy as np

from polytrix.core.state import CHANCE, OVER, IntArray

from .choices import UNDECIDED, end_of_uses, only_choice, uses_before_roll
from .effects import CONDITION, When
from .markers import fitting, has_marker, node_bit, node_half
from .matrix import COLOUR, MATRIX, TILE
from .money import others, others_have_credits, takers
from .movement import die_that_counts, moved_by
from .opening import free_starts, payers, possible_bids, richest
from .reach import reach
from .reactions import announcers, order_matters, reactions_of
from .rearranging import partly_black
from .recovery import rival_markers
from .state import DICE, DIE, HAND, Act, Phase, State, Window, blackouts, clockwise, open_squares

NOBODY = -1


def is_opening(s: State) -> bool:
    """Whether the first turn has not begun."""
    return s.phase in (Phase.DEAL, Phase.BID, Phase.BID_DICE, Phase.PLACE)


# -- who is asked, and for what -----------------------------------------------------------------


def phase_fits(s: State) -> bool:
    """Seats are asked in phases before OVER, chance in those after it; the game waits in no other phase."""
    phase = s.phase
    begun = phase not in (Phase.DEAL, Phase.BID, Phase.BID_DICE)
    if (s.active >= 0) != begun or (s.first >= 0) != begun:
        return False
    if s.mover == OVER:
        return phase <= Phase.OVER
    if s.mover == CHANCE:
        return Phase.OVER < phase < Phase.TURN
    if not 0 <= phase < Phase.OVER or not 0 <= s.mover < s.num_players:
        return False
    if phase == Phase.PAYER:
        return richest(s) >> s.mover & 1 == 1
    return s.mover == asked_seat(s)


def asked_seat(s: State) -> int:
    """The seat that the phase asks; NOBODY if only the mover would tell."""
    n = s.num_players
    phase = s.phase
    if phase == Phase.BID:
        return made_bids(s) % n
    if phase == Phase.PLACE:
        return clockwise(s, s.first, placed_runners(s) % n)
    if phase == Phase.WINDOW:
        return clockwise(s, s.active, s.asked) if s.asked < n else NOBODY
    if phase == Phase.SHIELD:
        return s.victim
    if phase == Phase.PAYER:
        return s.mover if s.mover >= 0 else NOBODY
    return s.active


def made_bids(s: State) -> int:
    """The number of seats that have bid, one after the other."""
    count = 0
    while count < s.num_players and s.bid[count] >= 0:
        count += 1
    return count


def placed_runners(s: State) -> int:
    """The number of runners in the Matrix."""
    count = 0
    for seat in range(s.num_players):
        count += int(s.runner[seat] >= 0)
    return count


def choices_fit(s: State) -> bool:
    """PM-89: the record offers what the phase allows, and at least two actions."""
    if s.phase >= Phase.OVER:
        return True
    seat = asked_seat(s)
    if seat == NOBODY:
        return bool(s.mover == OVER)  # cut off
    if s.choice_block != BLOCK[s.phase] or s.choice_simple != simple_actions(s):
        return False
    if s.choices[0] != members(s, seat, 0) or s.choices[1] != members(s, seat, 1):
        return False
    return only_choice(s) == UNDECIDED and is_worth_asking(s)


BLOCKS = {
    Phase.BID: Act.BID, Phase.PLACE: Act.START, Phase.BEFORE_ROLL: Act.USE, Phase.FAIL: Act.USE,
    Phase.MOVE: Act.MOVE, Phase.NODE: Act.NODE, Phase.GIVE: Act.GIVE, Phase.DIVIDE: Act.GIVE,
    Phase.STEAL: Act.STEAL, Phase.SHIELD: Act.USE, Phase.PAYER: Act.PAYER, Phase.FLIP: Act.FLIP,
    Phase.INVERT: Act.INVERT, Phase.RUNNER: Act.RUNNER, Phase.TELEPORT: Act.TELEPORT, Phase.SWAP: Act.SWAP,
    Phase.RECLAIM: Act.RECLAIM, Phase.RECALL: 0, Phase.DISCARD: Act.DISCARD,
    Phase.DISCARD_RIVAL: Act.DISCARD, Phase.WINDOW: Act.USE, Phase.ORDER: Act.FIRST,
}  # fmt: skip
BLOCK: IntArray = np.array([BLOCKS[phase] for phase in range(Phase.OVER)], np.int64)
"""[phase]: the block of actions that it offers; 0 if none."""


def simple_actions(s: State) -> int:
    """The actions 0..3 that the phase offers, as bits."""
    phase = s.phase
    if phase == Phase.BEFORE_ROLL:
        return end_of_uses(s)
    if phase == Phase.RECALL:
        return 1 << Act.PASS | 1 << Act.RECALL
    return 1 << Act.PASS if phase in (Phase.FAIL, Phase.SHIELD, Phase.WINDOW) else 0


def members(s: State, seat: int, half: int) -> int:
    """One half of the members of its block that the phase offers to a seat, as bits."""
    phase = s.phase
    if phase == Phase.BEFORE_ROLL:
        return uses_before_roll(s, half)
    if phase == Phase.WINDOW:
        return reactions_of(s, seat, half)
    if phase in (Phase.SHIELD, Phase.FAIL):
        return fitting(s, seat, When.ON_STEAL if phase == Phase.SHIELD else When.FAILING, half)
    if phase == Phase.RECLAIM:
        return int(s.marker[seat, half])
    if phase == Phase.DISCARD:
        in_hand = node_bit(HAND) if half == node_half(HAND) and s.hand[seat] > 0 else 0
        return int(s.marker[seat, half]) | in_hand
    if phase == Phase.DISCARD_RIVAL:
        return rival_markers(s, half)
    return few_members(s, seat) if half == 0 else 0


def few_members(s: State, seat: int) -> int:
    """The same for blocks of few members: squares, seats, numbers."""
    phase = s.phase
    matrix = int(MATRIX[s.num_players])
    if phase == Phase.MOVE:
        return int(s.choices[0])  # PM-21: checked by `destinations_fit`
    if phase == Phase.NODE:
        return TILE & ~blackouts(s, int(s.runner[seat]))
    if phase in (Phase.GIVE, Phase.STEAL):
        return others(s)
    if phase == Phase.DIVIDE:
        return takers(s)
    if phase == Phase.FLIP:
        return matrix & ~s.occupied
    if phase == Phase.INVERT:
        return partly_black(s)
    if phase == Phase.TELEPORT:
        return open_squares(s)
    if phase == Phase.SWAP:
        return matrix & ~(1 << s.node_square)
    if phase == Phase.RUNNER:
        return (1 << s.num_players) - 1
    if phase == Phase.PAYER:
        return payers(s, seat)
    if phase == Phase.ORDER:
        return announcers(s) >> 1
    if phase == Phase.PLACE:
        return free_starts(s)
    return possible_bids() if phase == Phase.BID else 0


def is_worth_asking(s: State) -> bool:
    """PM-30: a seat is asked only for what it can do."""
    phase, seat = s.phase, s.active
    if phase == Phase.GIVE:
        return bool(s.credits[seat] > 0)
    if phase == Phase.STEAL:
        return others_have_credits(s)
    if phase == Phase.RUNNER:
        return open_squares(s) != 0
    if phase == Phase.RECALL:
        return bool(s.discarded[seat] > 0) and not has_marker(s, seat)
    return phase != Phase.ORDER or order_matters(s, announcers(s))


# -- the roll and the move ----------------------------------------------------------------------


def has_failed(s: State) -> bool:
    """PM-23, PM-72: whether the phase follows from a roll that allows no move."""
    if s.phase == Phase.TELEPORT:
        return bool(CONDITION[s.code] == When.FAILING)
    return s.phase == Phase.FAIL or (s.phase == Phase.DISCARD and s.code == 0)


def destinations_fit(s: State) -> bool:
    """PM-21, PM-22: the ends of moves of full length; none after a move that has failed."""
    if s.phase != Phase.MOVE and not has_failed(s):
        return True
    start = int(s.runner[s.active])
    ends = int(s.choices[0]) if s.phase == Phase.MOVE else 0
    if s.movement <= 0 or ends & ~(open_squares(s) & int(COLOUR[(start + s.movement) % 2])):
        return False
    return ends == reach(open_squares(s), start, s.movement)


def dice_fit(s: State) -> bool:
    """PM-14 to PM-17: rolled dice have pips, and the movement is that of one of them."""
    for die in range(DICE):
        if s.dice[die] > DIE or (die < s.rolled) != (s.dice[die] > 0):
            return False
    if s.phase == Phase.ROLL:
        return s.rolled < DICE and s.movement < 0
    if s.rolled == 0:
        moving = s.phase == Phase.MOVE or has_failed(s) or s.window == Window.LANDING
        return bool(s.movement < 0) and not moving
    if s.rolled != DICE or s.phase == Phase.BEFORE_ROLL or s.phase == Phase.OVER:
        return False
    if s.phase == Phase.MOVE or has_failed(s) or s.window == Window.LANDING:
        return bool(s.movement == moved_by(s, die_that_counts(s)))
    for die in range(DICE):  # the level may have changed
        if s.movement == moved_by(s, int(s.dice[die])):
            return True
    return False


def could_roll(s: State) -> bool:
    """PM-12, PM-24: from the roll to the move, the active seat has a marker in hand."""
    rolling = s.phase == Phase.ROLL or s.phase == Phase.MOVE or has_failed(s) or s.window == Window.LANDING
    return not rolling or bool(s.hand[s.active] > 0)
