"""Actions in words, and notes on what the text of a position leaves out."""

from __future__ import annotations

from polytrix.core.state import CHANCE, OVER

from .effects import CONDITION, When
from .markers import code_at
from .matrix import NODES, PLACES, SQUARES, STARTS, square_name
from .state import ACTIONS, SEAT_NAMES, SEATS, Act, State, blackouts, clockwise
from .text import face_nodes, marker_on, node_label, node_on_board
from .tiles import FACE_AMOUNT, meaning_of

SIMPLE = {
    "roll": "roll the dice and move",
    "freeze": "use no marker: with an empty hand that ends the game",
    "pass": "use no marker, or take none back",
    "recall": "take back a discarded marker",
}
TARGETS = {
    "give": "give to {}",
    "steal": "steal from {}",
    "runner": "teleport the runner of {}",
    "first": "let the reaction of {} happen first",
    "payer": "let {} pay",
}

LEGEND = (
    "seats are numbers: 0 blue, 1 orange, 2 purple, 3 brown, 4 pink; yours has a `*`. `hand`, `board` "
    "and `lost` are Control Markers in hand, in the Matrix and discarded. Each tile of the Matrix has its "
    "square, the runners there in brackets, and its nodes nw, ne, sw, se (upper left to lower right) one "
    "below the other: `#` is blacked out, a number is the seat whose Control Marker is there. `+k` in a move "
    "is the k-th seat to your left, `+0` yourself. A runner that cannot move costs its seat a marker. When a "
    "seat is to roll with no marker in hand, and gets none back by using one on the board, the game ends, and "
    "most Credits and markers in hand win."
)

CLAUSES = {
    "roll": ("PM-11", "PM-14", "PM-15", "PM-16"),
    "freeze": ("PM-12", "PM-13"),
    "pass": ("PM-65",),
    "recall": ("PM-58",),
    "bid": ("PM-06", "PM-07", "PM-08", "PM-90"),
    "start": ("PM-09", "PM-10"),
    "move": ("PM-18", "PM-19", "PM-20", "PM-22"),
    "node": ("PM-29", "PM-30", "PM-31"),
    "use": ("PM-65", "PM-67", "PM-77"),
    "give": ("PM-38", "PM-83"),
    "steal": ("PM-40", "PM-83"),
    "runner": ("PM-50", "PM-52"),
    "first": ("PM-78",),
    "payer": ("PM-42", "PM-43"),
    "flip": ("PM-44", "PM-45"),
    "invert": ("PM-48",),
    "teleport": ("PM-50", "PM-53"),
    "swap": ("PM-54",),
    "reclaim": ("PM-56",),
    "discard": ("PM-24", "PM-59"),
}
"""The clauses that matter most for a kind of action."""


def explain(s: State, action: int) -> str:
    """Say what a legal action does."""
    block, (number,) = ACTIONS.locate(action)
    if block.name in SIMPLE:
        return SIMPLE[block.name]
    if block.name == "bid":
        credits = f"{number} Credit{'s' * (number != 1)}"
        return f"bid {credits} for the first turn; only the highest bid is paid"
    if block.name == "start":
        return f"put your runner on {square_name(int(STARTS[s.num_players, number]))}"
    if block.name in TARGETS:
        return target(s, block.name, clockwise(s, s.mover, number + SEATS - block.size))
    if block.name == "node":
        return black_out(s, int(s.runner[s.mover]), number)
    if block.name in ("use", "reclaim", "discard"):
        return marker(s, block.name, number)
    return tile(s, block.name, number)


def target(s: State, doing: str, seat: int) -> str:
    """What happens to a seat, or its runner."""
    if seat == s.mover:
        return "teleport your own runner" if doing == "runner" else "pay yourself"
    return TARGETS[doing].format(f"{SEAT_NAMES[seat]} ({int(s.credits[seat])} Credits)")


