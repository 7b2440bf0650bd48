"""Plays random legal Connect Four in each library; `peers.py` starts a process of this file for each.

    python benchmarks/throughput/peer_players.py pgx 0,1

plays on the given cores. It reads numbers of seconds from standard input, one per line, plays for that time and
answers with a line of JSON. The work is the same for all: a decision is a uniform choice among the legal
actions, a step, and observation and mask of the next player to move; a finished game is followed by the next.
Steps that only reset are not counted.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version

Play = Callable[[], tuple[int, int]]
"""Makes some decisions; returns the number of decisions and of finished games."""

ROUND = 200
"""Decisions per call, for libraries that play one game at a time."""


def pettingzoo() -> Play:
    """raw_env, without wrappers: last, a legal action by the mask, step."""
    import numpy as np
    from pettingzoo.classic import connect_four_v3

    env = connect_four_v3.raw_env()
    env.reset(seed=1)

    def play() -> tuple[int, int]:
        games = 0
        for _ in range(ROUND):
            seen, _, terminated, _, _ = env.last()
            if terminated:
                games += 1
                env.reset()
                seen, *_ = env.last()
            legal = np.flatnonzero(seen["action_mask"])
            env.step(int(legal[int(random.random() * len(legal))]))
        return ROUND, games

    return play


def openspiel() -> Play:
    """One state of pyspiel: an Observation's set_from, legal_actions_mask, legal_actions, apply_action."""
    import pyspiel
    from open_spiel.python.observation import make_observation

    game = pyspiel.load_game("connect_four")
    observation = make_observation(game)  # a NumPy array, faster than the list of observation_tensor
    state = game.new_initial_state()

    def play() -> tuple[int, int]:
        nonlocal state
        games = 0
        for _ in range(ROUND):
            observation.set_from(state, state.current_player())
            state.legal_actions_mask()
            legal = state.legal_actions()
            state.apply_action(legal[int(random.random() * len(legal))])
            if state.is_terminal():
                games += 1
                state = game.new_initial_state()
        return ROUND, games

    return play


def pgx() -> Play:
    """16,384 games by vmap, in one jitted program: jax.random.categorical on the mask, step with auto_reset."""
    os.environ["JAX_PLATFORMS"] = "cpu"
    import jax
    import pgx
    from pgx.experimental import auto_reset

    count = 16_384
    env = pgx.make("connect_four")
    step = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def decide(state, key):  # type: ignore[no-untyped-def]
        key, choice, reset = jax.random.split(key, 3)
        chances = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(choice, chances, axis=-1)
        state = step(state, actions, jax.random.split(reset, count))
        return state, key, state.terminated.sum()

    key = jax.random.key(1)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, count))

    def play() -> tuple[int, int]:
        nonlocal state, key
        state, key, ended = decide(state, key)
        jax.block_until_ready(state)
        return count, int(ended)

    return play


def envpool() -> Play:
    """1,024 games in its batched Gymnasium interface, a thread for each core; actions by NumPy from masks."""
    import envpool
    import numpy as np

    count = 1024
    cores = len(os.sched_getaffinity(0))
    envs = envpool.make_gymnasium("ConnectFour-v1", num_envs=count, num_threads=cores, seed=1)
    _, info = envs.reset()
    rng = np.random.default_rng(1)

    def play() -> tuple[int, int]:
        nonlocal info
        mask = info["legal_action_mask"]
        actions = (mask * (1 + rng.random(mask.shape, np.float32))).argmax(axis=1)
        _, _, terminated, _, info = envs.step(actions, info["env_id"])  # in any order
        begun = int(np.count_nonzero(info["elapsed_step"] == 0))  # the step after the end only resets
        return count - begun, int(np.count_nonzero(terminated))

    return play


def polytrix() -> Play:
    """16,384 games of examples/connect_four in a Simulator, a thread for each core."""
    from pathlib import Path

    root = Path(__file__).parents[2]
    sys.path[:0] = [str(root / "envs"), str(root / "examples")]
    import numpy as np
    from connect_four import GAME

    from polytrix import Simulator

    count = 16_384
    sim = Simulator(GAME, count, seed=1, num_threads=len(os.sched_getaffinity(0)))
    sim.restart()

    def play() -> tuple[int, int]:
        sim.step(sim.random_actions())
        ended = np.flatnonzero(sim.over)
        sim.restart(ended)
        return count, len(ended)

    return play


PLAYERS: dict[str, tuple[Callable[[], Play], str]] = {
    "PettingZoo": (pettingzoo, "pettingzoo"),
    "EnvPool": (envpool, "envpool"),
    "OpenSpiel": (openspiel, "open_spiel"),
    "Pgx": (pgx, "pgx"),
    "polytrix": (polytrix, "polytrix"),
}
"""By name: the function that plays, and its distribution package."""

ONE_CORE = ("PettingZoo", "OpenSpiel")
"""Libraries that use one core; on two cores they run in two processes."""


def main(name: str, cores: str) -> None:
    """Answer each line of standard input with a line of JSON."""
    os.sched_setaffinity(0, {int(core) for core in cores.split(",")})
    make, package = PLAYERS[name]
    try:
        play = make()
        play()
    except Exception as error:  # a library may raise anything when it is imported
        say({"missing": f"{type(error).__name__}: {error}".splitlines()[0]})
        return
    say({"version": version_of(package), "how": (make.__doc__ or "").rstrip(".")})
    for line in sys.stdin:
        say(measured(play, float(line)))


def version_of(package: str) -> str:
    """Version of an installed package, or "" if it runs from its sources."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def measured(play: Play, seconds: float) -> dict[str, float]:
    """Play for `seconds`, and count."""
    decisions = games = 0
    start = time.perf_counter()
    while True:
        made, ended = play()
        decisions += made
        games += ended
        passed = time.perf_counter() - start
        if passed >= seconds:
            return {"decisions": decisions, "games": games, "seconds": passed}


def say(answer: dict[str, object] | dict[str, float]) -> None:
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
