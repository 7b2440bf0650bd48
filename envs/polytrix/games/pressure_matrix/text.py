"""The position as text: a header, then every tile with its nodes, `*` blacked out and `@p` a marker of seat p.

    n=2 at=BEFORE_ROLL mover=0 turn=1 level=green active=0
    credits=10,10 hand=4,5 out=0,0 runners=a1,c3
    a1: *FLIP | PAY 1 | SHIELD @0 | WIN 2
    a1/: WIN 4 | PAY 3 | TELEPORT | INVERT

`a1/` is the other side of the tile on a1.
"""

from __future__ import annotations

from collections.abc import Iterable

from polytrix.core.state import OVER

from .effects import Level
from .ending import score, winners
from .markers import node_bit, node_half
from .matrix import MATRIX, PLACES, SQUARES, square_name
from .opening import bids_revealed
from .state import Phase, State, Window, blackouts
from .tiles import FACE_AMOUNT, FACE_CODE, node_text


def text(s: State, seat: int | None) -> str:
    """The position for a terminal, as a seat sees it; None sees everything."""
    return "\n".join([*header(s, seat), *tiles(s)])


def header(s: State, seat: int | None) -> list[str]:
    """Phase, seats and events of the turn."""
    phase = Phase.OVER if s.mover == OVER else int(s.phase)
    n = int(s.num_players)
    words = [f"n={n}", f"at={Phase.names()[phase]}"]
    if s.mover >= 0:
        words.append(f"mover={s.mover}")
    words += [f"turn={s.turns}", f"level={Level.names()[s.level].lower()}"]
    if s.active >= 0:
        words.append(f"active={s.active}")
    seats = [f"credits={joined(s.credits[:n])}", f"hand={joined(s.hand[:n])}", f"out={joined(s.discarded[:n])}"]
    if s.active >= 0:
        seats.append("runners=" + ",".join(square_name(q) if q >= 0 else "-" for q in map(int, s.runner[:n])))
    seats.append("bids=" + ",".join(bid_word(s, other, seat) for other in range(n)))
    return [line for line in (" ".join(words), " ".join(seats), " ".join(events(s))) if line]


def joined(numbers: Iterable[int]) -> str:
    """`1,2,3`."""
    return ",".join(str(int(number)) for number in numbers)


def bid_word(s: State, seat: int, viewer: int | None) -> str:
    """PM-90: `-` before the bid is made, then `?` to others until all are revealed."""
    if s.bid[seat] < 0:
        return "-"
    return str(s.bid[seat]) if bids_revealed(s) or viewer in (seat, None) else "?"


def events(s: State) -> list[str]:
    """The turn so far; the result at the end."""
    if s.mover == OVER:
        n = int(s.num_players)
        best = winners(s)
        words = ["truncated"] if s.truncated else []
        words.append("score=" + joined(score(s, seat) for seat in range(n)))
        return [*words, "winners=" + joined(seat for seat in range(n) if best >> seat & 1)]
    words = []
    if s.rolled:
        words.append("dice=" + joined(s.dice[: s.rolled]))
    if s.adjust:
        words.append(f"adjust={s.adjust:+d}")
    if s.forced >= 0:
        words.append(f"forced={Level.names()[s.forced].lower()}")
    if s.movement >= 0:
        words.append(f"movement={s.movement}")
    if s.code:
        words.append("effect=" + node_text(int(s.code), int(s.amount)).replace(" ", "_"))
    if s.window != Window.NONE:
        words.append(f"window={Window.names()[s.window].lower()}")
    if s.thief >= 0:
        words.append(f"steal={s.stake}:{s.victim}>{s.thief}")
    return words


def tiles(s: State) -> list[str]:
    """One line for each side of a tile."""
    lines = []
    for square in range(SQUARES):
        if not int(MATRIX[s.num_players]) >> square & 1 or s.up[square] < 0:
            continue
        name = square_name(square)
        lines.append(f"{name}: " + " | ".join(node_words(s, square, place) for place in range(PLACES)))
        reverse = int(s.reverse[square])
        if reverse >= 0:
            lines.append(f"{name}/: " + " | ".join(face_nodes(reverse)))
    return lines


def face_nodes(face: int) -> list[str]:
    """The four nodes of a face."""
    return [node_text(int(FACE_CODE[face, place]), int(FACE_AMOUNT[face, place])) for place in range(PLACES)]


def node_words(s: State, square: int, place: int) -> str:
    """A node with its markers."""
    words = face_nodes(int(s.up[square]))[place]
    if blackouts(s, square) >> place & 1:
        words = "*" + words
    owner = marker_on(s, PLACES * square + place)
    return words if owner < 0 else f"{words} @{owner}"


def marker_on(s: State, node: int) -> int:
    """The seat whose Control Marker is on a node, or -1."""
    for seat in range(int(s.num_players)):
        if int(s.marker[seat, node_half(node)]) & node_bit(node):
            return seat
    return -1
