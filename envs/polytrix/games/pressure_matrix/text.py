"""The position as text: the Matrix, what goes on, and a line for each seat; `words.LEGEND` says how to read it.

`words.notes` has the other sides of the tiles. On a small screen what changes most is nearest to the prompt.
"""

from __future__ import annotations

from polytrix.core.state import OVER
from polytrix.core.viewers import Viewer

from .effects import Level
from .ending import score, winners
from .markers import node_bit, node_half
from .matrix import CORNERS, FRAME, PLACES, side_of_matrix, square_name
from .opening import bids_revealed
from .state import MARKERS, SEAT_NAMES, Phase, State, Window, blackouts
from .tiles import FACE_AMOUNT, FACE_CODE, node_text

TILE_WIDTHS = {2: 22, 3: 22, 4: 18, 5: 15}
"""By the side of the Matrix; the longest line of a node has 15 characters."""

TASKS = {
    Phase.BID: "bid for the first turn",
    Phase.PLACE: "put the runner on a start square",
    Phase.BEFORE_ROLL: "roll, or use a marker first",
    Phase.FAIL: "use a marker, as the runner cannot move",
    Phase.MOVE: "move the runner",
    Phase.NODE: "black out a node of the tile reached",
    Phase.GIVE: "choose the seat that gets the Credits",
    Phase.DIVIDE: "divide Credits among the others",
    Phase.STEAL: "choose whom to steal from",
    Phase.SHIELD: "stop the theft, or not",
    Phase.PAYER: "choose the seat that pays",
    Phase.FLIP: "choose a tile to turn over",
    Phase.INVERT: "choose a tile to invert",
    Phase.RUNNER: "choose a runner to teleport",
    Phase.TELEPORT: "choose where a runner goes",
    Phase.SWAP: "choose a tile to exchange",
    Phase.RECLAIM: "take back a marker from the Matrix",
    Phase.RECALL: "take back a discarded marker, or none",
    Phase.DISCARD: "discard a marker",
    Phase.DISCARD_RIVAL: "discard a marker of another seat",
    Phase.WINDOW: "use a marker, or pass",
    Phase.ORDER: "choose the reaction that happens first",
}
"""What the mover is to do in each phase."""

REACTED_TO = {Window.LANDING: "a landing", Window.WIN: "a gain of Credits", Window.FULL: "a full tile"}
"""What markers react to."""

SEAT_HEADING = "seat      Credits  hand  board  lost  bid  runner"


def text(s: State, seat: Viewer) -> str:
    """The position for a terminal, as a viewer sees it; None sees all bids."""
    return "\n".join([*matrix(s), "", *situation(s), "", *seats(s, seat)])


# -- what is going on -----------------------------------------------------------------------------


def situation(s: State) -> list[str]:
    """The turn, and the decision; the result at the end."""
    words = [f"turn {s.turns}", f"level {level_name(s.level)}"]
    if s.active >= 0:
        words.append(f"{SEAT_NAMES[s.active]}'s turn")
    dice = ["dice " + " ".join(str(die) for die in s.dice[: s.rolled])] if s.rolled else []
    events = [*dice, *steps(s)]
    line = ", ".join(words) + (f"; {', '.join(events)}" if events else "")
    if s.mover == OVER:
        return [line, result(s)]
    if s.mover < 0:
        return [line, f"Chance: {Phase.name_of(s.phase)}"]
    return [line, f"{SEAT_NAMES[s.mover].capitalize()} is to {task(s)}."]


def steps(s: State) -> list[str]:
    """How far the runner moves in this turn, and what has changed that."""
    words = []
    if s.adjust:
        words.append(f"adjusted by {s.adjust:+d}")
    if s.forced >= 0:
        words.append(f"dice as at {level_name(s.forced)}")
    if s.movement >= 0:
        words.append(f"{s.movement} step{'s' * (s.movement != 1)}")
    return words


def reasons(s: State) -> list[str]:
    """The effect that is being carried out, and what the mover reacts to."""
    words = []
    if s.code:
        words.append(node_words(s.code, s.amount))
    if s.thief >= 0:
        words.append(f"{SEAT_NAMES[s.thief]} steals {s.stake} from {SEAT_NAMES[s.victim]}")
    if s.window != Window.NONE:
        words.append(f"reactions to {REACTED_TO[s.window]}")
    return words


