"""PM-35 to PM-43: winning, paying, giving and stealing Credits."""

from __future__ import annotations

from polytrix.core.bits import lowest, size

from .choices import offer_one_of
from .effects import HowMuch, Whom
from .opening import richest, roll_off
from .reactions import open_window, take, transfer
from .state import Act, Phase, State, Window, blackouts, clockwise


def gain(s: State, how: int) -> None:
    """PM-35, PM-36, PM-70: WIN. PM-74: a TAX may answer a node of this phase, but not HARVEST."""
    credits = gain_of(s, how)
    s.credits[s.active] += credits
    if s.node_square >= 0:
        s.won = credits
        open_window(s, Window.WIN, Phase.EFFECT)


def gain_of(s: State, how: int) -> int:
    """The Credits that WIN brings now."""
    if how == HowMuch.AMOUNT:
        return s.amount
    if how == HowMuch.BY_LEVEL:
        return 1 + s.level
    if how == HowMuch.BY_BLACKOUTS:
        return size(blackouts(s, s.node_square))
    return min(s.amount, size(s.full))  # by full tiles


def lose(s: State, whom: int) -> None:
    """PM-37, PM-42: PAY, by the active seat or the richest one; PM-43: several richest seats roll."""
    if whom != Whom.LEADER:
        pay(s, s.active)
        return
    leaders = richest(s)
    if leaders == 0:
        return
    if leaders & (leaders - 1):
        roll_off(s, leaders, Phase.LEADER_DICE)
    else:
        pay(s, lowest(leaders))


def pay(s: State, seat: int) -> None:
    """PM-37: a seat pays at most what it has."""
    s.credits[seat] -= min(s.amount, int(s.credits[seat]))


def choose_payer(s: State, places: int) -> None:
    """PM-43: the winner of the roll-off has chosen."""
    pay(s, clockwise(s, s.mover, places))
    s.phase = Phase.EFFECT


def others(s: State) -> int:
    """All seats but the active one, as bits: bit k is the seat k + 1 places to its left."""
    return (1 << (s.num_players - 1)) - 1


def give(s: State, whom: int) -> None:
    """PM-38, PM-39: GIVE; nothing is asked of a seat without Credits."""
    seat = s.active
    if whom == Whom.ONE:
        if s.credits[seat] > 0:
            offer_one_of(s, seat, Phase.GIVE, Act.GIVE, others(s))
        return
    amount = s.amount
    enough = s.credits[seat] >= amount * (s.num_players - 1)
    for places in range(1, s.num_players):
        if enough:
            transfer(s, seat, clockwise(s, seat, places), amount)
        else:
            s.left[clockwise(s, seat, places)] = amount
    if not enough:
        go_on_dividing(s)


def give_one(s: State, places: int) -> None:
    """PM-38, PM-83: the receiver is chosen; it gets at most what the giver has."""
    seat = s.active
    transfer(s, seat, clockwise(s, seat, places), min(s.amount, int(s.credits[seat])))
    s.phase = Phase.EFFECT


def go_on_dividing(s: State) -> None:
    """PM-39: one decision for each Credit, among the seats that may still get one."""
    seat = s.active
    if s.credits[seat] == 0:
        s.left[:] = 0
        s.phase = Phase.EFFECT
        return
    takers = 0
    for places in range(1, s.num_players):
        if s.left[clockwise(s, seat, places)] > 0:
            takers |= 1 << (places - 1)
    offer_one_of(s, seat, Phase.DIVIDE, Act.GIVE, takers)


def divide(s: State, places: int) -> None:
    """Give one Credit."""
    seat = s.active
    taker = clockwise(s, seat, places)
    transfer(s, seat, taker, 1)
    s.left[taker] -= 1
    go_on_dividing(s)


def steal(s: State, whom: int) -> None:
    """PM-40, PM-41: STEAL; nothing is asked if no other seat has Credits."""
    if whom != Whom.ONE:
        s.each_next = 1
        s.phase = Phase.EACH
        return
    if others_have_credits(s):
        offer_one_of(s, s.active, Phase.STEAL, Act.STEAL, others(s))


def others_have_credits(s: State) -> bool:
    """Whether a seat other than the active one has Credits."""
    for places in range(1, s.num_players):
        if s.credits[clockwise(s, s.active, places)] > 0:
            return True
    return False


def steal_from(s: State, places: int) -> None:
    """PM-40: the victim is chosen."""
    seat = s.active
    take(s, seat, clockwise(s, seat, places), s.amount, Phase.EFFECT)


def steal_from_next(s: State) -> None:
    """PM-41: steal from the next seat, clockwise from the thief."""
    places = s.each_next
    if places == s.num_players:
        s.each_next = 0
        s.phase = Phase.EFFECT
        return
    s.each_next = places + 1
    take(s, s.active, clockwise(s, s.active, places), s.amount, Phase.EACH)
