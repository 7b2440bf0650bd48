"""A slow, obvious model of the row: a graph of chips and diamonds, straight from the tokens of a deck file.

A place is a chip (junction, 0 or 1) or a diamond (index, "*"); a line joins two places. A row
is a list of (tokens of the face that lies up, turned by 180 degrees or not), from Red's end.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import polytrix.games.resistor

Face: TypeAlias = "tuple[str, ...]"
Row: TypeAlias = "list[tuple[Face, bool]]"
Place: TypeAlias = "tuple[int, Any]"
Line: TypeAlias = "tuple[Place, Place]"

COLOURS = "rb"  # Red's and Blue's; also the number of the seat


def shipped_content() -> dict[str, Any]:
    """The shipped deck file."""
    path = Path(polytrix.games.resistor.__file__).with_name("deck.json")
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def faces_of(content: dict[str, Any]) -> list[list[Face]]:
    """The tokens of sides a and b of each card."""
    return [[tuple(content["faces"][name]) for name in card] for card in content["cards"]]


# -- lines -----------------------------------------------------------------------------------


def chip_at(i: int, turned: bool, edge: str, chip: int) -> Place:
    """RS-04, RS-05: the chip of the row at which the L or R edge of card i has its chip 0 or 1."""
    far = (edge == "R") != turned
    return (i + 1 if far else i, 1 - chip if turned else chip)


@cache
def lines_of(face: Face, turned: bool, i: int, colour: str) -> list[Line]:
    """The lines of a colour on the card at index i; on a diamond face they end at the diamond (RS-07)."""
    found: list[Line] = []
    for token in face:
        if token[0] != colour:
            continue
        if "*" in face:
            found.append((chip_at(i, turned, token[1], int(token[2])), (i, "*")))
        else:
            left = chip_at(i, turned, "L", int(token[1]))
            right = chip_at(i, turned, "R", int(token[2]))
            found.append((left, right))
    return found


class Graph(NamedTuple):
    """The lines of one colour in a row."""

    cards: list[list[Line]]  # the lines of each card
    neighbours: dict[Place, list[Place]]  # the places that each place has a line to

    def main_frame(self, seat: int) -> set[Place]:
        """RS-08: the chips that touch a seat's MainFrame."""
        junction = (0, len(self.cards))[seat]
        return {(junction, 0), (junction, 1)}


def graph_of(row: Row, colour: str) -> Graph:
    """The graph of a colour; lines run in both directions (RS-06)."""
    graph = Graph([lines_of(face, turned, i, colour) for i, (face, turned) in enumerate(row)], {})
    for lines in graph.cards:
        for one, other in lines:
            graph.neighbours.setdefault(one, []).append(other)
            graph.neighbours.setdefault(other, []).append(one)
    return graph


def reached(graph: Graph, start: Iterable[Place]) -> set[Place]:
    """Some places and all that are connected with them."""
    found = set(start)
    waiting = list(found)
    while waiting:
        for place in graph.neighbours.get(waiting.pop(), ()):
            if place not in found:
                found.add(place)
                waiting.append(place)
    return found


# -- what follows from them ------------------------------------------------------------------


def points(graph: Graph) -> int:
    """RS-42, RS-43."""
    if not reached(graph, graph.main_frame(0)) & graph.main_frame(1):
        return 0
    return 2 if has_two_paths(graph) else 1


def has_two_paths(graph: Graph) -> bool:
    """RS-43: whether two paths run from end to end that share nothing and do not cross."""
    for first in paths(graph, []):
        for _ in paths(graph, first):
            return True
    return False


def paths(graph: Graph, other: list[Place]) -> Iterator[list[Place]]:
    """All ways along lines from end to end, no place twice, that keep clear of another way."""
    taken = set(pairwise(other))

    def go_on(path: list[Place]) -> Iterator[list[Place]]:
        if path[-1] in graph.main_frame(1):
            yield path
            return
        for place in graph.neighbours.get(path[-1], ()):
            if place not in path and place not in other and not crosses((path[-1], place), taken):
                yield from go_on([*path, place])

    for start in graph.main_frame(0):
        if start not in other:
            yield from go_on([start])


def crosses(line: Line, others: set[Line]) -> bool:
    """Whether a line from chip to chip crosses one of the others: both change tracks on the same card."""
    (junction, chip), (next_junction, next_chip) = line
    if "*" in (chip, next_chip) or chip == next_chip:
        return False
    crossing = ((junction, next_chip), (next_junction, chip))
    return crossing in others or crossing[::-1] in others


def diamonds(row: Row) -> list[int]:
    """The indices that show a diamond."""
    return [i for i, (face, _) in enumerate(row) if "*" in face]


def reached_frames(graph: Graph, i: int) -> list[bool]:
    """Whether the diamond at index i leads to Red's MainFrame, and to Blue's (RS-34, RS-53)."""
    found = reached(graph, [(i, "*")])
    return [bool(found & graph.main_frame(seat)) for seat in (0, 1)]


def wired(graph: Graph, i: int) -> set[int]:
    """The other cards with a line of this colour that is connected to the diamond at index i (RS-36)."""
    found = reached(graph, [(i, "*")])
    return {j for j, lines in enumerate(graph.cards) if j != i and any(one in found for one, _ in lines)}


def need(graph: Graph) -> int:
    """The least number of cards that a chain from end to end has to ignore.

    Whoever ignores a card comes from any of its chips to any other. So all that can be reached by
    ignoring one card more are the chips of the cards that touch what was reached before.
    """
    found = reached(graph, graph.main_frame(0))
    ignored = 0
    while not found & graph.main_frame(1):
        junctions = {junction for junction, chip in found if chip != "*"}
        near = {other for junction in junctions for other in (junction - 1, junction, junction + 1)}
        found = reached(graph, found | {(junction, chip) for junction in near for chip in (0, 1)})
        ignored += 1
    return ignored
