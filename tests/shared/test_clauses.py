"""Every clause of a game's page is cited by a test that is not slow."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import polytrix
from tests.shared.pages import page_of, page_path

ROOT = Path(__file__).parents[2]
HEAD = "cited clauses: "
CLAUSE = re.compile(r"\b[A-Z]{2,3}-(?:\d{2,3}|[A-Z]{3}-[VFROL])\b")  # PT-31; of a card's effects PT-KNI-V


def pytest_collection_finish(session: pytest.Session) -> None:
    """Print which clauses the tests cite: with `-p`, this module is a plugin of pytest."""
    found = {clause for item in session.items for mark in item.iter_markers("clause") for clause in mark.args}
    print("\n" + HEAD + json.dumps(sorted(found)))


def cited(folder: Path) -> set[str]:
    """The clauses cited by the tests in a folder, as `make test` runs them."""
    plugin = ["--collect-only", "-qq", "-p", "no:cacheprovider", "-p", "tests.shared.test_clauses"]
    plugin += ["-m", "not slow", "--assert=plain", "-o", "addopts="]
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *plugin, str(folder)], cwd=ROOT, capture_output=True, text=True
    )
    lines = [line for line in ran.stdout.splitlines() if line.startswith(HEAD)]
    assert lines, ran.stdout + ran.stderr
    return set(json.loads(lines[0].removeprefix(HEAD)))


def test_every_clause_is_cited_by_a_test_and_every_citation_exists() -> None:
    found = cited(ROOT / "tests" / "games")
    for game in polytrix.all_games():
        clauses = set(CLAUSE.findall(page_of(game)))
        assert len(clauses) > 10, f"{page_path(game)} has hardly any clause"
        assert sorted(clauses - found) == [], "clauses of the page that no test cites"
        found -= clauses
    assert sorted(found) == [], "tests cite clauses that no page has"
