"""What a log of Pressure Matrix may say and must, see `tests/games/truth.py`.

Much of a step may happen by itself, one thing after the other. So the lines are carried out on a table of their
own, which must end as the state does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from polytrix.core.state import CHANCE, OVER, Record
from polytrix.games.pressure_matrix import GAME
from polytrix.games.pressure_matrix.effects import CATALOGUE, CODES
from polytrix.games.pressure_matrix.notation import legal_ids
from polytrix.games.pressure_matrix.state import SEAT_NAMES
from polytrix.games.pressure_matrix.tiles import FACE_AMOUNT, FACE_CODE, node_text
from polytrix.play.session import Session
from tests.games.truth import Reader, Step

from .test_reach import obvious
from .test_scattered import inside, scatter

RECALL = 3  # the action
PLACES = ("nw", "ne", "sw", "se")
LEVELS = ("green", "yellow", "red")

SEAT = f"({'|'.join(SEAT_NAMES)})"
SQUARE = "([a-e][1-5])"
NODE = f"([a-e][1-5].(?:{'|'.join(PLACES)}))"
LABEL = r"([A-Z_]+(?: [A-Z]+| [+-]?\d+)?)"
COUNT = r"(a|\d+)"
ACTOR = f"(?:without a choice, {SEAT} )?"
"""Begins lines of decisions; without it the mover has decided."""


class Table:
    """What lies on the table, by names: `node -> seat` of Control Markers, sets of blacked out nodes, ..."""

    def __init__(self, s: Record) -> None:
        seats, squares = range(s.num_players), inside(s)
        self.runner = {SEAT_NAMES[seat]: name_of(int(s.runner[seat])) for seat in seats}
        self.up = {name_of(q): labels(int(s.up[q])) for q in squares}
        self.black = {node for q in squares for node in nodes(q) if bit(s.black, q, node)}
        self.owner = {
            node: SEAT_NAMES[seat]
            for seat in seats
            for q in squares
            for node in nodes(q)
            if bit(s.marker[seat], q, node)
        }
        self.credits, self.hand, self.discarded = (
            {SEAT_NAMES[seat]: int(field[seat]) for seat in seats} for field in (s.credits, s.hand, s.discarded)
        )
        self.level = LEVELS[s.level]

    def cover(self, square: str, black: str, markers: str | None = None) -> None:
        """Lay the blackouts, and the Control Markers, that a line tells of a tile."""
        here = {f"{square}.{place}" for place in PLACES}
        self.black = self.black - here | {f"{square}.{place}" for place in re.findall("nw|ne|sw|se", black)}
        if markers is not None:
            told = re.findall(f"{SEAT} on (nw|ne|sw|se)", markers)
            self.owner = {node: seat for node, seat in self.owner.items() if node not in here}
            self.owner |= {f"{square}.{place}": seat for seat, place in told}


def name_of(square: int) -> str:
    return "" if square < 0 else "abcde"[square % 5] + str(square // 5 + 1)


def nodes(square: int) -> list[str]:
    return [f"{name_of(square)}.{place}" for place in PLACES]


def labels(face: int) -> list[str]:
    return [node_text(int(FACE_CODE[face, place]), int(FACE_AMOUNT[face, place])) for place in range(4)]


def bit(halves: Any, square: int, node: str) -> bool:
    """Whether a set of nodes, as two halves of 52 and 48, has a node."""
    number = 4 * square + PLACES.index(node[3:])
    return bool(int(halves[number // 52]) >> number % 52 & 1)


def a_rare_position(rng: np.random.Generator) -> Record:
    """The Matrix is crowded, seats are poor, and markers lie anywhere."""
    players = int(rng.integers(2, 6))
    options = GAME.options.validate({"players": players, "reverse": rng.choice(["known", "drawn"])})
    s = Session(GAME, options, int(rng.integers(1 << 60))).state
    scatter(s, rng)
    return s


READER = Reader(positions=a_rare_position, table=Table)


def actor(step: Step, forced: str | None) -> str:
    """Who decides, by name."""
    return forced or SEAT_NAMES[step.before.mover]


def chosen(step: Step, forced: str | None, *notations: str) -> bool:
    """Whether the mover's decision is one of these; what was forced is checked by what it brings."""
    return forced is not None or GAME.format_action(step.before, step.event) in notations


