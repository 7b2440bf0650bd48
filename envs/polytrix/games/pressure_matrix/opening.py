"""PM-01 to PM-10: the deal, the bids for the first turn, the runners; and all roll-offs."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from polytrix.core.bits import size
from polytrix.core.state import CHANCE

from .choices import offer_one_of
from .effects import Level
from .faces import lay_face, take_unseen
from .matrix import MATRIX, SQUARES, STARTS
from .state import (
    ALL_OF_HALF,
    CREDITS,
    HALF_FACES,
    MARKERS,
    Act,
    Phase,
    Reverse,
    State,
    clockwise,
    places_from,
    put_runner,
)
from .tiles import SETTINGS, Setting

SeatNumbers: TypeAlias = npt.NDArray[np.integer[Any]]


def lay_out(s: State) -> None:
    """An empty table; the first tile is dealt next."""
    s.black[:] = 0
    s.marker[:] = 0
    s.control[:] = 0
    s.unseen[:] = ALL_OF_HALF
    s.choices[:] = 0
    s.choice_block = 0
    s.choice_simple = 0
    s.full = 0
    s.occupied = 0
    s.turns = 0
    s.up[:] = -1
    s.reverse[:] = -1
    s.runner[:] = -1
    s.bid[:] = -1
    s.credits[:] = 0
    s.hand[:] = 0
    for seat in range(s.num_players):
        s.credits[seat] = CREDITS
        s.hand[seat] = MARKERS
    s.discarded[:] = 0
    s.first = -1
    s.active = -1
    s.level = Level.GREEN
    s.turning = 0
    s.tied = 0
    s.roll_seat = -1
    s.roll_dice = 0
    s.roll_sum[:] = 0
    clear_turn(s)
    s.phase = Phase.DEAL
    s.mover = CHANCE
    if SETTINGS[Setting.STACKED]:
        lay_stack(s)


def clear_turn(s: State) -> None:
    """Nothing is rolled, chosen, announced or pending."""
    s.forced = -1
    s.adjust = 0
    s.movement = -1
    s.dice[:] = 0
    s.rolled = 0
    s.window = 0
    s.asked = 0
    s.toll = 0
    s.declared[:] = 0
    s.left[:] = 0
    s.thief = -1
    s.victim = -1
    s.stake = 0
    s.each_next = 0
    s.teleported = -1
    s.resume = 0
    clear_node(s)


def clear_node(s: State) -> None:
    """No node is chosen in this Pressure Phase."""
    s.code = 0
    s.amount = 0
    s.step = 0
    s.node_square = -1
    s.node_place = -1
    s.just = -1
    s.filled = 0
    s.again = 0
    s.won = 0


# -- the deal ----------------------------------------------------------------------------


def deal(s: State, outcome: int) -> None:
    """PM-04, PM-05: a tile with a random side up. PM-93: without its reverse, if reverses are drawn."""
    square = s.turning
    lay_tile(s, square, take_unseen(s, outcome))
    following = int(MATRIX[s.num_players]) >> (square + 1)
    if following:
        s.turning = square + 1 + size((following & -following) - 1)
    else:
        ask_for_bids(s)


def lay_stack(s: State) -> None:
    """PM-96: the tiles in the order of the file, front up."""
    face = 0
    for square in range(SQUARES):
        if int(MATRIX[s.num_players]) >> square & 1:
            s.unseen[face // HALF_FACES] ^= 1 << (face % HALF_FACES)
            lay_tile(s, square, face)
            face += 2
    ask_for_bids(s)


def lay_tile(s: State, square: int, face: int) -> None:
    """Lay a tile whose front or back is up; its reverse is seen unless reverses are drawn."""
    lay_face(s, square, face)
    if s.options.reverse != Reverse.DRAWN:
        s.reverse[square] = face ^ 1
        s.unseen[face // HALF_FACES] ^= 1 << ((face ^ 1) % HALF_FACES)


def ask_for_bids(s: State) -> None:
    """The table is laid; seat 0 bids first."""
    s.turning = -1
    offer_one_of(s, 0, Phase.BID, Act.BID, possible_bids())


def possible_bids() -> int:
    """PM-06, PM-94: the bids, as bits."""
    return (1 << (int(SETTINGS[Setting.BID]) + 1)) - 1


# -- bids ---------------------------------------------------------------------------------


def bids_revealed(s: State) -> bool:
    """PM-06, PM-90: whether all seats have bid; they bid in order."""
    return bool(s.bid[s.num_players - 1] >= 0)


def make_bid(s: State, credits: int) -> None:
    """Make a secret bid; the last one reveals all."""
    seat = s.mover
    s.bid[seat] = credits
    if seat + 1 < s.num_players:
        offer_one_of(s, seat + 1, Phase.BID, Act.BID, possible_bids())
        return
    roll_off(s, with_most(s.bid, s.num_players, 0), Phase.BID_DICE)


def begin_with(s: State, seat: int) -> None:
    """PM-07: the first player pays its bid. PM-09: it places its runner first."""
    s.credits[seat] -= int(s.bid[seat])
    s.first = seat
    s.active = seat
    offer_start(s, seat)


def offer_start(s: State, seat: int) -> None:
    """PM-09: ask a seat to place its runner on a free corner or, with five players, in the free centre."""
    free = 0
    for place in range(5):
        square = int(STARTS[s.num_players, place])
        if square >= 0 and not s.occupied >> square & 1:
            free |= 1 << place
    offer_one_of(s, seat, Phase.PLACE, Act.START, free)


def place_runner(s: State, place: int) -> None:
    """Place a runner; then the next seat does, or the first turn begins (PM-10)."""
    seat = s.mover
    put_runner(s, seat, int(STARTS[s.num_players, place]))
    following = clockwise(s, seat, 1)
    if following == s.first:
        s.phase = Phase.TURN
    else:
        offer_start(s, following)


# -- roll-offs (PM-08, PM-43) ---------------------------------------------------------------


def roll_off(s: State, tied: int, phase: int) -> None:
    """The seats in `tied` roll until one has the highest total; a single one wins without rolling."""
    s.tied = tied
    s.phase = phase
    s.mover = CHANCE
    s.roll_sum[:] = 0
    roller = next_roller(s, 0)
    if tied & (tied - 1) == 0:
        end_roll_off(s, roller)
    else:
        s.roll_seat = roller
        s.roll_dice = dice_of_roll_off(s)


def dice_of_roll_off(s: State) -> int:
    """The number of dice that each seat rolls (PM-08, PM-43)."""
    return 3 if s.phase == Phase.BID_DICE else 1


def first_to_roll(s: State) -> int:
    """The seat from which rolling goes clockwise: seat 0 for the first turn, later the active seat."""
    return 0 if s.phase == Phase.BID_DICE else s.active


def next_roller(s: State, places: int) -> int:
    """The next tied seat, from `places` to the left of the first to roll; -1 if all have rolled."""
    for distance in range(places, s.num_players):
        seat = clockwise(s, first_to_roll(s), distance)
        if s.tied >> seat & 1:
            return seat
    return -1


def roll_off_die(s: State, pips: int) -> None:
    """Roll one die of a roll-off."""
    seat = s.roll_seat
    s.roll_sum[seat] += pips
    s.roll_dice -= 1
    if s.roll_dice > 0:
        return
    following = next_roller(s, places_from(s, first_to_roll(s), seat) + 1)
    if following >= 0:
        s.roll_seat = following
        s.roll_dice = dice_of_roll_off(s)
        return
    roll_off(s, with_most(s.roll_sum, s.num_players, 1), s.phase)  # seats that did not roll have 0


def end_roll_off(s: State, winner: int) -> None:
    """The winner has the first turn, or chooses which of the richest seats pays."""
    s.tied = 0
    s.roll_seat = -1
    s.roll_dice = 0  # PM-97: lots roll none
    s.roll_sum[:] = 0
    if s.phase == Phase.BID_DICE:
        begin_with(s, winner)
    else:
        offer_payer(s, winner)


def richest(s: State) -> int:
    """PM-42: the seats with the most Credits, as bits; none if no seat has any."""
    return with_most(s.credits, s.num_players, 1)


def with_most(amounts: SeatNumbers, players: int, least: int) -> int:
    """The seats with the largest amount, as bits; amounts below `least` do not count."""
    most = least
    seats = 0
    for seat in range(players):
        amount = int(amounts[seat])
        if amount > most:
            most = amount
            seats = 0
        if amount == most:
            seats |= 1 << seat
    return seats


def offer_payer(s: State, chooser: int) -> None:
    """PM-43: the winner of the roll-off chooses among all seats that were tied."""
    leaders = richest(s)
    members = 0
    for seat in range(s.num_players):
        if leaders >> seat & 1:
            members |= 1 << places_from(s, chooser, seat)
    offer_one_of(s, chooser, Phase.PAYER, Act.PAYER, members)
