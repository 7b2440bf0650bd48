"""Compare algorithms: each learns each game with the same budget, from several seeds; then all results play,
and exploiters are trained against them.

    python training/benchmark.py                                        (everything; many hours)
    python training/benchmark.py --games quatrix --minutes 1 --seeds 2 --runs /tmp/runs --out /tmp/results
    python training/benchmark.py --ray auto                             (on a Ray cluster, see docs/cluster.md)
    python training/benchmark.py --algorithms ppo mmd my_algorithm.py

An algorithm is a file with one function, see `trials/trial.py`; `try_algorithm.py` runs one trial of it.
Trials run side by side, each in a process of its own; their budget is CPU time. A saved policy joins the
ratings without a trial: `--agents NAME=SPEC`, for anything that the arena can name.

The command can be stopped at any time (Ctrl-C, kill -9) and continued: trials go on from their checkpoints,
finished games are kept. Policies and checkpoints are in `runs/benchmark`, results in `benchmarks/algorithms`,
one file for each table as soon as it is measured; `write_figures.py` puts them on docs/benchmark.md.

In `benchmarking/`, `cells.py` has settings and trials, `exploiters.py` their exploiters, `jobs.py` runs both,
`results.py` says what is measured, and `games.py` plays on a cluster.
"""

from __future__ import annotations

from collections.abc import Sequence

import tyro

from polytrix.core.files import write_json
from polytrix.training.benchmarking.cells import Settings, cells
from polytrix.training.benchmarking.exploiters import exploiters_of_trials, run_all
from polytrix.training.benchmarking.jobs import run_jobs
from polytrix.training.benchmarking.results import result_of
from polytrix.training.shared.arguments import check_ranges
from polytrix.training.shared.cluster import Cluster, joined
from polytrix.training.shared.receipts import Table, tables
from polytrix.training.shared.runs import ends_in_words
from polytrix.training.try_algorithm import algorithm_named


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark, one table after the other."""
    settings = tyro.cli(Settings, args=arguments, description=__doc__)
    check_ranges(settings)
    for name in settings.algorithms:
        algorithm_named(name)  # fails now instead of after hours
    with ends_in_words(), joined(settings.ray) as cluster:
        for table in tables(settings.games):
            run_table(table, settings, cluster)


def run_table(table: Table, settings: Settings, cluster: Cluster | None) -> None:
    """Train what is not trained at a table, and its exploiters; measure; write the result."""
    here = cells(table, settings)
    trials = [cell.job() for cell in here if not cell.finished]
    run_jobs(trials, settings.processes, f"{table.name} trials", cluster)
    run_all(exploiters_of_trials(here), settings.processes, cluster)
    settings.out.mkdir(parents=True, exist_ok=True)
    file = settings.out / f"{table.name}.json"
    write_json(file, result_of(table, settings, cluster))
    print(f"result: {file}")


if __name__ == "__main__":
    main()
