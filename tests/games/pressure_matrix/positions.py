"""The language of `worked_positions.txt`, and its reader.

A block begins with a header of `name=value`: `n` players; `at` turn (the active seat's turn begins,
the default), pressure (its Pressure Phase begins) or bid; `level`, `active`, `credits` (10 each),
`out` discarded markers (0 each), `hand` (the rest of five; given without `out`, the rest is discarded),
`runners`. Then tiles, with nodes in the order nw, ne, sw, se:

    a1: *FLIP | PAY 1 | SHIELD @0 | WIN 2      * blacked out, @p a marker of seat p
    a1/: WIN 4 | PAY 3 | TELEPORT | INVERT     its other side
    a2: full; b1: full                         plain tiles, blacked out

Other squares have the plain tile WIN 1 | PAY 1 | WIN 2 | PAY 2 on both sides. Then lines of play:

    > use b2.nw {2 2 2}; node ne = hand 4,5; 1 WINDOW: use b1.nw, pass

Actions after `>` are played, with dice in `{..}`. Everything after `=` must hold: `seat PHASE:` and all legal
actions, `roll p` (seat p rolls next), `over`, or a check of `CHECKS` below with its value.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.substitution import with_tables
from polytrix.core.state import CHANCE, OVER
from polytrix.games.pressure_matrix import GAME, invariants, markers, rules, state, tiles
from polytrix.games.pressure_matrix.choices import UNDECIDED
from polytrix.games.pressure_matrix.effects import CODES
from polytrix.games.pressure_matrix.ending import score
from polytrix.games.pressure_matrix.faces import lay_face
from polytrix.games.pressure_matrix.matrix import MATRIX, NODES, PLACE_NAMES, SQUARES, node_name, square_name
from polytrix.games.pressure_matrix.text import marker_on
from tests.games.by_hand import ByHand
from tests.games.scripts import COMMON, blocks, reported

PLAIN = "WIN 1 | PAY 1 | WIN 2 | PAY 2"
LEVELS = {"green": 0, "yellow": 1, "red": 2}
SQUARE = {square_name(square): square for square in range(SQUARES)}
NODE = {node_name(node): node for node in range(NODES)}
POSITIONS = [*blocks(__file__, "worked", "more")]
IN_PYTHON = [*blocks(__file__, "told", "greedy")]

IN_POSITIONS = {
    name: holds
    for name, holds in vars(invariants).items()
    if hasattr(holds, "is_invariant") and name not in ("each_face_is_in_one_place", "credits_have_been_won")
}
"""The invariants that hold in positions with many plain tiles and any number of Credits."""


def split_nodes(text: str) -> list[str]:
    return [node.strip() for node in text.split("|")]


def bare(node: str) -> str:
    """The node without its markers."""
    return node.lstrip("*").split(" @")[0]


def tile_set(faces: list[list[str]]) -> dict[str, Any]:
    """A tile file with these faces; the others are plain."""
    faces = faces + [split_nodes(PLAIN)] * (100 - len(faces))
    return {"tiles": [{"tile": i + 1, "front": faces[2 * i], "back": faces[2 * i + 1]} for i in range(50)]}


class Table(ByHand):
    """A game at a position, with tiles chosen by hand.

    Args:
        text: header and tiles, as above.
        faces: the faces of the tile set; by default those of `text`.
        mode: how the rules run.
        options: of the game, other than `players`.
    """

    def __init__(
        self, text: str, faces: tuple[str, ...] | None = None, mode: Mode = Mode.PLAIN, **options: Any
    ) -> None:
        lines = [line.strip() for line in text.strip().splitlines()]
        self.faces = list(faces or faces_in(lines))
        content = tile_set([split_nodes(face) for face in self.faces])
        replaced = {"lay_face": lay_face, "run": rules.run} | IN_POSITIONS
        self.plain = with_tables(replaced, tiles.build(content).tables[:3])  # those that they read
        header = dict(word.split("=") for word in lines[0].split())
        super().__init__(GAME.with_data(tiles=content), mode, players=int(header["n"]), **options)
        self.is_plain = mode is Mode.PLAIN
        if header.get("at") != "bid":
            self.lay_tiles(lines[1:])
            self.set_seats(header)
            self.begin(header.get("at", "turn"))

    # -- setting up --

    def lay_tiles(self, lines: list[str]) -> None:
        s = self.state
        n = s.num_players
        s.black[:], s.full = 0, 0
        plain = self.faces.index(PLAIN)
        for square in range(SQUARES):
            if int(MATRIX[n]) >> square & 1:
                self.plain["lay_face"](s, square, plain)
                s.reverse[square] = plain
        for part in (part for line in lines for part in line.split(";")):
            name, _, nodes = part.partition(":")
            self.lay(name.strip(), nodes.strip())

    def lay(self, name: str, nodes: str) -> None:
        s = self.state
        square = SQUARE[name.rstrip("/")]
        if nodes == "full":
            nodes = " | ".join("*" + node for node in split_nodes(PLAIN))
        face = self.faces.index(" | ".join(map(bare, split_nodes(nodes))))
        if name.endswith("/"):
            s.reverse[square] = face
            return
        self.plain["lay_face"](s, square, face)
        for place, node in enumerate(split_nodes(nodes)):
            if node.startswith("*"):
                markers.black_out(s, square, place)
            if "@" in node:
                number = 4 * square + place
                s.marker[int(node[-1]), markers.node_half(number)] |= markers.node_bit(number)

    def set_seats(self, header: dict[str, str]) -> None:
        s = self.state
        n = s.num_players
        inside = [sum(int(half).bit_count() for half in s.marker[seat]) for seat in range(n)]
        out = numbers(header.get("out", ",".join("0" * n)))
        hand = numbers(header["hand"]) if "hand" in header else [5 - inside[p] - out[p] for p in range(n)]
        if "out" not in header:
            out = [5 - inside[p] - hand[p] for p in range(n)]
        s.hand[:n], s.discarded[:n] = hand, out
        s.credits[:n] = numbers(header.get("credits", ",".join(["10"] * n)))
        s.level = LEVELS[header.get("level", "green")]
        s.active = int(header.get("active", 0))
        s.first, s.bid[:n] = 0, 0
        for seat, name in enumerate(header["runners"].split(",")):
            state.put_runner(s, seat, SQUARE[name])

    def begin(self, at: str) -> None:
        self.state.phase = {"turn": state.Phase.TURN, "pressure": state.Phase.PRESSURE}[at]
        self.plain["run"](self.state, UNDECIDED)

    # -- playing --

    def play(self, text: str) -> Table:
        """Play actions and dice; each action must be legal."""
        for token in re.findall(r"\{[^}]*\}|[^;{]+", text):
            token = token.strip()
            if token.startswith("{"):
                for pips in token[1:-1].split():
                    assert self.state.mover == CHANCE, f"no die is rolled where {pips} is to fall"
                    self.advance(int(pips) - 1)
            elif token:
                self.act(token)
        return self

    def advance(self, number: int) -> None:
        super().advance(number)
        if self.is_plain:
            assert self.broken == []

    # -- looking --

    @property
    def broken(self) -> list[str]:
        """The names of the invariants that the state breaks."""
        return [name for name in IN_POSITIONS if not self.plain[name](self.state, self.state)]

    @property
    def asked(self) -> str:
        """`0 MOVE`: mover and phase; or `roll 1`, `over`, or the phase that waits for chance."""
        s = self.state
        if s.mover == OVER:
            return "over"
        if s.mover == CHANCE:
            return f"roll {s.active}" if s.phase == state.Phase.ROLL else state.Phase.names()[s.phase]
        return f"{s.mover} {state.Phase.names()[s.phase]}"

    def holds(self, text: str) -> Table:
        """Assert everything that `text` says; `;` separates its parts."""
        for part in text.split(";"):
            self.hold(part.strip())
        return self

    def hold(self, text: str) -> None:
        if ":" in text:
            asked, _, actions = text.partition(":")
            assert self.asked == asked, self.asked
            assert self.legal == {action.strip() for action in actions.split(",")}, sorted(self.legal)
            return
        word, _, rest = text.partition(" ")
        if text == self.asked:
            return
        assert word in CHECKS, f"{text}: it is {self.asked}"
        found = CHECKS[word](self, rest)
        expected = rest.split(" ", 1)[1] if word in ("marker", "black", "face") else rest
        assert found == expected, f"{text}: it is {found}"


def numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]


def joined(values: Any) -> str:
    return ",".join(f"{float(value):g}" for value in values)


def per_seat(field: str) -> Callable[[Table, str], str]:
    return lambda table, rest: joined(table.state[field][: table.state.num_players])


def black(table: Table, rest: str) -> str:
    bits = state.blackouts(table.state, SQUARE[rest.split()[0]])
    return ",".join(name for place, name in enumerate(PLACE_NAMES) if bits >> place & 1) or "-"


def marker(table: Table, rest: str) -> str:
    owner = marker_on(table.state, NODE[rest.split()[0]])
    return "-" if owner < 0 else str(owner)


CHECKS: dict[str, Callable[[Table, str], str]] = {
    "credits": per_seat("credits"),
    "hand": per_seat("hand"),
    "out": per_seat("discarded"),
    "bids": per_seat("bid"),
    "level": lambda table, rest: list(LEVELS)[table.state.level],
    "movement": lambda table, rest: str(table.state.movement),
    "first": lambda table, rest: str(table.state.first),
    "active": lambda table, rest: str(table.state.active),
    "effect": lambda table, rest: CODES[table.state.code] if table.state.code else "-",
    "left": per_seat("left"),
    "won": lambda table, rest: str(table.state.won),
    "runners": lambda table, rest: ",".join(
        square_name(int(q)) for q in table.state.runner[: table.state.num_players]
    ),
    "black": black,
    "marker": marker,
    "face": lambda table, rest: table.faces[table.state.up[SQUARE[rest.split()[0]]]],
    "score": lambda table, rest: joined(score(table.state, seat) for seat in range(table.state.num_players)),
    "payoff": lambda table, rest: joined(GAME.payoffs(table.state)),
}


# -- the script ---------------------------------------------------------------------------------


def faces_in(lines: list[str]) -> tuple[str, ...]:
    """All faces in the lines of a position, and the plain one."""
    found = {PLAIN: None}
    for line in lines:
        if re.match(r"[a-e][1-5]/?:", line) and "|" in line:
            found[" | ".join(map(bare, split_nodes(line.partition(":")[2])))] = None
    return tuple(found)


@cache
def script_faces() -> tuple[str, ...]:
    """The faces of all blocks, so that all use one tile set and one compiled program."""
    return faces_in([line for _, _, lines in POSITIONS for line in lines])


def run(lines: list[str], mode: Mode) -> None:
    """Run a block; an AssertionError names the line that fails."""
    position = [line for line in lines if line[0] not in ">=" and line.split()[0] not in COMMON]
    known = set(faces_in(position)) <= set(script_faces())
    table = Table("\n".join(position), script_faces() if known else None, mode)
    for line in lines[len(position) :]:
        command, _, words = line.partition(" ")
        played, _, expected = line.partition("=")
        with reported(line, lambda: table.game.text(table.state, None)):
            if command in COMMON:
                COMMON[command](table, words)
                continue
            table.play(played.removeprefix(">"))
            if expected:
                table.holds(expected)
