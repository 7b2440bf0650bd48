"""A campaign over a tiny project: what is noticed, by which test, and how it is counted and gone on with."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from polytrix.core.compile.cache_directory import cache_directory
from tests.mutation.__main__ import cache
from tests.mutation.operators import places
from tests.mutation.parts import ROOT, parts
from tests.mutation.record import Record, Result, equivalents, summary

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="test runs are forked")

RULES = """
import os

def count(n):
    total = 0
    while n > 0:
        n -= 1
        total += 1
    return total

def larger(a, b):
    if a > b:
        return a
    return b

def start():
    if os.getpid() < 0:
        os.abort()
    return 1

def never():
    return 1
"""
TESTS = """
import os, subprocess, sys, time
import pytest
from rules import count, larger, start

def test_count():
    assert count(3) == 3

def test_larger():
    assert larger(3, 4) == 4 and larger(4, 3) == 4

def test_start():
    code = "import rules; raise SystemExit(rules.start())"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 1

def test_start_here():
    assert start()

def test_slow_in_plain_python():
    if os.environ.get("NUMBA_DISABLE_JIT") == "1":
        while True: pass
"""
CAMPAIGN = """
import sys
from pathlib import Path
from tests.mutation import campaign
from polytrix.core.compile.cache_directory import cache_directory
from tests.mutation.__main__ import cache
from tests.mutation.operators import places
from tests.mutation.parts import Part
from tests.mutation.record import Record

root = Path(sys.argv[1])
campaign.QUICK_LIMIT, campaign.SLACK = 1.0, {"quick": 20.0, "thorough": 20.0}
part = Part("tiny", ("rules.py",), ("test_rules.py",), preload=(), root=root, path=(".",))
source = (root / "rules.py").read_text()
wanted = set(sys.argv[3:])
mutants = [mutant for place in places("rules.py", source) for mutant in place if mutant.key in wanted]
assert len(mutants) == len(wanted), mutants
campaign.run(part, mutants, Record(Path(sys.argv[2])), root.parent, root.parent / "cache")
"""


def campaign(folder: Path, tests: str, *keys: str) -> dict[str, Result]:
    """Results by key of a campaign over these mutants of RULES."""
    messages(folder, tests, *keys)
    return Record(folder / "record.jsonl").results


def messages(folder: Path, tests: str, *keys: str) -> str:
    """What such a campaign says before it begins."""
    project = folder / "project"
    project.mkdir(exist_ok=True)
    (project / "rules.py").write_text(RULES)
    (project / "test_rules.py").write_text(tests)
    command = [sys.executable, "-c", CAMPAIGN, str(project), str(folder / "record.jsonl"), *keys]
    done = subprocess.run(command, cwd=ROOT, check=True, timeout=600, capture_output=True, text=True)
    assert (project / "rules.py").read_text() == RULES
    return done.stdout


KILLED = "rules.py::count constant: 1 -> 2 [1]"
ENDLESS = "rules.py::count assignment removed: n -= 1 -> pass"
EQUIVALENT = "rules.py::larger comparison: a > b -> (a >= b)"
CRASH = "rules.py::start comparison: os.getpid() < 0 -> (os.getpid() >= 0)"
ELSEWHERE = "rules.py::start constant: 1 -> 2"
UNTESTED = "rules.py::never constant: 1 -> 2"


def test_mutants_are_noticed_or_survive(tmp_path: Path) -> None:
    results = campaign(tmp_path, TESTS, KILLED, ENDLESS, EQUIVALENT, CRASH, ELSEWHERE, UNTESTED)
    seen = {key: (result.verdict, result.test.rpartition("::")[2]) for key, result in results.items()}
    assert seen == {
        KILLED: ("failed", "test_count"),
        ENDLESS: ("timed out", "test_count"),
        EQUIVALENT: ("passed", ""),
        CRASH: ("crashed", "test_start_here"),
        ELSEWHERE: ("failed", "test_start"),  # in a process that the test starts
        UNTESTED: ("passed", ""),
    }
    assert {result.stage for result in results.values() if result.verdict == "passed"} == {"thorough"}
    assert summary(results.values(), {EQUIVALENT}) == {
        "mutants": 6, "killed": 4, "failed": 2, "not collected": 0, "timed out": 1, "crashed": 1,
        "equivalent": 1, "survived": 1,
    }  # fmt: skip


def test_tests_that_fail_without_a_mutant_end_the_campaign(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError) as caught:
        campaign(tmp_path, TESTS + "\ndef test_wrong():\n    assert count(3) == 4\n", KILLED, UNTESTED)
    assert (
        "BaselineError: tests of tiny fail without a mutant: test_rules.py::test_wrong" in caught.value.stderr
    )
    results = Record(tmp_path / "record.jsonl").results.values()
    assert [(result.verdict, result.stage) for result in results] == [("failed", "quick"), ("passed", "quick")]


def test_the_tests_run_once_without_a_mutant_for_as_long_as_nothing_changes(tmp_path: Path) -> None:
    baseline = "the tests in plain Python, without a mutant"
    tests = TESTS.partition("def test_slow_in_plain_python")[0]
    assert baseline in messages(tmp_path, tests, KILLED)
    assert baseline not in messages(tmp_path, tests, CRASH)
    assert baseline in messages(tmp_path, tests + "\ndef test_more():\n    pass\n", ELSEWHERE)


def test_a_record_that_was_cut_off_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    record = Record(path)
    first, second = (Result(key, 3, "passed", "thorough", "", 1.5) for key in ("a", "b"))
    record.add(first)
    record.add(second)
    path.write_text(path.read_text()[:-9])
    again = Record(path)
    assert list(again.results.values()) == [first]
    again.add(second)
    assert Record(path).results == {"a": first, "b": second}


def test_every_part_has_its_files_and_tests() -> None:
    for part in parts().values():
        assert part.files and all((ROOT / file).is_file() for file in part.files)
        targets = (*part.quick, *part.thorough)
        assert all((ROOT / target.partition("::")[0]).exists() for target in targets), part.name


def test_mutants_begin_with_the_programs_that_users_have_compiled() -> None:
    assert cache() == cache_directory().resolve()


def test_equivalent_mutants_are_mutants_of_the_present_source_and_have_a_reason() -> None:
    reasons = equivalents()
    for file in {key.partition("::")[0] for key in reasons}:
        source = (ROOT / file).read_text(encoding="utf-8")
        present = {mutant.key for place in places(file, source) for mutant in place}
        assert {key for key in reasons if key.startswith(f"{file}::")} <= present
    assert all(len(reason) > 20 for reason in reasons.values())
