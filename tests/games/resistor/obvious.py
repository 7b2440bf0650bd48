"""A slow, obvious model of the game: cards on a table, and two seats that watch them.

Written from the rules alone, as a generator that stops and asks at every decision and chance event.
`obvious_row.py` reads the lines. It shares nothing with the package but the deck file.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from . import obvious_row

RED, BLUE = 0, 1
TOKENS = obvious_row.faces_of(obvious_row.shipped_content())
"""[card][side]: what is printed there."""
RESISTORS = {card for card, (a, b) in enumerate(TOKENS) if "*" in a or "*" in b}

PHASES = ("ACT", "TRASH", "FORCED", "UNDO", "RESOLVE", "LAY", "DEAL", "TIE", "TAKE", "REDRAW", "OVER")
REASONS = ("running", "hit", "short", "deck")
NAMES = (
    *(f"F{p}" for p in range(1, 8)),
    *("D", "Pa", "Pb", "To1", "To2", "Te1", "Te2", "T-"),
    *(f"S{p}{hand}{slot}{way}" for p, hand, slot, way in product(range(1, 8), "oe", "12", "+-")),
    *(f"L{p}" for p in range(1, 8)),
    *(f"R{p}" for p in range(1, 8)),
    *("U", "K"),
)
"""The actions, by number."""

Asking = Generator[None, str, Any]


class Over(Exception):  # noqa: N818  an ending, no error
    """The game has ended: winner (0, 1, 2 = draw) and reason."""


@dataclass(eq=False)
class Card:
    """One of the fifty. `side` lies up in the row; elsewhere it faces Red."""

    number: int
    side: int = 0
    turned: int = 0
    locks: set[int] = field(default_factory=set)
    seen: tuple[dict[int, int], dict[int, int]] = field(default_factory=lambda: ({}, {}))
    """For each seat the sides that it has seen, and at which look the last time."""

    def tokens(self, side: int | None = None) -> list[str]:
        return TOKENS[self.number][self.side if side is None else side]

    @property
    def shows_diamond(self) -> bool:
        return "*" in self.tokens()

    def shows(self, colour: int) -> bool:
        return any(token[0] == "rb"[colour] for token in self.tokens())

    def knows(self, seat: int) -> bool:
        """Whether a seat has seen both sides."""
        return len(self.seen[seat]) == 2


class Table:
    """A game in progress; `phase`, `mover` (None for chance) and `choices` say what it waits for."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options
        self.deck = [Card(number) for number in range(50)]
        self.row: list[Card | None] = []  # None while the centre card is replaced
        self.hands: list[list[Card | None]] = [[None, None], [None, None]]
        self.drawn: Card | None = None
        self.pile: list[Card] = []
        self.levels = [1, 1]
        self.turn: int | None = None
        self.left: set[str] = set()
        self.undoable: Card | None = None
        self.removed = 0
        self.winner, self.reason = -1, "running"
        self.looks = 0
        self.phase, self.mover, self.choices = "", None, [""]
        self._story = self._tell()
        next(self._story)

    def answer(self, choice: str) -> None:
        """Continue with one of the choices."""
        assert choice in self.choices
        try:
            self._story.send(choice)
        except StopIteration:
            self.phase, self.mover, self.choices = "OVER", None, []
            self.look()

    def ask(self, phase: str, mover: int | None, choices: list[str]) -> Asking:
        self.phase, self.mover, self.choices = phase, mover, choices
        self.look()
        return (yield)

    def look(self) -> None:
        """Both seats look at all that lies open to them."""
        self.looks += 1
        for card in filter(None, self.row):
            card.seen[RED][card.side] = card.seen[BLUE][card.side] = self.looks
        for card in filter(None, [*self.hands[RED], *self.hands[BLUE], self.drawn]):
            card.seen[RED][card.side] = self.looks
            card.seen[BLUE][1 - card.side] = self.looks
        for card in self.pile:
            for seat, side in product((RED, BLUE), (0, 1)):
                card.seen[seat][side] = self.looks

    # -- the story --

    def _tell(self) -> Asking:
        try:
            yield from self._set_up()
            while True:
                yield from self._take_turn()
                self.score()
                self.turn = 1 - self.turn
        except Over as ending:
            self.winner, self.reason = ending.args

    def _set_up(self) -> Asking:
        for _ in range(7):
            self.row.append((yield from self._lay("LAY")))
        for seat, slot in product((RED, BLUE), (0, 1)):
            self.hands[seat][slot] = yield from self._draw("DEAL")
        while self._showing(RED) == self._showing(BLUE) and len(self.deck) > 1:
            self.pile.append(self.row[3])
            self.row[3] = None
            self.row[3] = yield from self._lay("TIE")
        self.turn = BLUE if self._showing(BLUE) < self._showing(RED) else RED

    def _showing(self, colour: int) -> int:
        return sum(card.shows(colour) for card in self.row)

    def _lay(self, phase: str) -> Asking:
        choices = [
            f"{card.number}{'ab'[side]}{way}"
            for card in self.deck
            for side in (0, 1)
            if "*" not in card.tokens(side)
            for way in "+-"
        ]
        text = yield from self.ask(phase, None, choices)
        card = self._take(text[:-1])
        card.turned = "+-".index(text[-1])
        return card

    def _draw(self, phase: str) -> Asking:
        choices = [f"{card.number}{side}" for card in self.deck for side in "ab"]
        text = yield from self.ask(phase, None, choices)
        return self._take(text)

    def _take(self, text: str) -> Card:
        card = next(card for card in self.deck if card.number == int(text[:-1]))
        self.deck.remove(card)
        card.side = "ab".index(text[-1])
        return card

    # -- a turn --

    def _take_turn(self) -> Asking:
        self.left = set("FDSL") if self.options["lock_down"] else set("FDS")
        while actions := self.actions():
            action = yield from self.ask("ACT", self.turn, actions)
            self.left.remove(kind_of(action))
            if kind_of(action) == "F":
                yield from self._flip_over(action)
            elif kind_of(action) == "D":
                yield from self._draw_and_trash(action)
            elif kind_of(action) == "S":
                self._switch_out(action)
            else:
                for card in self.row:
                    card.locks.discard(self.turn)
                self.at(action, self.turn).locks.add(self.turn)
            yield from self._resolve_all()
            if not self.deck:
                self.finish("deck")

    def actions(self) -> list[str]:
        """The turn player's legal actions, by number."""
        found = {"D"}
        if self.options["recycling_subsystems"] and self.is_behind() and self.pile:
            found |= {"Pa", "Pb"}
        for position in range(1, len(self.row) + 1):
            card = self.at(f"F{position}", self.turn)
            if not card.locks:
                found |= {f"F{position}"}
                found |= {f"S{position}{''.join(rest)}" for rest in product("oe", "12", "+-")}
            if card.shows(RED) and card.shows(BLUE):
                found |= {f"L{position}"}
        return sorted((action for action in found if kind_of(action) in self.left), key=NAMES.index)

    def at(self, action: str, seat: int) -> Card:
        """The card at the position in an action, from the seat's side."""
        return self.row[int(action[1]) - 1] if seat == RED else self.row[-int(action[1])]

    def is_behind(self) -> bool:
        return self.levels[self.turn] > self.levels[1 - self.turn]

    def _flip(self, *cards: Card) -> None:
        for card in cards:
            card.side, card.turned = 1 - card.side, 1 - card.turned
        self.look()

    def _flip_over(self, action: str) -> Asking:
        card = self.at(action, self.turn)
        self._flip(card)
        if self.options["comeback_circuits"] and self.is_behind():
            self.undoable = card
            if (yield from self.ask("UNDO", self.turn, ["U", "K"])) == "U":
                self._flip(card)
            self.undoable = None

    def _draw_and_trash(self, action: str) -> Asking:
        if action == "D":
            self.drawn = yield from self._draw("TAKE")
        else:
            self.drawn = self.pile.pop()
            toward_mover = "ab".index(action[1])
            self.drawn.side = toward_mover if self.turn == RED else 1 - toward_mover
        answer = yield from self.ask("TRASH", self.turn, ["To1", "To2", "Te1", "Te2", "T-"])
        trashed = self.drawn
        if answer != "T-":
            hand = self.hands[self.turn if answer[1] == "o" else 1 - self.turn]
            trashed, hand[int(answer[2]) - 1] = hand[int(answer[2]) - 1], self.drawn
        self.drawn = None
        self.pile.append(trashed)
        enemy = 1 - self.turn
        free = [f"F{p}" for p in range(1, len(self.row) + 1) if not self.at(f"F{p}", enemy).locks]
        if trashed.number in RESISTORS and free:
            self._flip(self.at((yield from self.ask("FORCED", enemy, free)), enemy))

    def _switch_out(self, action: str) -> None:
        out = self.at(action, self.turn)
        hand = self.hands[self.turn if action[2] == "o" else 1 - self.turn]
        into = hand[int(action[3]) - 1]
        into.side = into.side if self.turn == RED else 1 - into.side  # what faced the mover lies up
        plus, minus = (0, 1) if self.turn == RED else (1, 0)
        into.turned = plus if action[4] == "+" else minus
        self.row[self.row.index(out)] = into
        out.side = out.side if self.turn == RED else 1 - out.side  # what lay up faces the mover
        hand[int(action[3]) - 1] = out
        self.look()

    # -- Resistors --

    def graphs(self) -> list[obvious_row.Graph]:
        """Red's lines in the row, and Blue's."""
        faces = [(card.tokens(), bool(card.turned)) for card in self.row]
        return [obvious_row.graph_of(faces, colour) for colour in "rb"]

    def _resolve_all(self) -> Asking:
        while waiting := [card for card in self.row if card.shows_diamond]:
            chosen = waiting[0]
            if len(waiting) > 1:
                places = [f"R{p}" for p in range(1, len(self.row) + 1)]
                choices = [place for place in places if self.at(place, self.turn) in waiting]
                chosen = self.at((yield from self.ask("RESOLVE", self.turn, choices)), self.turn)
            yield from self._resolve(chosen)

    def _resolve(self, resistor: Card) -> Asking:
        graphs, i = self.graphs(), self.row.index(resistor)
        wired = [self.row[j] for j in set().union(*(obvious_row.wired(graph, i) for graph in graphs))]
        frames = [obvious_row.reached_frames(graph, i) for graph in graphs]
        home = [frames[seat][seat] for seat in (RED, BLUE)]
        away = [frames[seat][1 - seat] and self.options["dangerous_resistors"] for seat in (RED, BLUE)]
        for seat in (RED, BLUE):
            if home[seat] and self.levels[seat] > 1:
                self.levels[seat] -= 1
            elif home[seat] and self.options["feedback_overflow"]:
                self.levels[seat] = 2
        self.hit(int(away[RED]), int(away[BLUE]))
        for seat in (self.turn, 1 - self.turn):
            if home[seat] or away[seat]:
                yield from self._redraw(seat)
        self._flip(*(card for card in wired if not card.locks))
        self.row.remove(resistor)
        self.pile.append(resistor)
        self.removed += 1
        self.look()
        if len(self.row) == 1:
            self.finish("short")

    def _redraw(self, seat: int) -> Asking:
        self.pile += filter(None, self.hands[seat])
        self.hands[seat] = [None, None]
        for slot in (0, 1):
            if self.deck:
                self.hands[seat][slot] = yield from self._draw("REDRAW")

    # -- points and endings --

    def score(self) -> None:
        """Both players are checked on the same row."""
        self.hit(*(obvious_row.points(graph) for graph in self.graphs()))

    def hit(self, red: int, blue: int) -> None:
        """Points for both, one by one; who scores against level 4 wins."""
        beaten = set()
        for seat, points in ((BLUE, red), (RED, blue)):
            for _ in range(points):
                if self.levels[seat] == 4:
                    beaten.add(seat)
                self.levels[seat] = min(4, self.levels[seat] + 1)
        if beaten:
            raise Over(2 if len(beaten) == 2 else 1 - beaten.pop(), "hit")

    def finish(self, reason: str) -> None:
        """The last check, then the levels decide."""
        self.score()
        red, blue = self.levels
        raise Over(2 if red == blue else int(blue < red), reason)


def kind_of(action: str) -> str:
    """F, D, S or L: which action of the turn that is."""
    return "D" if action[0] == "P" else action[0]
