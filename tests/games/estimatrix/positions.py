"""The language of `worked_positions.txt`: positions, moves and checks as text.

A block begins with a header of `name=value` pairs:

    n=6                number of players
    K=0 N=1.2          seats of Kvanter and Negater; `.2`: turn 2, the second of the Negater
    pairs=02,13        seats that hold each other's letter
    turn=9             number of the turn
    advanced=True      any option
    own=each           each seat is on a wavelength of its own
    at=opening         before all chance events

Then `reads 0: candy=R` sets the readings of a seat. Lines of play follow:

    > ban white; dice B R B B G Y = pairs 02,03; held 0 M4 T1 R1

The part after `>` is played: actions, `negater 2`, `deal` (the rest of the set-up), `outcome 5`, and `dice`,
which sets all dice by seat, and first bans and hints if necessary. The part after `=` must hold, see `CHECKS`.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.state import CHANCE, OVER
from polytrix.games.estimatrix import GAME, evidence, exchange, redeal, rules
from polytrix.games.estimatrix.ending import winners
from polytrix.games.estimatrix.lexicon import DOMAIN
from polytrix.games.estimatrix.state import CODES, LETTERS, Phase, own_reading, turn_of_service
from tests.games.by_hand import ByHand
from tests.games.scripts import COMMON, blocks, reported

from .play import observed, word

POSITIONS = [*blocks(__file__, "worked")]
IN_PYTHON = [*blocks(__file__, "told", "greedy", "broken")]
OPTION_NAMES = {option.name for option in GAME.options}


class Table(ByHand):
    """A game in the position that a text describes; in plain Python or compiled."""

    def __init__(self, header: str, readings: list[str], mode: Mode) -> None:
        words = dict(part.split("=") for part in header.split())
        options: dict[str, Any] = {name: value(text) for name, text in words.items() if name in OPTION_NAMES}
        options["players"] = int(words["n"])
        super().__init__(GAME, mode, seed=1, **options)
        s = self.state
        if words.get("at") == "opening":
            self.set_up()
            return
        if words.get("own") == "each":
            s.wave[: s.num_players] = np.arange(s.num_players)[:, None]
        for line in readings:
            seat, _, readings_text = line.removeprefix("reads ").partition(": ")
            for reading in readings_text.split():
                name, colour = reading.split("=")
                s.reading[s.wave[int(seat), word(name) // 8], word(name)] = CODES.index(colour)
        if options.get("hints", "lexicon") == "lexicon":
            evidence.introduce_words(s)
        for pair in words.get("pairs", "").split(","):
            if pair:
                exchange.set_pair(s, int(pair[0]), int(pair[1]), 1)
        negater, _, served = words.get("N", "0").partition(".")
        s.negater = int(negater)
        s.kvanter = int(words.get("K", (s.negater + 1) % s.num_players))
        s.turn = int(words.get("turn", served or 1))
        assert turn_of_service(s) == int(served or 1)
        rules.begin_turn(s)

    # -- playing --

    def play(self, text: str) -> None:
        """Play actions and chance outcomes, separated by `;`. Actions must be legal."""
        for part in filter(None, (part.strip() for part in text.split(";"))):
            name, _, rest = part.partition(" ")
            if name == "dice":
                self.set_dice([CODES.index(code) for code in rest.split()])
            elif name in ("negater", "outcome"):
                assert self.state.mover == CHANCE, f"nothing is drawn at {part}"
                self.advance(int(rest))
            elif name == "deal":
                while self.state.phase == Phase.SETUP:
                    self.advance(0)
            else:
                self.advance(GAME.parse_action(self.state, part))

    def set_dice(self, dice: list[int]) -> None:
        s = self.state
        if s.phase == Phase.BAN:
            self.advance(min(set(range(6)) - set(dice)))
        if s.phase == Phase.HINT:
            self.advance(GAME.legal_ids(s)[0])
        turn = int(s.turn)
        while s.mover != OVER and s.turn == turn:
            assert dice[s.mover] != s.banned, "the ban does not allow these dice"
            self.advance(55 + dice[s.mover])

    # -- looking --

    def hold(self, text: str) -> None:
        """Assert all checks in `text`."""
        for part in (part.strip() for part in text.split(";")):
            name, _, rest = part.partition(" ")
            assert name in CHECKS, f"{name} is none of {', '.join(CHECKS)}"
            found = CHECKS[name](self, rest)
            assert found is True or found == rest, f"{part}: it is {found}"


def value(text: str) -> Any:
    """An option's value."""
    if text in ("True", "False"):
        return text == "True"
    return int(text) if text.isdigit() else text


