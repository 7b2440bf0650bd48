"""Features that long random play must reach, counted for each step from the states before and after it."""

from __future__ import annotations

from polytrix.core.bits import size
from polytrix.core.constants import Constants
from polytrix.core.state import CHANCE, IntArray

from .effects import CATALOGUE, CONDITION, When
from .ending import score, winners
from .markers import node_bit, node_half
from .matrix import PLACES
from .movement import is_triple
from .state import Phase, State, Window, blackouts
from .tiles import FACE_CODE

_EFFECTS = tuple(f"effect {effect.code}" for effect in CATALOGUE)
_ASKED = tuple(f"asked {phase}" for phase in Phase.names()[: Phase.OVER])
_OTHERS = (
    "the bids are tied",
    "the bids' roll-off is tied",
    "the richest are tied",
    "the richest's roll-off is tied",
    "a reaction to a landing is offered",
    "a reaction to a win is offered",
    "a reaction to a full tile is offered",
    "the active seat may react to its own full tile",
    "a SHIELD against a node is offered",
    "a SHIELD against a TOLL is offered",
    "a SHIELD against a TAX is offered",
    "a marker is put on a node",
    "a marker takes the place of a rival's",
    "the own marker stays on its node",
    "a tile is filled",
    "a reverse is drawn",
    "the active runner is teleported",
    "triples",
    "no movement",
    "a move fails",
    "a marker is lost as a penalty",
    "a frozen seat can be saved",
    "a roll as if at another level",
    "frozen by choice",
    "frozen without a choice",
    "one winner",
    "a tie broken by markers",
    "a shared win",
    "a draw of all",
    "cut off",
    "cut off after chance",
)
FEATURES = _EFFECTS + _ASKED + _OTHERS


class Feature(Constants):
    """The first effect, the first question, and each of the other features."""

    EFFECT = 0
    ASKED = len(_EFFECTS)
    (
        BIDS_TIED, BIDS_TIED_AGAIN, RICHEST_TIED, RICHEST_TIED_AGAIN, OFFER_AT_LANDING, OFFER_AT_WIN,
        OFFER_AT_FULL, OWN_OFFER, SHIELD_NODE, SHIELD_TOLL, SHIELD_TAX, MARKER_PUT, MARKER_REPLACES,
        MARKER_STAYS, FILLED, DRAWN_REVERSE, TO_NEW_PHASE, TRIPLES, NO_MOVEMENT, FAILED, PENALTY, SAVED,
        OTHER_LEVEL, FROZEN_BY_CHOICE, FROZEN, ONE_WINNER, BROKEN_TIE, SHARED_WIN, DRAW, CUT_OFF,
        CUT_OFF_AFTER_CHANCE,
    ) = range(len(_EFFECTS) + len(_ASKED), len(FEATURES))  # fmt: skip


def cover(before: State, s: State, seen: IntArray) -> None:
    """Count the features of a step."""
    if s.effects != before.effects:
        seen[Feature.EFFECT + int(s.last_effect) - 1] += 1
    if s.mover >= 0:
        cover_question(s, seen)
    elif s.mover == CHANCE:
        cover_dice(before, s, seen)
    else:
        cover_end(before, s, seen)
    if before.mover >= 0 and before.phase == Phase.NODE:
        cover_node(before, s, seen)
    if before.mover >= 0 and before.phase == Phase.TELEPORT and before.teleported == before.active:
        seen[Feature.TO_NEW_PHASE] += 1
    if size(int(s.full)) > size(int(before.full)):
        seen[Feature.FILLED] += 1
    if before.mover == CHANCE and before.phase == Phase.REVERSE:
        seen[Feature.DRAWN_REVERSE] += 1
    if before.mover == CHANCE and before.phase == Phase.ROLL and before.rolled == 2:
        cover_roll(before, s, seen)


