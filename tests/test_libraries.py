"""Every learning library in `tests/libraries.py` has an extra, a page, modules and tests."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from polytrix.core.errors import MissingExtraError
from tests.libraries import LIBRARIES, Library

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]
INTEGRATIONS = ROOT / "tests" / "integrations"


@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.extra)
def test_a_library_has_an_extra_a_page_modules_and_tests(library: Library) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert library.extra in project["optional-dependencies"]
    assert (ROOT / "docs" / f"{library.extra}.md").is_file()
    for module in library.modules:
        path = ROOT.joinpath("envs", "polytrix", *module.split("."))
        assert path.with_suffix(".py").is_file() or path.is_dir()
    if library.own_environment:
        assert list(INTEGRATIONS.glob(f"test_{library.extra}*.py"))
        assert any((ROOT / "examples").glob(f"{library.extra}_*.py")) == library.learns


def test_libraries_with_an_environment_of_their_own_have_versions() -> None:
    named = {library.extra for library in LIBRARIES if library.own_environment}
    assert {file.stem for file in (INTEGRATIONS / "constraints").glob("*.txt")} == named


@pytest.mark.parametrize(
    ("module", "extra"),
    [("api.torchrl", "torchrl"), ("api.benchmarl", "benchmarl"), ("api.tianshou", "tianshou")],
)
def test_a_missing_library_is_named(module: str, extra: str) -> None:
    (package,) = [library.package for library in LIBRARIES if library.extra == extra]
    if find_spec(package) is not None:
        pytest.skip(f"{package} is installed")
    with pytest.raises(MissingExtraError, match=rf"polytrix\[{extra}\]"):
        import_module(f"polytrix.{module}")
