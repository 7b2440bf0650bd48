"""The deck: up to fifty cards of two faces each, read from a file that users may replace.

The shipped list is our own reconstruction; the game's page says what is known and what is invented.
A file may also ask for a smaller game: fewer cards, a shorter row, and the other settings in `RANGES`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from polytrix.core.calls import did_you_mean
from polytrix.core.constants import Constants
from polytrix.core.data import entry, game_settings, list_of
from polytrix.core.errors import DataError

CARDS = 50
SHIPPED_FILE = Path(__file__).with_name("deck.json")
MICRO_FILE = Path(__file__).with_name("micro.json")
"""A game so small that its whole tree can be searched."""


class Setting(Constants):
    """What a deck file may set under "game", and the number of its cards."""

    ROW, HAND, LEVEL, ACTIONS, STACKED, CARDS = range(6)


RANGES = {"row": (2, 7, 7), "hand": (1, 2, 2), "level": (1, 4, 1), "actions": (1, 4, 4), "stacked": (0, 1, 0)}
"""By setting: lowest and highest value, and default."""
STANDARD = (*(default for _, _, default in RANGES.values()), CARDS)


class Seat(Constants):
    """The players; also the colours of lines."""

    RED, BLUE = range(2)
    NOBODY = -1


COLOURS = "rb"

_LINE = re.compile(r"[rb][01][01]")
_STUB = re.compile(r"[rb][LR][01]")


@dataclass(frozen=True)
class Face:
    """One side of a card, read with its arrow up; chip 0 is nearer to the arrow.

    Args:
        diamond: whether it shows the white diamond of a Resistor.
        lines: (colour, left chip, right chip) of each line; none on a face with a diamond.
        stubs: (colour, side "L" or "R", chip) of each line that ends at the diamond.
    """

    diamond: bool
    lines: frozenset[tuple[int, int, int]]
    stubs: frozenset[tuple[int, str, int]]

    def exchanged(self) -> Face:
        """The same face with red and blue exchanged."""
        return Face(
            self.diamond,
            frozenset((1 - colour, left, right) for colour, left, right in self.lines),
            frozenset((1 - colour, side, chip) for colour, side, chip in self.stubs),
        )


@dataclass(frozen=True)
class Card:
    """A card's two faces. All fifty are Circuits; one with a diamond on either side is a Resistor."""

    a: Face
    b: Face

    @property
    def faces(self) -> tuple[Face, Face]:
        return self.a, self.b

    @property
    def is_resistor(self) -> bool:
        return self.a.diamond or self.b.diamond

    @property
    def kind(self) -> frozenset[Face]:
        """Its two faces; nobody can tell cards of one kind apart."""
        return frozenset(self.faces)

    def exchanged(self) -> Card:
        """The same card with red and blue exchanged."""
        return Card(self.a.exchanged(), self.b.exchanged())


def read_deck(content: Any) -> tuple[Card, ...]:
    """The cards of a deck, from the parsed JSON of a deck file.

    Args:
        content: `{"faces": {name: [token, ...]}, "cards": [[name of side a, name of side b], ...]}`,
            and perhaps the settings that `settings_of` reads.
            A token `r01` is a red line from left chip 0 to right chip 1. A face with a diamond
            begins with `*`; its tokens are like `bR1`, a blue line from right chip 1 to the diamond.

    Raises:
        DataError: names the place in the file, the value there and the allowed values.
    """
    named, cards = entry(content, "faces", "the deck"), entry(content, "cards", "the deck")
    if not isinstance(named, Mapping):
        raise DataError('deck: "faces" is not a JSON object; write {"name": ["r00", "b11"], ...}')
    faces = {name: read_face(name, tokens) for name, tokens in named.items()}
    if not isinstance(cards, list) or not 1 <= len(cards) <= CARDS:
        given = f"holds {len(cards)}" if isinstance(cards, list) else f"is {cards!r}"
        raise DataError(f'deck: "cards" {given}; a deck is a list of at most {CARDS} cards')
    return tuple(read_card(number, card, faces) for number, card in enumerate(cards))


def settings_of(content: Any) -> list[int]:
    """The size of the game (RS-66 to RS-68): its settings in the order of `Setting`.

    Args:
        content: as for `read_deck`, which has accepted it. Under "game" it may hold some of these settings:
            cards in the row, cards in a hand, the level at which both begin, actions in a turn, and whether
            the row is stacked: not drawn, but laid from the first cards, side a up and `+`, both sides known.

    Raises:
        DataError: names the value and the allowed values.
    """
    settings = game_settings(content, RANGES, "deck")
    cards = read_deck(content)
    needed = settings[Setting.ROW] + 2 * settings[Setting.HAND] + 1
    if len(cards) < needed:
        raise DataError(f'deck: "cards" holds {len(cards)}; row, hands and a deck need at least {needed}')
    if settings[Setting.STACKED] and any(card.a.diamond for card in cards[: settings[Setting.ROW]]):
        raise DataError(
            "deck: the row is stacked, and a card of it has a diamond on side a; none may lie there"
        )
    return [*settings, len(cards)]


def read_face(name: str, tokens: Any) -> Face:
    """One face from its list of tokens, or DataError."""
    if not isinstance(tokens, list) or not all(isinstance(token, str) for token in tokens):
        raise DataError(f"deck: face {name!r} is {tokens!r}; expected a list of tokens such as 'r00'")
    if len(set(tokens)) < len(tokens):
        raise DataError(f"deck: face {name!r} has a token twice: {tokens}")
    diamond = tokens[:1] == ["*"]
    pattern, example = (_STUB, "'rL0' or 'bR1'") if diamond else (_LINE, "'r00' or 'b01'")
    for token in tokens[1:] if diamond else tokens:
        if not pattern.fullmatch(token):
            where = "a face with a diamond has" if diamond else "a face without a diamond in front ('*') has"
            raise DataError(f"deck: face {name!r} has the token {token!r}; {where} tokens such as {example}")
    lines = [(COLOURS.index(t[0]), int(t[1]), int(t[2])) for t in tokens if not diamond]
    stubs = [(COLOURS.index(t[0]), t[1], int(t[2])) for t in tokens[1:] if diamond]
    return Face(diamond, frozenset(lines), frozenset(stubs))


def read_card(number: int, card: Any, faces: Mapping[str, Face]) -> Card:
    """One card from the names of its two faces, or DataError."""
    names = list_of(card, 2, "names of faces, those of side a and side b", f"deck: card {number}")
    for side, name in zip("ab", names, strict=True):
        if not isinstance(name, str) or name not in faces:
            hint = did_you_mean(name, faces)
            raise DataError(f'deck: card {number}, side {side}: no face {name!r} in "faces".{hint}')
    read = Card(*(faces[name] for name in card))
    if read.a.diamond and read.b.diamond:
        raise DataError(
            f"deck: card {number} has a diamond on both sides; one side must do without, "
            "since no diamond may lie in the opening row"
        )
    return read


def shipped_deck() -> tuple[Card, ...]:
    """The deck of this package."""
    return read_deck(json.loads(SHIPPED_FILE.read_text(encoding="utf-8")))
