"""A first call of every API of the installed package: `python -I smoke.py [EXTRA...]`.

It is run with the interpreter of an environment that holds the package, outside of the repository, so it uses
nothing but the package and its extras.
"""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from importlib.metadata import version
from pathlib import Path
from typing import Any


def package() -> None:
    import polytrix

    assert Path(polytrix.__file__).is_relative_to(sys.prefix), f"{polytrix.__file__} is not in {sys.prefix}"
    assert polytrix.__version__ == version("polytrix")
    assert len(polytrix.all_games()) == 5
    assert all(network.path.is_relative_to(sys.prefix) for network in polytrix.baselines())


def gymnasium_plays() -> None:
    import gymnasium

    import polytrix  # noqa: F401

    env = gymnasium.make("polytrix/quatrix-v0", opponent="greedy", render_mode="rgb_array")
    _, info = env.reset(seed=1)
    done = False
    while not done:
        _, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
        done = terminated or truncated
    assert reward in (-1, 0, 1)
    frame: Any = env.render()
    assert frame.ndim == 3


def names_are_known() -> None:
    import gymnasium

    import polytrix

    assert len(polytrix.baselines()) >= 5
    for name in ("quatrix", "resistor"):
        env = gymnasium.make(f"polytrix/{name}-v0", opponent="ppo")
        _, info = env.reset(seed=1)
        env.step(int(info["action_mask"].argmax()))
    env = gymnasium.make("polytrix/resistor-v0", deck="micro")
    env.reset(seed=1)


def make_vec() -> None:
    import gymnasium

    envs = gymnasium.make_vec("polytrix/quatrix-v0", num_envs=8, opponent="random")
    _, info = envs.reset(seed=1)
    for _ in range(50):
        _, rewards, *_, info = envs.step(info["action_mask"].argmax(axis=1))
    assert rewards.shape == (8,)


def pettingzoo() -> None:
    from polytrix import quatrix_v0

    env = quatrix_v0.env()
    env.reset(seed=1)
    for _ in env.agent_iter(max_iter=50):
        observation, _, terminated, truncated, _ = env.last()
        env.step(None if terminated or truncated else int(observation["action_mask"].argmax()))


def text() -> None:
    from polytrix import quatrix_v0
    from polytrix.api import words

    env = quatrix_v0.env()
    env.reset(seed=1)
    assert words.text_of(env)
    moves = words.legal_moves(env)
    assert words.parse(env, moves[0].notation) == moves[0].id


def pictures() -> None:
    import polytrix
    from polytrix.core.compile.compiler import Mode

    for game in polytrix.all_games():
        sim = polytrix.Simulator(game, num_envs=1, seed=1, mode=Mode.PLAIN)
        assert game.draw(sim.states[0], None).png().startswith(b"\x89PNG")


def command(*arguments: str, typed: str = "", code: int = 0) -> str:
    """What `polytrix` prints with these arguments."""
    program = Path(sysconfig.get_path("scripts")) / ("polytrix.exe" if sys.platform == "win32" else "polytrix")
    done = subprocess.run(
        [program, *arguments], input=typed, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == code, f"code {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


def no_command() -> None:
    assert "polytrix[cli]" in command("list", code=2)


def commands() -> None:
    assert version("polytrix") in command("--version")
    assert "polytrix/pixel_tactics-v0" in command("list")
    assert "polytrix/quatrix-v0" in command("describe", "quatrix")
    assert "Legal actions" in command("describe", "resistor", "--text")
    assert "You are " in command("play", "quatrix", "--seed", "1", typed="?\n??\n1\n1\n")
    command("watch", "quatrix", "--delay", "0", "--seed", "1", "--save", "game.json")
    assert command("replay", "game.json")
    assert "nodes" in command("perft", "quatrix", "--depth", "1")
    assert "quatrix" in command("bench", "quatrix", "--num-envs", "64", "--seconds", "0.02", "--repeats", "1")


def arena() -> None:
    assert "ppo" in command("arena", "quatrix", "greedy", "ppo", "--deals", "2")


def stable_baselines3() -> None:
    from sb3_contrib import MaskablePPO

    from polytrix.api.sb3 import SelfPlayVecEnv

    env = SelfPlayVecEnv("quatrix", num_envs=4, opponents=("random", "greedy"))
    MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=64).learn(64)


def openspiel() -> None:
    import pyspiel

    import polytrix.api.openspiel  # noqa: F401

    state = pyspiel.load_game("polytrix_quatrix").new_initial_state()
    while not state.is_terminal() and state.move_number() < 20:
        outcomes = state.chance_outcomes() if state.is_chance_node() else state.legal_actions()
        state.apply_action(outcomes[0][0] if state.is_chance_node() else outcomes[0])


def every_game() -> None:
    import polytrix

    for game in polytrix.all_games():
        sim = polytrix.Simulator(game, num_envs=4, seed=1)
        for _ in range(20):
            sim.step(sim.random_actions())


CHECKS = {
    "": [package, gymnasium_plays, names_are_known, make_vec, pettingzoo, text, pictures],
    "cli": [commands, arena],
    "sb3": [stable_baselines3],
    "openspiel": [openspiel],
    "games": [every_game],
}
"""What to call by the extra that it needs; `games` is none, and takes a while."""


def main(*extras: str) -> None:
    """Call what needs no extra, and what these allow; raises what the first one raises that fails."""
    checks = [function for extra in ("", *extras) for function in CHECKS[extra]]
    for function in checks if "cli" in extras else [*checks, no_command]:
        print(function.__name__, flush=True)
        function()


if __name__ == "__main__":
    main(*sys.argv[1:])
