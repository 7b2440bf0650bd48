"""Random games played by the package and by the obvious table at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import programs
from polytrix.core.simulator import Simulator
from polytrix.core.state import RecordArray
from polytrix.games.resistor import GAME

from .obvious import NAMES, RESISTORS, Card, Table
from .random_positions import FLAGS

RUN = programs(GAME, Mode.COMPILED)
HARMLESS = {*range(50)} - RESISTORS
OPTION_SETS = [dict(zip(FLAGS, values, strict=True)) for values in product((False, True), repeat=5)]


def play(games: int, seed: int, rigged: bool = False) -> Iterator[tuple[RecordArray, list[Table]]]:
    """Play `games` games of each option set to their ends; stop after every event.

    Args:
        rigged: begin from positions with many Resistors and few cards in the deck.

    Yields:
        The games that have just changed, as records (copies) and as tables.
    """
    rng = np.random.default_rng(seed)
    choices = OPTION_SETS * games
    simulator = Simulator(GAME, len(choices), seed=0)
    tables = []
    for s, options in zip(simulator.states, choices, strict=True):
        GAME.options.write(s.options, GAME.options.validate(options))
        GAME.setup(s)
        tables.append(Table(options))
    yield simulator.states.copy(), tables
    rows = np.arange(len(tables))
    while len(rows):
        waiting = [tables[b].phase for b in rows]
        picks = [choose(tables[b], rng) for b in rows]
        numbers = [number_of(tables[b], pick) for b, pick in zip(rows, picks, strict=True)]
        states = simulator.states[rows]
        RUN.advance(states.view(np.ndarray), np.array(numbers))
        for s, b, pick, phase in zip(states, rows, picks, waiting, strict=True):
            tables[b].answer(pick)
            if rigged and phase in ("DEAL", "TIE") and tables[b].phase == "ACT":
                rig(s, tables[b], rng)
        simulator.states[rows] = states
        yield states, [tables[b] for b in rows]
        rows = rows[[tables[b].phase != "OVER" for b in rows]]


def choose(table: Table, rng: np.random.Generator) -> str:
    """A random choice; among actions first the kind."""
    kinds = sorted({choice[0] for choice in table.choices}) if table.phase == "ACT" else [""]
    kind = rng.choice(kinds)
    fitting = [choice for choice in table.choices if choice.startswith(kind)]
    return str(fitting[rng.integers(len(fitting))])


def number_of(table: Table, choice: str) -> int:
    """The number of a choice of the table."""
    return table.choices.index(choice) if table.mover is None else NAMES.index(choice)


def rig(s: Any, table: Table, rng: np.random.Generator) -> None:
    """Deal another position: a row full of Resistors, few cards in the deck, any levels.

    As in the opening, no diamond shows, and both seats know only the sides that lie open.
    """
    resistors, others = rng.permutation([*RESISTORS]).tolist(), rng.permutation([*HARMLESS]).tolist()
    laid = [(resistors if rng.random() < 0.75 else others).pop() for _ in range(7)]
    rest = rng.permutation([*resistors, *others]).tolist()
    kept = 1 + min(int(rng.exponential(6)), 38)
    hands, deck, pile = rest[:4], sorted(rest[4 : 4 + kept]), rest[4 + kept :]
    table.row = [Card(n, 1 if n in RESISTORS else int(rng.integers(2)), int(rng.integers(2))) for n in laid]
    table.hands = [[Card(n, int(rng.integers(2))) for n in hands[i : i + 2]] for i in (0, 2)]
    table.deck, table.pile = [Card(n) for n in deck], [Card(n) for n in pile]
    table.levels = rng.integers(1, 5, size=2).tolist()
    table.choices = table.actions()
    table.look()
    cards = [*table.row, *table.hands[0], *table.hands[1]]
    for place, card in enumerate(cards):
        s.card[place], s.side[place], s.turned[place] = card.number, card.side, card.turned
    s.deck = sum(1 << n for n in deck)
    s.pile[:], s.pile_size = -1, len(pile)
    s.pile[: len(pile)] = pile
    s.defcon[:] = table.levels


# -- looking at records --


def views(states: RecordArray, seats: Any) -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks, one row a state."""
    count = len(states)
    seen = np.zeros((count, GAME.observations.size), np.int8)
    mask = np.zeros((count, GAME.actions.size), np.int8)
    wanted = np.ascontiguousarray(np.broadcast_to(np.asarray(seats, np.int64), count))
    ids = np.zeros(GAME.max_legal, np.int16)
    RUN.view(states.view(np.ndarray), np.arange(count), wanted, seen, mask, ids)
    return seen, mask


def shows(s: Any, place: int, seat: int) -> int:
    """The side at a place that lies open to a seat."""
    return int(s.side[place]) if place < 7 or seat == 0 else 1 - int(s.side[place])


def open_places(s: Any, seat: int) -> list[int]:
    """The places with a card of which the seat knows one side only, by the record's flags."""
    return [p for p in range(12) if s.card[p] >= 0 and not int(s.known[p]) >> seat & 1]
