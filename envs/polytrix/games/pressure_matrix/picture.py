"""The position as a picture: the Matrix with its tiles, the gauge and the turn, and a line for each seat.

Every tile shows its four nodes: blacked out ones dark, special ones framed. Control Markers are discs and
runners pawns in the colours of their seats. The nodes of the other side stand below those of this side.
"""

from __future__ import annotations

from typing import NamedTuple

from polytrix.core.state import OVER
from polytrix.core.viewers import Viewer
from polytrix.drawing import Picture, Shape, circle, group, lines_of, place, rect, text, texts
from polytrix.drawing.colours import CARD, FADED, GRID, INK, PAPER

from .effects import CONDITION, Level, When
from .ending import score
from .matrix import FRAME, PLACES, node_name, side_of_matrix, square_name
from .state import SEAT_NAMES, State, blackouts
from .text import TASKS, bid_word, face_nodes, marker_on, on_board, reasons, result, steps
from .tiles import FACE_AMOUNT, FACE_CODE, meaning_of
from .touch import runner_place

GAP = 4
LEFT, TOP = 22, 60
PANEL_WIDTH = 260
SEATS_TOP, SEAT_HEIGHT = 104, 62
PRINT, LINE = 11.5, 12.5  # size of a node's words, and from one line of them to the next

NAMES = tuple(name.capitalize() for name in SEAT_NAMES)
COLORS = ("#1f62c4", "#ad5500", "#7a3fb0", "#7a4a21", "#c4307f")
WHEN_IN_WORDS = (
    "It happens at once when a runner that lands on its tile chooses it.",
    "A special node, with a frame: the player whose marker is on it can use it later.",
)
LEVEL_COLORS = ("#2e9e4f", "#e0b400", "#f0665c")
ON_LEVEL = "#161616"
DARK = "#4a4845"


class Plan(NamedTuple):
    """Where everything is, in pixels."""

    side: int
    """Tiles along an edge of the Matrix."""
    tile: int
    """The edge of a tile."""
    panel: tuple[int, int]
    """Upper left corner of what stands beside or below the Matrix."""

    @property
    def node(self) -> int:
        """The edge of a node."""
        return (self.tile - 8) // 2


