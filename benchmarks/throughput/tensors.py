"""Decisions a CPU second in TorchRL and JAX, of our environments and of others, beside NumPy's.

    python benchmarks/throughput/tensors.py --json benchmarks/throughput/tensors.json

All ways take turns in this process, on one thread, with random legal actions: a policy that costs next to
nothing. In Quatrix games end all the time: rows have limits from 200 to 600 decisions, with JAX one of 400.
Decisions of opponents do not count. It needs TorchRL, JAX and Pgx in one environment.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium as gym
import jax
import jax.numpy as jnp
import numpy as np
import pgx
import torch
from pgx.experimental import auto_reset
from tensordict import TensorDictBase
from torchrl.collectors import Collector
from torchrl.envs import EnvBase, GymWrapper, MarlGroupMapType, PettingZooWrapper

import polytrix
from polytrix.api.aec import AECGame
from polytrix.api.jax import Env
from polytrix.api.torchrl import AllSeatsEnv, LinkDecisions, OneSeatEnv
from polytrix.bench import when_and_where
from polytrix.core.files import write_json
from polytrix.core.simulator import Simulator

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
from connect_four import GAME as CONNECT_FOUR

LIMITS = [*range(200, 601)]
FRAMES = 1 << 16
"""Decisions of a batch."""

STEPS = 50
"""Steps in one call of a function that JAX has compiled."""

QUATRIX = "quatrix"


def simulator(rows: int, game: str = QUATRIX) -> Iterator[int]:
    games = Simulator(
        polytrix.find(game), rows, [{"max_decisions": LIMITS[row % len(LIMITS)]} for row in range(rows)], 1
    )
    while True:
        games.step(games.random_actions())
        games.restart(np.flatnonzero(games.over))
        yield rows


def make_vec(rows: int, game: str = QUATRIX) -> Iterator[int]:
    envs = gym.make_vec(f"polytrix/{game}-v0", rows, opponent="random", max_decisions=LIMITS)
    envs.reset(seed=1)
    games = envs.unwrapped._batch.simulator
    while True:
        envs.step(np.maximum(games.random_actions(), 0))
        yield rows


def collected(
    env: EnvBase, games: Simulator, postproc: Callable[..., TensorDictBase] | None = None
) -> Iterator[int]:
    """Batches of a Collector, without a copy of each."""
    rows = env.batch_size[0]
    frames = max(FRAMES, 8 * rows)
    collector = Collector(
        env,
        lambda now: now.set("action", torch.from_numpy(games.random_actions())),
        frames_per_batch=frames,
        total_frames=-1,
        return_same_td=True,
        postproc=postproc,
        trust_policy=True,
    )
    for _ in collector:
        yield frames


def all_seats(rows: int, game: str = QUATRIX) -> Iterator[int]:
    env = AllSeatsEnv(game, rows, seed=1, max_decisions=LIMITS)
    return collected(env, env.simulator)


def all_seats_linked(rows: int, game: str = QUATRIX) -> Iterator[int]:
    env = AllSeatsEnv(game, rows, seed=1, max_decisions=LIMITS)
    return collected(env, env.simulator, LinkDecisions())


def one_seat(rows: int, game: str = QUATRIX) -> Iterator[int]:
    env = OneSeatEnv(game, rows, seed=1, max_decisions=LIMITS)
    return collected(env, env.simulator)


def gym_wrapper(rows: int, game: str = QUATRIX) -> Iterator[int]:
    envs = gym.make_vec(
        f"polytrix/{game}-v0", rows, opponent="random", max_decisions=LIMITS, autoreset_mode="Disabled"
    )
    env = GymWrapper(envs, categorical_action_encoding=True).auto_register_info_dict()
    return collected(env, envs.unwrapped._batch.simulator)


def pettingzoo_wrapper(rows: int, game: str = QUATRIX) -> Iterator[int]:
    """One game, by rollouts with random legal actions of TorchRL."""
    env = PettingZooWrapper(
        AECGame(game, max_decisions=LIMITS[0]), use_mask=True, group_map=MarlGroupMapType.ALL_IN_ONE_GROUP
    )
    while True:
        yield len(env.rollout(LIMITS[0]))


def scanned(step: Callable[..., Any], state: Any, rows: int) -> Iterator[int]:
    """Steps in one function that JAX has compiled."""
    keys = jax.random.split(jax.random.key(1), STEPS)
    run = jax.jit(lambda state: jax.lax.scan(step, state, keys)[0])
    while True:
        state = jax.block_until_ready(run(state))
        yield STEPS * rows


def in_jax(rows: int, game: Any = QUATRIX, callback: bool = False, **options: Any) -> Iterator[int]:
    env = Env(game, auto_reset=True, callback=callback, **options)

    def step(state: Any, key: Any) -> Any:
        place = jax.random.bits(key, (rows,), jnp.uint32) % state.num_legal.astype(jnp.uint32)
        action = jnp.take_along_axis(state.legal_ids, place[:, None].astype(int), 1)[:, 0]
        return jax.vmap(env.step)(state, action), None

    return scanned(step, jax.vmap(env.init)(jax.random.split(jax.random.key(0), rows)), rows)


def in_pgx(rows: int) -> Iterator[int]:
    """Its legal actions have no list: the first one from a random number on, which costs less than a draw."""
    env = pgx.make("connect_four")
    go = jax.vmap(auto_reset(env.step, env.init))

    def step(state: Any, key: Any) -> Any:
        first, following = jax.random.split(key)
        start = jax.random.randint(first, (rows, 1), 0, env.num_actions)
        actions = (jnp.arange(env.num_actions) + start) % env.num_actions
        legal = jnp.take_along_axis(state.legal_action_mask, actions, 1)
        action = jnp.take_along_axis(actions, legal.argmax(1)[:, None], 1)[:, 0]
        return go(state, action, jax.random.split(following, rows)), None

    return scanned(step, jax.vmap(env.init)(jax.random.split(jax.random.key(0), rows)), rows)


WAYS: dict[str, Callable[[int], Iterator[int]]] = {
    "`Simulator`": simulator,
    "`gym.make_vec`": make_vec,
    "TorchRL, `AllSeatsEnv`": all_seats,
    "TorchRL, `AllSeatsEnv` and `LinkDecisions`": all_seats_linked,
    "TorchRL, `OneSeatEnv`": one_seat,
    "TorchRL, its `GymWrapper`": gym_wrapper,
    "TorchRL, its `PettingZooWrapper`, 1 game": pettingzoo_wrapper,
    "JAX": partial(in_jax, max_decisions=400),
    "JAX, by callback": partial(in_jax, callback=True, max_decisions=400),
    "JAX, Connect Four": partial(in_jax, game=CONNECT_FOUR),
    "Pgx, Connect Four": in_pgx,
}


def rate(way: Iterator[int], seconds: float) -> float:
    """Decisions per CPU second, over so many of them."""
    begin, made = time.process_time(), 0
    while (used := time.process_time() - begin) < seconds:
        made += next(way)
    return made / used


def main() -> None:
    """Measure, print a table, write a receipt."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[1024, 4096])
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU seconds of a measurement")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    found: dict[str, dict[int, list[float]]] = {name: {} for name in WAYS}
    for rows in given.rows:
        ways = {name: way(rows) for name, way in WAYS.items()}
        for repeat in range(-1, given.repeats):  # the first is the warm-up
            for name, way in ways.items():
                measured = rate(way, given.seconds)
                if repeat >= 0:
                    found[name].setdefault(rows, []).append(measured)
    print(f"decisions per CPU second, load {os.getloadavg()[0]:.1f}")
    print("| |" + "".join(f" {rows:,} games |" for rows in given.rows) + "\n|---|" + "---|" * len(given.rows))
    for name, by_rows in found.items():
        print(f"| {name} |" + "".join(f" {statistics.median(by_rows[rows]):,.0f} |" for rows in given.rows))
    if given.json:
        about = when_and_where("numpy", "numba", "gymnasium", "torch", "torchrl", "jax", "pgx")
        write_json(given.json, about | {"load": os.getloadavg()[0], "results": found})


if __name__ == "__main__":
    main()
