"""Commands in processes of their own, side by side, with one bar for all of them."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn


@dataclass(frozen=True)
class Job:
    """A command.

    Args:
        name: by which the bar and error messages call it.
        command: program and arguments. Each line of its standard output that is a number is the fraction
            of the job that is done.
        log: file for its standard error.
        amount: how much of the bar it is.
    """

    name: str
    command: Sequence[str]
    log: Path
    amount: float = 1.0


class Jobs:
    """Jobs that run to their ends.

    Args:
        todo: what is to be run.
        processes: number of jobs that run at the same time.
        label: the bar's first word.
        unit: of the jobs' amounts.
    """

    def __init__(self, todo: Sequence[Job], processes: int, label: str, unit: str) -> None:
        self.todo, self.processes = todo, processes
        self.running: set[subprocess.Popen[str]] = set()
        count = TextColumn(f"{{task.completed:.1f}} of {{task.total:.0f}} {unit}")
        self.bar = Progress(
            TextColumn("{task.description}"), BarColumn(), count, TimeElapsedColumn(), TimeRemainingColumn()
        )
        self.task = self.bar.add_task(label, total=sum(job.amount for job in todo))

    def run(self) -> None:
        """Run all jobs; without any, there is no bar.

        Raises:
            SystemExit: one has failed; the others are stopped.
        """
        if not self.todo:
            return
        with self.bar, ThreadPoolExecutor(self.processes) as pool:
            futures = [pool.submit(self.run_one, job) for job in self.todo]
            try:
                for future in as_completed(futures):
                    future.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                for process in tuple(self.running):
                    process.terminate()
                raise

    def run_one(self, job: Job) -> None:
        """Run one job."""
        job.log.parent.mkdir(parents=True, exist_ok=True)
        done = 0.0
        with (
            job.log.open("a", encoding="utf-8") as errors,
            subprocess.Popen(job.command, stdout=subprocess.PIPE, stderr=errors, text=True) as process,
        ):
            self.running.add(process)
            assert process.stdout is not None
            for line in process.stdout:
                with suppress(ValueError):  # it may write other lines, too
                    before, done = done, float(line)
                    self.advance(job, done - before)
        self.running.discard(process)
        if process.returncode:
            raise SystemExit(
                f"{job.name} has failed, see {job.log}. "
                "All others are kept; the same command continues from here"
            )
        self.advance(job, 1.0 - done)

    def advance(self, job: Job, share: float) -> None:
        """Show that another share of a job is done."""
        self.bar.update(self.task, advance=share * job.amount, description=job.name)
