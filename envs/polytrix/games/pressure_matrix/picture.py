"""The position as a picture: the Matrix with its tiles, the gauge and the turn, and a line for each seat.

Every tile shows its four nodes: blacked out ones dark, special ones framed. Control Markers are discs and
runners pawns in the colours of their seats. The nodes of the other side stand below those of this side.
"""

from __future__ import annotations

from textwrap import wrap

from polytrix.core.state import OVER
from polytrix.core.viewers import Viewer
from polytrix.drawing import Picture, Shape, circle, group, place, rect, text

from .effects import CODES, CONDITION, Level, When
from .ending import score, winners
from .matrix import FRAME, PLACES, node_name, side_of_matrix, square_name
from .notation import legal_ids
from .state import SEAT_NAMES, Phase, State, Window, blackouts
from .text import bid_word, face_nodes, marker_on
from .tiles import FACE_CODE, node_text
from .touch import runner_place, touch

TILE_SIZE = 172
GAP = 8
LEFT, TOP = 34, 70
PANEL = 290
PANEL_WIDTH = PANEL - 30
NODE_WIDTH, NODE_HEIGHT = 82, 62
REVERSE_SIZE = 10.5
SEATS_TOP, SEAT_HEIGHT = 120, 74
LETTERS = 38  # of the turn's events in a line

NAMES = tuple(name.capitalize() for name in SEAT_NAMES)
COLORS = ("#1f62c4", "#ad5500", "#7a3fb0", "#7a4a21", "#c4307f")
LEVEL_COLORS = ("#2e9e4f", "#e0b400", "#f0665c")
ON_LEVEL = "#161616"
PAPER, CARD, INK, FADED, GRID, DARK, MARK = (
    "#f5f3ee", "#ffffff", "#2b2a28", "#6b675f", "#dcd8ce", "#4a4845", "#ffc61a",
)  # fmt: skip


def draw(s: State, seat: Viewer) -> Picture:
    """The position as a viewer sees it; None sees all bids."""
    side = side_of_matrix(s.num_players)
    width = LEFT + side * (TILE_SIZE + GAP) + PANEL
    height = TOP + max(side * (TILE_SIZE + GAP), SEATS_TOP + (SEAT_HEIGHT + GAP) * s.num_players) + 14
    beside = LEFT + side * (TILE_SIZE + GAP) + 14
    chosen = choices(s)
    shapes = (*heading(s), *labels(side), *tiles(s, side, chosen), *panel(s, seat, beside, chosen))
    return Picture(width, height, shapes, background=PAPER)


def choices(s: State) -> set[str]:
    """The places that the mover can choose, to be outlined; none while runners are placed."""
    if s.phase == Phase.PLACE:
        return set()
    return {name for action in legal_ids(s) for name in touch(s, action)}


# -- the Matrix -----------------------------------------------------------------------------------


def corner_of(square: int) -> tuple[int, int]:
    """Upper left corner of a tile, in pixels."""
    row, column = divmod(square, FRAME)
    return LEFT + (TILE_SIZE + GAP) * column, TOP + (TILE_SIZE + GAP) * row


