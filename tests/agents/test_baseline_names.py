"""`"ppo"`, `"expert"` and `"master"` as policies: in every API, in the arena and at the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polytrix
from polytrix.agents import GuidedSearchPolicy, NetworkPolicy, ask_rows, load, name_of, resolve, save_network
from polytrix.agents.resolve import MASTER_SEARCH, names_of
from polytrix.api.vector import VectorEnv
from polytrix.arena import contestants
from polytrix.core import baselines
from polytrix.core.errors import PolicyError
from polytrix.core.simulator import Simulator
from tests.cli.running import run
from tests.networks import save, some_network
from tests.toys import SECRET

QUATRIX = polytrix.find("quatrix")
RELEASED = polytrix.baselines("quatrix")[0]


def weights(policy: Any) -> list[Any]:
    assert isinstance(policy, NetworkPolicy)
    return [array.tobytes() for layer in policy.layers for array in layer]


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
        with pytest.raises(PolicyError, match="not a saved network"):
            resolve(path, QUATRIX)


# -- where a policy is accepted ------------------------------------------------------------


def test_arena() -> None:
    """It plays its most probable action there, under its name and with the mark of its file."""
    by_name, by_path, mine = contestants(QUATRIX, ["ppo", str(RELEASED.path), "mine=ppo"])
    assert [by_name.name, by_path.name, mine.name] == ["ppo", "quatrix-v0", "mine"]
    assert by_name.mark == by_path.mark == mine.mark
    made = by_name.make()
    assert isinstance(made, NetworkPolicy) and made.deterministic


# -- networks of expert iteration ------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only released networks are in this folder: two of expert iteration, with other weights."""
    for suffix, layers in (("expert", (24, 7)), ("players4-expert", (8,))):
        save(tmp_path / f"secret-v0-{suffix}" / "policy.npz", some_network(SECRET, layers))
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
        "exploration=1", "temperature=1", "reduction=1", "considered=8", "scale=2", "trees=2", "seconds=9",
    )  # fmt: skip
    specs = [MASTER_SEARCH, *(f"{MASTER_SEARCH},{each}" for each in changes)]
    specs += ["search:201,network=expert", "search:200,network=expert-players4"]
    assert len({one.mark for one in contestants(SECRET, specs)}) == len(specs)
    same, other = contestants(SECRET, [MASTER_SEARCH, f"threaded={MASTER_SEARCH},threads=2"])
    assert same.mark == other.mark


@pytest.mark.usefixtures("known_toys")
def test_commands_list_the_master(folder: Path) -> None:
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
    shown = run("watch", "secret", "master", "expert", "--delay", 0).stdout
    assert "is master" in shown and "is expert" in shown
