"""What actions and dice have done, for a log: who went where, what was blacked out, what it brought.

Much happens by itself: a move with one possible square, a tile with one free node, a turn in which nobody has
a choice (PM-89). So a step is told in parts: what was decided and whatever is different then, and the same for
each decision that left no choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from polytrix.core.bits import nth
from polytrix.core.state import CHANCE, OVER
from polytrix.core.trust import MOST_ROUNDS, require
from polytrix.core.viewers import Viewer

from .choices import UNDECIDED, only_choice
from .effects import CONDITION, When
from .markers import code_at
from .matrix import CORNERS, PLACES, SQUARES, STARTS, square_name
from .movement import die_that_counts, moved_by, roll_die
from .opening import bids_revealed
from .reach import reach
from .rules import decide, happen, proceed
from .state import ACTIONS, DICE, HAND, SEAT_NAMES, SEATS, Phase, State, blackouts, clockwise, open_squares
from .text import face_nodes, level_name, marker_on, node_on_board, result
from .tiles import SETTINGS, Setting
from .words import node_meaning, secret

UNTOLD = -1

SIMPLY_DONE = {"freeze": "uses no marker, which ends the game", "recall": "takes back a discarded marker"}
DONE_TO_SEATS = {
    "give": "gives to {}",
    "steal": "steals from {}",
    "runner": "wants to teleport {}",
    "first": "lets the reaction of {} happen first",
    "payer": "lets {} pay",
}
DONE_TO_TILES = {
    "flip": "turns over the tile on {}",
    "invert": "inverts the tile on {}",
    "swap": "exchanges its tile with that on {}",
}
DONE_TO_MARKERS = {"use": "uses", "reclaim": "takes back", "discard": "discards"}


def tell(before: State, event: int, after: State, viewer: Viewer) -> list[str]:
    """What an action or a die has done, and all that followed by itself. Only bids are ever hidden."""
    lines = tell_roll(before, event) if before.mover == CHANCE else done(before, event, viewer)
    (first, _, reached), *forced = parts(before, event, after)
    lines += changes(first, reached, None if before.mover == CHANCE else event)
    for start, action, end in forced:
        how = "you have no choice: " if start.mover == viewer else "without a choice, "
        lines += [f"{how}{SEAT_NAMES[start.mover]} {line}" for line in done(start, action, viewer)]
        lines += changes(start, end, action)
    return lines


def parts(before: State, event: int, after: State) -> Iterator[tuple[State, int, State]]:
    """The event, then each decision that left no choice (PM-89), with the states before and after it."""
    s = before.copy()
    start, number = before, event
    if s.mover == CHANCE:
        happen(s, event)
    else:
        decide(s, event)
    for _ in range(MOST_ROUNDS):
        while s.phase >= Phase.TURN:
            proceed(s)
        only = only_choice(s) if s.phase < Phase.OVER else UNDECIDED
        if only == UNDECIDED:
            yield start, number, after
            return
        reached = s.copy()
        yield start, number, reached
        start, number = reached, only
        decide(s, only)
    require(False)


# -- what was done --------------------------------------------------------------------------------


def done(s: State, action: int, viewer: Viewer) -> list[str]:
    """The action itself; nothing for a roll, as the dice are told."""
    block, (number,) = ACTIONS.locate(action)
    seat = s.mover
    if block.name == "roll":
        return []
    if block.name == "pass":
        return ["takes none back" if s.phase == Phase.RECALL else "uses no marker"]
    if block.name == "bid":
        hidden = viewer is not None and secret(s, action, viewer)
        return ["bids in secret" if hidden else f"bids {number}"]
    if block.name == "start":
        return [f"starts on {square_name(int(STARTS[s.num_players, number]))}"]
    if block.name == "move":
        return [f"goes from {square_name(int(s.runner[seat]))} to {square_name(number)}"]
    if block.name == "node":
        return [f"blacks out {tell_node(s, PLACES * int(s.runner[seat]) + number)}"]
    if block.name == "teleport":
        return [f"puts {whose(s, s.teleported)} runner on {square_name(number)}"]
    if block.name in DONE_TO_SEATS:
        other = clockwise(s, seat, number + SEATS - block.size)
        return [DONE_TO_SEATS[block.name].format("itself" if other == seat else SEAT_NAMES[other])]
    if block.name in DONE_TO_TILES:
        return [DONE_TO_TILES[block.name].format(square_name(number))]
    return [SIMPLY_DONE[block.name] if block.name in SIMPLY_DONE else tell_marker(s, block.name, number)]


def tell_node(s: State, node: int) -> str:
    """A node that is blacked out, and what it does."""
    use = "" if CONDITION[code_at(s, node)] == When.INSTANT else "for a marker there, "
    return f"{node_on_board(s, node)}: {use}{node_meaning(s, node)}"


def tell_marker(s: State, doing: str, node: int) -> str:
    """A marker that is used, taken back or discarded."""
    if node == HAND:
        return "discards a marker from its hand"
    effect = f": {node_meaning(s, node)}" if doing == "use" else ""
    owner = whose(s, marker_on(s, node))
    return f"{DONE_TO_MARKERS[doing]} {owner} marker on {node_on_board(s, node)}{effect}"


def whose(s: State, seat: int) -> str:
    """`its` for the mover."""
    return "its" if seat == s.mover else f"{SEAT_NAMES[seat]}'s"


def tell_roll(s: State, die: int) -> list[str]:
    """The last die of a roll, with what it means."""
    if s.phase in (Phase.BID_DICE, Phase.LEADER_DICE):
        if SETTINGS[Setting.LOTS]:
            return [f"{SEAT_NAMES[nth(s.tied, die)]} draws the winning lot"]
        total = int(s.roll_sum[s.roll_seat]) + die + 1
        return [f"roll-off: {SEAT_NAMES[s.roll_seat]} rolls {total}"] if s.roll_dice == 1 else []
    if s.phase != Phase.ROLL or s.rolled < DICE - 1:
        return []
    roll = s.copy()
    roll_die(roll, die + 1)
    level = s.forced if s.forced >= 0 else s.level
    steps = moved_by(roll, die_that_counts(roll))
    adjusted = f", adjusted by {s.adjust:+d}" if s.adjust else ""
    words = f"turn {s.turns}: {SEAT_NAMES[s.active]} rolls {listed([str(pips) for pips in roll.dice])}, "
    words += f"at level {level_name(level)}{adjusted}: {steps} step{'s' * (steps != 1)}"
    if steps == 0:
        words += ", so it stays where it is"
    elif not reach(open_squares(s), int(s.runner[s.active]), steps):
        words += ", but no open square is that far away"
    return [words]


# -- what is different afterwards -----------------------------------------------------------------


def changes(before: State, after: State, action: int | None = None) -> list[str]:
    """All that is different, but for what `done` has said of this action."""
    moved, blacked_out = already_told(before, action)
    lines = []
    if bids_revealed(after) and not bids_revealed(before):
        lines.append(f"the bids: {by_seat(after, [str(int(bid)) for bid in after.bid])}")
    if after.first >= 0 and before.first < 0:
        lines.append(f"{SEAT_NAMES[after.first]} has the first turn")
    lines += runners(before, after, moved)
    lines += tiles(before, after)
    for square in range(SQUARES):
        if before.up[square] == after.up[square]:
            lines += nodes(before, after, square, blacked_out)
    lines += markers(before, after)
    lines += credits(before, after)
    if before.level != after.level:
        lines.append(
            f"the level {'rises' if after.level > before.level else 'falls'} to {level_name(after.level)}"
        )
    return [*lines, result(after)] if after.mover == OVER else lines


def already_told(s: State, action: int | None) -> tuple[int, int]:
    """The seat whose runner an action moves, and the node that it blacks out; UNTOLD if it does neither."""
    if action is None:
        return UNTOLD, UNTOLD
    block, (number,) = ACTIONS.locate(action)
    if block.name == "teleport":
        return s.teleported, UNTOLD
    moved = s.mover if block.name in ("start", "move") else UNTOLD
    return moved, PLACES * int(s.runner[s.mover]) + number if block.name == "node" else UNTOLD


def runners(before: State, after: State, moved: int) -> list[str]:
    """Runners that are elsewhere now."""
    lines = []
    for seat in range(after.num_players):
        old, new = int(before.runner[seat]), int(after.runner[seat])
        if old != new and seat != moved:
            start = f"goes from {square_name(old)}" if old >= 0 else "starts"
            lines.append(f"{SEAT_NAMES[seat]} {start} {'to' if old >= 0 else 'on'} {square_name(new)}")
    return lines


def tiles(before: State, after: State) -> list[str]:
    """Tiles that show another face now, with what lies on them; none of those that the game begins with."""
    if before.phase == Phase.DEAL:
        return []
    changed = [square for square in range(SQUARES) if before.up[square] != after.up[square]]
    lines = [
        f"{square_name(square)} is now {', '.join(face_nodes(int(after.up[square])))}: {covered(after, square)}"
        for square in changed
    ]
    if after.phase == Phase.REVERSE:
        lines.append(f"{square_name(after.turning)} is cleared, and its other side is drawn")
    return lines


def covered(s: State, square: int) -> str:
    """What is blacked out on a tile, and the Control Markers there."""
    owners = [(place, marker_on(s, PLACES * square + place)) for place in range(PLACES)]
    markers = [f"{SEAT_NAMES[owner]} {CORNERS[place]}" for place, owner in owners if owner >= 0]
    return blacked_out(s, square) + (f"; Control Markers: {listed(markers)}" if markers else "")


def blacked_out(s: State, square: int) -> str:
    """The nodes of a tile that are blacked out."""
    black = [CORNERS[place] for place in range(PLACES) if blackouts(s, square) >> place & 1]
    return f"{listed(black)} blacked out" if black else "nothing blacked out"


def nodes(before: State, after: State, square: int, told: int) -> list[str]:
    """Nodes of a tile that are blacked out now, or no longer, but for one that has been told."""
    known = 1 << told % PLACES if told // PLACES == square else 0
    if blackouts(after, square) == blackouts(before, square) | known:
        return []
    return [f"{square_name(square)} has {blacked_out(after, square)} now"]


def markers(before: State, after: State) -> list[str]:
    """Markers in hand and out of the game."""
    lines = []
    for seat in range(after.num_players):
        name, lost = SEAT_NAMES[seat], int(after.discarded[seat]) - int(before.discarded[seat])
        if lost > 0:
            lines.append(f"{name} loses {'a marker' if lost == 1 else f'{lost} markers'} for good")
        if before.hand[seat] != after.hand[seat]:
            lines.append(
                f"{name} has {after.hand[seat]} marker{'' if after.hand[seat] == 1 else 's'} in hand now"
            )
    return lines


def credits(before: State, after: State) -> list[str]:
    """Credits that seats have won or lost."""
    gains = [int(new) - int(old) for old, new in zip(before.credits, after.credits, strict=True)]
    words = [f"{new} ({gain:+d})" if gain else "" for new, gain in zip(after.credits, gains, strict=True)]
    return [f"Credits: {by_seat(after, words)}"] if any(gains) else []


def by_seat(s: State, words: list[str]) -> str:
    """The seats with their words, without those that have none."""
    seats = zip(SEAT_NAMES[: s.num_players], words, strict=False)
    return ", ".join(f"{name} {said}" for name, said in seats if said)


def listed(words: list[str]) -> str:
    """Words with commas, and `and` before the last.

    >>> listed(["5", "2", "1"])
    '5, 2 and 1'
    """
    return " and ".join([part for part in (", ".join(words[:-1]), *words[-1:]) if part])
