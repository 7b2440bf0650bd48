"""How seats play: what they do with their actions, whom they aim at, how many heroes they have."""

from __future__ import annotations

from polytrix.core.behaviour import mean, note, share
from polytrix.core.bits import size
from polytrix.core.layout import Layout
from polytrix.core.state import IntArray

from .state import LEADER_SLOT, SLOTS, Act, Decision, State


class Behaviour(Layout):
    """What is counted of a seat. The first four are shares of all that it decides in its turns."""

    DRAWS = share("decisions of its turns that draw a card")
    RECRUITS = share("decisions of its turns that recruit a hero")
    ATTACKS = share("decisions of its turns that strike, shoot or use a power")
    ORDERS = share("decisions of its turns that play an order")
    LEADER = share("targets chosen among the enemy's that are the leader")
    HEROES = mean("living heroes in its unit when it decides in its turns")


def tally(before: State, action: int, s: State, out: IntArray) -> None:
    """Count an action of a turn (PT-30 to PT-37), or the target of an attack (PT-49)."""
    seat = before.mover
    if before.decision == Decision.TURN:
        note(out, seat, Behaviour.DRAWS, action == Act.DRAW)
        note(out, seat, Behaviour.RECRUITS, Act.RECRUIT <= action < Act.MELEE)
        note(out, seat, Behaviour.ATTACKS, Act.MELEE <= action < Act.ORDER)
        note(out, seat, Behaviour.ORDERS, Act.ORDER <= action < Act.CLEAR)
        note(out, seat, Behaviour.HEROES, size(int(before.heroes[seat])))
    elif before.decision == Decision.TARGET and Act.FOE <= action < Act.FOE + SLOTS:
        note(out, seat, Behaviour.LEADER, action == Act.FOE + LEADER_SLOT)
