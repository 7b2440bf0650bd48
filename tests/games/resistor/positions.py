"""The language in which `worked_positions.txt` writes positions, and its reader.

    pos row 42a+ 0b-; left F     a position; see below for its items
    start                        a fresh game, in its set-up
    draw 42a+/166 36b            chance deals these cards; `/n`: out of n outcomes
    outcome 35                   the pending chance event has this outcome
    stock 48 49                  the deck holds these cards only
    play F2[46a 47b] T-          legal actions; in brackets the cards that chance deals in them
    act D                        a legal action, after which chance may be to deal
    is row 42b+; lv 1/2          items of the present position
    legal D Pa Pb                exactly these actions are legal
    legal 64 / ids 0-7 15-70     the number of legal actions / exactly these ids are legal
    no F3 S3*                    none of these is legal; `S3*`: none that begins with S3
    card 42a- r11                the lines that Red reads on a card: colour, near and far chip
    card 4a- * rn1 rf0           the diamond, and stubs: colour, near or far, chip
    lines r11                    the lines that Red reads on the first card of the row
    see R 27..313 27 29 43=2     the nonzero entries of Red's observation in a range: 1, or `=value`

A card is its id and a side: in the row the side up and the orientation, elsewhere the side
that faces Red. Items: `row`; `R` and `B`, the hands (`--`: an empty slot); `lv`, the levels of
Red and Blue; `left`; `turn`; `mover`; `phase`; `opt`, options that are on; `deck` and `deckn`, its
cards and their number; `pile`, bottom to top; `lock R48`; `know 44:RB`, who knows both sides; `over R win`.
A position starts with the items of DEFAULTS; the deck holds all other cards, or those that
`deck` names; the remaining cards then lie at the bottom of the pile. `#` starts a comment.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from polytrix.core.compile.compiler import Mode
from polytrix.core.game import Game
from polytrix.core.state import CHANCE, OVER
from polytrix.games.resistor import GAME
from polytrix.games.resistor.deck import shipped_deck
from polytrix.games.resistor.state import NONE, ROW, Left, Phase, Place, Reason, deck_size
from tests.games.by_hand import ByHand
from tests.games.scripts import COMMON, blocks, reported

DEFAULTS = {"R": "36a 37a", "B": "34a 35a", "turn": "R", "left": "FDS", "lv": "1/1", "phase": "ACT"}
SEATS = "RB"
DECK = shipped_deck()
POSITIONS = [*blocks(__file__, "worked", comment="#")]
IN_PYTHON = [*blocks(__file__, "told", "broken")]


class Position(ByHand):
    """One game, set up and played by hand, in plain Python or compiled.

    Args:
        text: the items of a position; None: a fresh game, in its set-up.
        mode: how the rules are run.
        game: `GAME`, or a game with another deck, whose set-up cannot be played by name.

    >>> table = Position("row 42a+ 44a+ 20b+; turn B; left F")
    >>> sorted(table.legal)
    ['F1', 'F2', 'F3']
    >>> table.play("F1").fact("row")
    '42a+ 44a+ 20a-'
    """

    def __init__(self, text: str | None = None, mode: Mode = Mode.PLAIN, game: Game = GAME) -> None:
        super().__init__(game, mode)
        self.set_up()
        if text is not None:
            self.place(text)

    # -- setting up --

    def place(self, text: str) -> None:
        """Lay out a position."""
        wanted = DEFAULTS | items(text)
        s = self.state
        self.set_up()
        used = self.put_row(wanted["row"].split())
        for seat, name in enumerate(SEATS):
            for slot, card in enumerate(wanted[name].split()):
                used.append(self.put(Place.HANDS + 2 * seat + slot, card))
        pile = numbers(wanted.get("pile", ""))
        rest = [card for card in range(50) if card not in used + pile]
        deck = numbers(wanted["deck"]) if "deck" in wanted else rest
        pile = [card for card in rest if card not in deck] + pile
        assert sorted(used + pile + deck) == list(range(50)), "a card is in two places"
        s.pile[: len(pile)] = pile
        s.pile_size = len(pile)
        s.deck = sum(1 << card for card in deck)
        s.defcon[:] = [int(level) for level in wanted["lv"].split("/")]
        s.turn = s.mover = SEATS.index(wanted["turn"])
        s.left = sum(1 << "FDSL".index(letter) for letter in wanted["left"])
        s.phase = getattr(Phase, wanted["phase"])
        on = (pair.partition("=") for pair in wanted.get("opt", "").split())
        values = {name: int(value) if value else True for name, _, value in on}
        GAME.options.write(s.options, GAME.options.validate(values))
        for known in wanted.get("know", "").split():
            card, _, who = known.partition(":")
            s.known[list(s.card).index(int(card))] = sum(1 << SEATS.index(name) for name in who)
        for lock in wanted.get("lock", "").split():
            s.lock[list(s.card).index(int(lock[1:]))] |= 1 << SEATS.index(lock[0])

    def put_row(self, cards: list[str]) -> list[int]:
        self.state.length = len(cards)
        return [self.put(i, card) for i, card in enumerate(cards)]

    def put(self, place: int, text: str) -> int:
        card, side, turned = read_card(text)
        s = self.state
        s.card[place], s.side[place], s.turned[place] = card, side, turned
        return card

    # -- playing --

    def draw(self, text: str) -> None:
        """Chance deals a card, `16b-` into the row or `16b` elsewhere."""
        assert self.state.mover == CHANCE, f"chance is not to deal {text}"
        self.advance(outcome_number(int(self.state.deck), text))

    def play(self, text: str) -> Position:
        """Apply actions in notation. Each must be legal, and chance must deal exactly the named cards."""
        for action, cards in re.findall(r"([^\s\[]+)(?:\[([^\]]*)\])?", text):
            self.act(action)
            for card in cards.split():
                self.draw(card)
            assert self.state.mover != CHANCE, f"chance is to deal more cards after {action}"
        return self

    # -- looking --

    def fact(self, name: str) -> str:
        """An item of the present position."""
        return FACTS[name](self.state)

    def observation(self, seat: int) -> np.ndarray:
        """The observation of a seat."""
        return self.simulator.view(seat)[0][0]


def items(text: str) -> dict[str, str]:
    """`row 42a+; left F` as a dictionary."""
    pairs = (item.strip().partition(" ") for item in text.split(";"))
    return {name: rest for name, _, rest in pairs}


def numbers(text: str) -> list[int]:
    return [int(number) for number in text.split()]


def read_card(text: str) -> tuple[int, int, int]:
    """Card, side and orientation of `16b-`; `--` is an empty slot."""
    if text == "--":
        return NONE, 0, 0
    match = re.fullmatch(r"(\d+)([ab])([+-]?)", text)
    assert match, f"{text!r} is no card"
    return int(match[1]), "ab".index(match[2]), int(match[3] == "-")


def outcome_number(deck: int, text: str) -> int:
    """The number of the chance outcome that deals a card out of a deck."""
    card, side, turned = read_card(text)
    held = [other for other in range(50) if deck >> other & 1]
    if text[-1] in "ab":
        return 2 * held.index(card) + side
    sides = [(other, b) for other in held for b in range(2) if not DECK[other].faces[b].diamond]
    return 2 * sides.index((card, side)) + turned


# -- items of a position ----------------------------------------------------------------------


def card_text(s: Any, place: int) -> str:
    if s.card[place] == NONE:
        return "--"
    return f"{s.card[place]}{'ab'[s.side[place]]}" + ("+-"[s.turned[place]] if place < ROW else "")


def hand_text(seat: int) -> Callable[[Any], str]:
    first = Place.HANDS + 2 * seat
    return lambda s: f"{card_text(s, first)} {card_text(s, first + 1)}"


def known_text(s: Any) -> str:
    """Who knows both sides of which card, by card."""
    flags = {
        int(s.card[place]): "".join(name for seat, name in enumerate(SEATS) if s.known[place] >> seat & 1)
        for place in range(Place.DRAWN + 1)
        if s.card[place] != NONE
    }
    return " ".join(f"{card}:{who}" for card, who in sorted(flags.items()) if who)


def lock_text(s: Any) -> str:
    locks = [(name, i) for seat, name in enumerate(SEATS) for i in range(ROW) if s.lock[i] >> seat & 1]
    return " ".join(f"{name}{s.card[i]}" for name, i in locks)


def mover_text(s: Any) -> str:
    return {0: "R", 1: "B", CHANCE: "chance", OVER: "nobody"}[int(s.mover)]


def over_text(s: Any) -> str:
    """Winner and reason; a running game has neither."""
    assert (s.mover == OVER) == (s.winner >= 0) == (Phase.name_of(s.phase) == "OVER") == (s.reason != 0)
    if s.mover != OVER:
        return "no"
    return f"{('R', 'B', 'draw')[s.winner]} {Reason.name_of(s.reason).lower().replace('hit', 'win')}"


FACTS: dict[str, Callable[[Any], str]] = {
    "row": lambda s: " ".join(card_text(s, i) for i in range(s.length)),
    "R": hand_text(0),
    "B": hand_text(1),
    "lv": lambda s: f"{s.defcon[0]}/{s.defcon[1]}",
    "left": lambda s: "".join(letter for letter, bit in zip("FDSL", Left, strict=True) if s.left & bit),
    "turn": lambda s: SEATS[s.turn],
    "mover": mover_text,
    "phase": lambda s: Phase.name_of(s.phase),
    "pile": lambda s: " ".join(str(card) for card in s.pile[: s.pile_size]),
    "deckn": lambda s: f"{deck_size(s)}",
    "lock": lock_text,
    "know": known_text,
    "over": over_text,
}

# -- the language -----------------------------------------------------------------------------


def run(lines: list[str], mode: Mode) -> None:
    """Run a block; AssertionError names the line that does not hold."""
    table = Position(mode=mode)
    for line in lines:
        command, _, rest = line.partition(" ")
        with reported(line, lambda: "; ".join(f"{name} {table.fact(name)}" for name in FACTS)):
            COMMANDS[command](table, rest)


def start(table: Position, rest: str) -> None:
    table.set_up()


def draw(table: Position, rest: str) -> None:
    for text in rest.split():
        card, _, count = text.partition("/")
        outcomes = GAME.chance(table.state)
        assert outcomes == int(count or outcomes), outcomes
        table.draw(card)


def outcome(table: Position, rest: str) -> None:
    table.advance(int(rest))


def stock(table: Position, rest: str) -> None:
    table.state.deck = sum(1 << card for card in numbers(rest))


def holds(table: Position, rest: str) -> None:
    for name, expected in items(rest).items():
        assert table.fact(name) == expected.strip(), f"{name} {table.fact(name)}"


def legal(table: Position, rest: str) -> None:
    found = table.legal
    if rest.isdigit():
        assert len(found) == int(rest), len(found)
    else:
        assert found == set(rest.split()), sorted(found)


def ids(table: Position, rest: str) -> None:
    ranges = (part.partition("-") for part in rest.split())
    expected = [number for low, _, high in ranges for number in range(int(low), int(high) + 1)]
    assert table.legal_ids == expected, table.legal_ids


def no(table: Position, rest: str) -> None:
    for text in rest.split():
        found = [
            action
            for action in table.legal
            if action == text or (text[-1] == "*" and action.startswith(text[:-1]))
        ]
        assert not found, found


def card(table: Position, rest: str) -> None:
    text, _, expected = rest.partition(" ")
    table.place(f"row {text}; left D")
    lines(table, expected)


def lines(table: Position, rest: str) -> None:
    face = table.observation(0)[GAME.observations.offset("row") :][:18]
    names = ["known", "*"] + [f"{c}{a}{b}" for c in "rb" for a in "01" for b in "01"]
    names += [f"{c}{end}{k}" for c in "rb" for end in "nf" for k in "01"]
    found = [names[entry] for entry in np.flatnonzero(face)]
    assert found == ["known", *rest.split()], found


def see(table: Position, rest: str) -> None:
    seat, where, *entries = rest.split()
    low, _, high = where.partition("..")
    seen = table.observation(SEATS.index(seat))[: int(high) + 1]
    pairs = [entry.partition("=") for entry in entries]
    expected = {int(index): int(value or 1) for index, _, value in pairs}
    found = {int(i): int(seen[i]) for i in np.flatnonzero(seen) if i >= int(low)}
    assert found == expected, found


COMMANDS: dict[str, Callable[[Position, str], object]] = {
    "pos": Position.place,
    "start": start,
    "draw": draw,
    "outcome": outcome,
    "stock": stock,
    "play": Position.play,
    "act": Position.act,
    "is": holds,
    "legal": legal,
    "ids": ids,
    "no": no,
    "card": card,
    "lines": lines,
    "see": see,
    **COMMON,
}
