"""PM-73 to PM-79: reactions of seats to an event.

A window opens for one kind of reaction: all seats announce first, then the effects happen.
SHIELD has no window: its owner is asked whenever Credits are about to be stolen.
"""

from __future__ import annotations

from polytrix.core.bits import lowest

from .choices import can_use, offer, offer_one_of, offer_uses
from .effects import When
from .faces import turn_over
from .markers import fitting, take_back
from .matrix import HALF, PLACES, SHIFT, TILE
from .state import Act, Phase, State, Window, clockwise
from .tiles import FACE_AMOUNT

# -- announcing -----------------------------------------------------------------------------


def window_condition(s: State) -> int:
    """The condition of the nodes that the window is for."""
    if s.window == Window.LANDING:
        return When.ON_LANDING
    return When.ON_WIN if s.window == Window.WIN else When.ON_FULL


def window_nodes(s: State, half: int) -> int:
    """Nodes of one half that any seat could use; a TOLL must be on the active runner's tile."""
    nodes = int(s.control[window_condition(s), half])
    if s.window == Window.LANDING:
        square = int(s.runner[s.active])
        nodes &= TILE << int(SHIFT[square]) if half == HALF[square] else 0
    return nodes


def reactions_of(s: State, seat: int, half: int) -> int:
    """Nodes of one half whose markers the seat could use."""
    return fitting(s, seat, window_condition(s), half) & window_nodes(s, half)


def open_window(s: State, window: int, afterwards: int) -> None:
    """PM-77: announcements go clockwise from the active seat, which takes part only in those to a full tile."""
    s.window = window
    if window_nodes(s, 0) | window_nodes(s, 1):
        s.asked = 0 if window == Window.FULL else 1
        s.phase = Phase.ASK
    else:
        s.window = Window.NONE
        s.phase = afterwards


def ask_next(s: State) -> None:
    """Ask the next seat that can react; after the last one the effects happen."""
    while s.asked < s.num_players:
        seat = clockwise(s, s.active, s.asked)
        first, second = reactions_of(s, seat, 0), reactions_of(s, seat, 1)
        if first | second:
            offer(s, seat, Phase.WINDOW, 1 << Act.PASS, Act.USE, first, second)
            return
        s.asked += 1
    s.phase = Phase.RESOLVE


def announce(s: State, node: int) -> None:
    """Use a marker; the seat may use more."""
    take_back(s, s.mover, node)
    s.declared[s.mover] += 1
    if s.window == Window.LANDING:
        s.toll = FACE_AMOUNT[int(s.up[node // PLACES]), node % PLACES]
    s.phase = Phase.ASK


def stay_silent(s: State) -> None:
    """Use no more markers; the next seat is asked."""
    s.asked += 1
    s.phase = Phase.ASK


# -- carrying out ---------------------------------------------------------------------------


def resolve_next(s: State, afterwards: int) -> None:
    """PM-78: one announced effect happens; the active seat chooses whose, where the order can matter."""
    waiting = announcers(s)
    if waiting == 0:
        s.window = Window.NONE
        s.toll = 0
        s.phase = afterwards
    elif order_matters(s, waiting):
        offer_one_of(s, s.active, Phase.ORDER, Act.FIRST, waiting >> 1)
    else:
        resolve(s, clockwise(s, s.active, lowest(waiting)))


def announcers(s: State) -> int:
    """Seats with announced effects, as bits: bit k is the seat k places to the left of the active one."""
    waiting = 0
    for places in range(s.num_players):
        if s.declared[clockwise(s, s.active, places)] > 0:
            waiting |= 1 << places
    return waiting


def order_matters(s: State, waiting: int) -> bool:
    """PM-78: whether several seats tax more than the active seat has."""
    if s.window != Window.WIN or waiting & (waiting - 1) == 0:
        return False
    claims = 0
    for seat in range(s.num_players):
        claims += int(s.declared[seat])
    return bool(0 < s.credits[s.active] < claims * s.won)


def resolve(s: State, seat: int) -> None:
    """Carry out an effect that the seat has announced."""
    s.declared[seat] -= 1
    if s.window == Window.LANDING:
        take(s, seat, s.active, s.toll, Phase.RESOLVE)
    elif s.window == Window.WIN:
        take(s, seat, s.active, s.won, Phase.RESOLVE)
    elif s.full >> s.node_square & 1:
        turn_over(s, s.node_square, Phase.RESOLVE)
    else:  # PM-76: turned over already
        s.phase = Phase.RESOLVE


# -- stealing -------------------------------------------------------------------------------


def take(s: State, thief: int, victim: int, amount: int, afterwards: int) -> None:
    """PM-40, PM-83: steal at most what the victim has. PM-75: a SHIELD may stop it."""
    stake = min(amount, int(s.credits[victim]))
    if stake > 0 and can_use(s, victim, When.ON_STEAL):
        s.thief = thief
        s.victim = victim
        s.stake = stake
        s.resume = afterwards
        offer_uses(s, victim, Phase.SHIELD, 1 << Act.PASS, When.ON_STEAL)
        return
    transfer(s, victim, thief, stake)
    s.phase = afterwards


def answer_steal(s: State, action: int) -> None:
    """The victim uses its SHIELD or not."""
    if action == Act.PASS:
        transfer(s, s.victim, s.thief, s.stake)
    else:
        take_back(s, s.victim, action - Act.USE)
    s.thief = -1
    s.victim = -1
    s.stake = 0
    s.phase = s.resume


def transfer(s: State, giver: int, taker: int, credits: int) -> None:
    """Move Credits from one seat to another."""
    s.credits[giver] -= credits
    s.credits[taker] += credits
