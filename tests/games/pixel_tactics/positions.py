"""The language of the files of positions, and its reader.

A block has a title line with a name and clause ids, a position, and lines of steps, separated by ` | `. A
position is `R<round> <wave>`, then `key=value`, then the two units, ` / 0: ...` and ` / 1: ...`:

    R2 V seat=1 best_of=3 / 0: L=Knight*2 Va=Fighter*3+5!ah Vb=x.Oracle hand=Witch / 1: L=Healer Va=~Gunner

`*3+5!ah` is 3 damage, a boost of 5, and the marks acted and hurt; `x.` is a corpse, `~` a captive. `trophies`,
`ward`, `level` and `lose_now` have two values, `0:1`. Lists are `hand`, `disc`, `known`, `top`, `out` and
`deck`; all other cards are in the deck, or with `deck=` in the discard. The game is in the turn of `seat`.
`START` is a new game. Steps:

    > melee Va; foe L      actions of the mover
    ~ Knight, 1            outcomes of chance
    ? 1 own Va, pass       all legal actions, of seat 1; `? only draw,clear: -`: only in these blocks
    = 0.Va=Fighter*4       facts, see `Table.fact`
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from polytrix.core.compile.compiler import Mode
from polytrix.core.state import CHANCE, OVER
from polytrix.games.pixel_tactics import GAME, rules
from polytrix.games.pixel_tactics.board import passives
from polytrix.games.pixel_tactics.board.choices import clear_choices
from polytrix.games.pixel_tactics.board.units import front
from polytrix.games.pixel_tactics.cards.cards import TOKENS
from polytrix.games.pixel_tactics.cards.effects import Mark
from polytrix.games.pixel_tactics.state import LEADER_SLOT, NOBODY, ROW_NAMES, SLOT_NAMES, Damage, Phase
from tests.games.by_hand import ByHand
from tests.games.scripts import COMMON, blocks, reported

CARD = {name: number for number, name in enumerate(TOKENS)}
SLOT = {name: number for number, name in enumerate(SLOT_NAMES)}
MARKS = {"a": "acted", "f": "fresh", "m": "moved", "h": "hurt", "s": "struck"}
ZONES = {"hand": "hand", "disc": "discard", "out": "out", "deck": "deck"}
PLACED = re.compile(r"(x\.|~)?([A-Za-z]+)(?:\*(\d+))?(?:\+(\d+))?(?:!([afmhs]+))?")
RESULTS = {"-": -1, "0": 0, "1": 1, "tie": 2}


def bits(names: str) -> int:
    """A list of cards as a set."""
    return sum(1 << CARD[name] for name in names.split(",") if name not in ("", "-"))


def card_names(cards: int) -> list[str]:
    """The cards of a set."""
    return [name for number, name in enumerate(TOKENS) if int(cards) >> number & 1]


class Table(ByHand):
    """A game in a position written as text, with plain or compiled rules.

    Args:
        text: the position, one line.
        mode: of the rules.
    """

    def __init__(self, text: str, mode: Mode = Mode.PLAIN) -> None:
        head, *units = text.split(" / ")
        words = dict(word.split("=") for word in head.split() if "=" in word)
        names = [option.name for option in GAME.options]
        given = {name: words.pop(name) for name in list(words) if name in names}
        options = {name: int(value) if value.isdigit() else value for name, value in given.items()}
        if "orders_in_ceasefire" in options:
            options["orders_in_ceasefire"] = bool(options["orders_in_ceasefire"])
        super().__init__(GAME, mode, **options)
        if head == "START":
            rules.setup(self.s)
        else:
            self._set(head, words, units)

    @property
    def s(self) -> Any:
        return self.state

    # -- setting up --

    def _set(self, head: str, words: dict[str, str], units: list[str]) -> None:
        s = self.s
        rules.setup(s)
        self._empty(s)
        s.round_number, s.wave = int(head.split()[0][1:]), ROW_NAMES.index(head.split()[1])
        s.first, s.active = int(words.get("first", 0)), int(words.get("seat", 0))
        s.actions, s.match = int(words.get("actions", 2)), int(words.get("match", 1))
        s.trophies[:] = [int(n) for n in words.get("trophies", "0:0").split(":")]
        for name in ("ward", "level", "lose_now"):
            s[name][:] = [int(n) for n in words.get(name, "0:0").split(":")]
        for seat, unit in enumerate(units):
            assert unit.startswith(f"{seat}: ")
            self._lay(s, seat, dict(part.split("=") for part in unit[3:].split()))
        everything = (1 << len(TOKENS)) - 1
        for seat in range(2):
            zones = s.hand[seat] | s.discard[seat] | s.out[seat] | s.deck[seat] | self.laid[seat]
            rest = everything & ~int(zones)
            if self.exact[seat]:
                s.discard[seat] |= rest
            else:
                s.deck[seat] |= rest
            if passives.leader_marks(s, 1 - seat) & Mark.OPEN_HAND:  # PT-106
                s.known[seat] = s.hand[seat]
        rules.clear_stack(s)
        clear_choices(s)
        s.phase, s.mover = Phase.PLAYING, NOBODY
        rules.advance(s)

    def _empty(self, s: Any) -> None:
        """No card anywhere, after the reveal."""
        for zone in ("hand", "discard", "out", "deck", "in_play", "aside", "known"):
            s[zone][:] = 0
        s.top[:], s.fixed[:], s.card[:] = -1, 0, -1
        for field in ("heroes", "corpses", "captives", "damage", "boost", *MARKS.values()):
            s[field][:] = 0
        s.revealed, s.chance_kind, s.chance_seat, s.drawn = 1, 0, -1, -1
        self.laid, self.exact = [0, 0], [False, False]

    def _lay(self, s: Any, seat: int, unit: dict[str, str]) -> None:
        for name, value in unit.items():
            if name in SLOT:
                self._place(s, seat, SLOT[name], value)
            elif name == "known":
                s.known[seat] = bits(value)
            elif name == "top":
                cards = [CARD[card] for card in value.split(",")]
                s.top[seat, : len(cards)], s.fixed[seat] = cards, len(cards)
            else:
                s[ZONES[name]][seat] = bits(value)
                self.exact[seat] |= name == "deck"

    def _place(self, s: Any, seat: int, slot: int, value: str) -> None:
        found = PLACED.fullmatch(value)
        assert found, value
        kind, name, damage, boost, marks = found.groups()
        s.damage[seat, slot], s.boost[seat, slot] = int(damage or 0), int(boost or 0)
        for mark in marks or "":
            s[MARKS[mark]][seat] |= 1 << slot
        owner = 1 - seat if kind == "~" else seat
        self.laid[owner] |= 1 << CARD[name]
        if slot == LEADER_SLOT:
            s.leader[seat] = CARD[name]
            return
        s.card[seat, slot] = CARD[name]
        s["corpses" if kind == "x." else "heroes"][seat] |= 1 << slot
        if kind == "~":
            s.captives[seat] |= 1 << slot

    # -- playing --

    def run(self, lines: list[str]) -> Table:
        """Carry out steps; AssertionError names the one that fails."""
        for line in lines:
            command, _, words = line.partition(" ")
            for step in [line] if command in COMMON else map(str.strip, line.split(" | ")):
                with reported(step, lambda: GAME.text(self.s, None)):
                    if command in COMMON:
                        COMMON[command](self, words)
                    else:
                        self.step(step[0], step[1:].strip())
        return self

    def step(self, kind: str, content: str) -> None:
        """Carry out a step by its sign."""
        if kind == ">":
            for action in content.split(";"):
                self.act(action.strip())
        elif kind == "~":
            for outcome in content.split(","):
                self.happen(outcome.strip())
        elif kind == "?":
            self.ask(content)
        else:
            for fact in content.split(";"):
                name, _, value = fact.strip().partition("=")
                assert self.fact(name) == self.wanted(name, value), f"{name} is {self.fact(name)}, not {value}"

    def happen(self, outcome: str) -> None:
        """Carry out a chance outcome, named by its card or seat."""
        s = self.s
        assert s.mover == CHANCE, f"no chance event, where {outcome} is to happen"
        names = [GAME.format_chance(s, k).split()[-1] for k in range(rules.chance(s))]
        self.advance(names.index(outcome))

    def ask(self, content: str) -> None:
        """Check the legal actions, all of them or those of some blocks."""
        mover = re.match(r"([01]) ", content)
        if mover:
            assert self.s.mover == int(mover[1]), f"the mover is {self.s.mover}"
            content = content[2:]
        blocks = None
        if content.startswith("only "):
            chosen, _, content = content[5:].partition(":")
            blocks = chosen.split(",")
        wanted = {name.strip() for name in content.split(",") if name.strip() not in ("-", "")}
        found = {name for name in self.legal if blocks is None or name.split()[0] in blocks}
        assert found == wanted, f"legal are {sorted(found)}"

    # -- facts --

    def fact(self, name: str) -> Any:
        """The value of a fact: `actions`, `0.hand`, `1.Va`, `1.Va.life`, ..."""
        s = self.s
        if name == "mover":
            return {CHANCE: "chance", OVER: "over"}.get(int(s.mover), str(s.mover))
        if name == "n":
            return rules.chance(s) if s.mover == CHANCE else 0
        if name == "payoff":
            return ":".join(f"{payoff + 0.0:g}" for payoff in GAME.payoffs(s))
        seat, dot, rest = name.partition(".")
        if not dot:
            return int(s[{"round": "round_number"}.get(name, name)])
        return self.fact_of(int(seat), *rest.split("."))

    def fact_of(self, seat: int, what: str, detail: str = "") -> Any:
        """A fact about a seat, or about a slot of its unit."""
        s = self.s
        if what in SLOT:
            return self.detail(seat, SLOT[what], detail) if detail else self.content(seat, SLOT[what])
        if what in ("hand", "known", "out", "deck"):
            return set(card_names(s[what][seat]))
        if what == "disc":
            return set(card_names(s.discard[seat]))
        if what == "top":
            return [TOKENS[card] for card in s.top[seat, : int(s.fixed[seat])]]
        if what == "leader":
            return TOKENS[s.leader[seat]]
        if what in ("n_hand", "n_deck"):
            return int(s[what[2:]][seat]).bit_count()
        return int(s[what][seat])

    def content(self, seat: int, slot: int) -> str:
        """A slot as positions are written, without marks."""
        s = self.s
        bit = 1 << slot
        damage = f"*{s.damage[seat, slot]}" if s.damage[seat, slot] else ""
        if slot == LEADER_SLOT:
            return TOKENS[s.leader[seat]] + damage
        if not (int(s.heroes[seat]) | int(s.corpses[seat])) & bit:
            return "-"
        sign = "x." if int(s.corpses[seat]) & bit else "~" if int(s.captives[seat]) & bit else ""
        return sign + TOKENS[s.card[seat, slot]] + damage

    def detail(self, seat: int, slot: int, name: str) -> int:
        """A number of a member."""
        s = self.s
        if name in MARKS.values():
            return int(s[name][seat]) >> slot & 1
        if name == "front":
            return int(front(s, seat)) >> slot & 1
        if name == "ranged":
            return int(passives.ranged(s, seat)) >> slot & 1
        if name == "intercept":
            return int(passives.intercepting(s, seat)) >> slot & 1
        if name == "life":
            return int(passives.life(s, seat, slot))
        return int(passives.strength(s, seat, slot, -1, Damage.MELEE if name == "melee" else Damage.RANGED))

    def wanted(self, name: str, value: str) -> Any:
        """The expected value of a fact, in the form that `fact` returns."""
        if name in ("mover", "payoff"):
            return value
        if name == "wave":
            return ROW_NAMES.index(value)
        if name == "result":
            return RESULTS[value]
        last = name.split(".")[-1]
        if last in ("hand", "known", "out", "deck", "disc"):
            return {word for word in value.split(",") if word != "-"}
        if last == "top":
            return [word for word in value.split(",") if word != "-"]
        if last in SLOT:
            return value.removesuffix("*0")
        return value if last == "leader" else int(value)


EFFECTS = [*blocks(__file__, "effect")]
POSITIONS = [*blocks(__file__, "worked", "more"), *EFFECTS]
IN_PYTHON = [*blocks(__file__, "told", "greedy", "broken")]


def run(lines: list[str], mode: Mode) -> None:
    """Run a block; an AssertionError names the step that fails."""
    Table(lines[0], mode).run(lines[1:])


def positions_of(lines: list[str]) -> Iterator[Table]:
    """The table of a block, at first and after every action and outcome of chance."""
    table = Table(lines[0])
    yield table
    for step in (step.strip() for line in lines[1:] for step in line.split(" | ")):
        if step[0] in ">~":
            for one in step[1:].split(";" if step[0] == ">" else ","):
                table.step(step[0], one.strip())
                yield table


def placed(text: str, mode: Mode = Mode.PLAIN) -> Table:
    """A position and steps after it, in one text of several lines."""
    position, *steps = (line.strip() for line in text.strip().splitlines())
    return Table(position, mode).run(steps)


def mirrored(position: str) -> str:
    """The same position with the seats exchanged."""
    head, south, north = position.split(" / ")
    words = {"seat": "0", "first": "0"} | dict(word.split("=") for word in head.split() if "=" in word)
    for name, value in words.items():
        if name in ("seat", "first"):
            words[name] = str(1 - int(value))
        elif ":" in value:
            words[name] = ":".join(reversed(value.split(":")))
    given = " ".join(f"{name}={value}" for name, value in words.items())
    return f"{' '.join(head.split()[:2])} {given} / 0: {north[3:]} / 1: {south[3:]}"
