"""The wheel holds the package with the released networks and training scripts, and works without extras.

`make release` tries it with extras, on all interpreters, and follows the README as printed.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import zipfile
from importlib.metadata import requires
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

import polytrix
from tests.commands import run
from tests.empty_environment import empty_environment

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist. (The wheel is made from the sdist.)"""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT, cwd=ROOT)
    return folder


def only(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


def test_the_wheel_installs_nothing_but_the_package(built: Path) -> None:
    with zipfile.ZipFile(only(built, "*.whl")) as wheel:
        names = wheel.namelist()
        metadata = next(name for name in names if name.endswith(".dist-info/METADATA"))
        described = wheel.read(metadata).decode()
        entries = wheel.read(metadata.replace("METADATA", "entry_points.txt")).decode()
    assert {name.split("/")[0] for name in names} == {"polytrix", "polytrix_verifiers", metadata.split("/")[0]}
    assert "polytrix = polytrix.cli:main" in entries
    assert "License-Expression: MIT" in described


def test_the_wheel_has_every_source_file_and_all_data(built: Path) -> None:
    with zipfile.ZipFile(only(built, "*.whl")) as wheel:
        packed = {name for name in wheel.namelist() if name.startswith("polytrix/")}
    linked = ("checkpoints", "training")
    command = ("git", "ls-files", "-co", "--exclude-standard", "envs/polytrix", *linked)
    tracked = run(*command, cwd=ROOT).stdout.split()
    left_out = {f"envs/polytrix/{folder}" for folder in linked}  # the links
    inside = {name if name.startswith("envs/") else f"envs/polytrix/{name}" for name in {*tracked} - left_out}
    assert packed == {name.removeprefix("envs/") for name in inside}
    assert "polytrix/py.typed" in packed
    assert {
        f"polytrix/checkpoints/{game.name}-v{game.version}/policy.npz" for game in polytrix.all_games()
    } <= packed
    assert {"polytrix/training/fast_ppo.py", "polytrix/training/settings/fast_ppo/quatrix.toml"} <= packed
    assert {f"polytrix/games/{game.name}/README.md" for game in polytrix.all_games()} <= packed


def test_the_wheel_plays_in_an_empty_environment(built: Path, tmp_path: Path) -> None:
    python = empty_environment(tmp_path / "env", only(built, "*.whl"))
    shutil.copy(ROOT / "tests" / "release" / "smoke.py", tmp_path)
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    assert "no_command" in run(python, "-I", "smoke.py", cwd=tmp_path, env=variables).stdout


def links(markdown: str) -> list[str]:
    """The links and images of a text, in Markdown and in HTML."""
    found = []
    for token in MarkdownIt("commonmark").enable("table").parse(markdown):
        for each in token.children or [token]:
            found += [str(each.attrs[name]) for name in ("href", "src") if name in each.attrs]
            if each.type in ("html_inline", "html_block"):
                found += re.findall(r'(?:href|src)="([^"]*)"', each.content)
    return found


def test_the_page_on_an_index_has_absolute_links_to_the_files(built: Path) -> None:
    with zipfile.ZipFile(only(built, "*.whl")) as wheel:
        metadata = next(name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        head, _, page = wheel.read(metadata).decode().partition("\n\n")
    repository = re.search(r"^Project-URL: Repository, (.+)$", head, re.M)
    assert repository
    at = f"{{kind}}/v{only(built, '*.whl').name.split('-')[1]}"
    found, own = links(page), links(README.read_text(encoding="utf-8"))
    assert len(found) == len(own) > 30
    for link, target in zip(found, own, strict=True):
        tree = at.format(kind="raw" if target.endswith((".png", ".svg")) else "blob")
        assert link == (target if ":" in target else f"{repository[1]}/{tree}/{target}")


def test_the_oldest_versions_are_allowed() -> None:
    """`make test-matrix` would install others."""
    pins = (ROOT / "tests" / "versions" / "oldest.txt").read_text(encoding="utf-8")
    oldest = dict(re.findall(r"^([\w-]+)==(\S+)$", pins, re.MULTILINE))
    needed = [Requirement(line) for line in requires("polytrix") or ()]
    allowed = {one.name.replace("_", "-"): one.specifier for one in needed if one.name != "polytrix"}
    assert {name for name in oldest if name in allowed} >= {"pillow", "torch", "tqdm", "starlette"}
    wrong = [name for name, version in oldest.items() if version not in allowed.get(name, SpecifierSet())]
    assert not wrong, "make the file anew, as its first lines say"


def test_the_citation_is_of_this_version() -> None:
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert cited is not None and cited[1] == polytrix.__version__