def runs(numbers: list[int]) -> str:
    """`0-6,9` for 0 to 6 and 9; `-` for nothing."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in parts) or "-"


# -- checks ------------------------------------------------------------------------------


def asked(table: Table, rest: str) -> str:
    """`asked 3 BAN`: mover and phase; `chance ROLL`, `over`."""
    s = table.state
    if s.mover == OVER:
        return "over"
    return f"{'chance' if s.mover == CHANCE else s.mover} {Phase.name_of(s.phase)}"


def legal(table: Table, rest: str) -> str:
    """`legal 0-6`: all legal actions, which mask and list agree on."""
    ids = table.legal_ids
    assert ids == GAME.legal_ids(table.state)
    return runs(ids)


def pairs(table: Table, rest: str) -> str:
    """`pairs 02,03`: all seats that hold each other's letter."""
    flags = table.state.pair
    return ",".join(f"{i}{j}" for i in range(6) for j in range(i + 1, 6) if flags[i, j]) or "-"


def held(table: Table, rest: str) -> str:
    """`held 0 M4 T1`: the seat's pieces."""
    seat = int(rest.split()[0])
    counts = [exchange.pieces(table.state, seat, letter) for letter in range(6)]
    return " ".join([str(seat)] + [f"{LETTERS[i]}{count}" for i, count in enumerate(counts) if count])


def received(table: Table, rest: str) -> str:
    """`received 2,0,1`: by seat, how many letters of others it holds."""
    return ",".join(str(exchange.received(table.state, seat)) for seat in range(table.state.num_players))


def roles(table: Table, rest: str) -> str:
    """`roles K1 N0.1`, as in the header."""
    return f"K{table.state.kvanter} N{table.state.negater}.{turn_of_service(table.state)}"


def turns(table: Table, rest: str) -> str:
    """`turns 1/0 2/0`: Kvanter and Negater of this turn and the next ones."""
    s, found = table.state.copy(), []
    for _ in rest.split():
        found.append(f"{s.kvanter}/{s.negater}")
        s.turn += 1
        rules.pass_roles(s)
    return " ".join(found)


def payoffs(table: Table, rest: str) -> bool | str:
    """`payoffs 1,-1/3,-1/3,-1/3`."""
    found = GAME.payoffs(table.state)
    return found == pytest.approx([float(Fraction(part)) for part in rest.split(",")]) or str(found)


def dice(table: Table, rest: str) -> str:
    """`dice -,B,-`: by seat."""
    s = table.state
    return ",".join("-" if die < 0 else CODES[die] for die in s.die[: s.num_players])


def known(table: Table, rest: str) -> str:
    """`known candy R,R,G`: by seat, `-` if nothing is known."""
    name = rest.split()[0]
    s = table.state
    return f"{name} " + ",".join(
        "-" if not (c := s.known[p, word(name)]) else CODES[c - 1] for p in range(s.num_players)
    )


def said(table: Table, rest: str) -> str:
    """`said candy B by 0`, or `said candy -`."""
    name = rest.split()[0]
    colour, giver = table.state.said[word(name)], table.state.said_by[word(name)]
    return f"{name} {CODES[colour - 1]} by {giver - 1}" if colour else f"{name} -"


def signs(table: Table, rest: str) -> str:
    """`signs 0 1 street 4/0`: echo and clash of a seat with another in a domain."""
    seat, other, domain = rest.split()[:3]
    where = int(seat), int(other), DOMAIN.tolist().index(domain)
    return f"{seat} {other} {domain} {table.state.echo[where]}/{table.state.clash[where]}"


def agree(table: Table, rest: str) -> str:
    """`agree 0 taxi 0,1`: the evidence of a word, of a seat about the others clockwise from it."""
    seat, name = rest.split()[:2]
    s = table.state
    others = [(int(seat) + k) % s.num_players for k in range(1, s.num_players)]
    own, ban = own_reading(s, int(seat), word(name)), s.known_ban[word(name)]
    found = ",".join(str(evidence.agreement(own, s.known[p, word(name)], ban)) for p in others)
    return f"{seat} {name} {found}"


