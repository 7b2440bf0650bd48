"""Pytest plugin: prints which clauses the collected tests cite.

python -m pytest --collect-only -qq -p tests.shared.clause_list tests/games
"""

from __future__ import annotations

import json

import pytest

HEAD = "cited clauses: "


def pytest_collection_finish(session: pytest.Session) -> None:
    """Print all arguments of all `clause` marks, including parametrised ones."""
    cited = {clause for item in session.items for mark in item.iter_markers("clause") for clause in mark.args}
    print("\n" + HEAD + json.dumps(sorted(cited)))
