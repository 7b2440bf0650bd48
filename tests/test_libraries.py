"""Every learning library in `tests/libraries.py` has an extra, a page, modules and tests."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.libraries import LIBRARIES, Library

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]
INTEGRATIONS = ROOT / "tests" / "integrations"

every_library = pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.extra)


@every_library
def test_it_has_an_extra(library: Library) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert library.extra in project["optional-dependencies"]


@every_library
def test_it_has_a_page_that_others_link_to(library: Library) -> None:
    page = f"{library.extra}.md"
    assert f"polytrix[{library.extra}" in (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert f"]({page})" in (ROOT / "docs" / "integrations.md").read_text(encoding="utf-8")
    assert f"](docs/{page})" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"\n{library.extra}\n" in (ROOT / "docs" / "index.md").read_text(encoding="utf-8")


@every_library
def test_its_modules_are_there(library: Library) -> None:
    for module in library.modules:
        path = ROOT.joinpath("envs", "polytrix", *module.split("."))
        assert path.with_suffix(".py").is_file() or path.is_dir()


@every_library
def test_its_tests_have_an_environment_of_their_own_if_they_need_one(library: Library) -> None:
    constraints = INTEGRATIONS / "constraints" / f"{library.extra}.txt"
    assert constraints.exists() == library.own_environment
    if library.own_environment:
        assert list(INTEGRATIONS.glob(f"test_{library.extra}*.py"))
        assert (ROOT / "examples" / f"{library.extra}_quatrix.py").is_file() == library.learns


def test_no_environment_is_without_a_library() -> None:
    named = {library.extra for library in LIBRARIES if library.own_environment}
    assert {file.stem for file in (INTEGRATIONS / "constraints").glob("*.txt")} == named
