"""Saving and loading a learner's games, and changing opponents during games."""

from __future__ import annotations

import io
import json
import tracemalloc

import numpy as np
import pytest

import polytrix
from polytrix.api.shared.learner import LearnerBatch
from polytrix.api.shared.opponents import LineUp, Pool
from polytrix.core.errors import PolicyError, SnapshotError
from polytrix.core.simulator import Simulator
from tests.api.learner_play import batch, everything, first, history, last, same, wild
from tests.toys import SECRET

QUATRIX = polytrix.find("quatrix")


def pool_batch(seed=1, rows=12):
    pool = Pool(QUATRIX, ["random", wild, "greedy"])
    simulator = Simulator(QUATRIX, rows, {"max_decisions": 50})
    return LearnerBatch(simulator, pool, seat="rotate", seed=seed, shaping=1.0, gamma=0.99)


def test_save_and_load_go_on_exactly():
    games = pool_batch()
    history(games, 30)
    saved, accounts = games.save(), (games.length.copy(), games.returned.copy())
    expected = history(games, 40)
    other = pool_batch(seed=99)
    other.load(saved)
    assert (other.length == accounts[0]).all() and (other.returned == accounts[1]).all()
    assert same(expected, history(other, 40))
    assert expected[4].any() or expected[5].any()
    assert everything(games) == everything(other)


def test_damaged_bytes_change_nothing():
    games = batch(rows=3, opponent=wild)
    saved, other = games.save(), batch(rows=3, opponent=wild, seed=5)
    before = everything(other)
    for damaged in (b"", b"hello", *(saved[:length] for length in range(1, len(saved), 211))):
        with pytest.raises(SnapshotError):
            other.load(damaged)
    with pytest.raises(SnapshotError, match="2 games; this one has 3"):
        other.load(batch(rows=2, opponent=wild).save())
    with pytest.raises(SnapshotError, match="polytrix/quatrix-v0"):
        other.load(batch(QUATRIX, 3, wild).save())
    with pytest.raises(PolicyError, match=r"opponents random; give them in `policies` \(known: wild\)"):
        other.load(batch(rows=3, opponent="random").save())
    assert everything(other) == before


def rewritten(data, **changes):
    """A saved batch with some of its arrays replaced."""
    with np.load(io.BytesIO(data)) as arrays:
        content = {**arrays, **changes}
    buffer = io.BytesIO()
    np.savez(buffer, **content)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seat": np.array([0, 2, 0])}, "where nobody sits"),
        ({"seat": np.array([0, -1, 0])}, "where nobody sits"),
        ({"seat": np.array([0, 2, 0]), "player": np.array([[-1, 0], [0, 0], [-1, 0]])}, "where nobody sits"),
        ({"seat": np.array([0.0, 0.0, 0.0])}, "seat is of dtype float64 .* allowed: int64"),
        ({"length": np.array([1, 2])}, r"length is of dtype int64 and shape \(2,\)"),
        ({"length": np.array([0, -1, 0])}, "no game can have"),
        ({"returned": np.array([0.0, np.nan, 0.0])}, "no game can have"),
        ({"player": np.full((3, 2), 7)}, "where nobody sits"),
        ({"player": np.full((3, 2), -1)}, "where nobody sits"),
        ({"player": np.full((3, 2), -2)}, "where nobody sits"),
        ({"header": np.array('{"num_envs": 3, "policies": "wild", "rng": {}}')}, "damaged"),
        ({"header": np.array("[" * 10_000)}, "damaged"),
        ({"simulator": np.zeros(40, np.uint8)}, "not a polytrix snapshot"),
    ],
)
def test_what_nobody_saved_is_refused_and_changes_nothing(changes, message):
    games = batch(rows=3, opponent=wild, seat=0)
    before = everything(games)
    with pytest.raises(SnapshotError, match=message):
        games.load(rewritten(games.save(), **changes))
    assert everything(games) == before


def test_a_small_file_that_unpacks_to_a_large_one():
    games = batch(rows=3, opponent=wild, seat=0)
    with np.load(io.BytesIO(games.save())) as arrays:
        content = {**arrays, "player": np.broadcast_to(np.int64(0), (2_000_000,))}
    bomb = io.BytesIO()
    np.savez_compressed(bomb, **content)
    del content
    tracemalloc.start()
    with pytest.raises(SnapshotError, match="its arrays are compressed"):
        games.load(bomb.getvalue())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000  # the array would take 16 MB


def test_policies_of_a_saved_batch_are_names():
    games = batch(rows=3, opponent=wild, seat=0)
    header = {"num_envs": 3, "policies": "wild", "rng": games.rng.bit_generator.state}
    with pytest.raises(SnapshotError, match="policies are 'wild'; allowed: a list of names"):
        games.load(rewritten(games.save(), header=np.array(json.dumps(header))))


def test_live_games_keep_their_opponents():
    games = batch(rows=6, opponent=last, seat=0)
    rewards_before = history(batch(rows=6, opponent=last, seat=0), 1)
    games.set_opponents(LineUp(SECRET, first))
    assert [games.policies[i].__name__ for i in games.player[:, 1]] == ["last"] * 6
    seen = games.observation()
    assert (seen == rewards_before[0][0]).all()
    assert (games.step(first(None, games.mask(), None)).reward == rewards_before[3][0]).all()
    games.restart(np.array([0, 1]))
    assert [games.policies[i].__name__ for i in games.player[:, 1]] == ["first"] * 2 + ["last"] * 4
    games.restart()
    games.set_opponents(LineUp(SECRET, "random"))
    assert [policy.__name__ for policy in games.policies[1:]] == ["first"]  # `last` is forgotten


def test_loading_live_games_against_retired_opponents():
    games = batch(rows=4, opponent=last, seat=0)
    games.set_opponents(LineUp(SECRET, first))
    saved = games.save()
    expected = history(games, 10)
    other = batch(rows=4, opponent=first, seat=0)
    with pytest.raises(PolicyError, match="opponents last"):
        other.load(saved)
    other.load(saved, [last])
    assert same(expected, history(other, 10))
    batch(rows=4, opponent="random").load(saved, [last])  # `first` plays in none of the games
