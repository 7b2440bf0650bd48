"""Invariants of the phase, of what is asked in it, and of the dice of the turn.

Seats and squares that are named take part, and the table is as `invariants.py` says, when these are
called. A game that was cut off is in the phase of the question that nobody answers any more.
"""

from __future__ import annotations

import numpy as np

from polytrix.core.state import CHANCE, OVER, IntArray

from .choices import UNDECIDED, end_of_uses, only_choice, uses_before_roll
from .effects import CONDITION, FAILING, ON_STEAL
from .markers import fitting, has_marker, node_bit, node_word
from .matrix import COLOUR, MATRIX, TILE
from .money import others, others_have_credits, takers
from .movement import die_that_counts, moved_by
from .opening import free_starts, payers, richest
from .reach import reach
from .reactions import announcers, order_matters, reactions_of
from .rearranging import partly_black
from .recovery import rival_markers
from .state import (
    AT_LANDING,
    BEFORE_ROLL,
    BID,
    BID_BLOCK,
    BID_DICE,
    DEAL,
    DICE,
    DIE,
    DISCARD,
    DISCARD_BLOCK,
    DISCARD_RIVAL,
    DIVIDE,
    FAIL,
    FINISHED,
    FIRST_BLOCK,
    FLIP,
    FLIP_BLOCK,
    GIVE,
    GIVE_BLOCK,
    HAND,
    HIGHEST_BID,
    INVERT,
    INVERT_BLOCK,
    MOVE,
    MOVE_BLOCK,
    NODE,
    NODE_BLOCK,
    ORDER,
    PASS,
    PAYER,
    PAYER_BLOCK,
    PLACE,
    RECALL,
    RECALL_IT,
    RECLAIM,
    RECLAIM_BLOCK,
    ROLL,
    RUNNER,
    RUNNER_BLOCK,
    SHIELD,
    START_BLOCK,
    STEAL,
    STEAL_BLOCK,
    SWAP,
    SWAP_BLOCK,
    TELEPORT,
    TELEPORT_BLOCK,
    TURN,
    USE_BLOCK,
    WINDOW,
    State,
    blackouts,
    clockwise,
    open_squares,
)

NOBODY = -1


def is_opening(s: State) -> bool:
    """Whether the first turn is still to come."""
    return s.phase in (DEAL, BID, BID_DICE, PLACE)


# -- who is asked, and about what ---------------------------------------------------------------


def phase_fits(s: State) -> bool:
    """Seats are asked in the phases before FINISHED, chance after it; nothing else is waited for."""
    phase = int(s.phase)
    begun = phase not in (DEAL, BID, BID_DICE)
    if (s.active >= 0) != begun or (s.first >= 0) != begun:
        return False
    if s.mover == OVER:
        return phase <= FINISHED
    if s.mover == CHANCE:
        return FINISHED < phase < TURN
    if not 0 <= phase < FINISHED or not 0 <= s.mover < s.num_players:
        return False
    if phase == PAYER:
        return richest(s) >> int(s.mover) & 1 == 1
    return bool(s.mover == asked_seat(s))


def asked_seat(s: State) -> int:
    """The seat that the phase is about, whoever the mover is; NOBODY where only the mover says it."""
    n = int(s.num_players)
    phase = int(s.phase)
    if phase == BID:
        return made_bids(s) % n
    if phase == PLACE:
        return clockwise(s, int(s.first), placed_runners(s) % n)
    if phase == WINDOW:
        return clockwise(s, int(s.active), int(s.asked)) if s.asked < n else NOBODY
    if phase == SHIELD:
        return int(s.victim)
    if phase == PAYER:
        return int(s.mover) if s.mover >= 0 else NOBODY
    return int(s.active)


def made_bids(s: State) -> int:
    """How many seats have bid, one after the other."""
    count = 0
    while count < s.num_players and s.bid[count] >= 0:
        count += 1
    return count


def placed_runners(s: State) -> int:
    """How many runners are in the Matrix."""
    count = 0
    for seat in range(s.num_players):
        count += int(s.runner[seat] >= 0)
    return count


def choices_fit(s: State) -> bool:
    """PM-89: what is offered is what the phase allows, and a choice."""
    if s.phase >= FINISHED:
        return True
    seat = asked_seat(s)
    if seat == NOBODY:
        return bool(s.mover == OVER)  # it was cut off there
    if s.choice_block != BLOCK[s.phase] or s.choice_simple != simple_actions(s):
        return False
    if s.choices[0] != members(s, seat, 0) or s.choices[1] != members(s, seat, 1):
        return False
    return only_choice(s) == UNDECIDED and is_worth_asking(s)


BLOCKS = {
    BID: BID_BLOCK, PLACE: START_BLOCK, BEFORE_ROLL: USE_BLOCK, FAIL: USE_BLOCK, MOVE: MOVE_BLOCK,
    NODE: NODE_BLOCK, GIVE: GIVE_BLOCK, DIVIDE: GIVE_BLOCK, STEAL: STEAL_BLOCK, SHIELD: USE_BLOCK,
    PAYER: PAYER_BLOCK, FLIP: FLIP_BLOCK, INVERT: INVERT_BLOCK, RUNNER: RUNNER_BLOCK, TELEPORT: TELEPORT_BLOCK,
    SWAP: SWAP_BLOCK, RECLAIM: RECLAIM_BLOCK, RECALL: 0, DISCARD: DISCARD_BLOCK, DISCARD_RIVAL: DISCARD_BLOCK,
    WINDOW: USE_BLOCK, ORDER: FIRST_BLOCK,
}  # fmt: skip
BLOCK: IntArray = np.array([BLOCKS[phase] for phase in range(FINISHED)], np.int64)
"""[phase]: the block of actions that it offers, 0 if none."""


