"""Decisions a CPU second of interfaces whose batches are tensors, beside NumPy's: one process, taking turns.

    python benchmarks/throughput/tensors.py --json benchmarks/throughput/tensors.json

needs JAX, Pgx and TorchRL in one environment. The policy costs next to nothing: a random entry of the list of
legal actions. In Pgx, which has no list, it is the first legal action from a random one on. TorchRL's wrappers
draw from the mask, as they have no list either.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from collections.abc import Callable
from datetime import datetime, timezone
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

import gymnasium
import jax
import jax.numpy as jnp
import numpy as np
import pgx
import torch
from torchrl.collectors import Collector
from torchrl.envs import ActionMask, EnvBase, GymWrapper, MarlGroupMapType, PettingZooWrapper, TransformedEnv

import polytrix
from polytrix.api.aec import AECGame
from polytrix.api.jax import Env
from polytrix.api.torchrl import AllSeatsEnv, OneSeatEnv
from polytrix.core.simulator import Simulator

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
from connect_four import GAME as CONNECT_FOUR

STEPS = 50
"""Steps in a turn."""

Play = Callable[[], int]
"""Takes a turn; returns the number of decisions."""


def simulator(rows: int) -> Play:
    """`Simulator.step`, with its checks."""
    games = Simulator(polytrix.find("quatrix"), rows, seed=1)

    def play() -> int:
        for _ in range(STEPS):
            games.step(games.random_actions())
            games.restart(np.flatnonzero(games.over))
        return STEPS * rows

    return play


def make_vec(rows: int) -> Play:
    """Gymnasium's vector environment against `random`; the learners' decisions."""
    envs = gymnasium.make_vec("polytrix/quatrix-v0", rows, opponent="random", num_threads=1)
    envs.reset(seed=1)
    games = envs.unwrapped._batch.simulator

    def play() -> int:
        for _ in range(STEPS):
            envs.step(np.maximum(games.random_actions(), 0))
        return STEPS * rows

    return play


def collected(env: EnvBase, rows: int, policy: Any = None) -> Play:
    """A `Collector` of TorchRL."""
    collector = Collector(
        env,
        policy,
        frames_per_batch=STEPS * rows,
        total_frames=-1,
        return_same_td=True,
        auto_register_policy_transforms=False,
    )
    batches = iter(collector)

    def play() -> int:
        return int(next(batches).numel())

    return play


def all_seats(rows: int) -> Play:
    """TorchRL, native, all seats."""
    env = AllSeatsEnv("quatrix", rows, seed=1)
    return collected(env, rows, env.rand_action)


def one_seat(rows: int) -> Play:
    """TorchRL, native, one seat against `random`."""
    env = OneSeatEnv("quatrix", rows, opponent="random", seed=1)
    return collected(env, rows, env.rand_action)


def gym_wrapper(rows: int) -> Play:
    """TorchRL's wrapper of `make_vec`."""
    envs = gymnasium.make_vec("polytrix/quatrix-v0", rows, opponent="random", autoreset_mode="Disabled")
    env = GymWrapper(envs, categorical_action_encoding=True).auto_register_info_dict()
    return collected(TransformedEnv(env, ActionMask()), rows)


def pettingzoo_wrapper(rows: int) -> Play:
    """TorchRL's wrapper of PettingZoo, one game."""
    env = PettingZooWrapper(
        AECGame("quatrix"), use_mask=True, group_map=MarlGroupMapType.ALL_IN_ONE_GROUP, seed=5
    )

    def play() -> int:
        return int(env.rollout(STEPS, break_when_any_done=False).numel())

    return play


def scanned(step: Callable[..., Any], state: Any, rows: int) -> Play:
    """Steps in `scan`, in one jitted program."""
    keys = jax.random.split(jax.random.key(1), STEPS)
    run = jax.jit(lambda state: jax.lax.scan(step, state, keys)[0])

    def play() -> int:
        nonlocal state
        state = jax.block_until_ready(run(state))
        return STEPS * rows

    return play


def in_jax(rows: int, game: Any = "quatrix", **how: Any) -> Play:
    """JAX."""
    env = Env(game, auto_reset=True, **how)

    def step(state: Any, key: Any) -> Any:
        place = jax.random.bits(key, (rows,), jnp.uint32) % state.num_legal.astype(jnp.uint32)
        action = jnp.take_along_axis(state.legal_ids, place[:, None].astype(int), 1)[:, 0]
        return jax.vmap(env.step)(state, action), None

    return scanned(step, jax.vmap(env.init)(jax.random.split(jax.random.key(0), rows)), rows)


def in_pgx(rows: int) -> Play:
    """Pgx, Connect Four, with its own automatic reset."""
    from pgx.experimental import auto_reset

    env = pgx.make("connect_four")
    go = auto_reset(env.step, env.init)

    def step(state: Any, key: Any) -> Any:
        first, following = jax.random.split(key)
        start = jax.random.randint(first, (rows, 1), 0, env.num_actions)
        action = (jnp.arange(env.num_actions) + start) % env.num_actions
        legal = jnp.take_along_axis(state.legal_action_mask, action, 1)
        chosen = jnp.take_along_axis(action, legal.argmax(1)[:, None], 1)[:, 0]
        return jax.vmap(go)(state, chosen, jax.random.split(following, rows)), None

    return scanned(step, jax.vmap(env.init)(jax.random.split(jax.random.key(0), rows)), rows)


WAYS: dict[str, Callable[[int], Play]] = {
    "Simulator": simulator,
    "Gymnasium make_vec": make_vec,
    "TorchRL, all seats": all_seats,
    "TorchRL, one seat": one_seat,
    "TorchRL's GymWrapper": gym_wrapper,
    "TorchRL's PettingZooWrapper": pettingzoo_wrapper,
    "JAX": in_jax,
    "JAX, by callback": lambda rows: in_jax(rows, callback=True),
    "JAX, Connect Four": lambda rows: in_jax(rows, CONNECT_FOUR),
    "Pgx, Connect Four": in_pgx,
}


def main() -> None:
    """Measure, print and save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[1024, 4096], help="games side by side")
    parser.add_argument("--turns", type=int, default=5, help="of each way")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    rates: dict[str, dict[str, float]] = {name: {} for name in WAYS}
    for rows in arguments.rows:
        plays = {name: way(rows) for name, way in WAYS.items()}
        for play in plays.values():
            play()  # compiles
        seen: dict[str, list[float]] = {name: [] for name in WAYS}
        for _ in range(arguments.turns):
            for name, play in plays.items():
                begun = time.process_time()
                seen[name].append(play() / (time.process_time() - begun))
        for name, each in seen.items():
            rates[name][str(rows)] = median(each)
            print(f"{rows:6,} rows  {name:28} {median(each):12,.0f} decisions a CPU second", flush=True)
    if arguments.json:
        libraries = ("polytrix", "numpy", "numba", "gymnasium", "jax", "pgx", "torch", "torchrl")
        receipt = {
            "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
            "machine": {"cpu": platform.processor() or platform.machine(), "system": platform.platform()},
            "versions": {name: version(name) for name in libraries},
            "rates": rates,
        }
        arguments.json.write_text(json.dumps(receipt, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
