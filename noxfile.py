"""Sessions in environments other than that of `make test`: other versions, and learning libraries.

    nox --session tests           # `make test-matrix`: the suite on the oldest and on the newest versions
    nox --session integrations    # `make test-integrations`: each integration in an environment of its own
    nox --session wheel smoke smoke_extras readme    # `make release`

To run one of them: `nox --session "tests-3.13"`, `nox --session "integrations(torchrl)"`. Arguments after `--`
go to pytest. Missing interpreters are downloaded if possible.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import nox

nox.options.sessions = ["tests", "integrations"]
nox.options.error_on_missing_interpreters = True
nox.options.reuse_existing_virtualenvs = True

OLDEST = "tests/versions/oldest.txt"
TESTED_TOGETHER = "constraints.txt"
VERSIONS = {"3.10": OLDEST, "3.13": TESTED_TOGETHER}
"""Versions of dependencies by interpreter: the oldest supported ones and the newest."""

CONSTRAINTS = Path("tests/integrations/constraints")
INTEGRATIONS = sorted(file.stem for file in CONSTRAINTS.glob("*.txt"))


@nox.session(python=list(VERSIONS))
def tests(session: nox.Session) -> None:
    """The whole suite."""
    pins = VERSIONS[str(session.python)]
    session.install("-c", pins, "torch")
    session.install("-c", pins, "-e", ".[dev]")
    session.run("python", "-m", "pytest", "-n", "2", *session.posargs)


@nox.session
@nox.parametrize("name", INTEGRATIONS, ids=INTEGRATIONS)
def integrations(session: nox.Session, name: str) -> None:
    """Page, example and checks of one library, with no other library installed."""
    pins = str(CONSTRAINTS / f"{name}.txt")
    if "\ntorch==" in Path(pins).read_text(encoding="utf-8"):
        session.install("-c", pins, "torch")
    session.install("-c", pins, "-e", f".[{name}]", "pytest", "pytest-timeout", "markdown-it-py")
    files = [str(file) for file in sorted(CONSTRAINTS.parent.glob(f"test_{name}*.py"))]
    session.run("python", "-m", "pytest", *files, *session.posargs)


# -- a release --------------------------------------------------------------------------------------

SUPPORTED = ("3.10", "3.11", "3.12", "3.13")
DIST = Path("dist").absolute()


@nox.session
def wheel(session: nox.Session) -> None:
    """Build sdist and wheel in dist/, the wheel from the sdist, and check what an index will show of them."""
    session.install("-c", TESTED_TOGETHER, "build", "twine")
    shutil.rmtree(DIST, ignore_errors=True)
    session.run("python", "-m", "build", "--outdir", str(DIST))
    session.run("twine", "check", "--strict", *map(str, sorted(DIST.iterdir())))


@nox.session(python=SUPPORTED, reuse_venv=False)
def smoke(session: nox.Session) -> None:
    """Install the wheel into an empty environment and call every API, at first without an extra."""
    try_out(session, [])
    try_out(session, ["cli"])


@nox.session(python=SUPPORTED[-1], reuse_venv=False)
def smoke_extras(session: nox.Session) -> None:
    """The same with the libraries that share an environment, and a first step in every game."""
    try_out(session, ["cli", "sb3", "openspiel"], "games")


def try_out(session: nox.Session, extras: list[str], *more: str) -> None:
    """Install the wheel with extras, and run `tests/release/smoke.py` where the clone cannot be seen."""
    (file,) = DIST.glob("*.whl")
    script = Path("tests/release/smoke.py").absolute()
    cache = str(Path(session.virtualenv.location, "programs").absolute())
    session.install(f"{file}[{','.join(extras)}]" if extras else str(file))
    with tempfile.TemporaryDirectory() as folder, session.chdir(folder):
        shutil.copy(script, folder)
        variables = {"PYTHONPATH": None, "POLYTRIX_CACHE": cache}
        session.run("python", "-I", "smoke.py", *extras, *more, env=variables)


@nox.session(venv_backend="none")
def readme(session: nox.Session) -> None:
    """Follow README.md as printed: in a new clone and an empty environment."""
    session.run(sys.executable, "-m", "tests.release.readme")
