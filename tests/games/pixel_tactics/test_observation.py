"""Observations equal those of a slow, obvious model; the text; the potential."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.core.state import OVER
from polytrix.games.pixel_tactics import GAME
from polytrix.games.pixel_tactics.cards.cards import TYPES
from polytrix.games.pixel_tactics.state import SLOTS, Decision
from polytrix.testing import check_no_leak

from .obvious import LEADER, Field, members_of, observation
from .play import positions, simulators
from .positions import EFFECTS, MORE, WORKED, Table, blocks, placed
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
    out = np.zeros(GAME.observations.size, np.int8)
    for script in (WORKED, EFFECTS, MORE):
        for _, _, lines in blocks(script):
            table = Table(lines[0])
            for step in [step.strip() for line in lines[1:] for step in line.split(" | ")]:
                if step[0] in ">~":
                    table.step(step[0], step[1:].strip())
                    for seat in (0, 1):
                        out[:] = 0
                        GAME.observe(table.s, seat, out)
                        compare(table.s, seat, out)


@pytest.mark.parametrize("seed", range(6))
def test_in_crowded_positions(seed: int) -> None:
    for text in random_positions(seed):
        s = Table(text).s
        for seat in (0, 1):
            out = np.zeros(GAME.observations.size, np.int8)
            GAME.observe(s, seat, out)
            compare(s, seat, out)


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


@pytest.mark.parametrize(
    ("position", "block", "entries"),
    [
        ("R2 V / 0: L=Knight Va=Fighter*2 / 1: L=Oracle", "own_left", {0: 6}),
        ("R2 V seat=1 / 0: L=Knight Va=Fighter*2 / 1: L=Oracle", "foe_left", {0: 6}),
        ("R2 V / 0: L=Knight Rc=Witch*9 / 1: L=Oracle", "own_left", {}),
        ("R2 V / 0: L=Witch Rc=x.Knight / 1: L=Oracle", "own_strength", {7: 3}),
        ("R2 V / 0: L=Oracle hand=Knight,Witch known=Witch / 1: L=Knight", "own_known", {24: 1}),
        ("R2 V seat=1 / 0: L=Oracle hand=Knight,Witch known=Witch / 1: L=Knight", "foe_known", {24: 1}),
        ("R2 V / 0: L=Gunner / 1: L=Doppelganger", "foe_ability", {6: 1}),
        ("R2 V / 0: L=Doppelganger / 1: L=Doppelganger", "foe_ability", {}),
        ("R5 V max_rounds=9 / 0: L=Gunner / 1: L=Knight", "rounds", {0: 5, 1: 4, 2: 9}),
        ("R2 V / 0: L=Knight*4 / 1: L=Oracle*9", "own_leader_life", {0: 20, 1: 16}),
        ("R2 V / 0: L=Knight*4 / 1: L=Oracle*9", "foe_leader_life", {0: 20, 1: 11}),
        ("R2 V / 0: L=Knight top=Witch,Mystic / 1: L=Oracle top=Healer", "fixed", {0: 2, 1: 1}),
        ("R2 V seat=1 / 0: L=Knight top=Witch,Mystic / 1: L=Oracle top=Healer", "fixed", {0: 1, 1: 2}),
        ("R2 V best_of=5 trophies=2:1 / 0: L=Gunner / 1: L=Knight", "trophies", {0: 2, 1: 1, 2: 3}),
        ("R2 V seat=1 best_of=5 trophies=2:1 / 0: L=Gunner / 1: L=Knight", "trophies", {0: 1, 1: 2, 2: 3}),
    ],
)
def test_single_blocks(position: str, block: str, entries: dict[int, int]) -> None:
    s = Table(position).s
    out = np.zeros(GAME.observations.size, np.int8)
    GAME.observe(s, int(s.mover), out)
    shown = GAME.observations.view(out)[block].ravel()
    assert {int(i): int(shown[i]) for i in np.flatnonzero(shown)} == entries


@pytest.mark.clause("PT-10")
def test_a_leader_is_seen_by_its_picker_only_until_both_have_picked() -> None:
    tables = []
    for pick in ("Fighter", "Witch"):
        table = placed(
            "START\n~ Knight, Fighter, Gunner, Healer, Witch | ~ Oracle, Fighter, Gunner, Healer, Witch"
        )
        table.play(f"card {pick}")
        tables.append(table)
    one, other = tables
    for shown in (GAME.text, lambda s, seat: GAME.draw(s, seat).svg()):
        assert shown(one.s, 1) == shown(other.s, 1) != shown(one.s, 0)
    assert "Fighter face down" in GAME.text(one.s, 0) and "face down" not in GAME.text(one.s, 1)
    assert one.simulator.view(1)[0].tobytes() == other.simulator.view(1)[0].tobytes()
    assert one.simulator.view(0)[0].tobytes() != other.simulator.view(0)[0].tobytes()
    one.play("card Fighter")
    assert "Fighter 4, 23/23" in GAME.text(one.s, 1)


@pytest.mark.parametrize("options", [{}, {"best_of": 3, "max_rounds": 6}])
def test_no_leaks(options: dict[str, int]) -> None:
    assert check_no_leak(GAME, options, games=6, decisions=60, playouts=1) > 100


STRIKES = "R2 V / 0: L=Healer Va=Knight hand=Assassin / 1: L=Berserker Va=Templar{} Vb=Fighter Vc=Oracle"
FALLING = "R2 V seat=1 / 0: L=Healer Va=Knight / 1: L=Berserker Va=Templar*6 Vc=Fighter{}"


@pytest.mark.clause("PT-71", "PT-74")
@pytest.mark.parametrize("lies", ["*5", "+3", "!h", "!s"])
@pytest.mark.parametrize(("position", "steps"), [(STRIKES, "order Assassin; foe Va"), (FALLING, "pass")])
def test_what_lies_on_the_fallen_is_seen_until_they_have_struck(position: str, steps: str, lies: str) -> None:
    """On the one that is striking, and at the end of a wave on those that will."""
    bare, other = ("*8", "*9" if lies == "*5" else f"*8{lies}") if position is FALLING else ("", lies)
    tables = [placed(f"{position.format(what)}\n> {steps}") for what in (bare, other)]
    for table in tables:
        assert table.s.decision == Decision.TARGET and table.s.mover == 1
    one, two = tables
    for seat in (0, 1):
        assert one.simulator.view(seat)[0].tobytes() != two.simulator.view(seat)[0].tobytes()
        for shown in (GAME.text, lambda s, seat: GAME.draw(s, seat).svg()):
            assert shown(one.s, seat) != shown(two.s, seat)


@pytest.mark.clause("PT-74")
@pytest.mark.parametrize(("damage", "deals"), [("", 1), ("*5", 6)])
def test_the_strength_of_the_last_strike_is_seen(damage: str, deals: int) -> None:
    table = placed(f"{STRIKES.format(damage)}\n> order Assassin; foe Va")
    for seat, block in ((0, "foe_strength"), (1, "own_strength")):
        assert GAME.observations.view(table.simulator.view(seat)[0][0])[block][0] == deals
        assert f"Va (Templar) {deals}" in GAME.text(table.s, seat)
        assert f'class="strength">{deals}<' in GAME.draw(table.s, seat).svg()
    table.play("foe L")
    assert table.s.damage[0, LEADER] == deals


@pytest.mark.clause("PT-114")
@pytest.mark.parametrize("winner", [-1, 0, 1])
def test_who_will_begin_is_seen_when_leaders_are_picked(winner: int) -> None:
    """After a tie chance will decide: nobody is announced."""
    s = placed("START\n~ Witch, Fighter, Gunner, Healer, Knight | ~ Oracle, Fighter, Gunner, Healer, Witch").s
    s.last_winner = winner
    for seat in (0, 1):
        out = np.zeros(GAME.observations.size, np.int8)
        GAME.observe(s, seat, out)
        seen = GAME.observations.view(out)
        assert seen["turn"][0] == (winner == seat) and seen["wave"].tolist() == [winner >= 0, 0, 0]
        begins = ["South begins", "North begins", ""][winner]
        for shown in (GAME.text(s, seat), GAME.draw(s, seat).svg()):
            assert f"set-up{', ' * bool(begins)}{begins}" in shown and shown.count("begins") == bool(begins)


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


@pytest.mark.parametrize(
    ("position", "value"),
    [
        ("R2 V / 0: L=Knight*5 / 1: L=Healer", -0.125),
        ("R2 V / 0: L=Knight / 1: L=Healer*9", 0.3),
        ("R2 V / 0: L=Knight*10 / 1: L=Priestess*19", 0.25),
        ("R2 V / 0: L=Knight*10 / 1: L=Priestess*30", 0.25),
        ("R2 V / 0: L=Knight / 1: L=Doppelganger*10", 0.25),
    ],
)
def test_potential(position: str, value: float) -> None:
    s = Table(position).s
    assert GAME.potential is not None
    assert GAME.potential(s, 0) == pytest.approx(value) == -GAME.potential(s, 1)


def test_potential_in_games() -> None:
    assert GAME.potential is not None
    for s in positions(80, 4, best_of=3, max_rounds=5):
        if s.mover == OVER:
            continue
        value = GAME.potential(s, 0)
        if not s.revealed:
            assert value == 0
            continue
        left = [max(0.0, 1 - s.damage[u, LEADER] / Field(s).life((u, LEADER))) for u in (0, 1)]
        assert value == pytest.approx((left[0] - left[1]) / 2) == -GAME.potential(s, 1)
