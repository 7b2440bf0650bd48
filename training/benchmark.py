"""Compare algorithms: each learns each game with the same budget, from several seeds; then all results play.

    python training/benchmark.py                                        (everything; many hours)
    python training/benchmark.py --games quatrix --minutes 1 --seeds 2 --runs /tmp/runs --out /tmp/results
    python training/benchmark.py --algorithms ppo mmd my_algorithm.py

An algorithm is a file with one function, see `trials.py`; `try_algorithm.py` runs one trial of it. Trials run
side by side, each in a process of its own; their budget is CPU time. A saved policy joins the ratings without
a trial: `--agents NAME=SPEC`, for anything that the arena can name.

The command can be stopped at any time (Ctrl-C, kill -9) and continued: trials go on from their checkpoints,
finished games are kept. Policies and checkpoints are in `runs/benchmark`, results in `benchmarks/algorithms`,
one file for each table; `benchmark_page.py` makes docs/benchmark.md from them.

`benchmark_cells.py` has settings and trials, `benchmark_results.py` what is measured.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import tyro
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

sys.path.insert(0, str(Path(__file__).parent))
from arguments import check_ranges
from benchmark_cells import Cell, Settings, cells, tables
from benchmark_results import result_of
from polytrix.core.errors import PolytrixError
from polytrix.core.files import write_json
from try_algorithm import algorithm_named

COLUMNS = (
    TextColumn("{task.description}"),
    BarColumn(),
    TextColumn("{task.completed:.1f} of {task.total:.0f} CPU minutes"),
    TimeElapsedColumn(),
    TimeRemainingColumn(),
)


class Trials:
    """Trials in processes of their own, with a bar that counts their CPU minutes.

    Args:
        todo: what is to be run.
        settings: of the benchmark.
    """

    def __init__(self, todo: Sequence[Cell], settings: Settings) -> None:
        self.todo, self.settings = todo, settings
        self.running: set[subprocess.Popen[str]] = set()
        self.bar = Progress(*COLUMNS)
        self.task = self.bar.add_task("training", total=len(todo) * settings.minutes)

    def run(self) -> None:
        """Run all trials to their ends.

        Raises:
            SystemExit: one has failed; the others are stopped.
        """
        with self.bar, ThreadPoolExecutor(self.settings.processes) as pool:
            futures = [pool.submit(self.run_one, cell) for cell in self.todo]
            try:
                for future in as_completed(futures):
                    future.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                for process in tuple(self.running):
                    process.terminate()
                raise

    def run_one(self, cell: Cell) -> None:
        """Run one trial. Each line of its standard output is the fraction that is done."""
        cell.folder.mkdir(parents=True, exist_ok=True)
        log, done = cell.folder / "log.txt", 0.0
        with (
            log.open("a", encoding="utf-8") as errors,
            subprocess.Popen(cell.command(), stdout=subprocess.PIPE, stderr=errors, text=True) as process,
        ):
            self.running.add(process)
            assert process.stdout is not None
            for line in process.stdout:
                with suppress(ValueError):  # an algorithm may write lines, too
                    before, done = done, float(line)
                    minutes = (done - before) * self.settings.minutes
                    self.bar.update(self.task, advance=minutes, description=f"{cell.table.name} {cell.name}")
        self.running.discard(process)
        if process.returncode:
            raise SystemExit(
                f"{cell.name} at {cell.table.name} has failed, see {log}. "
                "All others are kept; the same command continues from here"
            )


def main(arguments: Sequence[str] | None = None) -> None:
    """Train what is not trained, then measure."""
    settings = tyro.cli(Settings, args=arguments, description=__doc__)
    check_ranges(settings)
    for name in settings.algorithms:
        algorithm_named(name)  # fails now instead of after hours
    try:
        chosen = tables(settings.games)
        todo = [cell for cell in cells(settings) if not cell.finished]
        if todo:
            Trials(todo, settings).run()
        settings.out.mkdir(parents=True, exist_ok=True)
        for table in chosen:
            write_json(settings.out / f"{table.name}.json", result_of(table, settings))
    except PolytrixError as error:
        raise SystemExit(str(error)) from None
    except KeyboardInterrupt:
        raise SystemExit("stopped; the same command continues from here") from None
    print(f"results: {settings.out}")


if __name__ == "__main__":
    main()