def labels(side: int) -> list[Shape]:
    """Letters above, numbers beside the Matrix."""
    middles = [(TILE_SIZE + GAP) * i + TILE_SIZE // 2 for i in range(side)]
    columns = [text(LEFT + at, TOP - 14, "abcde"[i], size=15, anchor="middle") for i, at in enumerate(middles)]
    rows = [text(LEFT - 16, TOP + at, str(i + 1), size=15, anchor="middle") for i, at in enumerate(middles)]
    return [group(*columns, *rows, fill=FADED, class_="labels")]


def tiles(s: State, side: int, choices: set[str]) -> list[Shape]:
    """All tiles that have been dealt."""
    shapes: list[Shape] = []
    for row in range(side):
        for column in range(side):
            square = FRAME * row + column
            if s.up[square] >= 0:
                shapes += tile(s, square, choices)
    return shapes


def tile(s: State, square: int, choices: set[str]) -> list[Shape]:
    """One tile; a full one is dimmed, one that can be chosen outlined."""
    x, y = corner_of(square)
    full = s.full >> square & 1
    chosen = square_name(square) in choices
    frame = rect(
        x, y, TILE_SIZE, TILE_SIZE, radius=8, fill=CARD, stroke=MARK if chosen else GRID,
        stroke_width=5 if chosen else 1.5,
        class_=f"tile {square_name(square)}{' choice' if chosen else ''}",
    )  # fmt: skip
    nodes = [shape for corner in range(PLACES) for shape in node(s, square, corner, choices)]
    body = group(*nodes, opacity=0.75) if full else group(*nodes)
    places = [place(square_name(square), x, y, TILE_SIZE, TILE_SIZE)]
    places += [node_place(square, corner) for corner in range(PLACES)]
    pawn, pawn_place = runner(s, square)
    return [frame, body, *other_side(s, square), *pawn, *places, *pawn_place]


def node(s: State, square: int, corner: int, choices: set[str]) -> list[Shape]:
    """A node: dark if blacked out, framed if special, with the marker on it; outlined if it can be chosen."""
    row, column = divmod(corner, 2)
    left, top = node_corner(square, corner)
    face = int(s.up[square])
    black = blackouts(s, square) >> corner & 1
    special = CONDITION[FACE_CODE[face, corner]] != When.INSTANT
    chosen = node_name(PLACES * square + corner) in choices
    stroke, width = (MARK, 4.0) if chosen else (FADED if black else INK, 1.5) if special else (GRID, 1.0)
    shapes = [
        rect(
            left, top, NODE_WIDTH, NODE_HEIGHT, radius=5, fill=DARK if black else PAPER, stroke=stroke,
            stroke_width=width, class_=f"node{' black' if black else ''}{' choice' if chosen else ''}",
        )
    ]  # fmt: skip
    color = "#dedbd4" if black else INK
    lines = node_lines(face_nodes(face)[corner])
    middle = left + NODE_WIDTH / 2
    height = top + 33 - 9 * len(lines) + 12 * row  # the runner stands between the rows
    for line, (word, size) in enumerate(lines):
        label = text(middle, height + 18 * line, word, size=size, anchor="middle", fill=color, class_="code")
        shapes.append(label)
    owner = marker_on(s, PLACES * square + corner)
    if owner >= 0:
        at = (left + (NODE_WIDTH - 13 if column else 13), top + NODE_HEIGHT - 13)
        disc = circle(*at, 9, fill=COLORS[owner], stroke=CARD, stroke_width=1.5)
        shapes.append(group(disc, class_=f"marker seat{owner}"))
    return shapes


def node_corner(square: int, corner: int) -> tuple[int, int]:
    """Upper left corner of a node, in pixels."""
    x, y = corner_of(square)
    row, column = divmod(corner, 2)
    return x + 3 + (NODE_WIDTH + 2) * column, y + 3 + (NODE_HEIGHT + 2) * row


def node_place(square: int, corner: int) -> Shape:
    """A node, to be touched."""
    return place(node_name(PLACES * square + corner), *node_corner(square, corner), NODE_WIDTH, NODE_HEIGHT)


def node_lines(node_name: str) -> list[tuple[str, int]]:
    """A node in at most two lines, each with its size; a number of its own is large.

    >>> node_lines("PAY_RECLAIM 1"), node_lines("WIN 3")
    ([('PAY', 14), ('RECLAIM 1', 14)], [('WIN', 14), ('3', 18)])
    """
    first, _, others = node_name.replace("_", " ").partition(" ")
    if not others:
        return [(first, 14)]
    return [(first, 14), (others, 14 if others[-1].isalpha() or " " in others else 18)]


def other_side(s: State, square: int) -> list[Shape]:
    """The nodes of the reverse, or a question mark."""
    x, y = corner_of(square)
    face = int(s.reverse[square])
    columns = (x + 3 + NODE_WIDTH / 2, x + 5 + 1.5 * NODE_WIDTH)
    lines = (y + TILE_SIZE - 29, y + TILE_SIZE - 13)
    if face < 0:
        middle = (x + TILE_SIZE / 2, y + TILE_SIZE - 21)
        return [text(*middle, "?", size=18, anchor="middle", fill=FADED, class_="reverse")]
    return [
        text(
            columns[i % 2],
            lines[i // 2],
            name,
            size=REVERSE_SIZE,
            anchor="middle",
            fill=FADED,
            class_="reverse",
        )
        for i, name in enumerate(face_nodes(face))
    ]


def runner(s: State, square: int) -> tuple[list[Shape], list[Shape]]:
    """The pawn in the middle of the tile, and its place, to be touched."""
    x, y = corner_of(square)
    x, y = x + TILE_SIZE // 2, y + NODE_HEIGHT + 4
    for seat in range(s.num_players):
        if s.runner[seat] == square:
            body = circle(x, y + 4, 13, fill=COLORS[seat], stroke=CARD, stroke_width=2)
            head = circle(x, y - 11, 7.5, fill=COLORS[seat], stroke=CARD, stroke_width=2)
            pawn = group(body, head, class_=f"runner seat{seat}")
            return [pawn], [place(runner_place(seat), x - 17, y - 20, 34, 40)]
    return [], []


# -- beside the Matrix ------------------------------------------------------------------------------


def heading(s: State) -> list[Shape]:
    """Mover and phase, or the result."""
    color = COLORS[s.mover] if s.mover >= 0 else INK
    shapes = [text(LEFT, 30, status(s), size=21, fill=color, class_="status")]
    if s.turns:
        return [*shapes, text(LEFT + 420, 31, f"turn {s.turns}", size=14, fill=FADED, class_="turn")]
    return shapes


def status(s: State) -> str:
    """Phase or result in a few words."""
    if s.mover == OVER:
        best = winners(s)
        names = [NAMES[seat] for seat in range(s.num_players) if best >> seat & 1]
        end = "Cut off: " if s.truncated else ""
        return end + ("a draw" if len(names) == s.num_players else " and ".join(names) + " ahead")
    what = Phase.names()[s.phase].replace("_", " ").lower()
    return f"{NAMES[s.mover]}: {what}" if s.mover >= 0 else what.capitalize()


def panel(s: State, viewer: Viewer, x: int, choices: set[str]) -> list[Shape]:
    """Gauge, dice and events of the turn; below them the seats."""
    shapes = [*gauge(s, x, TOP), *dice(s, x, TOP + 34)]
    shapes += [
        text(x, TOP + 80 + 18 * i, words, size=14, fill=INK, class_="events")
        for i, words in enumerate(wrap(turn_words(s), LETTERS))
    ]
    for seat in range(s.num_players):
        shapes += seat_box(s, seat, viewer, x, TOP + SEATS_TOP + (SEAT_HEIGHT + GAP) * seat, choices)
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


def turn_words(s: State) -> str:
    """Movement, adjustments, the effect being carried out."""
    words = []
    if s.movement >= 0:
        words.append(f"move {s.movement}")
    if s.adjust:
        words.append(f"adjust {s.adjust:+d}")
    if s.forced >= 0:
        words.append(f"as if {Level.names()[s.forced].lower()}")
    if s.code:
        words.append(node_text(s.code, s.amount))
    elif s.last_effect:
        words.append(f"last: {CODES[s.last_effect]}")
    if s.window != Window.NONE:
        words.append(f"reactions to {Window.names()[s.window].lower()}")
    if s.thief >= 0:
        words.append(f"{NAMES[s.thief]} steals {s.stake} from {NAMES[s.victim]}")
    return ", ".join(words)


def seat_box(s: State, seat: int, viewer: Viewer, x: int, y: int, choices: set[str]) -> list[Shape]:
    """A seat's Credits, markers and bid; the active one is framed, the discard choice outlined."""
    active = s.active == seat
    name = NAMES[seat] + (" (you)" if seat == viewer else "")
    discards = s.phase == Phase.DISCARD and SEAT_NAMES[seat] in choices
    box = rect(
        x, y, PANEL_WIDTH, SEAT_HEIGHT, radius=8, fill=CARD, stroke=COLORS[seat] if active else GRID,
        stroke_width=3 if active else 1.5, class_=f"seat seat{seat}{' active' if active else ''}",
    )  # fmt: skip
    right, upper, lower = x + PANEL_WIDTH - 12, y + 22, y + 50
    markers = f"hand {s.hand[seat]}, out {s.discarded[seat]}" + (" - discard?" if discards else "")
    shapes = [
        box,
        text(x + 12, upper, name, size=17, fill=COLORS[seat]),
        text(x + 12, lower, f"{s.credits[seat]} Credits", size=16, fill=INK, class_="credits"),
        text(x + 112, lower, markers, size=13, fill=INK, class_="markers"),
    ]
    bid = bid_word(s, seat, viewer)
    if bid != "-":
        shapes.append(text(right, upper, f"bid {bid}", size=13, anchor="end", fill=FADED, class_="bid"))
    if s.mover == OVER:
        total = f"= {score(s, seat)}"
        shapes.append(text(right, lower, total, size=16, anchor="end", fill=INK, class_="score"))
    return [*shapes, place(SEAT_NAMES[seat], x, y, PANEL_WIDTH, SEAT_HEIGHT)]
