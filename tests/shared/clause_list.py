"""Pytest plugin: prints which clauses the tests collected in each folder cite.

python -m pytest --collect-only -qq -p tests.shared.clause_list tests/games
"""

from __future__ import annotations

import json

import pytest

HEAD = "cited clauses: "


def pytest_collection_finish(session: pytest.Session) -> None:
    """Print all arguments of all `clause` marks, including parametrised ones."""
    cited: dict[str, list[str]] = {}
    for item in session.items:
        for mark in item.iter_markers("clause"):
            cited.setdefault(item.path.parent.name, []).extend(mark.args)
    print("\n" + HEAD + json.dumps(cited))
