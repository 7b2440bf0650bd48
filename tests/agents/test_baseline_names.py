"""`"ppo"`, `"expert"` and `"master"` as policies: in every API, in the arena and at the command line."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import polytrix
from polytrix.agents import GuidedSearchPolicy, NetworkPolicy, ask_rows, load, name_of, resolve, save_network
from polytrix.agents.resolve import MASTER_SEARCH, names_of
from polytrix.api.vector import VectorEnv
from polytrix.arena import contestants
from polytrix.core import baselines
from polytrix.core.errors import PolicyError
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from tests.cli.running import refused, run
from tests.networks import some_network
from tests.toys import SECRET

ROOT = Path(__file__).parents[2]
QUATRIX = polytrix.find("quatrix")
RELEASED = polytrix.baselines("quatrix")[0]


def weights(policy: Any) -> list[Any]:
    assert isinstance(policy, NetworkPolicy)
    return [array.tobytes() for layer in policy.layers for array in layer]


def test_the_name_stands_for_the_released_network() -> None:
    policy = resolve("ppo", QUATRIX)
    assert name_of(policy) == "ppo"
    assert weights(policy) == weights(load(RELEASED.path))


def test_every_released_network_has_its_name() -> None:
    for one in polytrix.baselines():
        policy = resolve(one.name, polytrix.find(one.game))
        assert name_of(policy) == one.name and weights(policy) == weights(load(one.path))


def test_a_game_without_networks_says_so() -> None:
    with pytest.raises(
        PolicyError,
        match=r"policy 'ppo' is neither a name nor an existing file: "
        r"polytrix/secret-v0 has no released network\. "
        r"Allowed: 'random', 'greedy', 'caller', 'shy', 'search:SIM",
    ):
        resolve("ppo", SECRET)


@pytest.mark.parametrize(
    ("given", "meant"),
    [("pp0", "ppo"), ("ppo-player4", "ppo-players4"), ("gredy", "greedy"), ("serch", "search")],
)
def test_an_unknown_name_lists_the_networks(given: str, meant: str) -> None:
    with pytest.raises(PolicyError, match=rf"'greedy', 'ppo', .*'ppo-players4', .* Did you mean '{meant}'\?$"):
        resolve(given, polytrix.find("pressure_matrix"))


def test_a_name_is_never_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ppo").mkdir()
    (tmp_path / "ppo" / "policy.npz").write_bytes(b"no network")
    monkeypatch.chdir(tmp_path)
    assert name_of(resolve("ppo", QUATRIX)) == "ppo"
    for path in ("./ppo", Path("ppo")):
        with pytest.raises(PolicyError, match="no saved network"):
            resolve(path, QUATRIX)


def test_a_shipped_network_is_checked_like_any_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "quatrix-v0"
    folder.mkdir()
    content = bytearray(RELEASED.path.read_bytes())
    content[len(content) // 2] ^= 1
    (folder / "policy.npz").write_bytes(content)
    monkeypatch.setattr(baselines, "CHECKPOINTS", tmp_path)
    with pytest.raises(PolicyError, match="is damaged or no saved network"):
        resolve("ppo", QUATRIX)
    shutil.copy(RELEASED.path.parents[1] / "resistor-v0" / "policy.npz", folder)
    with pytest.raises(PolicyError, match=r"plays polytrix/resistor-v0; this is polytrix/quatrix-v0"):
        resolve("ppo", QUATRIX)


def test_a_game_with_other_data_files_may_not_fit() -> None:
    with pytest.raises(PolicyError, match="or for other data files"):
        resolve("ppo", polytrix.find("resistor").with_data(deck="micro"))


# -- where a policy is accepted ------------------------------------------------------------


def test_single_and_vector_environments() -> None:
    """Row 0 plays what the single environment plays, against the network of this file."""
    rewards = []
    for opponent in ("ppo", RELEASED.path):
        env = gymnasium.make("polytrix/quatrix-v0", opponent=opponent, seat=0, max_decisions=30)
        seen = [env.reset(seed=3)[0]]
        rng, over = np.random.default_rng(1), False
        while not over:
            mask = env.get_wrapper_attr("action_masks")()
            observation, _, terminated, truncated, _ = env.step(int(rng.choice(np.flatnonzero(mask))))
            seen.append(observation)
            over = terminated or truncated
        rewards.append(np.array(seen).tobytes())
    assert rewards[0] == rewards[1]
    envs = gymnasium.make_vec("polytrix/quatrix-v0", num_envs=3, opponent="ppo")
    assert envs.reset(seed=1)[0].shape[0] == 3


def test_stable_baselines() -> None:
    pytest.importorskip("stable_baselines3", reason="needs the extra 'sb3'")
    from polytrix.api.sb3 import SelfPlayVecEnv

    env = SelfPlayVecEnv("quatrix", 4, opponents=["random", "ppo"], seed=1)
    assert [name_of(policy) for policy in env.batch.policies] == ["random", "ppo"]


def test_arena() -> None:
    """It plays its most probable action there, under its name and with the mark of its file."""
    by_name, by_path, mine = contestants(QUATRIX, ["ppo", str(RELEASED.path), "mine=ppo"])
    assert [by_name.name, by_path.name, mine.name] == ["ppo", "quatrix-v0", "mine"]
    assert by_name.mark == by_path.mark == mine.mark
    made = by_name.make()
    assert isinstance(made, NetworkPolicy) and made.deterministic


def test_commands(tmp_path: Path) -> None:
    shown = run("watch", "quatrix", "--agents", "ppo,random", "--delay", 0, "-o", "max_decisions=2").stdout
    assert "is ppo" in shown
    shown = run("play", "quatrix", "--opponent", "ppo", typed="quit\n").stdout
    assert "is ppo" in shown
    file = tmp_path / "arena.json"
    run("arena", "quatrix", "random", "ppo", "--deals", 1, "-o", "max_decisions=20", "--json", file)
    assert {agent["name"] for agent in json.loads(file.read_text())["agents"]} == {"random", "ppo"}
    assert "Did you mean 'ppo'?" in refused("play", "quatrix", "--opponent", "pppo")


def test_list_and_describe_name_them() -> None:
    names = ["random", "greedy", *(one.name for one in polytrix.baselines("pressure_matrix"))]
    assert ", ".join(names) in " ".join(run("list").stdout.split())
    lines = run("describe", "pressure_matrix").stdout.splitlines()
    (row,) = (line for line in lines if line.startswith("│ ppo-players4"))
    assert [cell.strip() for cell in row.strip("│").split("│")] == [
        "ppo-players4", "4", "20 minutes", "99.6%", "43.8%"
    ]  # fmt: skip


# -- networks of expert iteration ------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only released networks are in this folder: two of expert iteration, with other weights."""
    for suffix, layers in (("expert", (24, 7)), ("players4-expert", (8,))):
        network = some_network(SECRET, layers)
        file = tmp_path / f"secret-v0-{suffix}" / "policy.npz"
        save_network(file, SECRET, network.layers, "relu", values=network.values)
    monkeypatch.setattr(baselines, "CHECKPOINTS", tmp_path)
    return tmp_path