def seat_to_the_left(step: Step, forced: str | None, word: str, name: str) -> bool:
    """Whether the mover's decision names this seat by the number of places to its left."""
    if forced is not None:
        return name != forced or word in ("runner", "payer")
    other = (SEAT_NAMES.index(name) - int(step.before.mover)) % int(step.before.num_players)
    return chosen(step, None, f"{word} +{other}")


# -- before the first turn ----------------------------------------------------------------------------


@READER.line("bids in secret")
def bids_in_secret(step: Step) -> bool:
    return step.viewer not in (None, step.before.mover) and not all_bids_are_made(step)


@READER.line(r"bids (\d)")
def bids(step: Step, credits: str) -> bool:
    open_to_all = step.viewer in (None, step.before.mover) or all_bids_are_made(step)
    return open_to_all and int(step.after.bid[step.before.mover]) == int(credits)


def all_bids_are_made(step: Step) -> bool:
    return all(step.after.bid[seat] >= 0 for seat in range(int(step.after.num_players)))


@READER.line("the bids: (.*)")
def the_bids(step: Step, told: str) -> bool:
    n = int(step.after.num_players)
    return told == ", ".join(f"{SEAT_NAMES[seat]} {step.after.bid[seat]}" for seat in range(n))


@READER.line(rf"roll-off: {SEAT} rolls (\d+)")
def rolls_off(step: Step, name: str, total: str) -> bool:
    seat = SEAT_NAMES.index(name)
    return step.before.roll_seat == seat and int(total) == int(step.before.roll_sum[seat]) + step.event + 1


@READER.line(f"{SEAT} has the first turn")
def first_turn(step: Step, name: str) -> bool:
    return SEAT_NAMES[step.after.first] == name


@READER.line(f"{ACTOR}starts on {SQUARE}")
def starts(step: Step, forced: str | None, square: str) -> bool:
    name = actor(step, forced)
    was, step.table.runner[name] = step.table.runner[name], square
    return was == ""


# -- the roll and the move ----------------------------------------------------------------------------


@READER.line(
    rf"{SEAT} rolls (\d), (\d) and (\d), at level (\w+)(?:, adjusted by ([+-]\d+))?: (\d+) steps?"
    "(, so it stays where it is|, but no open square is that far away)?"
)
def rolls(step: Step, name: str, *told: str) -> bool:
    """PM-14 to PM-17."""
    s, (first, second, third, level, adjusted, count, stuck) = step.before, told
    dice = [int(s.dice[0]), int(s.dice[1]), step.event + 1]
    low, middle, high = sorted(dice)
    if low == middle or middle == high:  # of two equal dice and another, the other counts
        middle = low if middle == high else high
    counts = {"green": low, "yellow": middle, "red": high}[level]
    steps = max(0, counts + int(adjusted or 0))
    ends = f", {stuck[2:]}" if stuck else ""
    expected = ", so it stays where it is" if steps == 0 else ""
    if steps and not ends_of_moves(step, steps):
        expected = ", but no open square is that far away"
    return (
        s.mover == CHANCE
        and SEAT_NAMES[s.active] == name
        and [int(first), int(second), int(third)] == dice
        and level == LEVELS[s.forced if s.forced >= 0 else s.level]
        and int(adjusted or 0) == s.adjust
        and int(count) == steps
        and ends == expected
    )


