"""Compiled programs are code: they are kept where nobody else can write, and damaged ones never run."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest

from polytrix.core.compile import cache_directory as places
from polytrix.core.compile.cache_directory import cache_directory
from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.program_cache import ProgramFiles
from polytrix.core.files import user_folder
from tests.commands import run
from tests.core.compile.test_compiler import add_one, made

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the places of Linux")


@pytest.fixture(autouse=True)
def _anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Clear the cached directories, and set HOME to an empty one."""
    monkeypatch.delenv("POLYTRIX_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    for function in (places._chosen, places._usual):
        function.cache_clear()
    yield
    for function in (places._chosen, places._usual):
        function.cache_clear()


def rights(path: Path) -> int:
    return path.stat().st_mode & 0o777


def without_warning() -> Path:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return cache_directory()


@pytest.mark.parametrize("value", ["", "cache", "./cache", "../cache"])
def test_an_empty_or_relative_xdg_directory_is_ignored(
    value: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", value)
    monkeypatch.chdir(tmp_path)
    assert without_warning() == tmp_path / ".cache" / "polytrix"


def test_an_absolute_xdg_directory_is_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert without_warning() == tmp_path / "xdg" / "polytrix"


@pytest.mark.parametrize(
    ("platform", "variable", "cache", "data"),
    [
        ("darwin", None, "Library/Caches/polytrix", "Library/Application Support/polytrix"),
        ("darwin", "XDG_CACHE_HOME", "Library/Caches/polytrix", "Library/Application Support/polytrix"),
        ("win32", None, "AppData/Local/polytrix/Cache", "AppData/Local/polytrix/Data"),
        ("win32", "LOCALAPPDATA", "set/polytrix/Cache", "set/polytrix/Data"),
        ("linux", None, ".cache/polytrix", ".local/share/polytrix"),
        ("linux", "XDG_DATA_HOME", ".cache/polytrix", "set/polytrix"),
    ],
)
def test_each_platform_has_places_of_its_own(
    platform: str, variable: str | None, cache: str, data: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    for name in ("LOCALAPPDATA", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    if variable:
        monkeypatch.setenv(variable, str(tmp_path / "set"))
    assert user_folder("cache") == tmp_path / cache and user_folder("data") == tmp_path / data


def test_it_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    assert rights(without_warning()) == 0o700


def test_one_that_others_could_read_is_made_private(tmp_path: Path) -> None:
    (tmp_path / ".cache" / "polytrix").mkdir(parents=True, mode=0o755)
    assert rights(without_warning()) == 0o700


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o1777, 0o702])
def test_one_that_others_may_write_to_is_not_used(mode: int, tmp_path: Path) -> None:
    planted = tmp_path / ".cache" / "polytrix"
    planted.mkdir(parents=True)
    planted.chmod(mode)
    with pytest.warns(UserWarning, match=rf"others may write to \(mode {mode:o}\), is not used"):
        instead = cache_directory()
    assert instead != planted and rights(instead) == 0o700
    assert rights(planted) == mode & 0o777  # closing it would not make its content trustworthy


def test_one_that_another_user_owns_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    planted = tmp_path / ".cache" / "polytrix"
    planted.mkdir(parents=True, mode=0o700)
    monkeypatch.setattr(os, "geteuid", lambda: planted.stat().st_uid + 1)
    with pytest.warns(UserWarning, match=f"belongs to user {planted.stat().st_uid}, is not used"):
        assert cache_directory() != planted


def test_it_may_be_a_link_to_a_directory_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "large disk").mkdir(mode=0o700)
    (tmp_path / ".cache").mkdir()
    (tmp_path / ".cache" / "polytrix").symlink_to(tmp_path / "large disk")
    assert without_warning() == tmp_path / ".cache" / "polytrix"


def no_home_by_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(number: int) -> NoReturn:
        raise KeyError(number)

    monkeypatch.delenv("HOME")
    monkeypatch.setattr("pwd.getpwuid", unknown)


def empty_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "")


