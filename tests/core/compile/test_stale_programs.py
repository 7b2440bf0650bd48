"""Every edit of a game compiles its programs anew, and nothing else does."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from tests.commands import run

FILES = {
    "edited/__init__.py": """
from dataclasses import replace
from tests.toys import SECRET
from .rules import chance
GAME = replace(SECRET, name="edited", chance=chance)
""",
    "edited/rules.py": """
from .helper import double
from .tables import TABLE
CONSTANT = 5
def chance(s):
    return 1 + double(2) + TABLE[1] + CONSTANT + 16
""",
    "edited/helper.py": """
from .deeper import twice
def double(n):
    return twice(n) + 0
""",
    "edited/deeper.py": """
def twice(n):
    return 2 * n
""",
    "edited/tables.py": """
import numpy as np
TABLE = np.array([0, 7, 0])
""",
}

EDITS = {
    "a rule": ("edited/rules.py", "return 1 +", "return 1 -"),
    "a helper in another file": ("edited/helper.py", "+ 0", "+ 1"),
    "a helper's helper": ("edited/deeper.py", "2 * n", "3 * n"),
    "a table": ("edited/tables.py", "0, 7, 0", "0, 8, 0"),
}

RUN = """
import json, sys
import numpy as np
from edited import GAME
from polytrix.core.compile.programs import programs
from polytrix.core.compile.compiler import Mode
from polytrix.core.state import CHANCE, new_records
def shown(mode):
    states, outcomes = new_records(1, GAME.state), np.zeros(1, np.int64)
    states["mover"] = CHANCE
    programs(GAME, mode).outcomes(states, outcomes)
    return int(outcomes[0])
print(json.dumps([shown(Mode.COMPILED), shown(Mode.PLAIN)]))
"""


def test_an_edit_is_never_met_by_a_stale_program(tmp_path: Path) -> None:
    for name, content in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
    assert_follows(tmp_path, "the first program")
    before = kept(tmp_path)
    assert before, "no program was kept"
    assert_follows(tmp_path, "the unchanged game")
    assert kept(tmp_path) == before, "the unchanged game was compiled anew"
    for what, (name, old, new) in EDITS.items():
        path = tmp_path / name
        assert path.read_text().count(old) == 1, f"edit of {what} is ambiguous"
        path.write_text(path.read_text().replace(old, new))
        assert_follows(tmp_path, f"after an edit of {what}")


def assert_follows(directory: Path, when: str) -> None:
    """The compiled program is that of the sources."""
    compiled, plain = shown(directory)
    assert compiled == plain, f"stale program: {when}, compiled code gives {compiled}, the sources say {plain}"


def shown(directory: Path) -> Any:
    """What the compiled program and plain Python print, in a new process with its own cache."""
    environment = os.environ | {
        "POLYTRIX_CACHE": str(directory / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",  # Python's own cache would miss an edit within a second
        "PYTHONPATH": os.pathsep.join([str(directory), *sys.path]),
    }
    return json.loads(run(sys.executable, "-c", RUN, env=environment).stdout)


def kept(directory: Path) -> dict[str, int]:
    """The cached programs, and when each was written."""
    return {path.name: path.stat().st_mtime_ns for path in (directory / "cache").iterdir()}
