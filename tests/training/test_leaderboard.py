"""The leaderboard: it plays only missing games, times only new agents, and writes its page."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from polytrix.agents import name_of
from polytrix.arena import ratings, statistics
from polytrix.core import baselines
from polytrix.core.game import Game
from polytrix.training import leaderboard
from polytrix.training.figures import strength
from polytrix.training.leaderboard import main
from polytrix.training.shared import receipts
from tests.high import HIGH
from tests.networks import save, some_network
from tests.toys import SECRET

PAGE = "# Leaderboard\n\n<!-- figures: leaderboard -->\n<!-- end of figures -->\n"

TABLES = (("secret", {}), ("high", {}), ("high", {"players": 4}))


@pytest.fixture(autouse=True)
def _small(known_toys: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(receipts, "TABLES", TABLES)
    monkeypatch.setattr(baselines, "CHECKPOINTS", tmp_path / "checkpoints")
    for module in (statistics, ratings):
        monkeypatch.setattr(module, "REPLICATES", 50)  # 1000 ratings of each table take most of the time
    monkeypatch.setattr(strength, "draw_costs", lambda receipt, file: None)  # `test_figures.py` draws


def release(folder: Path, game: Game, seed: int) -> None:
    """A network with random weights, and values if it is of expert iteration."""
    network = some_network(game, seed=seed)
    if not folder.name.endswith("-expert"):
        network.values = None
    save(folder / "policy.npz", network)


@pytest.fixture
def timed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The boards' agents whose time was measured, one after the other; none is really measured."""
    agents: list[str] = []

    def noted(policy, sim) -> float:
        agents.append(f"{sim.game.name}{sim.num_players[0]} {name_of(policy)}")
        return 0.25 * getattr(policy, "simulations", 1)

    monkeypatch.setattr(leaderboard, "milliseconds", noted)
    return agents


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, timed: list[str]) -> Callable[..., int]:
    """Runs the script on two small games; returns how many games it played."""
    finished: list[int] = []
    given = leaderboard.play_with_a_bar

    def counted(tournament, records, threads, **more) -> None:
        finished.append(sum(b.deals * tournament.players for b in tournament.blocks() if b not in records))
        given(tournament, records, threads, **more)

    monkeypatch.setattr(leaderboard, "play_with_a_bar", counted)
    checkpoints = tmp_path / "checkpoints"
    release(checkpoints / "secret-v0", SECRET, 1)
    release(checkpoints / "high-v0-players4", HIGH, 1)
    (tmp_path / "docs" / "images").mkdir(parents=True)
    (tmp_path / "docs" / "leaderboard.md").write_text(PAGE)

    def run(*arguments: object) -> int:
        finished.clear()
        timed.clear()
        small = ["--deals", "20", "--search-deals", "6", "--other-search-deals", "4", "--simulations", "2", "4"]
        small += ["--expert-simulations", "3"]
        main(["--games", "secret", "high", *small, "--to", str(tmp_path), *map(str, arguments)])
        return sum(finished)

    return run


def test_only_what_is_missing_is_played(play: Callable[..., int], tmp_path: Path) -> None:
    pairs = 3 * 20 + 2 * 6 + 5 * 4  # of five agents in a game for two; searches play less
    tables = (2 * 20 + 2 * 6) + 2 * 20 + 2 * 20
    all_games = 2 * pairs + 4 * tables + 2 * (20 + 2 * 6 + 3 * 4)  # and four agents in the other game for two
    assert play() == all_games
    page = tmp_path / "docs" / "leaderboard.md"
    text = page.read_text(encoding="utf-8")
    assert "decisions from which one may call that call" in text, "how they play was counted"
    page.write_text(PAGE)
    assert play() == 0
    assert page.read_text(encoding="utf-8") == text

    release(tmp_path / "checkpoints" / "secret-v0", SECRET, 2)
    assert play() == 2 * (2 * 20 + 2 * 4)
    changed = page.read_text(encoding="utf-8")
    assert changed != text

    assert play("--restart") == all_games
    assert page.read_text(encoding="utf-8") == changed


def test_an_expert_plays_alone_and_guides_searches(play: Callable[..., int], tmp_path: Path) -> None:
    play()
    first = tmp_path / "checkpoints"
    release(first / "secret-v0-expert", SECRET, 1)
    assert play() == 2 * (3 * 20 + 2 * 4) + 2 * (6 + 5 * 4)  # the network; the search that it guides
    release(first / "high-v0-players4-expert", HIGH, 1)
    among = {"greedy": 20 + 6, "random": 20, "ppo": 20, "expert": 3 * 20}
    assert play() == 4 * sum(among.values())
    text = (tmp_path / "docs" / "leaderboard.md").read_text(encoding="utf-8")
    ratings, _, styles = text.partition("How they play: *calls*, decisions from which one may call that call")
    assert [part.count("\n| `search:3,network=expert` | ") for part in (ratings, styles)] == [1, 1]
    assert text.count("\n| `search:3,network=expert-players4` | ") == 1
    assert text.count("\n| `search:3`<br>`network=expert` | ") == 1  # the overview has one row for both
    assert text.count("\n| `expert` | ") == 1 + 1 + 1
    assert text.count("\n| `expert-players4` | ") == 3  # it does not meet itself
    assert text.count("One seat among `expert-players4` ones") == 1
    results = json.loads((tmp_path / "benchmarks" / "leaderboard" / "secret.json").read_text())
    assert "--expert-simulations 3" in results["command"]


def test_only_new_and_changed_agents_are_timed(
    play: Callable[..., int], timed: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searches, built_in = ["search:2", "search:4"], ["random", "greedy"]
    secret, four = (
        [f"{game} {name}" for name in [*built_in, *searches, folder]]
        for game, folder in (("secret2", "secret-v0"), ("high4", "high-v0-players4"))
    )
    play()
    assert timed == secret + [f"high2 {name}" for name in built_in + searches] + four
    play()
    assert timed == []
    monkeypatch.setattr(leaderboard, "machine", lambda: {"cpu": "another", "usable_cores": 1})
    play()
    assert timed == []
    release(tmp_path / "checkpoints" / "secret-v0", SECRET, 2)
    play()
    assert timed == secret  # the old times are of another machine
    release(tmp_path / "checkpoints" / "secret-v0", SECRET, 3)
    play()
    assert timed == secret[-1:]
    assert play("--time-again") == 0
    assert len(timed) == 14