def test_the_master_is_the_search_that_the_expert_guides(folder: Path) -> None:
    sim = Simulator(SECRET, 30, seed=3)
    rows = np.flatnonzero(~sim.over)
    for suffix, place in (("", "secret-v0-expert"), ("-players4", "secret-v0-players4-expert")):
        expert, master = resolve(f"expert{suffix}", SECRET), resolve(f"master{suffix}", SECRET)
        assert weights(expert) == weights(load(folder / place / "policy.npz", SECRET))
        assert isinstance(master, GuidedSearchPolicy) and weights(master.network) == weights(expert)
        assert (name_of(expert), name_of(master)) == (f"expert{suffix}", f"master{suffix}")
        search = resolve(MASTER_SEARCH.replace("expert", f"expert{suffix}"), SECRET)
        one, other = (ask_rows(each, sim, rows, np.random.default_rng(5)) for each in (master, search))
        assert (one == other).all()


@pytest.mark.usefixtures("folder")
def test_what_a_game_has_is_allowed_and_meant() -> None:
    expected = ["expert", "expert-players4", "master", "master-players4"]
    assert names_of(SECRET) == [*SECRET.built_in_policies, *expected]
    for given, meant in (("mastr", "master"), ("exprt-players4", "expert-players4")):
        with pytest.raises(PolicyError, match=rf"'expert', .*'master', .* Did you mean '{meant}'\?$"):
            resolve(given, SECRET)
    with pytest.raises(PolicyError, match=r"secret-v0 has no released network 'ppo'\. Allowed"):
        resolve("ppo", SECRET)
    with pytest.raises(PolicyError, match=r"secret-v0 has no released network 'expert-players3'\. Allowed"):
        resolve("master-players3", SECRET)
    with pytest.raises(
        PolicyError, match=r"network is 'master'; allowed: 'expert', 'expert-players4', the path"
    ):
        resolve("search:9,network=master", SECRET)


