"""The layout of an observation: what `view.py` writes and `greedy.py` and networks read.

Numbers of the same range share a block, so that each is scaled by a bound near to what it usually is.
Own things first, then the same of the opponent. Slots of heroes are 0 1 2 3 5 6 7 8, without the leader's.
"""

from __future__ import annotations

from polytrix.core.layout import Block, Layout

from .cards import TYPES
from .state import COLUMNS, DECISIONS, MATCHES, MOST_FIXED, ROWS, SLOTS

HEROES_SHOWN = (0, 1, 2, 3, 5, 6, 7, 8)
"""Slots in the order of the blocks of heroes."""

# Entries of own_marks and foe_marks.
LIVING, CORPSE, CAPTIVE, ACTED, FRESH, MOVED, HURT, STRUCK, RANGED, INTERCEPT, FRONT, LETHAL = range(12)
# Entries of own_leader_marks and foe_leader_marks.
LEADER_ACTED, LEADER_RANGED, LEADER_FRONT = range(3)
# Entries of effect_kind.
ATTACKING, V_POWER, F_POWER, R_POWER, ORDER_EFFECT, LEADER_EFFECT = range(6)

HERO_LIFE, LEADER_LIFE, LEADER_POWER = 10, 36, 10  # the largest on a card
MOST_DAMAGE, MOST_STRENGTH, MOST_BOOST, MOST_NUMBER, MOST_LEVEL, MOST_LOST = 40, 30, 20, 20, 30, 9
"""Larger numbers are shown as these."""


def _side(name: str, whose: str) -> tuple[Block, ...]:
    """The blocks of one unit."""
    return (
        Block(f"{name}_card", (8, TYPES), f"one-hot: hero or corpse on {whose} hero slots 0 1 2 3 5 6 7 8"),
        Block(
            f"{name}_marks",
            (8, 12),
            "living, corpse, captive, acted, fresh, moved, hurt, struck, Ranged, Intercept, front, lethal",
        ),
        Block(f"{name}_life", (8,), "life of living heroes", high=HERO_LIFE),
        Block(f"{name}_left", (8,), "life less damage, at least 0", high=HERO_LIFE),
        Block(f"{name}_damage", (8,), "damage", high=MOST_DAMAGE),
        Block(
            f"{name}_strength",
            (8,),
            "strength in melee against nobody in particular; "
            "of corpses that may attack 3, of a last strike its own",
            high=MOST_STRENGTH,
        ),
        Block(f"{name}_boost", (8,), "what the strength has from BOOST", high=MOST_BOOST),
        Block(f"{name}_leader", (TYPES,), f"one-hot: {whose} leader card"),
        Block(f"{name}_ability", (TYPES,), "one-hot: the leader ability that it has (PT-13)"),
        Block(f"{name}_leader_marks", (3,), "acted, Ranged, front"),
        Block(f"{name}_leader_life", (2,), "leader's life, life less damage", high=LEADER_LIFE),
        Block(f"{name}_leader_damage", (1,), "leader's damage", high=MOST_DAMAGE),
        Block(f"{name}_leader_strength", (1,), "leader's strength", high=LEADER_POWER),
        Block(f"{name}_level", (1,), "levels on the leader", high=MOST_LEVEL),
    )


OBSERVATIONS = Layout(
    *_side("own", "own"),
    *_side("foe", "opposing"),
    Block("own_hand", (TYPES,), "cards in the own hand"),
    Block("own_known", (TYPES,), "of these, what the opponent knows"),
    Block("foe_known", (TYPES,), "cards known to be in the opponent's hand"),
    Block("own_deck", (TYPES,), "cards in the own deck"),
    Block("foe_unseen", (TYPES,), "the opponent's deck, unknown hand cards, cards set aside and hidden leader"),
    Block("own_discard", (TYPES,), "own discard"),
    Block("foe_discard", (TYPES,), "the opponent's discard"),
    Block("own_out", (TYPES,), "own cards out of the game"),
    Block("foe_out", (TYPES,), "the opponent's cards out of the game"),
    Block("own_in_play", (TYPES,), "own cards that are being carried out"),
    Block("foe_in_play", (TYPES,), "the opponent's cards that are being carried out"),
    Block("own_aside", (TYPES,), "own cards set aside by SIFT"),
    Block("own_top", (MOST_FIXED, TYPES), "one-hot: fixed top cards of the own deck, from the top"),
    Block("counts", (4,), "cards in hand own, foe; in the deck own, foe", high=TYPES),
    Block("fixed", (2,), "fixed top cards of the deck own, foe", high=MOST_FIXED),
    Block("wave", (ROWS,), "one-hot: V, F, R; before a match V if it is known who begins"),
    Block("turn", (4,), "I am first (before a match: will be), I am active, I am the mover, ceasefire"),
    Block("rounds", (3,), "round, rounds left, the option max_rounds", high=100),
    Block("actions", (1,), "actions left in this turn", high=12),
    Block("lost", (4,), "actions to lose in the next wave own, foe; lost in this one", high=MOST_LOST),
    Block("ward", (2,), "WARD own, foe"),
    Block("played", (2,), "orders played in this wave own, foe", high=MOST_LOST),
    Block("match", (1,), "number of the match", high=MATCHES),
    Block("trophies", (3,), "trophies own, foe, needed", high=3),
    Block("options", (5,), "one-hot best_of 1, 3, 5; orders_in_ceasefire; payoff is trophies"),
    Block("decision", (len(DECISIONS),), "one-hot " + ", ".join(DECISIONS)),
    Block("effect_kind", (6,), "one-hot: top effect: attack, power V, F, R, order, leader ability"),
    Block("effect_card", (TYPES,), "one-hot: its card; if a power is copied, the original"),
    Block("effect_mine", (1,), "it is my effect"),
    Block("effect_slot", (2, SLOTS), "one-hot: its hero, own and opposing slots"),
    Block("picked", (2, SLOTS), "slots picked already, or still to come: of a sweep, at the end of a wave"),
    Block(
        "subject",
        (2, SLOTS),
        "one-hot: whom the question is about: hit, picked first or for an amount, fallen, about to strike",
    ),
    Block("number", (1,), "damage pending, or points, recruits, exchanges or cards left", high=MOST_NUMBER),
    Block("attack_kind", (2,), "one-hot: melee, ranged"),
    Block("subject_card", (TYPES,), "one-hot: the card just drawn, to its owner only"),
    Block("chosen_row", (ROWS,), "one-hot: row chosen for recruits"),
    Block("chosen_column", (COLUMNS,), "one-hot: column chosen"),
    Block("chain", (TYPES,), "orders being carried out"),
    Block("clock", (1,), "127 x decisions / max_decisions, rounded down", high=127),
)
