"""PM-56 to PM-64: placing, reclaiming and discarding Control Markers."""

from __future__ import annotations

from .choices import offer
from .effects import MOST_STEPS, WhoseMarker
from .markers import has_marker, node_bit, node_half, take_back
from .movement import offer_discard
from .state import Act, Phase, State


def hold(s: State, node: int) -> None:
    """PM-62: put a marker on the node and send a rival's one home; PM-63, PM-64: exceptions."""
    seat = s.active
    half, bit = node_half(node), node_bit(node)
    if int(s.marker[seat, half]) & bit or s.hand[seat] == 0:
        return
    for other in range(s.num_players):
        if int(s.marker[other, half]) & bit:
            take_back(s, other, node)
    s.marker[seat, half] |= bit
    s.hand[seat] -= 1
    s.just = node


def reclaim(s: State) -> None:
    """PM-56: a marker in the Matrix must be taken back; PM-58: without one, a discarded one may be."""
    seat = s.active
    if has_marker(s, seat):
        offer(s, seat, Phase.RECLAIM, 0, Act.RECLAIM, int(s.marker[seat, 0]), int(s.marker[seat, 1]))
    elif s.discarded[seat] > 0:
        offer(s, seat, Phase.RECALL, 1 << Act.PASS | 1 << Act.RECALL, 0, 0, 0)


def reclaim_from(s: State, node: int) -> None:
    """PM-56: take a marker back without its effect."""
    take_back(s, s.active, node)
    s.phase = Phase.EFFECT


def recall(s: State, action: int) -> None:
    """PM-58: take a discarded marker back, or decline."""
    if action == Act.RECALL:
        s.discarded[s.active] -= 1
        s.hand[s.active] += 1
    s.phase = Phase.EFFECT


def discard_for(s: State, whose: int) -> None:
    """PM-59, PM-61: ask for a marker. PM-60: the effect ends if the seat has none to discard."""
    if whose == WhoseMarker.RIVAL:
        first, second = rival_markers(s, 0), rival_markers(s, 1)
        if first | second:
            offer(s, s.active, Phase.DISCARD_RIVAL, 0, Act.DISCARD, first, second)
    elif s.hand[s.active] > 0 or has_marker(s, s.active):
        s.resume = Phase.EFFECT
        offer_discard(s)
    else:
        s.step = MOST_STEPS


def rival_markers(s: State, half: int) -> int:
    """Nodes of one half with a marker of a seat other than the active one."""
    nodes = 0
    for seat in range(s.num_players):
        if seat != s.active:
            nodes |= int(s.marker[seat, half])
    return nodes


def discard_rival(s: State, node: int) -> None:
    """PM-61: the marker leaves the game."""
    half, bit = node_half(node), node_bit(node)
    for seat in range(s.num_players):
        if int(s.marker[seat, half]) & bit:
            s.marker[seat, half] ^= bit
            s.discarded[seat] += 1
    s.phase = Phase.EFFECT
