"""Sessions in environments other than that of `make test`: other versions, and learning libraries.

    nox --session tests           # `make test-matrix`: the suite on the oldest and on the newest versions
    nox --session integrations    # `make test-integrations`: each integration in an environment of its own

To run one of them: `nox --session "tests-3.13"`, `nox --session "integrations(torchrl)"`. Arguments after `--`
go to pytest. Missing interpreters are downloaded if possible.
"""

from __future__ import annotations

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