def sees(table: Table, rest: str) -> str:
    """`sees 2 kvanter 1`: of a block of seat 2's observation the entries that are not zero."""
    seat, block = rest.split()[:2]
    seen = GAME.observations.view(observed(table.state, int(seat)))[block]
    return f"{seat} {block} {runs(np.flatnonzero(seen).tolist())}"


def events(table: Table, rest: str) -> str:
    """`events 4 6x144 3x24`: numbers of outcomes of the set-up's chance events from here on."""
    states = table.simulator.states.copy()
    sizes = []
    while states[0].phase == Phase.SETUP:
        sizes.append(int(GAME.chance(states[0])))
        table.programs.advance(states, np.array([0]))
    found = [[sizes[0], 1]]
    for size in sizes[1:]:
        if size == found[-1][0]:
            found[-1][1] += 1
        else:
            found.append([size, 1])
    return " ".join(str(size) if count == 1 else f"{size}x{count}" for size, count in found)


def unseen(table: Table, rest: str) -> bool:
    """`unseen 0 by 1,2,3`: the first seats' dice change nothing that the other seats see."""
    hidden, _, viewers = rest.partition(" by ")
    s = table.state
    twin = s.copy()
    for seat in map(int, hidden.split(",")):
        assert s.die[seat] >= 0
        twin.die[seat] = next(c for c in range(6) if c not in (s.die[seat], s.banned))
    for viewer in map(int, viewers.split(",")):
        assert (observed(s, viewer) == observed(twin, viewer)).all()
        assert GAME.text(s, viewer) == GAME.text(twin, viewer)
        assert GAME.draw(s, viewer).svg() == GAME.draw(twin, viewer).svg()
    assert GAME.legal_ids(s) == GAME.legal_ids(twin)
    return all((observed(s, p) != observed(twin, p)).any() for p in map(int, hidden.split(",")))


def weights(table: Table, rest: str) -> str:
    """`weights 0 food 01:6 02:6`: ways to draw faces, by the other seats' wavelengths (0: the seat's own)."""
    seat, domain = rest.split()[:2]
    s, number = table.state, DOMAIN.tolist().index(domain)
    others = [p for p in range(s.num_players) if p != int(seat)]
    codes = sum(redeal.public_code(s, p, number) << 6 * i for i, p in enumerate(others))
    faces = sum(redeal.faces_alike(s, p, number) << 6 * i for i, p in enumerate(others))
    own, w = redeal.public_code(s, int(seat), number), int(s.options.wavelengths)
    free = 6 ** int(s.options.acquaintance)
    found = {}
    for way in range(w ** len(others)):
        digits = "".join(str(way // w**i % w) for i in range(len(others)))
        found[digits] = redeal.weight(way, codes, faces, own, free, w, len(others))
    shown = " ".join(f"{digits}:{weight}" for digits, weight in sorted(found.items()) if weight)
    return f"{seat} {domain} {shown}"


def field(name: str) -> Callable[[Table, str], str]:
    return lambda table, rest: str(table.state[name])


CHECKS: dict[str, Callable[[Table, str], bool | str]] = {
    "asked": asked,
    "legal": legal,
    "pairs": pairs,
    "held": held,
    "received": received,
    "roles": roles,
    "turns": turns,
    "winners": lambda table, rest: runs([p for p in range(6) if winners(table.state) >> p & 1]),
    "payoffs": payoffs,
    "truncated": field("truncated"),
    "turn": field("turn"),
    "banned": lambda table, rest: "-" if table.state.banned < 0 else CODES[table.state.banned],
    "hint": field("hint"),
    "dice": dice,
    "known": known,
    "said": said,
    "signs": signs,
    "agree": agree,
    "sees": sees,
    "events": events,
    "unseen": unseen,
    "weights": weights,
}


# -- the script ---------------------------------------------------------------------------------


def run(lines: list[str], mode: Mode) -> None:
    """Run a block; an AssertionError names the line that fails."""
    header, *rest = lines
    readings = [line for line in rest if line.startswith("reads ")]
    table = Table(header, readings, mode)
    for line in rest[len(readings) :]:
        command, _, words = line.partition(" ")
        played, _, expected = line.partition("=")
        with reported(line, lambda: GAME.text(table.state, None)):
            if command in COMMON:
                COMMON[command](table, words)
                continue
            table.play(played.removeprefix(">"))
            if expected:
                table.hold(expected)