def draw(s: State, seat: Viewer) -> Picture:
    """The position as a viewer sees it; None sees all bids."""
    side = side_of_matrix(s.num_players)
    tile = min(152, 470 // side - GAP)
    return drawn_as(Plan(side, tile, (LEFT + side * (tile + GAP) + 10, TOP)), s, seat)


def draw_narrow(s: State, seat: Viewer) -> Picture:
    """The same with the seats below the Matrix."""
    side = side_of_matrix(s.num_players)
    tile = max(88, 374 // side - GAP)
    return drawn_as(Plan(side, tile, (LEFT, TOP + side * (tile + GAP) + 10)), s, seat)


def drawn_as(plan: Plan, s: State, seat: Viewer) -> Picture:
    """The position in an arrangement."""
    matrix, (x, y) = plan.side * (plan.tile + GAP), plan.panel
    width = max(LEFT + matrix, x + PANEL_WIDTH) + GAP
    height = max(TOP + matrix, y + SEATS_TOP + (SEAT_HEIGHT + GAP) * s.num_players) + GAP
    shapes = (*heading(s), *labels(plan), *tiles(plan, s), *panel(s, seat, x, y))
    return Picture(width, height, shapes, background=PAPER)


# -- the Matrix -----------------------------------------------------------------------------------


def corner_of(plan: Plan, square: int) -> tuple[int, int]:
    """Upper left corner of a tile, in pixels."""
    row, column = divmod(square, FRAME)
    return LEFT + (plan.tile + GAP) * column, TOP + (plan.tile + GAP) * row


def labels(plan: Plan) -> list[Shape]:
    """Letters above, numbers beside the Matrix."""
    middles = [(plan.tile + GAP) * i + plan.tile // 2 for i in range(plan.side)]
    columns = [text(LEFT + at, TOP - 9, "abcde"[i], size=13, anchor="middle") for i, at in enumerate(middles)]
    rows = [text(LEFT - 11, TOP + at, str(i + 1), size=13, anchor="middle") for i, at in enumerate(middles)]
    return [group(*columns, *rows, fill=FADED, class_="labels")]


def tiles(plan: Plan, s: State) -> list[Shape]:
    """All tiles that have been dealt."""
    shapes: list[Shape] = []
    for row in range(plan.side):
        for column in range(plan.side):
            square = FRAME * row + column
            if s.up[square] >= 0:
                shapes += tile(plan, s, square)
    return shapes


def tile(plan: Plan, s: State, square: int) -> list[Shape]:
    """One tile; a full one is dark all over."""
    x, y = corner_of(plan, square)
    full = bool(s.full >> square & 1)
    frame = rect(
        x, y, plan.tile, plan.tile, radius=7, fill=DARK if full else CARD, stroke=GRID, stroke_width=1.5,
        class_=f"tile {square_name(square)}{' full' * full}",
    )  # fmt: skip
    nodes = [shape for corner in range(PLACES) for shape in node(plan, s, square, corner)]
    places = [place(square_name(square), x, y, plan.tile, plan.tile, says=tile_in_words(s, square))]
    places += [node_place(plan, s, square, corner) for corner in range(PLACES)]
    pawn, pawn_place = runner(plan, s, square)
    return [frame, *nodes, *pawn, *places, *pawn_place]


def tile_in_words(s: State, square: int) -> str:
    """The nodes of a tile, and those of its other side."""
    face = int(s.reverse[square])
    up = int(s.up[square])
    nodes = [f"{name}: {words}." for name, words in zip(face_nodes(up), meanings(up), strict=True)]
    behind = ", ".join(face_nodes(face)) if face >= 0 else "not known"
    full = ["The tile is full: no runner may enter or pass it."] if s.full >> square & 1 else []
    return "\n".join([f"Tile {square_name(square)}", *full, *nodes, f"Other side: {behind}."])


def meanings(face: int) -> list[str]:
    """What the nodes of a face do."""
    return [meaning_of(int(FACE_CODE[face, place]), int(FACE_AMOUNT[face, place])) for place in range(PLACES)]


def node(plan: Plan, s: State, square: int, corner: int) -> list[Shape]:
    """A node: dark if blacked out, framed if special, with the marker on it."""
    row, column = divmod(corner, 2)
    left, top = node_corner(plan, square, corner)
    face = int(s.up[square])
    black = blackouts(s, square) >> corner & 1
    special = CONDITION[FACE_CODE[face, corner]] != When.INSTANT
    stroke, width = (FADED if black else INK, 1.5) if special else (GRID, 1.0)
    shapes = [
        rect(
            left, top, plan.node, plan.node, radius=5, fill=DARK if black else PAPER, stroke=stroke,
            stroke_width=width, class_=f"node{' black' if black else ''}",
        )
    ]  # fmt: skip
    color = "#dedbd4" if black else INK
    lines = node_lines(face_nodes(face)[corner], plan.node)
    first = (
        top + 11 if row == 0 else top + plan.node - 10 - LINE * (len(lines) - 1)
    )  # the runner is in the middle
    middle = left + plan.node / 2
    shapes += texts(middle, first, lines, size=PRINT, step=LINE, anchor="middle", fill=color, class_="code")
    owner = marker_on(s, PLACES * square + corner)
    if owner >= 0:
        at = (left + (plan.node - 4 if column else 4), top + (4 if row else plan.node - 4))
        disc = circle(*at, 7, fill=COLORS[owner], stroke=CARD, stroke_width=1.5)
        shapes.append(group(disc, class_=f"marker seat{owner}"))
    return shapes


def node_corner(plan: Plan, square: int, corner: int) -> tuple[int, int]:
    """Upper left corner of a node, in pixels."""
    x, y = corner_of(plan, square)
    row, column = divmod(corner, 2)
    return x + 3 + (plan.node + 2) * column, y + 3 + (plan.node + 2) * row


def node_place(plan: Plan, s: State, square: int, corner: int) -> Shape:
    """A node, to be touched."""
    face, node = int(s.up[square]), PLACES * square + corner
    lines = [f"{face_nodes(face)[corner]}: {meanings(face)[corner]}."]
    lines.append(WHEN_IN_WORDS[int(CONDITION[FACE_CODE[face, corner]] != When.INSTANT)])
    if blackouts(s, square) >> corner & 1:
        lines.append("Blacked out now.")
    if (owner := marker_on(s, node)) >= 0:
        lines.append(f"{NAMES[owner]}'s marker lies on it.")
    return place(
        node_name(node), *node_corner(plan, square, corner), plan.node, plan.node, says="\n".join(lines)
    )


def node_lines(name: str, width: float) -> tuple[str, ...]:
    """A node in lines that fit its width.

    >>> node_lines("Pay reclaim 1", 50), node_lines("Win 3", 50)
    (('Pay', 'reclaim 1'), ('Win 3',))
    """
    return lines_of(name, width - 3, PRINT)


def runner(plan: Plan, s: State, square: int) -> tuple[list[Shape], list[Shape]]:
    """The pawn in the middle of the tile, and its place, to be touched."""
    x, y = corner_of(plan, square)
    x, y = x + plan.tile // 2, y + plan.tile // 2
    for seat in range(s.num_players):
        if s.runner[seat] == square:
            body = circle(x, y + 4, 10, fill=COLORS[seat], stroke=CARD, stroke_width=2)
            head = circle(x, y - 8, 6, fill=COLORS[seat], stroke=CARD, stroke_width=2)
            pawn = group(body, head, class_=f"runner seat{seat}")
            return [pawn], [place(runner_place(seat), x - 13, y - 17, 26, 34)]
    return [], []


# -- beside the Matrix ------------------------------------------------------------------------------


def heading(s: State) -> list[Shape]:
    """Mover and phase, or the result."""
    color = COLORS[s.mover] if s.mover >= 0 else INK
    shapes = [text(8, 16, status(s), size=17, fill=color, class_="status")]
    if s.turns:
        return [*shapes, text(8, 36, f"turn {s.turns}", size=12, fill=FADED, class_="turn")]
    return shapes


def status(s: State) -> str:
    """Phase or result in a few words."""
    if s.mover == OVER:
        return result(s)
    return f"{NAMES[s.mover]}: {TASKS[s.phase]}" if s.mover >= 0 else "Dice"


def panel(s: State, viewer: Viewer, x: int, y: int) -> list[Shape]:
    """Gauge, dice and events of the turn; below them the seats."""
    shapes = [*gauge(s, x, y), *dice(s, x, y + 30)]
    events = lines_of(", ".join([*steps(s), *reasons(s)]), PANEL_WIDTH, 12)
    shapes += texts(x, y + 68, events, size=12, step=15, fill=INK, class_="events")
    for seat in range(s.num_players):
        shapes += seat_box(s, seat, viewer, x, y + SEATS_TOP + (SEAT_HEIGHT + GAP) * seat)
    return shapes


def gauge(s: State, x: int, y: int) -> list[Shape]:
    """Three fields, of which the present level is bright."""
    shapes = []
    for level, name in enumerate(Level.names()):
        now = s.level == level
        field = rect(x + 87 * level, y, 84, 24, radius=6, fill=LEVEL_COLORS[level], opacity=1 if now else 0.2)
        label = text(
            x + 87 * level + 42, y + 12, name.lower(), size=13, anchor="middle", fill=ON_LEVEL if now else INK
        )
        kind = f"level {name.lower()}{' now' if now else ''}"
        shapes.append(group(field, label, class_=kind))
    return shapes


def dice(s: State, x: int, y: int) -> list[Shape]:
    """The dice rolled this turn."""
    shapes = []
    for i in range(s.rolled):
        box = rect(x + 36 * i, y, 28, 28, radius=6, fill=CARD, stroke=INK, stroke_width=1.5)
        pips = text(x + 36 * i + 14, y + 14, str(s.dice[i]), size=17, anchor="middle", fill=INK)
        shapes.append(group(box, pips, class_="die"))
    return shapes


def seat_box(s: State, seat: int, viewer: Viewer, x: int, y: int) -> list[Shape]:
    """A seat's Credits, markers and bid; the active one is framed."""
    active = s.active == seat
    name = NAMES[seat] + (" (you)" if seat == viewer else "")
    box = rect(
        x, y, PANEL_WIDTH, SEAT_HEIGHT, radius=8, fill=CARD, stroke=COLORS[seat] if active else GRID,
        stroke_width=3 if active else 1.5, class_=f"seat seat{seat}{' active' if active else ''}",
    )  # fmt: skip
    right, upper, lower = x + PANEL_WIDTH - 12, y + 18, y + 43
    places = f"{on_board(s, seat)} on the board, {s.discarded[seat]} lost"
    markers = [f"Markers: {s.hand[seat]} in hand", *([places] if s.mover != OVER else [])]
    shapes = [
        box,
        text(x + 12, upper, name, size=17, fill=COLORS[seat]),
        text(x + 12, lower, f"{s.credits[seat]} Credits", size=16, fill=INK, class_="credits"),
        *texts(x + 118, y + 36, markers, size=12, step=15, fill=INK, class_="markers"),
    ]
    bid = bid_word(s, seat, viewer)
    if bid != "-":
        shapes.append(text(right, upper, f"bid {bid}", size=13, anchor="end", fill=FADED, class_="bid"))
    if s.mover == OVER:
        total = f"= {score(s, seat)}"
        shapes.append(text(right, lower, total, size=16, anchor="end", fill=INK, class_="score"))
    return [
        *shapes,
        place(SEAT_NAMES[seat], x, y, PANEL_WIDTH, SEAT_HEIGHT, says=seat_in_words(s, seat, viewer)),
    ]


def seat_in_words(s: State, seat: int, viewer: Viewer) -> str:
    """A seat's Credits, markers and bid, in sentences."""
    lines = [f"{NAMES[seat]} has {s.credits[seat]} Credits. Each marker in hand is one more at the end."]
    lines.append(
        f"Control Markers: {s.hand[seat]} in hand, {on_board(s, seat)} on the board, "
        f"{s.discarded[seat]} lost for good. With none in hand when {NAMES[seat]} is to roll, and none "
        "got back by using one on the board, the game ends."
    )
    if (bid := bid_word(s, seat, viewer)) != "-":
        lines.append(f"Its bid is {'hidden' if bid == '?' else bid}.")
    return "\n".join(lines)
