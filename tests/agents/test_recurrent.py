"""Recurrent networks: the cell, separate memories of seats, the file, and where they can play."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.agents import (
    Cell,
    NetworkPolicy,
    RecurrentNetworkPolicy,
    ask,
    ask_rows,
    begin_games,
    load,
    resolve,
    save_network,
)
from polytrix.agents import saved as saved_files
from polytrix.api.shared.opponents import LineUp, Pool
from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import PolicyError
from polytrix.core.simulator import Simulator
from tests.high import HIGH
from tests.toys import SECRET

INPUTS, UNITS = 8, 5


def arrays(*shapes, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.standard_normal(shape).astype(np.float32) for shape in shapes]


def some_cell(seed=0, inputs=INPUTS, units=UNITS):
    return Cell(*arrays((inputs, 3 * units), (3 * units,), (units, 3 * units), (3 * units,), seed=seed))


def some_layers(game=SECRET, units=UNITS):
    first, bias, last, last_bias = arrays(
        (game.observations.size, INPUTS), (INPUTS,), (units, game.actions.size), (game.actions.size,)
    )
    return [(first, bias), (last, last_bias)]


def some_policy(game=SECRET, **settings):
    return RecurrentNetworkPolicy(game, some_layers(game), some_cell(), "relu", deterministic=True, **settings)


# -- the cell -----------------------------------------------------------------------------


def test_the_cell_is_that_of_pytorch():
    torch = pytest.importorskip("torch")
    cell, twin = some_cell(), torch.nn.GRUCell(INPUTS, UNITS)
    with torch.no_grad():
        for parameter, array in (
            (twin.weight_ih, cell.weight.T),
            (twin.weight_hh, cell.recurrent_weight.T),
            (twin.bias_ih, cell.bias),
            (twin.bias_hh, cell.recurrent_bias),
        ):
            parameter.copy_(torch.from_numpy(array.copy()))
    memory = np.zeros((3, UNITS), np.float32)
    expected = torch.zeros(3, UNITS)
    for x in np.random.default_rng(1).standard_normal((20, 3, INPUTS)).astype(np.float32):
        memory = cell.step(x, memory)
        with torch.no_grad():
            expected = twin(torch.from_numpy(x), expected)
        np.testing.assert_allclose(memory, expected.numpy(), atol=1e-5)


def test_large_numbers_do_not_overflow():
    memory = some_cell().step(np.full((1, INPUTS), -1e5, np.float32), np.ones((1, UNITS), np.float32))
    assert np.isfinite(memory).all() and (abs(memory) <= 1).all()


# -- memory -------------------------------------------------------------------------------


def told(policy, rows, seats, seed=0):
    """The logits of seats of games for an observation, which they then remember."""
    rng = np.random.default_rng(seed)
    observation = rng.integers(0, 2, (len(rows), policy.game.observations.size)).astype(np.int8)
    before = policy._memory[rows, seats]
    policy.act(np.array(rows), np.array(seats), observation, np.ones((len(rows), 4), np.int8), rng)
    return policy.logits(observation, before)[0]


def test_each_seat_of_each_game_has_a_memory_of_its_own():
    policy = some_policy()
    begin_games(policy, 3)
    fresh = told(policy, [1], [0])
    for row, seat in ((0, 0), (1, 1), (2, 0)):
        assert (told(policy, [row], [seat]) == fresh).all()
    assert not np.allclose(told(policy, [1], [0]), fresh)  # it has seen this before
    assert not np.allclose(told(policy, [1], [1]), fresh)
    assert (told(policy, [0], [1]) == fresh).all()


def test_rows_asked_together_are_rows_asked_one_by_one():
    together, alone = some_policy(), some_policy()
    begin_games(together, 4)
    begin_games(alone, 4)
    for seed in range(3):
        batch = told(together, [2, 0], [1, 0], seed)
        rng = np.random.default_rng(seed)
        observation = rng.integers(0, 2, (2, SECRET.observations.size)).astype(np.int8)
        for i, (row, seat) in enumerate(((2, 1), (0, 0))):
            own = observation[i : i + 1]
            logits, alone._memory[[row], [seat]] = alone.logits(own, alone._memory[[row], [seat]])
            np.testing.assert_allclose(batch[i], logits[0], rtol=1e-4, atol=1e-5)


def test_begin_forgets():
    policy = some_policy()
    begin_games(policy, 2)
    fresh = told(policy, [0, 1], [0, 1])
    assert not np.allclose(told(policy, [0, 1], [0, 1]), fresh)
    begin_games(policy, 2)
    assert (told(policy, [0, 1], [0, 1]) == fresh).all()


def test_rows_of_a_simulator_are_games_and_movers_are_seats():
    policy = some_policy(HIGH)
    sim = Simulator(HIGH, 4, {"players": 3}, seed=2, mode=Mode.PLAIN)
    begin_games(policy, 4)
    memory = np.zeros((4, HIGH.max_players, UNITS), np.float32)
    rng = np.random.default_rng(0)
    for step in range(12):
        live = np.flatnonzero(sim.mover >= 0)
        rows = live[:: 1 + step % 2]
        seats = sim.mover[rows].copy()
        logits, memory[rows, seats] = policy.logits(sim.observation[rows], memory[rows, seats])
        actions = ask_rows(policy, sim, rows, rng)
        assert (actions == np.where(sim.mask[rows] != 0, logits, -np.inf).argmax(axis=1)).all()
        sim.step(actions, rows)
    assert memory.any(axis=(0, 2))[:3].all()


def test_a_game_that_was_not_begun_is_refused():
    sim = Simulator(HIGH, 4, seed=2, mode=Mode.PLAIN)
    policy = some_policy(HIGH, name="elephant")
    begin_games(policy, 3)
    ask_rows(policy, sim, [0, 2], np.random.default_rng(0))
    with pytest.raises(PolicyError, match=r"'elephant' remembers 3 games, and is asked in game 3.*begin_games"):
        ask_rows(policy, sim, [0, 3], np.random.default_rng(0))


def test_it_is_no_plain_policy():
    observation = np.zeros((2, SECRET.observations.size), np.int8)
    with pytest.raises(PolicyError, match=r"remembers its games.*ask_rows.*rows=\.\.\., seats="):
        ask(some_policy(), observation, np.ones((2, 4), np.int8), np.random.default_rng(0))


def test_begin_is_for_policies_that_remember_only():
    begin_games(resolve("random", SECRET), 3)
    begin_games(lambda observation, mask, rng: mask.argmax(axis=1), 3)


@pytest.mark.parametrize("make", [LineUp, lambda game, spec: Pool(game, [spec])])
def test_it_is_no_opponent_in_an_environment(make):
    with pytest.raises(PolicyError, match="'network' remembers its games, and cannot play in an environment"):
        make(SECRET, some_policy())


# -- the file -----------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path):
    return save_network(tmp_path / "wise.npz", SECRET, some_layers(), "relu", {"steps": 7}, some_cell())


def test_round_trip(file):
    policy = load(file, SECRET, deterministic=True)
    assert isinstance(policy, RecurrentNetworkPolicy)
    assert (policy.name, policy.notes, policy.activation, policy.deterministic) == (
        "wise",
        {"steps": 7},
        "relu",
        True,
    )
    expected = some_policy()
    for each in (policy, expected):
        begin_games(each, 2)
    for _ in range(3):
        assert (told(policy, [0, 1], [1, 0]) == told(expected, [0, 1], [1, 0])).all()
    assert isinstance(resolve(str(file), SECRET), RecurrentNetworkPolicy)


def test_a_version_without_cells_would_refuse_the_file(file, tmp_path, monkeypatch):
    """It goes by the format; that of plain networks has not changed."""
    plain = save_network(
        tmp_path / "plain.npz", SECRET, [(np.zeros((SECRET.observations.size, 4)), np.zeros(4))]
    )
    monkeypatch.setattr(saved_files, "FORMATS", (2,))
    with pytest.raises(PolicyError, match="has format 3; this version reads"):
        load(file, SECRET)
    monkeypatch.undo()
    monkeypatch.setattr(saved_files, "RECURRENT_FORMAT", 1)
    assert isinstance(load(plain, SECRET), NetworkPolicy)


@pytest.mark.parametrize(
    ("layers", "cell", "message"),
    [
        (some_layers(), some_cell(inputs=7), "the cell has 7 inputs, and gets 8"),
        (some_layers(units=4), some_cell(), r"layer 1 has weight \(4, 4\).*expected \(5, outputs\)"),
        (
            some_layers(),
            Cell(*arrays((8, 15), (15,), (5, 12), (15,))),
            r"shapes \(8, 15\).*expected \(I, 3 U\)",
        ),
        (some_layers(), Cell(*arrays((8, 15), (15,), (15,), (15,))), "expected"),
        (
            some_layers(),
            some_cell()._replace(bias=np.full(15, np.nan)),
            "cell holds numbers that are not finite",
        ),
        ([], some_cell(), "no layers"),
    ],
)
def test_what_does_not_fit(layers, cell, message, tmp_path):
    with pytest.raises(PolicyError, match=message):
        save_network(tmp_path / "a.npz", SECRET, layers, "relu", cell=cell)
    assert not list(tmp_path.iterdir())
