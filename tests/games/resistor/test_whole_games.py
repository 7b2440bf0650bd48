"""Whole games, all options, against the obvious table: positions, choices, chance and results."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from polytrix.core.state import CHANCE, OVER
from polytrix.games.resistor import GAME
from polytrix.games.resistor.state import deck_size

from . import obvious_row
from .obvious import NAMES, PHASES, REASONS, Card, Table
from .side_by_side import play


def seen_at(s: Any, place: int) -> tuple[int, int, int]:
    return int(s.card[place]), int(s.side[place]), int(s.turned[place])


def lying(card: Card | None, in_row: bool) -> tuple[int, int, int]:
    return (-1, 0, 0) if card is None else (card.number, card.side, card.turned if in_row else 0)


def position(s: Any) -> dict[str, Any]:
    """A record in the words of the table."""
    over = s.mover == OVER
    return {
        "deck": [card for card in range(50) if int(s.deck) >> card & 1],
        "deck size": deck_size(s),
        "row": [seen_at(s, i) for i in range(int(s.length))],
        "no row": [seen_at(s, i) for i in range(int(s.length), 7)],
        "hands and drawn": [seen_at(s, place) for place in range(7, 12)],
        "locks": [int(lock) for lock in s.lock],
        "pile": [int(card) for card in s.pile[: int(s.pile_size)]],
        "levels": s.defcon.tolist(),
        "turn": int(s.turn),
        "left": "" if over else "".join(a for bit, a in enumerate("FDSL") if int(s.left) >> bit & 1),
        "phase": PHASES[s.phase],
        "mover": {CHANCE: None, OVER: None}.get(int(s.mover), int(s.mover)),
        "flipped": int(s.flipped),
        "winner": int(s.winner),
        "reason": REASONS[s.reason],
        "payoffs": GAME.payoffs(s) if over else [],
    }


def told(table: Table) -> dict[str, Any]:
    """The same of a table."""
    over = table.phase == "OVER"
    hands = [card for hand in table.hands for card in hand]
    return {
        "deck": [card.number for card in table.deck],
        "deck size": len(table.deck),
        "row": [lying(card, True) for card in table.row],
        "no row": [(-1, 0, 0)] * (7 - len(table.row)),
        "hands and drawn": [lying(card, False) for card in [*hands, table.drawn]],
        "locks": [sum(1 << seat for seat in card.locks) if card else 0 for card in table.row]
        + [0] * (7 - len(table.row)),
        "pile": [card.number for card in table.pile],
        "levels": table.levels,
        "turn": -1 if table.turn is None else table.turn,
        "left": "" if over else "".join(a for a in "FDSL" if a in table.left),
        "phase": table.phase,
        "mover": table.mover,
        "flipped": table.row.index(table.undoable) if table.undoable else -1,
        "winner": table.winner,
        "reason": table.reason,
        "payoffs": [[1, -1], [-1, 1], [0, 0]][table.winner] if over else [],
    }


def check_choices(s: Any, table: Table) -> None:
    """What may be done next, or how much may happen."""
    if s.mover == CHANCE:
        assert GAME.chance(s) == len(table.choices)
    elif s.mover != OVER:
        assert [NAMES[i] for i in GAME.legal_ids(s)] == table.choices


def count(seen: Counter[str], s: Any, table: Table) -> None:
    """Note what this position is an example of."""
    seen[table.phase] += 1
    if table.phase == "OVER":
        seen[f"{table.reason} {table.winner}"] += 1
        seen["short hand"] += None in [*table.hands[0], *table.hands[1]]
    if table.phase == "RESOLVE":
        seen[f"of {len(table.choices)}"] += 1
    seen["locked"] += any(s.lock)
    seen["late"] += table.removed == 5


@pytest.mark.clause(
    "RS-09", "RS-10", "RS-11", "RS-14", "RS-15", "RS-16", "RS-19", "RS-23", "RS-25", "RS-32", "RS-33", "RS-34",
    "RS-35", "RS-36", "RS-37", "RS-38", "RS-39", "RS-41", "RS-45", "RS-46", "RS-47", "RS-48", "RS-49", "RS-50",
    "RS-52", "RS-53", "RS-54", "RS-55", "RS-56", "RS-57", "RS-58", "RS-59", "RS-60", "RS-61", "RS-63", "RS-65",
)  # fmt: skip
@pytest.mark.parametrize(("rigged", "games"), [(False, 2), (True, 8)], ids=["from the start", "rigged"])
def test_every_position_and_every_choice(rigged: bool, games: int) -> None:
    seen: Counter[str] = Counter()
    for states, tables in play(games, seed=41, rigged=rigged):
        for s, table in zip(states, tables, strict=True):
            assert position(s) == told(table)
            check_choices(s, table)
            count(seen, s, table)
    wanted = ["UNDO", "FORCED", "REDRAW", "locked", "hit 0", "hit 1"]
    in_rigged = ["RESOLVE", "of 3", "late", "short 0", "short 1", "short 2", "deck 0", "deck 1"]
    wanted += in_rigged if rigged else ["TIE"]
    assert all(seen[what] >= 5 for what in wanted), seen


def test_the_potential_compares_levels_and_gaps() -> None:
    for states, tables in play(1, seed=29):
        for s, table in zip(states, tables, strict=True):
            if table.mover is not None:
                red, blue = (obvious_row.need(graph) for graph in table.graphs())
                lead = (table.levels[1] - table.levels[0]) / 6 + (blue - red) / 42
                assert [GAME.potential(s, seat) for seat in (0, 1)] == pytest.approx([lead, -lead])
