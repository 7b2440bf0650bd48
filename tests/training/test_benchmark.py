"""The benchmark of algorithms: a visitor's toy algorithm from its file to the page."""

from __future__ import annotations

import importlib
import json
import pickle
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polytrix import resistor_v0
from polytrix.agents import NetworkPolicy, load, resolve, save_network
from polytrix.arena import Tournament, contestants, play_all, summarise
from polytrix.arena.records import Records
from polytrix.training import benchmark, released_exploiters, try_algorithm
from polytrix.training.benchmarking import exploiters as benchmark_exploiters
from polytrix.training.benchmarking import jobs
from polytrix.training.benchmarking.cells import Settings, cells
from polytrix.training.benchmarking.crossplay import OWN_SEED, among_themselves, crossplay, games_of_seeds
from polytrix.training.benchmarking.exploiters import Exploiter
from polytrix.training.benchmarking.results import against, marl_eval, play, sampling
from polytrix.training.figures import algorithms
from polytrix.training.shared.cluster import Cluster
from polytrix.training.shared.receipts import Table, tables
from polytrix.training.trials.trial import Trial
from tests.high import HIGH

TOY = '''
"""A visitor's algorithm: it tries policies at random, and never learns."""

import numpy as np
from polytrix.agents import NetworkPolicy

def train(trial):
    rng = np.random.default_rng(trial.seed)
    game, shape = trial.game, (trial.game.observations.size, trial.game.actions.size)
    tried = 0 if trial.saved is None else trial.saved["tried"]
    while trial.goes_on(
        50 * tried,
        lambda: NetworkPolicy(game, [(rng.normal(size=shape), np.zeros(shape[1]))]),
        lambda: {"tried": tried},
    ):
        sum(k * k for k in range(200_000))  # hard work
        tried += 1
'''

OWN = '''
"""A visitor's architecture: a table of preferences in a file of its own."""

import numpy as np

class Preferences:
    def __init__(self, game, file=None):
        self.liked = np.ones(game.actions.size) if file is None else np.load(file)["liked"]

    def __call__(self, observation, mask, rng):
        return (mask * self.liked).argmax(axis=1)

    def save(self, file):
        np.savez(file, liked=self.liked)

def train(trial):
    rng, mine, tried = np.random.default_rng(trial.seed), Preferences(trial.game), 0
    while trial.goes_on(tried, lambda: mine):
        sum(k * k for k in range(200_000))
        mine.liked = rng.random(trial.game.actions.size)
        tried += 1
'''

COMPILED = """
from __future__ import annotations

from dataclasses import dataclass
import numba

@dataclass
class Weights:
    values: list[int]

@numba.njit(cache=True)
def total(values):
    return sum(values)

def train(trial):
    return total(tuple(Weights([40, 2]).values))
"""


RECORD = {
    "chosen": "search",
    "gains": [
        {"exploiter": "network", "gain": -0.1, "gain_interval": [-0.2, 0.0], "games": 600},
        {"exploiter": "search", "gain": 0.5, "gain_interval": [0.25, 0.75], "games": 600},
    ],
    "steps": 5_000_000,
    "training_seconds": 240.5,
    "training_cpu_seconds": 240.5,
    "date": "2026-11-24",
}
"""Part of what `best_response.py` writes."""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    file = tmp_path / "toy.py"
    file.write_text(TOY)
    return file


def run(folder: Path, *arguments: str) -> dict[str, Any]:
    """The benchmark of RESISTOR_ with very little of everything; its result."""
    small = ["--games", "resistor", "--seeds", "2", "--points", "2", "--deals", "4"]
    small += ["--curve-deals", "4", "--sampling-deals", "50", "--copies-deals", "8", "--population-deals", "2"]
    exploiters = ["--exploiter-decisions", "2000", "--exploiter-games", "400"]
    places = ["--runs", str(folder / "runs"), "--out", str(folder / "benchmarks" / "algorithms")]
    benchmark.main([*small, *exploiters, "--minutes", "0.01", "--processes", "2", *places, *arguments])
    found: dict[str, Any] = json.loads((folder / "benchmarks" / "algorithms" / "resistor.json").read_text())
    return found


