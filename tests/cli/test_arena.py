"""`polytrix arena` and its script."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from polytrix.cli import arena
from tests.cli.running import refused, run
from tests.networks import save, some_network
from tests.toys import SECRET

pytestmark = pytest.mark.usefixtures("known_toys")


def test_tables_results_and_picture(tmp_path: Path) -> None:
    file = tmp_path / "arena.json"
    command = ("arena", "secret", "random", "greedy", "search:10", "--deals", 30, "--seed", 4, "--json", file)
    shown = run(*command).stdout
    result = json.loads(file.read_text())
    assert [set(agent) >= {"name", "rating", "low", "high"} for agent in result["agents"]] == [True] * 3
    ratings = [agent["rating"] for agent in result["agents"]]
    assert ratings == sorted(ratings, reverse=True)
    assert (tmp_path / "arena.png").read_bytes().startswith(b"\x89PNG")
    for word in ("search:10", "180 games", "fair share 50%", "seats"):
        assert word in shown
    before = file.read_bytes()
    assert run(*command).stdout == shown, "from the games that were kept"
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("kept", "told"),
    [
        ((), "stopped; no results are kept; --json FILE keeps them"),
        (("--json", "arena.json"), "stopped; the same command continues from here"),
    ],
)
def test_an_interrupt_says_what_is_kept(
    kept: tuple[str, ...], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*arguments: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(arena, "play_all", interrupted)
    assert told in run("arena", "secret", "random", "greedy", *kept, code=130).stderr


def test_how_agents_play_is_shown_if_asked_for(tmp_path: Path) -> None:
    command = ("arena", "secret", "shy", "caller", "--deals", 5)
    assert "calls" not in run(*command).stdout
    shown = run(*command, "--behaviour").stdout
    assert "calls: decisions from which one may call that call" in shown
    assert re.search(r"caller *│ *100% │", shown) and re.search(r"shy *│ *0% │", shown)
    assert (
        "over all their seats"
        not in run("arena", "high", "random", "a=random", "--behaviour", "--deals", 2).stdout
    )


def test_a_table_and_options(tmp_path: Path) -> None:
    command = ("arena", "high", "first=random", "--table", "random", "-o", "players=3", "--deals", 10)
    assert "3 players, 30 games" in run(*command).stdout


def test_at_the_tables_of_the_population_bots_are_met_one_by_one(tmp_path: Path) -> None:
    file = tmp_path / "arena.json"
    command = ("arena", "secret", "greedy", "random", "--table", "population", "--deals", 30, "--json", file)
    shown = run(*command).stdout
    result = json.loads(file.read_text())
    bots = ["caller", "shy", "noisy", "hasty", "unseen-dreamer"]
    assert [bot["name"] for bot in result["population"]["bots"]] == bots
    won = {(one["agent"], one["others"]): one["win_rate"] for one in result["meetings"]}
    assert {*won} == {pair for one in ("greedy", "random") for bot in bots for pair in ((one, bot), (bot, one))}
    for agent in result["population"]["agents"]:
        for group, met in (("all", bots), ("unseen", bots[-1:])):
            shares = {bot: won[agent["name"], bot] for bot in met}
            figures = agent[group]
            assert figures["mean"] == pytest.approx(sum(shares.values()) / len(shares))
            assert figures["interval"][0] <= figures["mean"] <= figures["interval"][1]
            assert figures["worst"] == pytest.approx(shares[figures["worst_bot"]]) == min(shares.values())
    giving = {bot["name"] for bot in result["population"]["bots"] if bot["gives"]}
    lower = {(one["agent"], one["others"]): one["win_interval"][0] for one in result["meetings"]}
    assert giving == {bot for bot in bots if max(lower["greedy", bot], lower["random", bot]) > 0.5}
    for word in ("games won among each bot; fair share 50%", "unseen-dreamer", "worst"):
        assert word in shown
    assert run(*command).stdout == shown, "from the games that were kept"
    assert "two agents are called shy" in refused("arena", "secret", "shy", "--table", "population")


def network(path: Path) -> Path:
    """A saved network of the game *secret*."""
    return save(path, some_network(SECRET))


@pytest.mark.parametrize(
    ("agents", "table", "name"),
    [
        (["own=PATH"], "own", "own"),
        (["run=PATH"], "PATH", "PATH"),  # beside a copy of itself
        (["own=PATH"], "own=PATH", "own"),
        (["PATH"], "PATH", "run"),
        ([], "PATH", "run"),
        ([], "own=PATH", "own"),
    ],
)
def test_a_saved_network_at_the_table(agents: list[str], table: str, name: str, tmp_path: Path) -> None:
    """By its name, or as it was given, among the agents or not."""
    path = str(network(tmp_path / "run" / "policy.npz"))
    given = [each.replace("PATH", path) for each in ("greedy", "random", *agents, "--table", table)]
    run("arena", "secret", *given, "--deals", 5, "--json", tmp_path / "arena.json")
    result = json.loads((tmp_path / "arena.json").read_text())
    assert result["table"] == result["anchor"]["name"] == name.replace("PATH", path)
    assert {agent["name"] for agent in result["agents"]} >= {"greedy", "random"}


def test_networks_of_the_same_name_are_called_by_their_paths(tmp_path: Path) -> None:
    paths = [network(tmp_path / folder / "run" / "policy.npz") for folder in ("one", "other")]
    run("arena", "secret", *paths, "--deals", 5, "--anchor", paths[1], "--json", tmp_path / "arena.json")
    result = json.loads((tmp_path / "arena.json").read_text())
    assert {agent["name"] for agent in result["agents"]} == {*map(str, paths)}
    assert result["anchor"]["name"] == str(paths[1])
    assert "two agents are called run" in refused("arena", "secret", *(f"run={path}" for path in paths))


@pytest.mark.parametrize(
    ("agents", "settings", "status", "words"),
    [
        (("greedy", "random"), (), 0, "passed: greedy is 20 Elo or more above random, rather than 0 or less"),
        (("random", "greedy"), (), 1, "failed: random is 0 Elo or less above greedy, rather than 20 or more"),
        (("random", "--table", "greedy"), (), 1, "failed: random is 0 Elo or less above greedy"),
        (
            ("greedy", "g=greedy"),
            ("--deals", 30),
            3,
            "undecided whether greedy is 0 or 20 Elo above g",
        ),
    ],
)
def test_a_sequential_test_ends_early(
    agents: tuple[str, ...], settings: tuple[Any, ...], status: int, words: str, tmp_path: Path
) -> None:
    file = tmp_path / "test.json"
    shown = run("arena", "quatrix", *agents, "--sprt", 0, 20, *settings, "--json", file, code=status).stdout
    result = json.loads(file.read_text())
    assert words in shown and result["sprt"]["verdict"] in shown
    assert result["sprt"]["passed"] is {0: True, 1: False, 3: None}[status]
    assert result["deals"] == result["sprt"]["deals"] <= 40
    assert {agent["name"]: agent["rating"] for agent in result["agents"]}[result["sprt"]["old"]] == 1000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("random", "ask:json:dumps", "--sprt", "0", "20"), "plays no language models"),
        (("random", "search:none"), "simulations is 'none'"),
        (("random", "greedy", "--anchor", "shy"), "the anchor is 'shy'; agents: random, greedy"),
        (("random", "greedy", "--table", "no/where.npz"), "policy 'no/where.npz' is neither a name nor"),
        (("random", "greedy", "--json", "arena.png"), "arena.png, where something else is written"),
        (("random", "greedy", "--deals", "5000000"), "deals is 5000000; allowed: 1 to 4194304"),
    ],
)
def test_what_is_refused(arguments: tuple[str, ...], message: str) -> None:
    assert message in refused("arena", "secret", *arguments)