def ends_of_moves(step: Step, steps: int) -> int:
    s, table = step.before, step.table
    free = {
        (q // 5, q % 5)
        for q in inside(s)
        if not set(nodes(q)) <= table.black and name_of(q) not in table.runner.values()
    }
    return obvious(free, divmod(int(s.runner[s.active]), 5), steps)


@READER.line(f"{ACTOR}goes from {SQUARE} to {SQUARE}")
@READER.line(f"{SEAT} goes from {SQUARE} to {SQUARE}")
def goes(step: Step, name: str | None, start: str, end: str) -> bool:
    runner = step.table.runner
    was, runner[actor(step, name)] = runner[actor(step, name)], end
    return was == start != end


@READER.line(f"{ACTOR}puts (its|{SEAT}'s) runner on {SQUARE}")
def puts(step: Step, forced: str | None, whose: str, other: str | None, square: str) -> bool:
    free = square not in step.table.runner.values()
    step.table.runner[other or actor(step, forced)] = square
    return free and chosen(step, forced, f"teleport {square}") and other != actor(step, forced)


# -- nodes and markers --------------------------------------------------------------------------------


@READER.line(f"{ACTOR}blacks out {NODE}, {LABEL}: (for a marker there, )?(.*)")
def blacks_out(step: Step, forced: str | None, node: str, label: str, marker: str | None, what: str) -> bool:
    table, name = step.table, actor(step, forced)
    square, place = node.split(".")
    true = (
        table.runner[name] == square
        and node not in table.black
        and table.up[square][PLACES.index(place)] == label
        and chosen(step, forced, f"node {place}")
        and bool(marker) == is_special(label)
        and fits(label, what)
    )
    table.black.add(node)
    if marker and table.hand[name] > 0:  # PM-62 to PM-64
        table.owner[node] = name
    return true


def is_special(label: str) -> bool:
    return label.split()[0] in (
        "MOVE", "LEVEL", "JUMP", "HARVEST", "HACK", "THAW", "ESCAPE", "TOLL", "TAX", "SHIELD", "REBOOT",
    )  # fmt: skip


def fits(label: str, meaning: str) -> bool:
    """Whether the meaning is that of the catalogue, with the label's amount or colour in place of x."""
    code, _, amount = label.partition(" ")
    text = CATALOGUE[CODES.index(code) - 1].meaning
    return meaning == re.sub(r"\bx\b", amount.lower(), text)


@READER.line(f"{ACTOR}uses its marker on {NODE}, {LABEL}: (.*)")
def uses(step: Step, forced: str | None, node: str, label: str, what: str) -> bool:
    return takes_marker(step, forced, node, label, f"use {node}") and is_special(label) and fits(label, what)


@READER.line(f"{ACTOR}takes back its marker on {NODE}, {LABEL}")
def takes_back(step: Step, forced: str | None, node: str, label: str) -> bool:
    return takes_marker(step, forced, node, label, f"reclaim {node}")


@READER.line(f"{ACTOR}discards (its|{SEAT}'s) marker on {NODE}, {LABEL}")
def discards(step: Step, forced: str | None, whose: str, other: str | None, node: str, label: str) -> bool:
    return takes_marker(step, forced, node, label, f"discard {node}", other)


def takes_marker(
    step: Step, forced: str | None, node: str, label: str, notation: str, owner: str | None = None
) -> bool:
    square, place = node.split(".")
    true = step.table.up[square][PLACES.index(place)] == label and chosen(step, forced, notation)
    return true and step.table.owner.pop(node, "") == (owner or actor(step, forced))


@READER.line(f"{ACTOR}discards a marker from its hand")
def discards_from_hand(step: Step, forced: str | None) -> bool:
    return step.table.hand[actor(step, forced)] > 0 and chosen(step, forced, "discard hand")


@READER.line(f"{SEAT} loses {COUNT} markers? for good")
def loses(step: Step, name: str, count: str) -> bool:
    step.table.discarded[name] += 1 if count == "a" else int(count)
    return count not in "01"


@READER.line("takes back a discarded marker")
def recalls(step: Step) -> bool:
    name = actor(step, None)
    step.table.discarded[name] -= 1
    return step.table.discarded[name] >= 0


@READER.line(rf"{SEAT} has (\d) markers? in hand now")
def in_hand(step: Step, name: str, count: str) -> bool:
    was, step.table.hand[name] = step.table.hand[name], int(count)
    return was != int(count)


@READER.line("(uses no marker|takes none back)")
def passes(step: Step, how: str) -> bool:
    may_recall = RECALL in legal_ids(step.before)
    return chosen(step, None, "pass") and may_recall == (how == "takes none back")


@READER.line(f"{ACTOR}uses no marker, which ends the game")
def freezes(step: Step, forced: str | None) -> bool:
    return chosen(step, forced, "freeze") and step.table.hand[actor(step, forced)] == 0


# -- other seats --------------------------------------------------------------------------------------


@READER.line(f"{ACTOR}gives to {SEAT}")
def gives(step: Step, forced: str | None, name: str) -> bool:
    return seat_to_the_left(step, forced, "give", name)


@READER.line(f"{ACTOR}steals from {SEAT}")
def steals(step: Step, forced: str | None, name: str) -> bool:
    return seat_to_the_left(step, forced, "steal", name)


@READER.line(f"{ACTOR}lets the reaction of {SEAT} happen first")
def first_reaction(step: Step, forced: str | None, name: str) -> bool:
    return seat_to_the_left(step, forced, "first", name)


@READER.line(f"{ACTOR}lets ({SEAT}|itself) pay")
def lets_pay(step: Step, forced: str | None, whom: str, name: str | None) -> bool:
    return seat_to_the_left(step, forced, "payer", name or actor(step, forced))


@READER.line(f"{ACTOR}wants to teleport ({SEAT}|itself)")
def wants_to_teleport(step: Step, forced: str | None, whom: str, name: str | None) -> bool:
    return seat_to_the_left(step, forced, "runner", name or actor(step, forced))


# -- tiles --------------------------------------------------------------------------------------------


@READER.line(f"{ACTOR}(turns over the tile on|inverts the tile on|exchanges its tile with that on) {SQUARE}")
def works_on_a_tile(step: Step, forced: str | None, how: str, square: str) -> bool:
    return chosen(step, forced, f"{ {'t': 'flip', 'i': 'invert', 'e': 'swap'}[how[0]] } {square}")


@READER.line(
    f"{SQUARE} is now {LABEL}, {LABEL}, {LABEL}, {LABEL}: (.*) blacked out(?:; Control Markers: (.*))?"
)
def is_now(
    step: Step, square: str, nw: str, ne: str, sw: str, se: str, black: str, markers: str | None
) -> bool:
    was, step.table.up[square] = step.table.up[square], [nw, ne, sw, se]
    step.table.cover(square, black, markers or "")
    return was != [nw, ne, sw, se]


@READER.line(f"{SQUARE} is cleared, and its other side is drawn")
def is_cleared(step: Step, square: str) -> bool:
    step.table.cover(square, "", "")
    return step.after.mover == CHANCE


@READER.line(f"{SQUARE} has (.*) blacked out now")
def has_blacked_out(step: Step, square: str, black: str) -> bool:
    was = set(step.table.black)
    step.table.cover(square, black)
    return was != step.table.black or step.after.mover == CHANCE


# -- Credits, the level, the end ----------------------------------------------------------------------


@READER.line("Credits: (.*)")
def credits(step: Step, told: str) -> bool:
    true = True
    for part in told.split(", "):
        name, now, gain = part.replace("(", "").replace(")", "").split()
        true &= step.table.credits[name] + int(gain) == int(now) and int(gain) != 0
        step.table.credits[name] = int(now)
    return true


@READER.line(r"the level (rises|falls) to (\w+)")
def level(step: Step, way: str, now: str) -> bool:
    was, step.table.level = step.table.level, now
    return (LEVELS.index(now) > LEVELS.index(was)) == (way == "rises") and now != was


@READER.line("(Game over; won by|Cut off; ahead): (.*)")
def result(step: Step, how: str, names: str) -> bool:
    s = step.after
    scores = [(int(s.credits[seat]) + int(s.hand[seat]), int(s.hand[seat])) for seat in range(s.num_players)]
    best = [SEAT_NAMES[seat] for seat, score in enumerate(scores) if score == max(scores)]  # PM-86 to PM-88
    return s.mover == OVER and (how == "Cut off; ahead") == bool(s.truncated) and names.split(", ") == best


# -- what must be told --------------------------------------------------------------------------------


@READER.at_the_end
def the_table(step: Step) -> Iterator[str]:
    """Whoever carries out what is told has the table as it is."""
    for name, true in vars(Table(step.after)).items():
        if (told := getattr(step.table, name)) != true:
            yield f"{name} is {true}, but told is {told}"


@READER.change("bid")
def a_bid(step: Step) -> Iterator[str]:
    yield r"bids (\d|in secret)"
    if all_bids_are_made(step):
        yield "the bids: "


@READER.change("first")
def a_first_turn(step: Step) -> Iterator[str]:
    yield f"{SEAT_NAMES[step.after.first]} has the first turn"


@READER.change("rolled")
def the_dice(step: Step) -> Iterator[str]:
    if step.before.mover == CHANCE and step.before.rolled == 2:
        yield " rolls .* at level "


@READER.change("roll_sum")
def a_roll_off(step: Step) -> Iterator[str]:
    if step.before.roll_dice == 1 and step.before.mover == CHANCE:
        yield "roll-off: "


@READER.change("mover")
def the_end(step: Step) -> Iterator[str]:
    if step.after.mover == OVER:
        yield "Game over|Cut off"
