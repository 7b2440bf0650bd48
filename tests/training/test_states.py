"""States of learners: one goes on exactly from its own.

Of a checkpoint with a right checksum that is of no such run, every part is compared before it is used.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from polytrix.agents.checkpoint import write_checkpoint
from polytrix.training import expert, fast_ppo, ppo, sb3_ppo
from polytrix.training.algorithms import fsp, nash_pg
from polytrix.training.learner.rollout import LEARNER
from polytrix.training.shared import runs
from polytrix.training.shared.checkpoints import NO_MATCH, Checkpoints
from polytrix.training.shared.runs import Budget, Clock
from polytrix.training.trials import runs as trial_runs
from polytrix.training.trials.trial import Trial
from tests.high import HIGH, TWO_WAYS
from tests.training.learners import learner_of, restored

FAST = fast_ppo.Settings(
    "high", num_envs=6, num_steps=25, batch_size=32, layers=(8,), options={"players": 3}, total_steps=10_000,
    share_past=0.5, share_greedy=0.2, imitation=0.5, threads=2,
)  # fmt: skip
EXPERT = expert.Settings(
    "high", total_steps=10_000, num_envs=4, simulations=4, window=200, batch_size=16,
    num_steps=20, threads=1, final_games=2, gate_deals=1, gate_simulations=2, network="", layers=(8,),
    options={"players": 3},
)  # fmt: skip
SB3 = sb3_ppo.Settings(
    "high", total_steps=10_000, num_envs=4, num_steps=16, batch_size=16, layers=(8,), options={"players": 3},
    freeze_every_iterations=1,
)  # fmt: skip

PPO = ppo.Settings(
    "high", num_envs=6, num_steps=25, batch_size=32, layers=(8,), options={"players": 3}, imitation=0.5
)

USED = {"decisions": 1, "cpu_seconds": 0.0, "seconds": 0.0}

OPTIONS = HIGH.options.validate({"players": 3})

MAKE: dict[str, Callable[[Path], Any]] = {
    "fast_ppo": lambda folder: learner_of(fast_ppo.Learner, FAST),
    "symmetric": lambda folder: fast_ppo.Learner(replace(FAST, symmetric=True), TWO_WAYS, OPTIONS, Clock()),
    "ppo": lambda folder: learner_of(ppo.Learner, PPO),
    "expert": lambda folder: learner_of(expert.Learner, EXPERT),
    "sb3": lambda folder: learner_of(sb3_ppo.Learner, SB3),
    "fsp": lambda folder: fsp.Learner(trial_in(folder)),
    "nash_pg": lambda folder: nash_pg.Learner(trial_in(folder)),
}


def trial_in(folder: Path) -> Trial:
    return Trial(HIGH, OPTIONS, 1, Budget(decisions=10_000), folder, points=2)


@pytest.fixture(autouse=True)
def _small(known_toys: None, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"num_envs": 8, "num_steps": 16, "batch_size": 64, "layers": (8,)}.items():
        monkeypatch.setitem(trial_runs.SHARED, name, value)
    monkeypatch.setattr(fsp, "RESERVOIR", 1000)
    monkeypatch.setattr(fast_ppo, "FREEZE_EVERY", 1)
    monkeypatch.setattr(fast_ppo, "POOL_SIZE", 2)
    monkeypatch.setattr(fast_ppo, "AVERAGED", 2)
    monkeypatch.setattr(nash_pg, "RENEWED", 3)


@pytest.mark.parametrize("name", [name for name in MAKE if name != "expert"])  # which begins new games
def test_a_learner_goes_on_exactly(name: str, tmp_path: Path) -> None:
    learner = MAKE[name](tmp_path / "whole")
    for number in range(4):
        learner.iterate(number / 100)
    state = deepcopy(learner.state())

    def end_of(learner: Any) -> bytes:
        for number in range(4, 7):
            learner.iterate(number / 100)
        write_checkpoint(tmp_path / "end", learner.state())
        return (tmp_path / "end").read_bytes()

    never_stopped = end_of(learner)
    assert end_of(restored(MAKE[name](tmp_path / "half"), state, tmp_path)) == never_stopped


Place = tuple[Any, ...]


def parts(value: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """All values of a state, with the keys that lead to them."""
    yield place, value
    if isinstance(value, (list, tuple)):
        value = dict(enumerate(value))
    if isinstance(value, dict):
        for key, each in value.items():
            yield from parts(each, (*place, key))


def put(value: Any, place: Place, other: Any) -> Any:
    """A copy of a state with another value at a place."""
    if not place:
        return other
    if isinstance(value, dict):
        return {**value, place[0]: put(value[place[0]], place[1:], other)}
    items = list(value)
    items[place[0]] = put(items[place[0]], place[1:], other)
    return tuple(items) if isinstance(value, tuple) else items


def forgeries(value: Any) -> Iterator[Any]:
    """Values that cannot stand in the place of this one."""
    yield object if value is None else None
    if isinstance(value, (torch.Tensor, np.ndarray)):
        yield value.reshape(-1)[:3].reshape(-1, 1, 1)  # no tensor of a run has such a shape
        yield value.to(torch.complex64) if isinstance(value, torch.Tensor) else value.astype(np.complex64)
        yield np.asarray(value) if isinstance(value, torch.Tensor) else torch.zeros(value.shape)
    elif isinstance(value, dict):
        yield {**value, "more": 1}
        yield dict(list(value.items())[:-1]) if value else {"one": 1}
    elif isinstance(value, float):
        yield from (math.nan, math.inf, "1.0", 1)
    elif isinstance(value, int):
        yield from ("1", 1.5, np.zeros(3))


def tries(state: dict[str, Any]) -> Iterator[tuple[Place, Any, dict[str, Any]]]:
    """Forged states, each with the place of the forgery and what is there."""
    for place, value in parts(state):
        for other in forgeries(value) if place else ():
            unused = place in (("optimizer", "state"), ("imitator", "state")) and other == {}
            if not unused:  # an optimizer may be one before its first step
                yield place, other, put(state, place, other)


def refuses(learner: Any, forged: dict[str, Any]) -> bool:
    try:
        runs.go_on(learner, forged)
    except NO_MATCH:
        return True
    return False


@pytest.mark.parametrize("name", [name for name in MAKE if name != "symmetric"])
def test_every_forged_part_of_a_checkpoint_is_refused(name: str, tmp_path: Path) -> None:
    learner = MAKE[name](tmp_path / "begun")
    for _ in range(3):
        learner.iterate(0.0)
    again = MAKE[name](tmp_path / "again")
    forgeries = list(tries(learner.state()))
    assert len(forgeries) > 100
    taken = [f"{place} as {other!r:.60}" for place, other, forged in forgeries if not refuses(again, forged)]
    assert not taken


@pytest.mark.parametrize(
    ("name", "value"),
    [("decisions", -5), ("decisions", 1 << 60), ("iteration", -1)],
)
def test_no_learner_has_come_so_far(name: str, value: Any, tmp_path: Path) -> None:
    learner = MAKE["fast_ppo"](tmp_path)
    with pytest.raises(NO_MATCH, match=f"{name} is"):
        runs.go_on(learner, learner.state() | {name: value})


def changed(state: dict[str, Any], place: Place, change: Callable[[Any], Any]) -> dict[str, Any]:
    """A state in which an array has been changed."""
    value: Any = state
    for each in place:
        value = value[each]
    forged: dict[str, Any] = put(state, place, change(deepcopy(value)))
    return forged


def set_first(value: int, array: Any) -> Any:
    array.reshape(-1)[0] = value
    return array


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("symmetry",), -1), (("symmetry",), 2),
        (("samples", "legal"), 1 << 14), (("samples", "legal"), -1), (("samples", "count"), 0),
        (("samples", "count"), 1 << 20), (("samples", "place"), -1), (("samples", "place"), 1 << 40),
        (("samples", "taught"), 1 << 40), (("samples", "next"), 1 << 40), (("samples", "next"), 0),
        (("open",), 1 << 40), (("open",), -2), (("player",), 77), (("player",), 1 << 40), (("rivals",), 77),
    ],
)  # fmt: skip
def test_numbers_that_compiled_code_would_follow_are_refused(place: Place, value: int, tmp_path: Path) -> None:
    learner, again = (MAKE["symmetric"](tmp_path / each) for each in ("begun", "again"))
    learner.iterate(0.0)
    with pytest.raises(NO_MATCH):
        runs.go_on(again, changed(learner.state(), ("rollouts", 0, *place), partial(set_first, value)))


def test_more_samples_than_there_is_room_for_are_refused(tmp_path: Path) -> None:
    """The next rollout would be written behind the end of the buffer."""
    learner, again = (MAKE["fast_ppo"](tmp_path / each) for each in ("begun", "again"))
    learner.iterate(0.0)
    state, samples = learner.state(), learner.rollouts[0].samples
    size = len(samples.next) - 5
    rows = {name: np.repeat(array[-1:], size, axis=0) for name, array in samples.used().items()}
    rows["next"][:] = np.append(np.arange(1, size), rows["next"][-1])
    with pytest.raises(NO_MATCH, match="samples"):
        runs.go_on(again, put(state, ("rollouts", 0, "samples"), rows))


@pytest.mark.parametrize("shards", [0, -1, 10**9])
def test_shards_and_past_selves_exist(shards: int, tmp_path: Path) -> None:
    learner = MAKE["fast_ppo"](tmp_path)
    with pytest.raises(NO_MATCH, match="shards is"):
        runs.go_on(learner, learner.state() | {"shards": shards})
    with pytest.raises(NO_MATCH, match="have no networks"):
        runs.go_on(learner, learner.state() | {"pool": [5]})
    assert set(learner.networks) == {LEARNER}


@pytest.mark.parametrize("place", [-1, 625, 1 << 30])
def test_the_generator_of_numpy_reads_nowhere_else(place: int, tmp_path: Path) -> None:
    learner = MAKE["sb3"](tmp_path)
    with pytest.raises(NO_MATCH, match="generator is at"):
        runs.go_on(learner, put(learner.state(), ("numpy_generator", 2), place))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("used", {**USED, "decisions": -1}), ("used", {**USED, "seconds": -1.0}), ("used", {}),
        ("used", {**USED, "decisions": 1 << 60}), ("curve", [{}]), ("curve", [USED] * 3), ("curve", 5),
        ("seconds_of", {"learning": (0.0,)}),
    ],
)  # fmt: skip
def test_a_forged_trial_is_refused(key: str, value: Any, tmp_path: Path) -> None:
    trial = trial_in(tmp_path)
    whole = {"settings": trial._settings, "used": USED, "curve": [], "seconds_of": {}, "state": {}}
    trial.close()
    write_checkpoint(tmp_path / "checkpoint.polytrix", {**whole, key: value})
    with pytest.raises(SystemExit, match="does not match this run"):
        trial_in(tmp_path)


def test_settings_that_are_arrays_are_other_settings(tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "checkpoint.polytrix", {"settings": {"seed": np.zeros(3)}})
    checkpoints = Checkpoints(tmp_path)
    with pytest.raises(SystemExit, match=r"other settings \(seed\)"):
        checkpoints.read({"seed": 1})
    checkpoints.close()


# -- one run in a folder ----------------------------------------------------------------------


def test_a_folder_in_use_is_left_alone(tmp_path: Path) -> None:
    first = Checkpoints(tmp_path)
    first.write({"settings": {}})
    with pytest.raises(SystemExit, match=r"is in use by process \d+ on .*use another folder"):
        Checkpoints(tmp_path)
    assert first.file.exists()
    first.close()
    Checkpoints(tmp_path).close()