def cover_question(s: State, seen: IntArray) -> None:
    """The question to a seat."""
    seen[Feature.ASKED + int(s.phase)] += 1
    if s.phase == Phase.WINDOW:
        seen[Feature.OFFER_AT_LANDING + int(s.window) - Window.LANDING] += 1
        if s.window == Window.FULL and s.mover == s.active:
            seen[Feature.OWN_OFFER] += 1
    elif s.phase == Phase.SHIELD:
        if s.window == Window.LANDING:
            seen[Feature.SHIELD_TOLL] += 1
        elif s.window == Window.WIN:
            seen[Feature.SHIELD_TAX] += 1
        else:
            seen[Feature.SHIELD_NODE] += 1
    elif s.phase == Phase.BEFORE_ROLL and s.hand[s.active] == 0:
        seen[Feature.SAVED] += 1
    elif s.phase == Phase.DISCARD and s.code == 0:
        seen[Feature.PENALTY] += 1


def cover_dice(before: State, s: State, seen: IntArray) -> None:
    """Roll-offs that begin, for the first time or after another tie."""
    fresh = True
    for seat in range(s.num_players):
        if s.roll_sum[seat] > 0:
            fresh = False
    if not fresh or (s.phase != Phase.BID_DICE and s.phase != Phase.LEADER_DICE):
        return
    again = before.phase == s.phase and before.roll_seat >= 0
    if s.phase == Phase.BID_DICE:
        seen[Feature.BIDS_TIED_AGAIN if again else Feature.BIDS_TIED] += 1
    else:
        seen[Feature.RICHEST_TIED_AGAIN if again else Feature.RICHEST_TIED] += 1


def cover_node(before: State, s: State, seen: IntArray) -> None:
    """Markers at a special node that has been blacked out, unless its tile has been turned over since."""
    square = int(before.runner[before.active])
    added = blackouts(s, square) & ~blackouts(before, square)
    if added == 0 or added & (added - 1) or s.up[square] != before.up[square]:
        return
    place = size(added - 1)
    if CONDITION[FACE_CODE[int(s.up[square]), place]] == When.INSTANT:
        return
    node = PLACES * square + place
    half, bit = node_half(node), node_bit(node)
    seat = int(before.active)
    if int(before.marker[seat, half]) & bit:
        seen[Feature.MARKER_STAYS] += 1
    elif int(s.marker[seat, half]) & bit:
        seen[Feature.MARKER_PUT] += 1
        for other in range(s.num_players):
            if int(before.marker[other, half]) & bit:
                seen[Feature.MARKER_REPLACES] += 1


def cover_roll(before: State, s: State, seen: IntArray) -> None:
    """The third die, and what follows without a question."""
    if s.rolled == 3:
        if is_triple(s):
            seen[Feature.TRIPLES] += 1
        if s.movement == 0:
            seen[Feature.NO_MOVEMENT] += 1
    lost = s.discarded[before.active] > before.discarded[before.active]
    if lost or (s.phase == Phase.DISCARD and s.code == 0):
        seen[Feature.FAILED] += 1
    if before.forced >= 0 and before.forced != before.level:
        seen[Feature.OTHER_LEVEL] += 1


def cover_end(before: State, s: State, seen: IntArray) -> None:
    """The end of a game."""
    if s.truncated:
        seen[Feature.CUT_OFF] += 1
        if before.mover == CHANCE:
            seen[Feature.CUT_OFF_AFTER_CHANCE] += 1
    elif before.mover >= 0 and before.phase == Phase.BEFORE_ROLL and before.hand[before.active] == 0:
        seen[Feature.FROZEN_BY_CHOICE] += 1
    else:
        seen[Feature.FROZEN] += 1
    best = winners(s)
    count = size(best)
    level_scores = 0
    for seat in range(s.num_players):
        if best >> seat & 1 == 0:
            for other in range(s.num_players):
                if best >> other & 1 and score(s, other) == score(s, seat):
                    level_scores += 1
    if level_scores:
        seen[Feature.BROKEN_TIE] += 1
    if count == 1:
        seen[Feature.ONE_WINNER] += 1
    elif count == s.num_players:
        seen[Feature.DRAW] += 1
    else:
        seen[Feature.SHARED_WIN] += 1
