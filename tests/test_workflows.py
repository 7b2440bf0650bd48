"""The workflows of the CI host call what exists. (They are not run here.)"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


@pytest.mark.parametrize("file", [*WORKFLOWS, ROOT / ".ci" / "run"], ids=lambda file: file.name)
def test_what_ci_makes_is_a_target(file: Path) -> None:
    made = re.findall(r"^(?: *- run: )?make (\S+)", file.read_text(encoding="utf-8"), re.M)
    assert made and all(re.search(rf"^{target}:", MAKEFILE, re.M) for target in made)


def test_ci_runs_on_every_system_with_the_oldest_and_the_newest_python() -> None:
    text = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    assert "system: [ubuntu-latest, macos-latest, windows-latest]" in text
    supported = re.findall(r"Python :: (3\.\d+)\"", (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert f'python: ["{supported[0]}", "{supported[-1]}"]' in text


def test_a_release_has_every_supported_python() -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    supported = re.findall(r"Python :: (3\.\d+)\"", (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert re.findall(r"^ +(3\.\d+)$", text, re.M) == supported
    sessions = (ROOT / "noxfile.py").read_text(encoding="utf-8")
    assert re.findall(r'^SUPPORTED = \("(.+)"\)$', sessions, re.M) == ['", "'.join(supported)]


def test_the_help_of_make_names_every_target() -> None:
    (targets,) = re.findall(r"^\.PHONY: help (.+)$", MAKEFILE, re.M)
    told = re.findall(r'^\t@echo "make (\S+)', MAKEFILE, re.M)
    assert set(targets.split()) - {"pytest"} == set(told)
