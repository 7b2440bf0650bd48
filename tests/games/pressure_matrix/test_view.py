"""What the seats see, against a slow and obvious construction; hidden bids; the potential."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.core.simulator import Simulator
from polytrix.core.state import OVER, Record
from polytrix.games.pressure_matrix import GAME
from polytrix.games.pressure_matrix.description import marker_on
from polytrix.games.pressure_matrix.effects import CODES
from polytrix.games.pressure_matrix.matrix import MATRIX
from polytrix.games.pressure_matrix.sight import CONTROLS
from polytrix.games.pressure_matrix.state import BEFORE_ROLL, FINISHED, MOVE, NODE, PAYER, blackouts
from polytrix.games.pressure_matrix.tiles import FACE_AMOUNT, FACE_CODE, node_text
from polytrix.testing import check_no_leak
from tests.games.fields import Fields

from .play import bid, dealt, go, positions
from .positions import Table

ASPECTS = ("gain", "rivals", "hand", "teleport", "flip", "invert", "pressure", "special", "kind")
KINDS = ["", "SWAP", "DISCARD_RIVAL", *CODES[CODES.index("MOVE") :]]


def effect_shown(s: Record, seat: int, square: int, code: str, x: int) -> list[int]:
    """The nine numbers of a free node."""
    n = int(s.num_players)
    mine = int(s.credits[seat])
    others = [int(s.credits[p]) for p in range(n) if p != seat]
    own = rivals = 0
    if code in ("WIN", "DISCARD_WIN"):
        own = x
    elif code == "WIN_LEVEL":
        own = int(s.level) + 1
    elif code == "WIN_BLACK":
        own = blackouts(s, square).bit_count() + 1
    elif code in ("PAY", "PAY_RECLAIM"):
        own = -min(x, mine)
    elif code == "GIVE":
        own, rivals = -min(x, mine), min(x, mine)
    elif code == "GIVE_EACH":
        own, rivals = -min(x * (n - 1), mine), min(x * (n - 1), mine)
    elif code == "STEAL":
        own, rivals = min(x, max(others)), -min(x, max(others))
    elif code == "STEAL_EACH":
        own = sum(min(x, credits) for credits in others)
        rivals = -own
    elif code == "LEADER_PAYS":
        if mine > max(others):
            own = -min(x, mine)
        elif max(others) > mine:
            rivals = -min(x, max(others))
    return [
        own,
        rivals,
        {"RECLAIM": 1, "PAY_RECLAIM": 1, "DISCARD": -1, "DISCARD_WIN": -1}.get(code, 0),
        int(code == "TELEPORT"),
        {"FLIP": 1, "FLIP_THIS": -1}.get(code, 0),
        {"INVERT": 1, "INVERT_THIS": -1}.get(code, 0),
        x if code == "PRESSURE" else 0,
        int(code in CODES[CODES.index("MOVE") :]),
        KINDS.index(code) if code in KINDS else 0,
    ]


def expected(s: Record, seat: int) -> np.ndarray:
    """The observation of a seat, block by block."""
    s = Fields(s)
    out = np.zeros(GAME.observations.size, np.int8)
    seen = GAME.observations.view(out)
    n = int(s.num_players)
    order = [(seat + k) % n for k in range(n)]
    revealed = all(s.bid[p] >= 0 for p in range(n))
    best_credits = max(int(s.credits[p]) for p in range(n))
    for k, p in enumerate(order):
        seen["exists"][k] = 1
        seen["credits"][k] = min(127, int(s.credits[p]))
        seen["purse"][k] = min(31, int(s.credits[p]))
        seen["lead"][k] = np.clip(int(s.credits[seat]) - int(s.credits[p]), -15, 15)
        seen["hand"][k], seen["discarded"][k] = s.hand[p], s.discarded[p]
        seen["bid"][k] = s.bid[p] + 1 if revealed or p == seat else 0
        for name in ("first", "active", "mover", "thief", "victim", "teleported"):
            seen[name][k] = s[name] == p
        seen["declared"][k], seen["left"][k] = s.declared[p], s.left[p]
        seen["tied"][k] = s.phase == PAYER and s.mover != OVER and s.credits[p] == best_credits
        if s.runner[p] >= 0:
            seen["runner"][k, s.runner[p]] = 1
    phase = FINISHED if s.mover == OVER else int(s.phase)
    seen["phase"][phase] = 1
    seen["level"][s.level] = 1
    if s.forced >= 0:
        seen["forced"][s.forced] = 1
    seen["adjust"][0] = s.adjust
    if s.rolled == 3:
        for place, pips in enumerate(sorted(s.dice.tolist())):
            seen["dice"][place, pips - 1] = 1
    seen["movement"][0] = max(0, int(s.movement))
    if s.code:
        seen["effect"][s.code - 1], seen["amount"][0] = 1, s.amount
    if s.node_square >= 0:
        seen["square"][s.node_square], seen["node"][s.node_place] = 1, 1
    seen["filled"][0], seen["again"][0], seen["won"][0], seen["stake"][0] = s.filled, s.again, s.won, s.stake
    if s.window:
        seen["window"][s.window - 1] = 1
    for square in range(25):
        if not int(MATRIX[n]) >> square & 1:
            continue
        black = blackouts(s, square)
        seen["open"][square] = black != 15 and square not in s.runner[:n]
        face = int(s.up[square])
        seen["face"][square], seen["reverse"][square] = face + 1, s.reverse[square] + 1
        gains = []
        for place in range(4):
            code, amount = CODES[FACE_CODE[face, place]], int(FACE_AMOUNT[face, place])
            seen["black"][square, place] = black >> place & 1
            owner = marker_on(s, 4 * square + place)
            if owner >= 0:
                k = order.index(owner)
                seen["matrix"][k] += 1
                name = code if code in CONTROLS else node_text(CODES.index(code), amount)
                seen["held"][k, CONTROLS.index(name)] += 1
                if k == 0:
                    seen["own_marker"][square, place] = 1
                else:
                    seen["rival_marker"][square, place] = k
            if not black >> place & 1:
                numbers = effect_shown(s, seat, square, code, amount)
                shown = [max(-13, min(number, 13)) for number in numbers]
                for aspect, number in zip(ASPECTS, shown, strict=True):
                    seen[f"node_{aspect}"][square, place] = number
                gains.append(shown[0])
                if square == s.runner[seat]:
                    for aspect, number in zip(ASPECTS[:-1], shown, strict=False):
                        seen[f"here_{aspect}"][place] = number
                    if shown[-1] > 0:
                        seen["here_kind"][place, shown[-1] - 1] = 1
        if gains:
            seen["best"][square] = max(gains)
    seen["reverse_drawn"][0], seen["by_margin"][0] = s.options.reverse, s.options.payoff
    seen["clock"][0] = 127 * int(s.decisions) // int(s.options.max_decisions)
    return out


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_in_games(players: int) -> None:
    options = {"reverse": ("known", "drawn")[players % 2], "payoff": ("win", "margin")[players // 4]}
    simulator = Simulator(GAME, 6, {"players": players, "max_decisions": 150, **options}, seed=players)
    rng = np.random.default_rng(players)
    for step in range(90):
        if step % 10 == 9:  # few Credits, and very many, where nothing depends on them yet
            quiet = np.isin(simulator.states["phase"], (BEFORE_ROLL, MOVE, NODE))
            simulator.states["credits"][quiet, :players] = rng.integers(0, 12, (quiet.sum(), players))
            simulator.states["credits"][quiet & (np.arange(6) == 5), 0] = 500
            simulator.refresh()
        for seat in range(players):
            observation = simulator.view(seat)[0]
            for s, seen in zip(simulator.states, observation, strict=True):
                wanted = expected(s, seat)
                assert (seen == wanted).all(), GAME.observations.describe(seen - wanted)
            assert (GAME.observations.low <= observation).all()
            assert (observation <= GAME.observations.high).all()
        running = np.flatnonzero(~simulator.over)
        simulator.restart(np.flatnonzero(simulator.over))
        simulator.step(simulator.random_actions(running), running)


@pytest.mark.clause("PM-06", "PM-90")
def test_bids_of_others_are_not_seen() -> None:
    """Worked position W33: games with equal deals in which seat 0 bids 0 and 5."""
    tables = [Simulator(GAME, options={"players": 4}, seed=11) for _ in range(2)]
    for table, first in zip(tables, (0, 5), strict=True):
        for credits in (first, 2, 3):
            table.step([GAME.parse_action(table.states[0], f"bid {credits}")])
    one, other = tables
    for seat in (1, 2, 3):
        assert all(a.tobytes() == b.tobytes() for a, b in zip(one.view(seat), other.view(seat), strict=True))
        assert GAME.text(one.states[0], seat) == GAME.text(other.states[0], seat)
        assert GAME.draw(one.states[0], seat).svg() == GAME.draw(other.states[0], seat).svg()
    assert one.view(0)[0].tobytes() != other.view(0)[0].tobytes()
    assert "bids=0,?,?,-" in GAME.text(one.states[0], 0) and "bids=0,2,3,-" in GAME.text(one.states[0], None)
    before = one.view(1)[0].tobytes()
    bids = set()
    for _ in range(50):
        one.redeal(1)
        assert one.view(1)[0].tobytes() == before
        bids.add(tuple(one.states[0].bid.tolist()))
    assert len(bids) > 20 and {b[1] for b in bids} == {2} and {b[3] for b in bids} == {-1}
    one.step([GAME.parse_action(one.states[0], "bid 1")])
    after = one.states.tobytes()
    one.redeal(1)
    assert one.states.tobytes() == after


@pytest.mark.clause("PM-90")
@pytest.mark.parametrize("players", [2, 5])
def test_no_leaks(players: int) -> None:
    options = {"players": players, "reverse": "drawn", "max_decisions": 40}
    assert check_no_leak(GAME, options, games=4, decisions=30, playouts=1) > 0


def test_no_leaks_where_bidding_is_cut_off() -> None:
    states = dealt(3, max_decisions=2)
    s = go(states, "bid 3", "bid 2")
    assert s.mover == OVER and s.truncated
    GAME.redeal(s, 2)
    assert s.bid[2] == -1


@pytest.mark.clause("PM-91")
@pytest.mark.parametrize(("limit", "tied"), [(1, [0, 0, 0]), (2, [1, 1, 0])])
def test_once_over_nobody_can_be_made_to_pay(limit: int, tied: list[int]) -> None:
    """Seats 0 and 1 have most; one decision is the node, the next would be who pays."""
    at = "n=3 at=pressure runners=a1,d1,d4 credits=9,9,5\na1: LEADER_PAYS 4 | PAY 1 | PAY 2 | PAY 3"
    table = Table(at, max_decisions=limit).play("node nw {6 1}")
    assert table.state.truncated == (limit == 1)
    out = np.zeros(GAME.observations.size, np.int8)
    GAME.observe(table.state, 0, out)
    assert GAME.observations.view(out)["tied"].tolist() == [*tied, 0, 0]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_potential(players: int) -> None:
    for s in positions(players, 50, seed=players):
        values = [int(s.credits[p]) + int(s.hand[p]) for p in range(players)]
        found = [GAME.potential(s, seat) for seat in range(players)]
        for seat in range(players):
            others = [values[p] for p in range(players) if p != seat]
            assert found[seat] == pytest.approx(0.05 * (values[seat] - sum(others) / len(others)))
        assert sum(found) == pytest.approx(0)


def test_bids_are_shown_once_all_are_made() -> None:
    s = bid(dealt(3), [1, 5, 2])
    out = np.zeros(GAME.observations.size, np.int8)
    GAME.observe(s, 2, out)
    assert GAME.observations.view(out)["bid"].tolist() == [3, 2, 6, 0, 0]


@pytest.mark.clause("PM-39")
def test_what_each_seat_may_still_be_given_is_shown_counted_from_the_viewer() -> None:
    at = "n=3 at=pressure runners=a1,d1,d4 credits=3,5,5\na1: GIVE_EACH 2 | PAY 1 | PAY 2 | PAY 3"
    table = Table(at).play("node nw; give +2").holds("0 DIVIDE: give +1, give +2")
    for seat, left in enumerate(([0, 2, 1, 0, 0], [2, 1, 0, 0, 0], [1, 0, 2, 0, 0])):
        out = np.zeros(GAME.observations.size, np.int8)
        GAME.observe(table.state, seat, out)
        assert GAME.observations.view(out)["left"].tolist() == left