def task(s: State) -> str:
    """What the mover is to do, and the reasons."""
    why = ", ".join(reasons(s))
    return TASKS[s.phase] + (f" ({why})" if why else "")


def result(s: State) -> str:
    """Who has won."""
    best = winners(s)
    names = [SEAT_NAMES[seat] for seat in range(s.num_players) if best >> seat & 1]
    won = f"{' and '.join(names)} win{'s' * (len(names) == 1)}" if len(names) < s.num_players else "a draw"
    return f"Cut off: {won}" if s.truncated else won.capitalize()


def level_name(level: int) -> str:
    """`green`, `yellow` or `red`."""
    return Level.names()[level].lower()


# -- seats ----------------------------------------------------------------------------------------


def seats(s: State, viewer: Viewer) -> list[str]:
    """A table with a line for each seat."""
    lines = [SEAT_HEADING + ("  score" if s.mover == OVER else "")]
    for seat in range(s.num_players):
        runner = square_name(int(s.runner[seat])) if s.runner[seat] >= 0 else "-"
        last = f"{score(s, seat):>5}" if s.mover == OVER else "to move" if s.mover == seat else ""
        name = SEAT_NAMES[seat] + (" *" if seat == viewer else "")
        numbers = f"{s.credits[seat]:>7}{s.hand[seat]:>6}{on_board(s, seat):>7}{s.discarded[seat]:>6}"
        lines.append(f"{seat} {name:<8}{numbers}{bid_word(s, seat, viewer):>5}  {runner:<6}  {last}".rstrip())
    return lines


def on_board(s: State, seat: int) -> int:
    """How many markers of a seat lie in the Matrix (PM-02)."""
    return MARKERS - int(s.hand[seat]) - int(s.discarded[seat])


def bid_word(s: State, seat: int, viewer: Viewer) -> str:
    """PM-90: `-` before the bid is made, then `?` to others until all are revealed."""
    if s.bid[seat] < 0:
        return "-"
    return str(s.bid[seat]) if bids_revealed(s) or viewer in (seat, None) else "?"


# -- the Matrix -----------------------------------------------------------------------------------


def matrix(s: State) -> list[str]:
    """The tiles, row by row, five lines each."""
    side = side_of_matrix(s.num_players)
    width = TILE_WIDTHS[side]
    lines = []
    for row in range(side):
        tiles = [tile(s, FRAME * row + column, width) for column in range(side)]
        lines += [" ".join(line).rstrip() for line in zip(*tiles, strict=True)]
    return lines


def tile(s: State, square: int, width: int) -> list[str]:
    """The lines of a tile, each of this width: square and runners, then the nodes."""
    runners = [f"[{SEAT_NAMES[seat]}]" for seat in range(s.num_players) if s.runner[seat] == square]
    heading = " ".join(["--", square_name(square), *runners, ""])
    nodes = [node_line(s, square, place) for place in range(PLACES)] if s.up[square] >= 0 else [""] * PLACES
    return [heading.ljust(width, "-"), *(line.ljust(width) for line in nodes)]


def node_line(s: State, square: int, place: int) -> str:
    """A node of the board with its markers."""
    node = PLACES * square + place
    owner = marker_on(s, node)
    black = "#" if blackouts(s, square) >> place & 1 else " "
    return f"{black}{'' if owner < 0 else owner} {node_label(s, node)}"


def node_label(s: State, node: int) -> str:
    """The text on a node."""
    return face_nodes(int(s.up[node // PLACES]))[node % PLACES]


def face_nodes(face: int) -> list[str]:
    """The four nodes of a face."""
    return [node_words(int(FACE_CODE[face, place]), int(FACE_AMOUNT[face, place])) for place in range(PLACES)]


def node_words(code: int, amount: int) -> str:
    """What stands on a node.

    >>> node_words(18, 1)
    'Pay reclaim 1'
    """
    return node_text(code, amount).replace("_", " ").capitalize()


def node_on_board(s: State, node: int) -> str:
    """A node with its corner: `Pay reclaim 1 on a2, upper right`."""
    square, corner = divmod(node, PLACES)
    return f"{node_label(s, node)} on {square_name(square)}, {CORNERS[corner]}"


def marker_on(s: State, node: int) -> int:
    """The seat whose Control Marker is on a node, or -1."""
    for seat in range(s.num_players):
        if int(s.marker[seat, node_half(node)]) & node_bit(node):
            return seat
    return -1
