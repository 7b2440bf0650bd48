"""The worked positions, in plain Python and compiled; how often redeals come; what holds in every game."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.simulator import Simulator
from polytrix.core.state import OVER, RecordArray
from polytrix.games.resistor import GAME
from polytrix.games.resistor.state import NONE, ROW, Phase, Place
from tests.games.scripts import blocks

from .obvious_row import faces_of, shipped_content
from .positions import Position, run

SCRIPT = Path(__file__).with_name("worked_positions.txt")
CASES = [
    pytest.param(lines, id=name, marks=pytest.mark.clause(*clauses))
    for name, clauses, lines in blocks(SCRIPT, "#")
]
FACES = [[frozenset(face) for face in card] for card in faces_of(shipped_content())]


def test_all_are_there() -> None:
    assert len(CASES) == 24  # W24 is below


@pytest.mark.parametrize("mode", [Mode.PLAIN, Mode.COMPILED], ids=lambda mode: mode.value)
@pytest.mark.parametrize("lines", CASES)
def test_worked_position(lines: list[str], mode: Mode) -> None:
    run(lines, mode)


def test_a_wrong_line_is_noticed() -> None:
    with pytest.raises(AssertionError, match="is lv 1/2"):
        run(["pos row 42a+ 44a-", "is lv 1/1; left FDS", "is lv 1/2"], Mode.PLAIN)


@pytest.mark.clause("RS-15")
def test_a_tie_that_is_not_broken() -> None:
    """W22 in its second half, with a deck of three in the place of one from which all others were tried."""
    table = Position()
    for card in ("42a+", "20a+", "21a-", "40a+", "36b+", "44b+", "47a-", "38a", "37a", "34a"):
        table.draw(card)
    table.state.deck = 1 << 35 | 1 << 48 | 1 << 49
    table.draw("35a")
    assert table.fact("phase") == "TIE"
    table.draw("48a+")
    assert [table.fact(name) for name in ("phase", "mover", "deckn", "pile")] == ["ACT", "R", "1", "40"]


# -- W24: redeals ---------------------------------------------------------------------------


def redealt(table: Position, seat: int, count: int) -> RecordArray:
    """Independent redeals of a position."""
    simulator = Simulator(GAME, count, seed=0)
    keys = simulator.states["generator"]["key"].copy()
    simulator.states[:] = table.state
    simulator.states["generator"]["key"] = keys
    simulator.states["generator"]["counter"] = 0
    simulator.redeal(seat)
    return simulator.states


@pytest.mark.clause("RS-62", "RS-63")
@pytest.mark.parametrize(
    ("position", "undersides"),
    [
        ("row 42a+ 20b+ 21b+", ["FIx.b", "MX.b", "MX.r"]),
        ("row 42a+ 20b+ 21b+; pile 44", ["FIx.b", "MX.r"]),
        ("row 40a+ 20b+ 21b+", ["FO.b"]),
    ],
)
def test_undersides_of_the_first_card(position: str, undersides: list[str]) -> None:
    """W24."""
    count = 20_000
    states = redealt(Position(position), 0, count)
    names = shipped_content()["cards"]
    found = Counter(
        names[card][1 - side] for card, side in zip(states["card"][:, 0], states["side"][:, 0], strict=True)
    )
    assert found.keys() == set(undersides)
    share = 1 / len(undersides)
    for name in undersides:
        assert abs(found[name] - count * share) <= 3 * np.sqrt(count * share * (1 - share))


@pytest.mark.clause("RS-62", "RS-63")
@pytest.mark.parametrize(("seat", "deals"), [(0, 42), (1, 16)])
def test_all_deals_are_equally_likely(seat: int, deals: int) -> None:
    """Also where one card may lie at several places, which makes a choice place by place uneven."""
    count = 20_000
    table = Position("row 42a+ 44a- 20b+; deck 46 38 22 24 2; left FD").play("F3")
    s = table.state
    open_places = [p for p in range(Place.DRAWN) if s.card[p] != NONE and not s.known[p] >> seat & 1]
    assert open_places == [0, 1, *range(Place.HANDS, Place.DRAWN)]  # the flipped card is known
    pool = [int(s.card[p]) for p in open_places] + [2, 22, 24, 38, 46]

    def seen(p: int) -> int:
        return int(s.side[p]) if p < ROW else int(s.side[p]) ^ seat

    fitting = [
        [(card, side) for card in pool for side in range(2) if FACES[card][side] == FACES[s.card[p]][seen(p)]]
        for p in open_places
    ]
    consistent = {picks for picks in product(*fitting) if len({card for card, _ in picks}) == len(picks)}
    assert len(consistent) == deals

    states = redealt(table, seat, count)
    cards = states["card"][:, open_places]
    sides = states["side"][:, open_places] ^ [0 if p < ROW else seat for p in open_places]
    found = Counter(
        tuple(zip(row, own, strict=True)) for row, own in zip(cards.tolist(), sides.tolist(), strict=True)
    )
    assert found.keys() == consistent
    expected = count / deals
    deviation = sum((number - expected) ** 2 / expected for number in found.values())
    assert abs(deviation - (deals - 1)) < 3 * np.sqrt(2 * (deals - 1))  # chi-square, within three sigma

    rest = [sum(1 << card for card in pool if card not in row) for row in cards.tolist()]
    assert states["deck"].tolist() == rest
    for name in ("known", "turned", "lock", "pile", "defcon"):
        assert (states[name] == s[name]).all(), name


# -- W25: every game --------------------------------------------------------------------------


@pytest.mark.clause(
    "RS-03", "RS-08", "RS-17", "RS-18", "RS-24", "RS-33", "RS-38", "RS-40", "RS-49", "RS-59", "RS-61", "RS-65"
)
def test_what_holds_in_every_game() -> None:
    """Random games, two for each combination of options, and the next ones in their rows."""
    simulator, twin = Simulator(GAME, 64, seed=1), Simulator(GAME, 64, seed=1)
    flags = [option.name for option in GAME.options if option.name != "max_decisions"]
    assert len(flags) == 5
    for bit, name in enumerate(flags):
        simulator.states["options"][name] = np.arange(64) >> bit & 1
    simulator.seed(5)
    lengths, ended = [], 0
    for number in range(250):
        before = simulator.states.copy()
        actions = simulator.random_actions()
        simulator.step(actions)
        assert_cards_are_whole(simulator.states)
        assert_turns_are_whole(before, simulator.states)
        assert_pile_only_grows(before, simulator.states, recycled=np.isin(actions, (8, 9)))
        assert_locks_are_right(simulator.states)
        twin.states[:] = simulator.states
        twin.states["generator"]["key"] += np.uint64(1 + number)
        for seat in (0, 1):
            rows = np.flatnonzero(simulator.mover == seat)
            twin.redeal(seat, rows)
            twin.refresh(rows)
            assert (twin.mask[rows] == simulator.mask[rows]).all()
        over = np.flatnonzero(simulator.over)
        lengths += simulator.states["decisions"][over[over % 32 == 0]].tolist()
        assert simulator.states["decisions"].max() < 800
        ended += len(over)
        simulator.restart(over)
    assert ended > 100 and lengths and max(lengths) <= 201


def bits(numbers: np.ndarray, count: int) -> np.ndarray:
    """The bits of each number, as another axis."""
    return numbers[..., None] >> np.arange(count) & 1


def assert_cards_are_whole(states: RecordArray) -> None:
    """Every card is in one place, and the counts are right."""
    in_deck = bits(states["deck"], 50)
    where = np.concatenate([states["card"], states["pile"]], axis=1)
    times = in_deck + (where[:, :, None] == np.arange(50)).sum(axis=1)
    assert (times == 1).all()
    assert ((states["pile"] != NONE) == (np.arange(50) < states["pile_size"][:, None])).all()
    assert ((states["card"][:, :ROW] != NONE) == (np.arange(ROW) < states["length"][:, None])).all()


def assert_turns_are_whole(before: RecordArray, states: RecordArray) -> None:
    """RS-18 and RS-40 at each choice of an action; RS-49 where the turn has passed."""
    acting = states["phase"] == Phase.ACT
    shown = np.array([["*" in face for face in card] for card in FACES])[
        states["card"][:, :ROW], states["side"][:, :ROW]
    ] & (states["card"][:, :ROW] != NONE)
    assert not shown[acting].any()
    assert (states["card"][acting, Place.HANDS : Place.DRAWN] != NONE).all()
    assert (states["card"][acting, Place.DRAWN] == NONE).all()
    assert (states["deck"][acting] != 0).all()
    running = states["mover"] != OVER
    assert (states["length"] <= before["length"]).all()
    passed = running & (states["turn"] != before["turn"])
    assert (states["left"][passed] == 7 + 8 * states["options"]["lock_down"][passed]).all()
    forced = running & (states["phase"] == Phase.FORCED)
    assert (states["mover"] == np.where(forced, 1 - states["turn"], states["turn"]))[running].all()


def assert_pile_only_grows(before: RecordArray, states: RecordArray, recycled: np.ndarray) -> None:
    """RS-24: discards stay in their order; Recycling takes the top one."""
    stay = np.arange(50) < (before["pile_size"] - recycled)[:, None]
    assert (states["pile"] == before["pile"])[stay].all()


def assert_locks_are_right(states: RecordArray) -> None:
    """RS-59 and RS-61: one lock each at most, on faces with lines of both colours and no diamond."""
    locked = bits(states["lock"], 2)
    assert (locked.sum(axis=1) <= states["options"]["lock_down"][:, None]).all()
    row, place = np.nonzero(states["lock"])
    for card, side in zip(states["card"][row, place], states["side"][row, place], strict=True):
        assert {token[0] for token in FACES[card][side]} == {"r", "b"}
