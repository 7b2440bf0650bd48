"""PM-11 to PM-28: a turn until its Pressure Phase."""

from __future__ import annotations

from polytrix.core.state import CHANCE, OVER

from .choices import can_use, offer, offer_before_roll, offer_one_of, offer_uses
from .effects import Level, When
from .markers import code_at, node_bit, node_half, take_back
from .matrix import PLACES
from .opening import clear_turn
from .reach import reach
from .reactions import open_window
from .state import HAND, Act, Phase, State, Window, clockwise, open_squares, put_runner
from .tiles import FACE_AMOUNT, SETTINGS, Setting


def begin_turn(s: State) -> None:
    """The active seat's turn begins."""
    clear_turn(s)
    s.turns += 1
    s.phase = Phase.READY


def next_turn(s: State) -> None:
    """PM-10, PM-34: turns go clockwise. PM-95: the last one ends the game."""
    if 0 < SETTINGS[Setting.TURNS] <= s.turns:
        clear_turn(s)
        s.phase = Phase.OVER
        s.mover = OVER
        return
    s.active = clockwise(s, s.active, 1)
    s.phase = Phase.TURN


# -- before the roll ------------------------------------------------------------------------


def ask_before_roll(s: State) -> None:
    """PM-11, PM-12: ask the active seat; no effect is being carried out any more."""
    s.code = 0
    s.amount = 0
    offer_before_roll(s)


def decide_before_roll(s: State, action: int) -> None:
    """Roll the dice, or end the game with an empty hand."""
    if action == Act.ROLL:
        s.phase = Phase.ROLL
        s.mover = CHANCE
    else:
        s.phase = Phase.OVER  # PM-13, PM-86
        s.mover = OVER


def use_control(s: State, node: int) -> None:
    """PM-65: a marker returns to hand; then the effect of its node is carried out."""
    take_back(s, s.active, node)
    s.code = code_at(s, node)
    s.amount = FACE_AMOUNT[int(s.up[node // PLACES]), node % PLACES]
    s.step = 0
    s.phase = Phase.EFFECT


# -- the roll and the move ------------------------------------------------------------------


def roll_die(s: State, pips: int) -> None:
    """PM-14: three dice."""
    s.dice[s.rolled] = pips
    s.rolled += 1
    if s.rolled == 3:
        s.phase = Phase.ROLLED


def die_that_counts(s: State) -> int:
    """PM-14, PM-15: the lowest, middle or highest die, by the level or, PM-17, the one that LEVEL sets."""
    one, two, three = int(s.dice[0]), int(s.dice[1]), int(s.dice[2])
    lowest, highest = min(one, two, three), max(one, two, three)
    level = s.forced if s.forced >= 0 else s.level
    if level == Level.GREEN:
        return lowest
    if level == Level.RED:
        return highest
    middle = one + two + three - lowest - highest
    if middle == lowest:  # of two equal dice and another, the other counts
        return highest
    return lowest if middle == highest else middle


def moved_by(s: State, pips: int) -> int:
    """PM-16: the movement with this die."""
    return max(0, pips + s.adjust)


def measure_move(s: State) -> None:
    """PM-16, PM-26: work out the movement; ask for the move, an ESCAPE or the penalty."""
    s.movement = moved_by(s, die_that_counts(s))
    if s.movement == 0:
        s.phase = Phase.MOVED
        return
    squares = reach(open_squares(s), int(s.runner[s.active]), s.movement)
    if squares:
        offer_one_of(s, s.active, Phase.MOVE, Act.MOVE, squares)
    elif can_use(s, s.active, When.FAILING) and open_squares(s):  # PM-72
        offer_uses(s, s.active, Phase.FAIL, 1 << Act.PASS, When.FAILING)
    else:
        ask_penalty(s)


def move(s: State, square: int) -> None:
    """PM-21: put the runner on its destination."""
    put_runner(s, s.active, square)
    s.phase = Phase.MOVED


def end_movement(s: State) -> None:
    """PM-28: triples lower the level. PM-73: rivals may use a TOLL."""
    if s.dice[0] == s.dice[1] == s.dice[2]:
        s.level = max(Level.GREEN, s.level - 1)
    open_window(s, Window.LANDING, Phase.PRESSURE)


# -- a failed move --------------------------------------------------------------------------


def ask_penalty(s: State) -> None:
    """PM-23, PM-24: the active seat loses a marker from hand or Matrix."""
    s.resume = Phase.PENALISED
    offer_discard(s)


def end_penalty(s: State) -> None:
    """PM-23, PM-25: the level rises, and the turn is over."""
    s.level = min(Level.RED, s.level + 1)
    s.phase = Phase.NEXT


def offer_discard(s: State) -> None:
    """PM-59: the active seat chooses one of its markers."""
    seat = s.active
    second = int(s.marker[seat, 1])
    if s.hand[seat] > 0:
        second |= node_bit(HAND)
    offer(s, seat, Phase.DISCARD, 0, Act.DISCARD, int(s.marker[seat, 0]), second)


def discard(s: State, member: int) -> None:
    """The marker leaves the game."""
    seat = s.active
    if member == HAND:
        s.hand[seat] -= 1
    else:
        s.marker[seat, node_half(member)] ^= node_bit(member)
    s.discarded[seat] += 1
    s.phase = s.resume
