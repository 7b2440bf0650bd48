"""Test runs in forked children: libraries are loaded once, the package and the tests anew in every run.

A run works in a copy of the project's tree. There the mutant stands in its file, so that whatever imports or
inspects the file or starts a process meets it. The project's own tree is left alone, and programs that are
compiled from a mutant are thrown away.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib
import importlib.util
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

IMPORT_LIMIT = 120.0
"""Seconds that a run may take to import everything."""

UNMUTATED_LIMIT = 1200.0
"""Seconds that a test may take without a mutant, compilation included, before something is wrong."""


@dataclass
class Outcome:
    """What a test run showed.

    Attributes:
        verdict: "passed", "failed", "timed out", "crashed", or "not collected" (an error before any test).
        test: the last test that was begun.
        seconds: by test, how long it took.
        failed: the tests that failed.
        reached: by test, the first lines of the functions of the package that it called, by file.
        log: the end of what was printed, if tests did not pass.
    """

    verdict: str = "passed"
    test: str = ""
    seconds: dict[str, float] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    reached: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    log: str = ""


class Tree:
    """A copy of a project's files that git does not ignore (of all, outside of git), in which tests are run.

    Attributes:
        origin: the root of the project.
        root: that of the copy.
        path: folders for `sys.path`, from the root.
        cache: the compiled programs that mutants begin with; only runs without a mutant add to it.
    """

    def __init__(self, root: Path, path: Sequence[str], cache: Path) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="mutation-"))
        self.origin, self.root, self.path, self.cache = root, self.home / "tree", path, cache
        self._writes = 0
        for name in _files(root):
            if (root / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(root / name, self.root / name)

    def write(self, file: str, text: str) -> None:
        """Replace a file. Its time is a new one each time: Python goes by it to trust compiled modules."""
        self._writes += 1
        target = self.root / file
        target.write_text(text, encoding="utf-8")
        os.utime(target, (self._writes, self._writes))

    def digest(self) -> str:
        """A hash of the names and contents of all files but compiled modules, pages and campaigns."""
        made = hashlib.sha256()
        for file in sorted(self.root.rglob("*")):
            name = file.relative_to(self.root).as_posix()
            if file.is_file() and file.suffix != ".pyc" and not name.startswith(("tests/mutation/", "docs/")):
                made.update(f"{name} {hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
        return made.hexdigest()

    def remove(self) -> None:
        """Delete the copy."""
        shutil.rmtree(self.home, ignore_errors=True)

    def run(
        self,
        targets: Sequence[str],
        *,
        order: Sequence[str] | None = None,
        choose: Callable[[str], bool] = lambda _: True,
        plain: bool,
        limits: Mapping[str, float],
        limit: float,
        trace: Sequence[str] = (),
        unmutated: bool = False,
    ) -> Outcome:
        """Run tests in a child.

        Args:
            targets: what pytest collects.
            order: the ids of the tests to run, in order; all if None.
            choose: says by a test's id whether to run it.
            plain: run rules as ordinary Python.
            limits: seconds by test, `limit` for others.
            trace: files whose functions are noted when a test calls them.
            unmutated: go on after failures, let a test fail after `limit` seconds of processor time, and keep
                what is compiled.
        """
        programs = self.cache if unmutated else self._programs()
        log = self.home / "log"
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            self._be_child(
                write, targets, order, choose, plain, trace, programs, log, limit if unmutated else None
            )
        os.close(write)
        try:
            outcome = _listen(read, limits, UNMUTATED_LIMIT if unmutated else limit)
        finally:
            os.close(read)
            _end(child)
            if not unmutated:
                shutil.rmtree(programs, ignore_errors=True)
        if outcome.verdict != "passed":
            outcome.log = log.read_text(encoding="utf-8", errors="replace")[-3000:] if log.exists() else ""
        return outcome

    def _programs(self) -> Path:
        """A cache to throw away that begins with what is known; links, as files in it never change."""
        made = Path(tempfile.mkdtemp(dir=self.home))
        if self.cache.exists():
            for file in self.cache.rglob("*"):
                if file.is_file():
                    _link(file, made / file.relative_to(self.cache))
        return made

    def _be_child(
        self, pipe: int, targets: Sequence[str], order: Sequence[str] | None, choose: Callable[[str], bool],
        plain: bool, trace: Sequence[str], programs: Path, log: Path, alarm: float | None,
    ) -> None:  # fmt: skip
        """Run pytest and end the process, whatever happens."""
        code = 70
        try:
            os.setsid()
            _die_with_parent()
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(out, 1)
            os.dup2(out, 2)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            folders = [str((self.root / folder).resolve()) for folder in self.path]
            _forget(self.origin, self.path)
            sys.path[:0] = folders
            os.environ["PYTHONPATH"] = os.pathsep.join(folders)
            os.environ["POLYTRIX_CACHE"] = str(programs)
            os.environ.pop("NUMBA_DISABLE_JIT", None)
            if plain:
                os.environ["NUMBA_DISABLE_JIT"] = "1"
            os.chdir(self.root)
            reporter = _Reporter(
                pipe, order, choose, [str(self.root / file) for file in trace], self.root, alarm
            )
            arguments = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--tb=short"]
            arguments += ["--basetemp", str(self.home / "temporary"), *(["-x"] if alarm is None else [])]
            if importlib.util.find_spec("pytest_timeout") is not None:
                arguments.append("--timeout=0")  # limits are kept by `_listen`, which knows how long tests take
            code = int(pytest.main([*arguments, *targets], plugins=[reporter]))
        finally:
            sys.stdout.flush()
            os._exit(code)


class _TooLong(BaseException):
    """A test of the unmutated tree that takes too long for its stage; nothing that is tested catches it."""


def _too_long(number: int, frame: object) -> None:
    raise _TooLong


class _Reporter:
    """A pytest plugin that picks and orders tests and writes to a pipe what happens."""

    def __init__(
        self,
        pipe: int,
        order: Sequence[str] | None,
        choose: Callable[[str], bool],
        trace: Sequence[str],
        root: Path,
        alarm: float | None,
    ) -> None:
        self.pipe, self.trace, self.root, self.alarm = pipe, set(trace), root, alarm
        if alarm is not None:
            signal.signal(signal.SIGPROF, _too_long)
        self.order = None if order is None else {test: rank for rank, test in enumerate(order)}
        self.choose = choose
        self.reached: set[tuple[str, int]] = set()

    def tell(self, **message: Any) -> None:
        data = json.dumps(message).encode() + b"\n"
        while data:
            data = data[os.write(self.pipe, data) :]

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if self.choose(item.nodeid)]
        ranks = self.order
        if ranks is not None:
            items[:] = sorted(
                (item for item in items if item.nodeid in ranks), key=lambda item: ranks[item.nodeid]
            )
        self.tell(collected=len(items))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.tell(begin=nodeid)
        if self.trace:
            self.reached.clear()
            sys.setprofile(self.note)
        if self.alarm is not None:
            signal.setitimer(signal.ITIMER_PROF, self.alarm)

    def note(self, frame: Any, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_filename in self.trace:
            self.reached.add((frame.f_code.co_filename, frame.f_code.co_firstlineno))

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.tell(failed=report.nodeid)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        by_file: dict[str, list[int]] = {}
        if self.alarm is not None:
            signal.setitimer(signal.ITIMER_PROF, 0)
        if self.trace:
            sys.setprofile(None)
            for file, line in sorted(self.reached):
                by_file.setdefault(str(Path(file).relative_to(self.root)), []).append(line)
        self.tell(end=nodeid, reached=by_file)

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        self.tell(finished=int(exitstatus))


def _listen(pipe: int, limits: Mapping[str, float], limit: float) -> Outcome:
    """Follow a child until it has finished or takes too long."""
    outcome = Outcome()
    buffer, begun, status = b"", time.monotonic(), None
    deadline = begun + IMPORT_LIMIT
    while True:
        ready, _, _ = select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            outcome.verdict = "timed out"
            return outcome
        data = os.read(pipe, 1 << 16)
        if not data:
            break
        *lines, buffer = (buffer + data).split(b"\n")
        for line in lines:
            message = json.loads(line)
            now = time.monotonic()
            if "begin" in message:
                outcome.test, begun = message["begin"], now
                deadline = now + limits.get(outcome.test, limit)
            elif "end" in message:
                outcome.seconds[message["end"]] = now - begun
                outcome.reached[message["end"]] = message["reached"]
                deadline = now + IMPORT_LIMIT
            elif "failed" in message:
                outcome.failed.append(message["failed"])
            elif "finished" in message:
                status = message["finished"]
    if outcome.failed:
        outcome.verdict = "failed"
    elif status is None:
        outcome.verdict = "crashed" if outcome.test else "not collected"
    elif status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        outcome.verdict = "not collected"
    return outcome


def _end(child: int) -> None:
    """End a child and all that it has started."""
    try:
        os.killpg(child, signal.SIGKILL)
    except ProcessLookupError:  # it has not become a group's first yet, or is gone
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def _die_with_parent() -> None:
    """End this process when the one that forked it ends, even by SIGKILL (on Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def _link(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target)
    except OSError:  # another file system
        shutil.copy2(source, target)


def _forget(root: Path, path: Sequence[str]) -> None:
    """Take back what this process has imported from the original tree, and the ways to it."""
    for name in list(sys.modules):
        if name.split(".")[0] in ("polytrix", "tests"):
            del sys.modules[name]
    folders = {"", str(root), *(str((root / folder).resolve()) for folder in path)}
    sys.path[:] = [folder for folder in sys.path if folder not in folders]


def preload(modules: Iterable[str]) -> None:
    """Import libraries that all children share. The package under test must not be among them."""
    for module in modules:
        importlib.import_module(module)


def _files(root: Path) -> list[str]:
    """The project's files: what git does not ignore, or everything where there is no git."""
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-co", "--exclude-standard", "-z"],
        capture_output=True,
        check=False,
    )
    if listed.returncode == 0:
        return listed.stdout.decode().split("\0")[:-1]
    return [str(file.relative_to(root)) for file in root.rglob("*") if file.is_file()]