def pages_of(folder: Path) -> str:
    """What pages say about the benchmark."""
    (folder / "docs" / "images").mkdir(parents=True, exist_ok=True)
    return algorithms.benchmark(folder) + algorithms.benchmark_tables(folder)


@pytest.fixture
def quick_exploiters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exploiters do everything that they usually do, but little of it."""
    little = {"value_minutes": 0.02, "search_simulations": 4, "choice_games": 8}

    def quick(*given: Any) -> Exploiter:
        return Exploiter(*given[:4], {**given[4], **little}, *given[5:])

    monkeypatch.setattr(benchmark_exploiters, "Exploiter", quick)


@pytest.mark.usefixtures("quick_exploiters")
def test_a_file_joins_and_all_results_are_rated_and_drawn(toy: Path, tmp_path: Path) -> None:
    result = run(tmp_path, "--algorithms", str(toy), "--agents", "careful=search:2")
    assert result["missing"] == [] and result["algorithms"] == ["toy"]
    names = {agent["name"] for agent in result["ratings"]["agents"]}
    assert names == {"toy-1", "toy-2", "random", "greedy", "ppo", "expert", "careful"}
    for curve in result["curves"].values():
        assert [point["cpu_seconds"] > 0.29 * number for number, point in enumerate(curve, 1)] == [True, True]
        assert curve[0]["decisions"] < curve[1]["decisions"]
        assert curve[1]["greedy"] < 0.5 and 0 < curve[1]["pool"] < 1
    assert f"--algorithms {toy}" in result["command"] and "--runs" not in result["command"]
    exploiter = result["exploiters"]["toy-1"]
    gain = exploiter["gains"][exploiter["chosen"]]
    assert set(result["exploiters"]) == {"toy-1"}  # of the first seed only
    assert gain["games"] == 400 and exploiter["decisions"] >= 2000
    assert exploiter["gains"]["search"]["gain"] > 0.1  # about 0.5, with a standard error of 0.04

    assert set(result["sampling"]) == {"toy-1", "toy-2"}
    assert set(result["copies"]) == names - {"careful"}

    crossed, rated = result["crossplay"], {agent["name"]: agent for agent in result["ratings"]["agents"]}
    assert set(crossed["agents"]) == names and crossed["mixed"] == {}
    (first, second), careful = (crossed["agents"].index(f"toy-{seed}") for seed in (1, 2)), crossed["won"][-1]
    assert careful[-1] is None and crossed["won"][first][first] <= 0.5  # it may have been a draw
    won = crossed["won"][first][:first] + crossed["won"][first][first + 1 :]
    assert np.mean(won) == pytest.approx(rated["toy-1"]["win_rate"], abs=1e-4)

    with_bots = {agent["name"]: agent for agent in result["population"]["agents"]}
    assert set(with_bots) == names - {"careful", "random"} and result["population"]["deals"] == 2
    worst = with_bots["toy-1"]["unseen"]

    best = exploiter["best"]
    assert best["agent"] in names - {"toy-1"}
    assert {one["agent"] for one in result["ratings"]["meetings"]} == names - {"greedy"}
    page = pages_of(tmp_path)
    strangers = f"strangers {np.mean([rated[name]['win_rate'] for name in ('toy-1', 'toy-2')]):.0%}"
    own = f"| `toy-1` | {crossed['won'][first][first]:.1%} | {crossed['won'][first][second]:.1%} |"
    gained = f"gain {max(gain['gain'], best['payoff']):+.2f}"
    bots = f"worst {worst['worst']:.0%}, `{worst['worst_bot']}` |"
    for told in ("| `toy` |", bots, "| `toy-2` |", "| `careful` |", gained, strangers, own):
        assert told in page
    assert (tmp_path / "docs" / "images" / "benchmark_resistor.png").stat().st_size > 5000

    before = (tmp_path / "runs" / "resistor" / "toy-1" / "trial.json").stat().st_mtime_ns
    again = run(tmp_path, "--algorithms", str(toy), "--agents", "careful=search:2")
    assert (tmp_path / "runs" / "resistor" / "toy-1" / "trial.json").stat().st_mtime_ns == before
    for what in ("ratings", "copies", "crossplay", "population", "sampling", "curves", "exploiters"):
        assert again[what] == result[what]


class Elsewhere(Cluster):
    """In place of a cluster: threads, which get pickled arguments only."""

    def __init__(self) -> None:
        self.threads = ThreadPoolExecutor(2)

    def share(self, value: object) -> bytes:
        return pickle.dumps(value)

    def submit(self, function: Any, *arguments: Any) -> Any:
        return self.threads.submit(*pickle.loads(pickle.dumps((function, *arguments))))


def test_a_job_elsewhere_takes_its_folder_along_and_all_of_it_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "count.py").write_text(
        "from pathlib import Path\n"
        "agent, count = Path('agent.txt').read_text(), Path('below', 'count.txt')\n"
        "count.parent.mkdir(exist_ok=True)\n"
        "count.write_text((count.read_text() if count.exists() else '') + agent)\n"
        "print('in', Path.cwd(), flush=True)\n"
        "raise SystemExit(len(count.read_text()) > 2)\n"
    )
    monkeypatch.setattr(jobs, "SCRIPTS", tmp_path)
    (agent := tmp_path / "agent.txt").write_text("x")
    job = jobs.Job("a count", "count.py", [], tmp_path / "folder", agent)
    for counted in ("x", "xx"):  # goes on from what there is
        jobs.run_jobs([job], 1, "counts", Elsewhere())
        assert (job.folder / "below" / "count.txt").read_text() == counted
    with pytest.raises(SystemExit, match=r"a count has failed, see .*log.txt"):
        jobs.run_jobs([job], 1, "counts", Elsewhere())
    log = (job.folder / "log.txt").read_text().splitlines()
    assert len(set(log)) == 3 and f"in {job.folder}" not in log
    assert sorted(file.name for file in tmp_path.iterdir()) == ["agent.txt", "count.py", "folder"]


def test_games_that_are_played_elsewhere_are_those_of_this_machine(tmp_path: Path) -> None:
    (table,) = tables(["resistor"])
    agents = contestants(table.game, ["random", "greedy", "ppo"])
    tournament = Tournament(table.game, table.options, agents, 25, seed=3, behaviour=True)
    here = play(tournament, tmp_path / "here.jsonl", 1, None)
    there = play(tournament, tmp_path / "there.jsonl", 1, Elsewhere())
    assert summarise(tournament, there) == summarise(tournament, here)
    written = [(tmp_path / name).read_text().splitlines() for name in ("here.jsonl", "there.jsonl")]
    assert sorted(written[0]) == sorted(written[1]) and len(written[0]) == 1 + 2 * 3


def test_an_architecture_of_ones_own_joins_and_a_table_has_its_result_before_the_next_one_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "own.py"
    file.write_text(OWN)
    (table,) = tables(["resistor"])
    monkeypatch.setattr(benchmark, "tables", lambda games: [table, None])
    with pytest.raises(AttributeError):
        run(tmp_path, "--algorithms", str(file), "--exploited", "0", "--seeds", "1")
    result = json.loads((tmp_path / "benchmarks" / "algorithms" / "resistor.json").read_text())
    names = {agent["name"] for agent in result["ratings"]["agents"]}
    assert names == {"own-1", "random", "greedy", "ppo", "expert"} and result["missing"] == []
    assert [0 <= point["pool"] <= 1 for point in result["curves"]["own-1"]] == [True, True]
    assert "own-1" in result["copies"] and not result["sampling"]
    page = pages_of(tmp_path)
    assert "| `own` |" in page


def test_one_trial_by_hand(toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    command = ["try_algorithm.py", "resistor", str(toy), "--minutes", "0.005", "--points", "2", "--games", "4"]
    monkeypatch.setattr(sys, "argv", [*command, "--out", str(tmp_path / "trial")])
    try_algorithm.main()
    assert "games won against greedy" in capsys.readouterr().out
    for point in (1, 2):
        assert load(tmp_path / "trial" / f"policy-{point:02d}.npz").game.name == "resistor"


def test_a_file_may_have_compiled_functions_and_dataclasses(tmp_path: Path) -> None:
    file = tmp_path / "numbers.py"  # also the name of a module of Python
    file.write_text(COMPILED)
    for _ in range(2):  # compiled, then read from the cache beside the file
        sys.modules.pop(str(file), None)
        assert try_algorithm.algorithm_named(str(file))(Trial.__new__(Trial)) == 42
    assert list(tmp_path.rglob("*.nbc"))
    assert not hasattr(importlib.import_module("numbers"), "train")


def test_bad_input_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty.py"
    empty.write_text("")
    for name, problem in {
        "pppo": r"allowed: .*mmd.*Did you mean 'ppo'",
        str(tmp_path): "or a file with a function `train`",
        str(empty): "has no function `train`",
    }.items():
        with pytest.raises(SystemExit, match=problem):
            benchmark.main(["--algorithms", name])
    with pytest.raises(SystemExit, match="--minutes is 0"):
        benchmark.main(["--minutes", "0"])


def test_the_command_of_a_trial_gives_the_trial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Trial] = []
    monkeypatch.setattr(try_algorithm, "algorithm_named", lambda name: seen.append)
    settings = Settings(seeds=(1,), algorithms=("mmd",), runs=tmp_path)
    for cell in (cell for table in tables(()) for cell in cells(table, settings)):
        job = cell.job()
        job.folder.mkdir(parents=True)
        monkeypatch.chdir(job.folder)
        monkeypatch.setattr(sys, "argv", [job.script, *job.arguments])
        try_algorithm.main()
        seen[-1].close()
        expected = cell.trial()
        assert seen[-1].folder.resolve() == expected.folder
        for name in ("game", "options", "seed", "budget", "points"):
            assert getattr(seen[-1], name) == getattr(expected, name)
    assert [trial.options["players"] for trial in seen if "players" in trial.options] == [2, 4, 4]


def test_an_algorithm_may_have_more_seeds_than_others_and_the_first_seeds_come_first() -> None:
    (table,) = tables(["resistor"])
    here = cells(table, Settings(seeds=(3, 1), algorithms=("ppo", "mmd", "fsp")))
    assert [cell.name for cell in here] == ["ppo-1", "mmd-1", "fsp-1", "ppo-2", "ppo-3"]
    with pytest.raises(SystemExit, match="--seeds is 3 0; allowed: from 1"):
        benchmark.main(["--seeds", "3", "0"])


def test_the_committed_results_have_the_form_of_marl_eval() -> None:
    """As its `JsonLogger` writes it: the same algorithms in all tasks, as many runs and steps in each."""
    ((environment, tasks),) = marl_eval().items()
    assert environment == "polytrix" and len(tasks) == 6
    assert len({tuple(sorted(algorithms)) for algorithms in tasks.values()}) == 1
    runs = [run for algorithms in tasks.values() for runs in algorithms.values() for run in runs.values()]
    assert len(runs) == 6 * (5 + 4 * 3)
    for run in runs:
        *steps, last = run
        assert steps == [f"step_{number}" for number in range(1, 11)] and last == "absolute_metrics"
        counts = [run[step]["step_count"] for step in steps]
        assert counts == sorted(counts) and type(counts[0]) is int
        for step in steps:
            assert set(run[step]) == {"step_count", "elapsed_time", "greedy", "pool"}
            assert 0 <= run[step]["greedy"][0] <= 1
        assert run[last]["pool"] == run[steps[-1]]["pool"]
        assert 0 <= run[last]["greedy"][0] <= 1
    assert tasks["quatrix"]["ppo"]["seed_1"]["absolute_metrics"]["greedy"] == [0.6955]


def test_shares_of_games_won_count_every_seat_and_opponent_alike() -> None:
    (table,) = tables(["resistor"])
    (greedy, random) = contestants(table.game, ["greedy", "random"])
    alone = [against(table, greedy.make(), [other], 20, seed=0) for other in (random, greedy)]
    assert alone[0] > 0.8 and alone[1] == 0.5  # a game of RESISTOR_ can be a draw
    both = against(table, greedy.make(), [random, greedy], 40, seed=0)
    assert both == pytest.approx(np.mean(alone), abs=0.15)


def test_games_among_copies_are_decided_if_one_seat_alone_has_most() -> None:
    (table,) = tables(["resistor"])
    ppo = contestants(table.game, ["ppo"])[0].make()
    deals, won, positive = 40, 0, 0
    env, rng = resistor_v0.env(), np.random.default_rng(0)
    for seed in range(OWN_SEED, OWN_SEED + deals):
        env.reset(seed=seed)
        payoffs = dict.fromkeys(env.possible_agents, 0.0)
        for name in env.agent_iter():
            observed, reward, terminated, truncated, _ = env.last()
            payoffs[name] += reward
            if terminated or truncated:
                env.step(None)
                continue
            env.step(int(ppo(observed["observation"][None], observed["action_mask"][None], rng)[0]))
        first, second = payoffs.values()
        won += first != second
        positive += max(first, second) > 0
    assert 0 < won < deals  # a game of RESISTOR_ can be a draw
    found = among_themselves(table, [ppo], deals, seed=0)
    behaviour = found.pop("behaviour")
    assert found == {"decided": won / deals, "won": [positive / deals / 2]}
    assert set(behaviour) == {figure.name for figure in table.game.behaviour}
    assert all(occasions > 0 for _, occasions in behaviour.values())


def test_at_mixed_tables_each_seed_has_each_seat() -> None:
    """Whoever folds loses. Of four who sit down for three seats one is left out, of two one sits twice."""
    table = Table(HIGH, HIGH.options.validate({"players": 3}))

    def folding(observation: Any, mask: Any, rng: Any) -> Any:
        return np.full(len(mask), 2)

    (fair,) = among_themselves(table, [resolve("random", HIGH)], 400, seed=0)["won"]
    for others in (1, 3):
        policies = [folding, *[resolve("random", HIGH)] * others]
        found = among_themselves(table, policies, 400, seed=0)
        assert len(found["won"]) == 1 + others and found["won"][0] < 0.5 * fair < fair < min(found["won"][1:])
        assert 0.5 < found["decided"] < 1


def test_seeds_of_an_algorithm_have_mixed_tables_where_more_than_two_play(tmp_path: Path) -> None:
    settings, names = Settings(runs=tmp_path, copies_deals=4), ["a-1", "b-1", "a-2"]
    trials = contestants(HIGH, [f"{name}=random" for name in names])
    for players, mixed in ((2, set()), (3, {"a"})):
        table = Table(HIGH, HIGH.options.validate({"players": players}))
        found = games_of_seeds(table, trials, settings)
        assert set(found) == mixed
        assert all(len(games["won"]) == 2 for games in found.values())


@pytest.mark.parametrize("players", [2, 3])
def test_crossplay_is_what_the_ratings_games_say(players: int) -> None:
    """A released agent is called like an algorithm here, as `ppo` is."""
    names = ["random", "x-1", "x-2", "x-3", "y-1", "x"]
    agents = contestants(HIGH, ["random", "x-1=random", "x-2=greedy", "x-3=greedy", "y-1=greedy", "x=greedy"])
    tournament = Tournament(HIGH, HIGH.options.validate({"players": players}), agents, 20)
    records = Records(HIGH, tournament.options, 0)
    play_all(tournament, records)
    summary = summarise(tournament, records)
    found = crossplay(tournament, records, names[1:5], {"x-1": {"won": [0.25]}})
    assert found["agents"] == names
    for i, agent in enumerate(names):
        assert found["won"][i][i] == (0.25 if agent == "x-1" else None)
        for meeting in (one for one in summary["meetings"] if one["agent"] == agent):
            assert found["won"][i][names.index(meeting["others"])] == pytest.approx(meeting["win_rate"])
        (rated,) = (one for one in summary["agents"] if one["name"] == agent)
        low, high = found["strangers"][agent]
        assert low < rated["win_rate"] < high
    x, y = found["algorithms"]["x"], found["algorithms"]["y"]
    assert set(x["among"]) == {"x", "y"} and y["among"]["y"] is None  # it has one seed
    own = [found["won"][i][j] for i in (1, 2, 3) for j in (1, 2, 3) if i != j]
    low, high = x["among"]["x"]
    assert low <= np.mean(own) <= high
    low, high = y["strangers"]
    assert (low, high) == found["strangers"]["y-1"]


def test_what_sampling_costs_a_policy_that_is_hardly_surer_of_its_best_action(tmp_path: Path) -> None:
    (table,) = tables(["resistor"])
    ppo = resolve("ppo", table.game)
    assert isinstance(ppo, NetworkPolicy)
    *hidden, (weight, bias) = ppo.layers
    faint = tmp_path / "faint.npz"
    save_network(faint, table.game, [*hidden, (weight / 1000, bias / 1000)], ppo.activation)
    settings = Settings(runs=tmp_path, sampling_deals=50)
    won = sampling(table, {"faint": faint}, settings)["faint"]
    assert won["most probable"] > 0.7 and won["sampled"] < 0.2
    assert sampling(table, {"faint": faint}, settings)["faint"] == won
    sampling(table, {"faint": faint}, replace(settings, seed=2))  # of other deals; what is kept would be wrong
    assert len(json.loads((tmp_path / "resistor" / "measured.json").read_text())) == 4


def test_released_agents_have_exploiters(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    steps = count(5_000_000)

    def written(todo: Sequence[Exploiter], processes: int, cluster: Cluster | None) -> None:
        for exploiter in todo:
            exploiter.folder.mkdir(parents=True)
            (exploiter.folder / "result.json").write_text(json.dumps(RECORD | {"steps": next(steps)}))

    monkeypatch.setattr(released_exploiters, "run_all", written)
    places = ["--runs", str(tmp_path / "runs"), "--out", str(tmp_path / "benchmarks" / "exploiters")]
    released_exploiters.main(["--agents", "master", "--games", "quatrix", "pressure_matrix", *places])
    page = algorithms.exploiters(tmp_path)
    gains = "+0.50 (+0.25 to +0.75) | -0.10 (-0.20 to +0.00)"
    assert f"| Quatrix, 2 players | `master` | {gains} | 5.0 |" in page
    assert "Pressure Matrix, 4 players | `master-players4`" in page and "`ppo`" not in page


def test_an_exploiter_is_continued_until_its_budget_is_used_up(tmp_path: Path) -> None:
    (table,) = tables(["resistor"])

    def finished(**budget: Any) -> bool:
        return Exploiter(table, "ppo", "ppo", tmp_path, {"final_games": 600, **budget}).finished

    assert not finished(cpu_minutes=4)
    (tmp_path / "result.json").write_text(json.dumps(RECORD))
    assert (
        finished(cpu_minutes=4)
        and finished(total_steps=5_000_000)
        and finished(total_steps=1000, final_games=10)
    )
    assert (
        not finished(cpu_minutes=5)
        and not finished(total_steps=5_000_001)
        and not finished(cpu_minutes=4, final_games=601)
    )
