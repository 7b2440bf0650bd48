"""Scripts in processes of their own, side by side, on this machine or on a cluster, with one bar for all."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from polytrix.training.shared.bars import Bar
from polytrix.training.shared.cluster import Cluster

SCRIPTS = Path(__file__).parents[1]
LOG = "log.txt"

Files = Mapping[str, bytes]
"""Contents of files, by their paths in a folder."""


@dataclass(frozen=True)
class Job:
    """A script that leaves its result in the folder where it runs.

    Args:
        name: by which error messages call it.
        script, arguments: what runs: a file of `training/`.
        folder: where it runs. `log.txt` gets what it prints.
        needs: a file that it reads, which is copied into the folder.
    """

    name: str
    script: str
    arguments: Sequence[str]
    folder: Path
    needs: Path | None = None

    def run(self, folder: Path, running: set[subprocess.Popen[bytes]]) -> int:
        """Run the script in a folder; its exit status. `running` has the process meanwhile."""
        command = [sys.executable, str(SCRIPTS / self.script), *self.arguments]
        with (
            (folder / LOG).open("ab") as log,
            subprocess.Popen(command, cwd=folder, stdout=log, stderr=log) as process,
        ):
            running.add(process)
        running.discard(process)
        return process.returncode


def read_files(folder: Path) -> Files:
    """All files in a folder."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def write_files(folder: Path, files: Files) -> None:
    """Write files to a folder."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def run_elsewhere(job: Job, files: Files) -> tuple[int, Files]:
    """Run a job in a temporary folder with these files; its exit status, and all that it leaves there."""
    with TemporaryDirectory(prefix="polytrix-") as name:
        folder = Path(name)
        write_files(folder, files)
        return job.run(folder, set()), read_files(folder)


def take_over(job: Job, files: Files) -> None:
    """Put what a job has left elsewhere into its folder: everything at once."""
    unfinished = job.folder.with_name(f"{job.folder.name}.part")
    shutil.rmtree(unfinished, ignore_errors=True)
    write_files(unfinished, files)
    shutil.rmtree(job.folder)
    unfinished.rename(job.folder)


def run_jobs(jobs: Sequence[Job], processes: int, label: str, cluster: Cluster | None = None) -> None:
    """Run jobs to their ends, so many at the same time, or as many as a cluster has cores.

    Raises:
        SystemExit: one has failed; the others are stopped.
    """
    running: set[subprocess.Popen[bytes]] = set()
    with ThreadPoolExecutor(processes) as pool:

        def begin(job: Job) -> Future[tuple[int, Files]]:
            job.folder.mkdir(parents=True, exist_ok=True)
            if job.needs is not None:
                shutil.copy(job.needs, job.folder)
            if cluster is None:
                return pool.submit(lambda: (job.run(job.folder, running), {}))
            return cluster.submit(run_elsewhere, job, read_files(job.folder))

        try:
            begun = {begin(job): job for job in jobs}
            for future in Bar(as_completed(begun), desc=label, total=len(begun), disable=not begun):
                job, (status, files) = begun[future], future.result()
                if cluster is not None:
                    take_over(job, files)
                if status:
                    raise SystemExit(
                        f"{job.name} has failed, see {job.folder / LOG}. "
                        "What is finished is kept; the same command continues from here"
                    )
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in tuple(running):
                process.terminate()
            raise