@pytest.mark.parametrize("name", ["expert", "master"])
def test_a_game_without_an_expert_says_so(name: str) -> None:
    with pytest.raises(
        PolicyError, match=rf"policy '{name}' is .* has no released network\. Allowed: 'random'"
    ):
        resolve(name, SECRET)
    assert not {"expert", "master"} & {*names_of(SECRET)}


def test_a_network_without_values_is_no_master(folder: Path) -> None:
    save_network(folder / "secret-v0-expert" / "policy.npz", SECRET, some_network(SECRET).layers, "relu")
    assert name_of(resolve("expert", SECRET)) == "expert"
    with pytest.raises(PolicyError, match="expert has no value head"):
        resolve("master", SECRET)


def test_the_master_in_environments_and_in_the_arena(folder: Path) -> None:
    envs = VectorEnv(SECRET, 3, opponent="master")
    assert envs.reset(seed=1)[0].shape[0] == 3
    path = folder / "secret-v0-expert"
    other = "search:9,network=expert"
    found = contestants(
        SECRET, ["master", MASTER_SEARCH, "x=" + MASTER_SEARCH.replace("expert", str(path)), other]
    )
    assert [one.name for one in found] == ["master", MASTER_SEARCH, "x", other]
    assert len({one.mark for one in found[:3]}) == 1 != len({one.mark for one in found})


@pytest.mark.usefixtures("folder")
def test_the_arena_knows_every_setting_of_a_search_with_a_network() -> None:
    changes = (
        "exploration=1", "temperature=1", "reduction=1", "considered=8", "scale=2", "trees=2", "keep=1",
        "seconds=9",
    )  # fmt: skip
    specs = [MASTER_SEARCH, *(f"{MASTER_SEARCH},{each}" for each in changes)]
    specs += ["search:201,network=expert", "search:200,network=expert-players4"]
    assert len({one.mark for one in contestants(SECRET, specs)}) == len(specs)
    same, other = contestants(SECRET, [MASTER_SEARCH, f"threaded={MASTER_SEARCH},threads=2"])
    assert same.mark == other.mark


@pytest.mark.usefixtures("folder")
def test_commands_list_the_master(folder: Path, register: Callable[[Game], Game]) -> None:
    register(SECRET)
    result = {"environment": SECRET.id, "players": 2, "steps": 1, "training_seconds": 60.0}
    won = [{"opponent": "random", "rate": 0.75, "payoff": 0.5}]
    for each in folder.iterdir():
        record = {**result, "settings": {"options": {}}, "results": won}
        (each / "result.json").write_text(json.dumps(record))
    assert "shy, expert, expert-players4, master, master-players4" in " ".join(run("list").stdout.split())
    shown = run("describe", "secret").stdout
    assert "│ expert-players4 │" in shown
    assert f"master: the agent {MASTER_SEARCH}\n" in shown
    assert f"master-players4: the agent {MASTER_SEARCH.replace('expert', 'expert-players4')}\n" in shown
    shown = run("watch", "secret", "--agents", "master,expert", "--delay", 0).stdout
    assert "is master" in shown and "is expert" in shown


@pytest.mark.parametrize("page", ["checkpoints/README.md", "docs/arena.md"])
def test_pages_say_what_the_master_is(page: str) -> None:
    assert f"`master` is `{MASTER_SEARCH}`" in (ROOT / page).read_text(encoding="utf-8")