def relative_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "somewhere")


@pytest.mark.parametrize("take_home", [no_home_by_number, empty_home, relative_home])
def test_without_a_home_a_directory_of_the_process_is_used(
    take_home: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    take_home(monkeypatch)
    with pytest.warns(UserWarning, match="no home directory"):
        assert rights(cache_directory()) == 0o700
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert without_warning() == tmp_path / "xdg" / "polytrix"


def test_the_directory_of_a_process_goes_with_it(tmp_path: Path) -> None:
    module = "polytrix.core.compile.cache_directory"
    code = f"from {module} import *; d = cache_directory(); assert d.is_dir(); print(d)"
    environment = {"PYTHONPATH": os.pathsep.join(sys.path), "HOME": "", "TMPDIR": str(tmp_path)}
    shown = run(sys.executable, "-W", "ignore", "-c", code, env=environment).stdout
    assert Path(shown.strip()).parent == tmp_path
    assert not list(tmp_path.glob("polytrix-*"))


def test_the_users_choice_is_used_as_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    monkeypatch.setenv("POLYTRIX_CACHE", str(shared))
    with pytest.warns(UserWarning, match="can run code as you"):
        assert cache_directory() == shared
    assert rights(shared) == 0o777
    monkeypatch.setenv("POLYTRIX_CACHE", str(tmp_path / "new" / "one"))
    assert rights(without_warning()) == 0o700


# -- damage -------------------------------------------------------------------------------


def test_what_is_kept_comes_back_unless_it_is_damaged_or_under_another_name(tmp_path: Path) -> None:
    files, others = (ProgramFiles(tmp_path / "kept", name) for name in ("one", "other"))
    assert files.load("key") is None
    files.save("key", {"kept": [1, 2]})
    others.save("key", "another")
    assert files.load("key") == {"kept": [1, 2]} and others.load("key") == "another"
    assert files.load("another key") is None
    assert rights(tmp_path / "kept") == 0o700
    whole = files.path("key").read_bytes()
    others.path("key").write_bytes(whole)
    assert others.load("key") is None
    for damaged in (whole[:-1], whole + b"x", whole[:20], b"", whole[:40] + b"?" + whole[41:]):
        files.path("key").write_bytes(damaged)
        assert files.load("key") is None
    files.save("key", "mended")
    assert files.load("key") == "mended"


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a compiled program, which counts to 6."""
    monkeypatch.setenv("POLYTRIX_CACHE", str(tmp_path / "programs"))
    assert made(add_one, Mode.COMPILED)(np.arange(3)) == 6
    (file,) = (tmp_path / "programs").iterdir()
    return file


def test_a_whole_program_is_loaded(program: Path) -> None:
    before = program.stat()
    again = made(add_one, Mode.COMPILED)
    assert again(np.arange(3)) == 6
    assert again.stats.cache_hits == {next(iter(again.overloads)): 1}  # type: ignore[attr-defined]
    assert program.stat().st_mtime_ns == before.st_mtime_ns


def test_damaged_programs_are_compiled_anew_and_kept(program: Path) -> None:
    whole = program.read_bytes()
    for damage in (b"", whole[:20], whole[:-1], whole + b"x", b"cos\nsystem\n(S'false'\ntR."):
        program.write_bytes(damage)
        assert made(add_one, Mode.COMPILED)(np.arange(3)) == 6
        assert program.read_bytes() != damage
        again = made(add_one, Mode.COMPILED)
        assert again(np.arange(3)) == 6
        assert again.stats.cache_hits  # type: ignore[attr-defined]


def test_a_directory_in_the_place_of_a_program_is_no_error(program: Path) -> None:
    program.unlink()
    program.mkdir()
    assert made(add_one, Mode.COMPILED)(np.arange(3)) == 6
