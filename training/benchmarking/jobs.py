"""Commands in processes of their own, side by side, with one bar for all of them."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from rich.progress import track


@dataclass(frozen=True)
class Job:
    """A command.

    Args:
        name: by which error messages call it.
        command: program and arguments.
        log: file for what it prints.
    """

    name: str
    command: Sequence[str]
    log: Path


def run_jobs(jobs: Sequence[Job], processes: int, label: str) -> None:
    """Run jobs to their ends, so many at the same time.

    Raises:
        SystemExit: one has failed; the others are stopped.
    """
    running: set[subprocess.Popen[bytes]] = set()

    def run(job: Job) -> None:
        job.log.parent.mkdir(parents=True, exist_ok=True)
        with job.log.open("ab") as log, subprocess.Popen(job.command, stdout=log, stderr=log) as process:
            running.add(process)
        running.discard(process)
        if process.returncode:
            raise SystemExit(
                f"{job.name} has failed, see {job.log}. "
                "All others are kept; the same command continues from here"
            )

    with ThreadPoolExecutor(processes) as pool:
        futures = [pool.submit(run, job) for job in jobs]
        try:
            for future in track(as_completed(futures), label, len(futures), disable=not futures):
                future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in tuple(running):
                process.terminate()
            raise
