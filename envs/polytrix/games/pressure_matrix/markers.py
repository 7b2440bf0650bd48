"""Blackout Markers and Control Markers on the nodes of the Matrix."""

from __future__ import annotations

from polytrix.core.bits import size
from polytrix.core.state import Array

from .matrix import FIRST_NODES, HALF, PLACES, SHIFT, TILE
from .state import State, blackouts
from .tiles import FACE_CODE


def code_at(s: State, node: int) -> int:
    """The code of a node."""
    return int(FACE_CODE[int(s.up[node // PLACES]), node % PLACES])


def node_bit(node: int) -> int:
    """A set with one node, as its half."""
    return 1 << (node if node < FIRST_NODES else node - FIRST_NODES)


def node_half(node: int) -> int:
    """The half that has the node."""
    return 0 if node < FIRST_NODES else 1


def has_marker(s: State, seat: int) -> bool:
    """Whether a seat has a Control Marker in the Matrix."""
    return (int(s.marker[seat, 0]) | int(s.marker[seat, 1])) != 0


def take_back(s: State, seat: int, node: int) -> None:
    """A Control Marker returns from a node to its owner's hand: PM-65 before the effect that it is used for."""
    s.marker[seat, node_half(node)] ^= node_bit(node)
    s.hand[seat] += 1


def fitting(s: State, seat: int, condition: int, half: int) -> int:
    """The nodes of one half with this condition and a marker of the seat.

    PM-66: not the node that got its marker in this Pressure Phase.
    """
    nodes = int(s.marker[seat, half]) & int(s.control[condition, half])
    just = s.just
    if just >= 0 and node_half(just) == half:
        nodes &= ~node_bit(just)
    return nodes


def markers_home(s: State, square: int) -> None:
    """All Control Markers on a tile return to their owners' hands (PM-44)."""
    half = int(HALF[square])
    for seat in range(s.num_players):
        there = int(s.marker[seat, half]) & TILE << int(SHIFT[square])
        if there:
            s.marker[seat, half] ^= there
            s.hand[seat] += size(there)


def black_out(s: State, square: int, place: int) -> None:
    """Put a Blackout Marker on a node."""
    s.black[HALF[square]] |= 1 << (int(SHIFT[square]) + place)
    if blackouts(s, square) == TILE:
        s.full |= 1 << square


def clear_blackouts(s: State, square: int) -> None:
    """Remove all Blackout Markers from a tile (PM-82: back to the pool)."""
    s.black[HALF[square]] &= ~(TILE << int(SHIFT[square]))
    s.full &= ~(1 << square)


def swap_blackouts(s: State, square: int) -> None:
    """PM-48: blacked out and free nodes of a tile change roles; it has both, so it is not full afterwards."""
    s.black[HALF[square]] ^= TILE << int(SHIFT[square])


def exchange_nodes(halves: Array, one: int, other: int) -> None:
    """Exchange the nodes of two tiles in a set of nodes."""
    one_half, one_shift = int(HALF[one]), int(SHIFT[one])
    other_half, other_shift = int(HALF[other]), int(SHIFT[other])
    changed = (int(halves[one_half]) >> one_shift ^ int(halves[other_half]) >> other_shift) & TILE
    halves[one_half] ^= changed << one_shift
    halves[other_half] ^= changed << other_shift
