"""How seats play: Resistors set off, flips in the dark, use of the enemy's cards, damage done."""

from __future__ import annotations

from polytrix.core.behaviour import mean, note, share
from polytrix.core.layout import Layout
from polytrix.core.state import OVER, IntArray

from .state import HAND_SIZE, SWITCHES, Act, State, card_place, index_of, is_known
from .tables import RESISTOR


class Behaviour(Layout):
    """What is counted of a seat."""

    RESISTORS = mean("Resistors that leave the row by its decisions, in a game")
    BLIND = share("flips of a card whose underside it does not know")
    MEDDLES = share("trashed or switched hand cards that are the enemy's")
    FORCES = share("trashed cards that are Resistors, so that the enemy must flip")
    DAMAGE = mean("the enemy's DEFCON level at the end")


def tally(before: State, action: int, s: State, out: IntArray) -> None:
    """Count an action (RS-20 to RS-28), and at the end the levels."""
    seat = before.mover
    out[seat, Behaviour.RESISTORS] += before.length - s.length
    if action < Act.DRAW:
        known = is_known(before, index_of(before, seat, action - Act.FLIP), seat)
        note(out, seat, Behaviour.BLIND, not known)
    elif Act.TRASH <= action < Act.SWITCH:
        which = action - Act.TRASH
        note(out, seat, Behaviour.FORCES, RESISTOR[before.card[card_place(seat, which)]] != 0)
        if which < 2 * HAND_SIZE:
            note(out, seat, Behaviour.MEDDLES, which >= HAND_SIZE)
    elif Act.SWITCH <= action < Act.LOCK:
        note(out, seat, Behaviour.MEDDLES, (action - Act.SWITCH) % SWITCHES >= SWITCHES // 2)
    if s.mover == OVER:
        for each in range(2):
            note(out, each, Behaviour.RESISTORS, 0)
            note(out, each, Behaviour.DAMAGE, s.defcon[1 - each])
