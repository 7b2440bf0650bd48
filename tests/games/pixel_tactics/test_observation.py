"""Observations equal those of a slow, obvious model; the text; the potential."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.core.state import OVER
from polytrix.games.pixel_tactics import GAME
from polytrix.games.pixel_tactics.cards.cards import TYPES
from polytrix.games.pixel_tactics.state import SLOTS
from tests.games.by_hand import observed

from .obvious import LEADER, Field, members_of, observation
from .play import positions, simulators
from .positions import POSITIONS, Table, positions_of
from .random_positions import random_positions


def compare(s: object, seat: int, seen: np.ndarray) -> None:
    wanted = observation(s, seat)
    assert (seen == wanted).all(), GAME.observations.describe(seen - wanted)
    assert (GAME.observations.low <= seen).all() and (seen <= GAME.observations.high).all()


@pytest.mark.clause("PT-06", "PT-08", "PT-13", "PT-46")
@pytest.mark.parametrize("steps", [50, pytest.param(160, marks=pytest.mark.slow)])
@pytest.mark.parametrize("best_of", [1, 3, 5])
def test_in_games(best_of: int, steps: int) -> None:
    options = {"best_of": best_of, "payoff": ("win", "trophies")[best_of // 5], "max_decisions": 150 * best_of}
    for simulator in simulators(steps, best_of, orders_in_ceasefire=best_of > 1, max_rounds=12, **options):
        for seat in (0, 1):
            for s, seen in zip(simulator.states, simulator.view(seat)[0], strict=True):
                compare(s, seat, seen)


def test_in_all_positions() -> None:
    """Each step of each hand-written position: rare decisions occur there."""
    for _, _, lines in POSITIONS:
        for table in positions_of(lines):
            for seat in (0, 1):
                compare(table.s, seat, observed(GAME, table.s, seat))


@pytest.mark.clause("PT-40", "PT-43", "PT-44", "PT-76")
@pytest.mark.parametrize("seed", range(8))
def test_in_crowded_positions(seed: int) -> None:
    for text in random_positions(seed):
        s = Table(text).s
        for seat in (0, 1):
            compare(s, seat, observed(GAME, s, seat))


@pytest.mark.clause("PT-13", "PT-46", "PT-76")
@pytest.mark.parametrize("seed", range(3))
def test_with_every_leader(seed: int) -> None:
    """Crowded positions under each ability, with levels, and with counters and marks on all members."""
    rng = np.random.default_rng(seed)
    for text in random_positions(100 + seed, 1):
        table = Table(text)
        s = table.s
        for leader in range(TYPES):
            u = int(rng.integers(2))
            s.leader[u], s.leader[1 - u] = leader, rng.integers(TYPES)
            s.first = rng.integers(2)
            for v in (0, 1):
                s.level[v] = rng.integers(40)
                s.acted[v] = s.heroes[v] & rng.integers(1 << SLOTS) | rng.integers(2) << LEADER
                for marks in (s.fresh, s.moved, s.hurt, s.struck):
                    marks[v] = s.heroes[v] & rng.integers(1 << SLOTS)
                for slot in members_of(s.heroes[v] | 1 << LEADER):
                    s.damage[v, slot] = rng.integers(50) if rng.random() < 0.5 else 0
                    s.boost[v, slot] = rng.integers(30) if slot != LEADER and rng.random() < 0.3 else 0
            for seat in (0, 1):
                compare(s, seat, table.simulator.view(seat)[0][0])


def test_text_shows_what_lies_there() -> None:
    for s in positions(60, 3):
        if not s.revealed:
            continue
        text = GAME.text(s, None)
        field = Field(s)
        fields = "\n".join(line for line in text.splitlines() if line.startswith("   "))
        assert fields.count("(") == len(field.corpses)
        assert fields.count("~") == sum(int(cards).bit_count() for cards in s.captives)
        for seat, name in enumerate(("South", "North")):
            assert f"{name}; hand {int(s.hand[seat]).bit_count()}" in text


def test_three_common_cells_fit_into_eighty_columns() -> None:
    s = Table("R2 V / 0: L=Knight Va=Pyromancer Vb=DragonMage Vc=Pyromancer / 1: L=Witch Va=Healer").s
    assert max(map(len, (line for line in GAME.text(s, 0).splitlines() if line.startswith("   ")))) <= 80


def test_potential_in_games() -> None:
    for s in positions(80, 4, best_of=3, max_rounds=5):
        if s.mover == OVER:
            continue
        value = GAME.potential(s, 0)
        if not s.revealed:
            assert value == 0
            continue
        left = [max(0.0, 1 - s.damage[u, LEADER] / Field(s).life((u, LEADER))) for u in (0, 1)]
        assert value == pytest.approx((left[0] - left[1]) / 2) == -GAME.potential(s, 1)