def black_out(s: State, square: int, place: int) -> str:
    """The node to black out, and what it will do."""
    node = PLACES * square + place
    meaning = node_meaning(s, node)
    if CONDITION[code_at(s, node)] != When.INSTANT:
        meaning = f"puts a Control Marker of yours there, for later: {meaning}"
    return f"black out {node_on_board(s, node)}: {meaning}"


def node_meaning(s: State, node: int) -> str:
    """What a node does, with its amount."""
    return meaning_of(code_at(s, node), int(FACE_AMOUNT[int(s.up[node // PLACES]), node % PLACES]))


def marker(s: State, doing: str, node: int) -> str:
    """What happens to a Control Marker."""
    if node == NODES:
        return "discard a marker from your hand"
    where = f"on {node_on_board(s, node)}"
    owner = marker_on(s, node)
    whose = "your marker" if owner == s.mover else f"{SEAT_NAMES[owner]}'s marker"
    if doing == "use":
        return f"use {whose} {where}: {node_meaning(s, node)}"
    return f"take {whose} {where} back" if doing == "reclaim" else f"discard {whose} {where}"


def tile(s: State, doing: str, square: int) -> str:
    """What happens to a tile, or the square where a runner goes."""
    name = square_name(square)
    if doing == "move":
        return f"move your runner to {name}; free there: {free_nodes(s, square)}"
    if doing == "teleport":
        return f"put the runner on {name}; free there: {free_nodes(s, square)}"
    if doing == "swap":
        return f"exchange your tile with that on {name}"
    if doing == "invert":
        return f"invert the tile on {name}: blacked out will be {free_nodes(s, square)}"
    reverse = int(s.reverse[square])
    return f"turn over the tile on {name}: " + (
        "up comes " + ", ".join(face_nodes(reverse)) if reverse >= 0 else "nobody has seen its other side"
    )


def free_nodes(s: State, square: int) -> str:
    """The nodes of a tile that are not blacked out, with the seats of their markers."""
    words = []
    for node in range(PLACES * square, PLACES * (square + 1)):
        if not blackouts(s, square) >> node % PLACES & 1:
            owner = marker_on(s, node)
            words.append(node_label(s, node) + ("" if owner < 0 else f" ({SEAT_NAMES[owner]}'s marker)"))
    return ", ".join(words) or "nothing"


def notes(s: State, seat: int) -> list[str]:
    """The pending events that the text leaves out."""
    if s.mover == OVER:
        return []
    lines = []
    if s.node_square >= 0:
        node = PLACES * s.node_square + s.node_place
        lines.append(f"Blacked out in this Pressure Phase: {node_on_board(s, node)}.")
        if s.just == node:
            lines.append("It was given a marker, which cannot be used before the phase is over.")
    if s.filled:
        lines.append("A tile has been filled: the level becomes yellow at the end of the phase.")
    if s.won:
        lines.append(f"Credits won by the node: {s.won}.")
    if s.again:
        lines.append("A new Pressure Phase follows.")
    for what, numbers in (("Reactions announced", s.declared), ("May still be given", s.left)):
        if numbers.any():
            seats = ", ".join(f"{SEAT_NAMES[k]} {n}" for k, n in enumerate(numbers) if n)
            lines.append(f"{what}: {seats}.")
    if s.teleported >= 0:
        lines.append(f"Being teleported: the runner of {SEAT_NAMES[s.teleported]}.")
    return lines + other_sides(s)


def other_sides(s: State) -> list[str]:
    """The other sides of all tiles that are known."""
    known = [square for square in range(SQUARES) if s.up[square] >= 0 and s.reverse[square] >= 0]
    lines = [f"{square_name(square)}: {', '.join(face_nodes(int(s.reverse[square])))}" for square in known]
    return ["The other sides of the tiles (nw, ne, sw, se):", *lines] if lines else []


def secret(s: State, event: int, seat: int) -> bool:
    """PM-06: bids of other seats, but for the last one, which reveals all."""
    if not Act.BID <= event < Act.START or s.mover in (CHANCE, seat):
        return False
    return sum(int(s.bid[other]) < 0 for other in range(s.num_players)) > 1