def simple_actions(s: State) -> int:
    """Which of the actions 0..3 the phase offers, as bits."""
    phase = int(s.phase)
    if phase == BEFORE_ROLL:
        return end_of_uses(s)
    if phase == RECALL:
        return 1 << PASS | 1 << RECALL_IT
    return 1 << PASS if phase in (FAIL, SHIELD, WINDOW) else 0


def members(s: State, seat: int, word: int) -> int:
    """Which members of its block the phase offers to a seat, as bits of one word."""
    phase = int(s.phase)
    if phase == BEFORE_ROLL:
        return uses_before_roll(s, word)
    if phase == WINDOW:
        return reactions_of(s, seat, word)
    if phase in (SHIELD, FAIL):
        return fitting(s, seat, ON_STEAL if phase == SHIELD else FAILING, word)
    if phase == RECLAIM:
        return int(s.marker[seat, word])
    if phase == DISCARD:
        in_hand = node_bit(HAND) if word == node_word(HAND) and s.hand[seat] > 0 else 0
        return int(s.marker[seat, word]) | in_hand
    if phase == DISCARD_RIVAL:
        return rival_markers(s, word)
    return few_members(s, seat) if word == 0 else 0


def few_members(s: State, seat: int) -> int:
    """The same for blocks of squares, seats or numbers."""
    phase = int(s.phase)
    matrix = int(MATRIX[s.num_players])
    if phase == MOVE:
        return int(s.choices[0])  # PM-21: `destinations_fit` looks at them
    if phase == NODE:
        return TILE & ~blackouts(s, int(s.runner[seat]))
    if phase in (GIVE, STEAL):
        return others(s)
    if phase == DIVIDE:
        return takers(s)
    if phase == FLIP:
        return matrix & ~int(s.occupied)
    if phase == INVERT:
        return partly_black(s)
    if phase == TELEPORT:
        return open_squares(s)
    if phase == SWAP:
        return matrix & ~(1 << int(s.node_square))
    if phase == RUNNER:
        return (1 << int(s.num_players)) - 1
    if phase == PAYER:
        return payers(s, seat)
    if phase == ORDER:
        return announcers(s) >> 1
    if phase == PLACE:
        return free_starts(s)
    return (1 << (HIGHEST_BID + 1)) - 1 if phase == BID else 0


def is_worth_asking(s: State) -> bool:
    """PM-30: what cannot be done is not asked for."""
    phase, seat = int(s.phase), int(s.active)
    if phase == GIVE:
        return bool(s.credits[seat] > 0)
    if phase == STEAL:
        return others_have_credits(s)
    if phase == RUNNER:
        return open_squares(s) != 0
    if phase == RECALL:
        return bool(s.discarded[seat] > 0) and not has_marker(s, seat)
    return phase != ORDER or order_matters(s, announcers(s))


# -- the roll and the move ----------------------------------------------------------------------


def has_failed(s: State) -> bool:
    """PM-23, PM-72: there was no move, and that is what the phase is about."""
    if s.phase == TELEPORT:
        return bool(CONDITION[s.code] == FAILING)
    return bool(s.phase == FAIL or (s.phase == DISCARD and s.code == 0))


def destinations_fit(s: State) -> bool:
    """PM-21, PM-22: open squares at the end of a move of that length; none where a move has failed."""
    if s.phase != MOVE and not has_failed(s):
        return True
    start = int(s.runner[s.active])
    ends = int(s.choices[0]) if s.phase == MOVE else 0
    if s.movement <= 0 or ends & ~(open_squares(s) & int(COLOUR[(start + int(s.movement)) % 2])):
        return False
    return ends == reach(open_squares(s), start, int(s.movement))


def dice_fit(s: State) -> bool:
    """PM-14 to PM-17: as many pips as dice have fallen, and the movement that one of them gives."""
    for die in range(DICE):
        if s.dice[die] > DIE or (die < s.rolled) != (s.dice[die] > 0):
            return False
    if s.phase == ROLL:
        return bool(s.rolled < DICE and s.movement < 0)
    if s.rolled == 0:
        moving = s.phase == MOVE or has_failed(s) or s.window == AT_LANDING
        return bool(s.movement < 0) and not moving
    if s.rolled != DICE or s.phase == BEFORE_ROLL or s.phase == FINISHED:
        return False
    if s.phase == MOVE or has_failed(s) or s.window == AT_LANDING:
        return bool(s.movement == moved_by(s, die_that_counts(s)))
    for die in range(DICE):  # the level may be another one by now
        if s.movement == moved_by(s, int(s.dice[die])):
            return True
    return False


def could_roll(s: State) -> bool:
    """PM-12, PM-24: a marker was in hand before the roll, and is as long as the move is not made."""
    rolling = s.phase == ROLL or s.phase == MOVE or has_failed(s) or s.window == AT_LANDING
    return not rolling or bool(s.hand[s.active] > 0)
