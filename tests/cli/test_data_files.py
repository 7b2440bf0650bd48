"""Data files at the command line: `-o NAME=PATH`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.stones import BIG, HERE

pytestmark = pytest.mark.usefixtures("known_toys", "in_plain_python")


@pytest.fixture
def steps(tmp_path: Path) -> str:
    """The option for a file with other steps."""
    (tmp_path / "my_steps.json").write_text(json.dumps(BIG))
    return f"steps={tmp_path / 'my_steps.json'}"


def test_list_and_describe_show_data_files() -> None:
    listed = run("list").stdout
    assert "steps" in listed and "prizes" in listed and "(file)" in listed
    described = run("describe", "stones").stdout
    assert "steps, big" in described and f"shipped files: {HERE}" in described
    assert "data file" in described and "where lights go on" in " ".join(described.split())
    assert "data file" not in run("describe", "quatrix").stdout


def test_watch_replay_with_own_steps(steps: str, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    run("watch", "stones", "-o", steps, "-o", "top=4", "--delay", 0, "--seed", 2, "--save", file)
    assert json.loads(file.read_text())["data"] == {"steps": BIG}
    shown = run("replay", file).stdout
    assert "top=4" in shown and "steps of its own" in shown and "decisions replay as recorded" in shown
