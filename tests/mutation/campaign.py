"""A campaign: mutants drawn from a part of the package, and the tests run against each."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from .operators import Mutant, places
from .parts import Part
from .record import KILLED, STAGES, Record, Result
from .running import UNMUTATED_LIMIT, Outcome, Tree, preload

QUICK_LIMIT = 3.0
"""Seconds of processor time that an unmutated test may take in the quick stage, its calls being noted."""

SLACK = {"quick": 15.0, "thorough": 180.0}
"""Seconds that a test gets beside ten times what it took unmutated: for a busy machine and for compilation."""


@dataclass
class Stage:
    """Tests of one stage and what is known of them.

    Attributes:
        name: "quick" or "thorough".
        seconds: by test, how long it takes unmutated.
        reached: by test, the first lines of the functions that it calls, by file.
        kills: by test, how many mutants it has killed.
    """

    name: str
    seconds: dict[str, float]
    reached: dict[str, dict[str, list[int]]]
    kills: dict[str, int] = field(default_factory=dict)

    def order(self) -> list[str]:
        """All tests, those first that have killed most in the shortest time."""
        return sorted(
            self.seconds, key=lambda test: -(self.kills.get(test, 0) + 0.3) / (self.seconds[test] + 0.05)
        )

    def split(self, mutant: Mutant) -> tuple[list[str], list[str]]:
        """The tests that call the mutant's function, and the others."""
        first, last = mutant.lines
        calling = {
            test
            for test, files in self.reached.items()
            if any(first <= line <= last for line in files.get(mutant.file, ()))
        }
        order = self.order()
        return [test for test in order if test in calling], [test for test in order if test not in calling]


class BaselineError(RuntimeError):
    """The tests of a part do not pass without any mutant."""


def draw(part: Part, count: int, seed: int) -> list[Mutant]:
    """`count` mutants of different places, or all: each place is as likely, and each mistake there."""
    all_places = _places(part)
    generator = random.Random(seed)
    return [generator.choice(place) for place in generator.sample(all_places, min(count, len(all_places)))]


def find(part: Part, keys: Sequence[str]) -> list[Mutant]:
    """The mutants of these keys; a KeyError names one that the present source does not have."""
    by_key = {mutant.key: mutant for place in _places(part) for mutant in place}
    return [by_key[key] for key in keys]


def _places(part: Part) -> list[list[Mutant]]:
    sources = {file: (part.root / file).read_text(encoding="utf-8") for file in part.files}
    return [place for file, source in sources.items() for place in places(file, source)]


def run(
    part: Part,
    mutants: Sequence[Mutant],
    record: Record,
    folder: Path,
    cache: Path,
    tell: Callable[[str], None] = print,
    progress: Callable[[Result], None] = lambda _: None,
    stages: Sequence[str] = STAGES,
) -> None:
    """Run the tests against every mutant and record what happens: quick ones against all, then the others.

    Args:
        mutants: which. Those that the record says are missed by the quick tests go on with the others.
        record: where results go.
        folder: where what is known of the tests without a mutant is kept.
        cache: folder of the compiled programs of the unmutated rules; those of mutants do not get there.
        tell: called with what happens before.
        progress: called with each result.
        stages: which to go through.

    Raises:
        BaselineError: unmutated tests fail.
    """
    preload(part.preload)
    tree = Tree(part.root, part.path, cache)
    try:
        baseline = Baseline(part, tree, folder, tell)
        for name in stages:
            left = [mutant for mutant in mutants if not record.is_past(mutant.key, name)]
            if left:
                stage = baseline.stage(name)
                tell(f"{len(left)} mutants against {len(stage.seconds)} {name} tests")
            for mutant in left:
                result = _judge(mutant, tree, baseline, name)
                record.add(result)
                progress(result)
    finally:
        tree.remove()


class Baseline:
    """The tests without a mutant: how long each takes, what it calls, and which stage it belongs to.

    This is kept in a file for as long as no file of the project changes.
    """

    def __init__(self, part: Part, tree: Tree, folder: Path, tell: Callable[[str], None]) -> None:
        self.part, self.tree, self.tell = part, tree, tell
        self.path = folder / f"baseline-{part.name}.json"
        self.digest = tree.digest()
        self.stages: dict[str, Stage] = {}
        if self.path.exists():
            content = json.loads(self.path.read_text(encoding="utf-8"))
            if content["digest"] == self.digest:
                self.stages = {stage["name"]: Stage(**stage) for stage in content["stages"]}

    def stage(self, name: str) -> Stage:
        """A stage, looked up or found out."""
        if name not in self.stages:
            self.stages[name] = self._quick() if name == "quick" else self._thorough()
            stages = [asdict(replace(stage, kills={})) for stage in self.stages.values()]
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text(json.dumps({"digest": self.digest, "stages": stages}), encoding="utf-8")
        return self.stages[name]

    def _quick(self) -> Stage:
        self.tell(f"{self.part.name}: the tests in plain Python, without a mutant")
        outcome = self.tree.run(
            self.part.quick,
            choose=self.part.asks,
            plain=True,
            limits={},
            limit=QUICK_LIMIT,
            trace=self.part.files,
            unmutated=True,
        )
        if outcome.verdict not in ("passed", "failed"):
            raise self._error(outcome)
        slow = {test for test, seconds in outcome.seconds.items() if seconds > 5 * QUICK_LIMIT}
        fit = outcome.seconds.keys() - slow - set(outcome.failed)
        return Stage("quick", {test: outcome.seconds[test] for test in sorted(fit)}, outcome.reached)

    def _thorough(self) -> Stage:
        self.tell(f"{self.part.name}: the other tests, compiled, without a mutant")
        quick = self.stage("quick").seconds
        outcome = self.tree.run(
            (*self.part.quick, *self.part.thorough),
            choose=lambda test: self.part.asks(test) and (self.part.twice or test not in quick),
            plain=False,
            limits={},
            limit=UNMUTATED_LIMIT,
            unmutated=True,  # not traced: that would make compilation many times slower
        )
        if outcome.verdict != "passed":
            raise self._error(outcome)
        return Stage("thorough", outcome.seconds, outcome.reached)

    def _error(self, outcome: Outcome) -> BaselineError:
        names = ", ".join(outcome.failed) or f"{outcome.verdict} at {outcome.test or 'import'}"
        return BaselineError(f"tests of {self.part.name} fail without a mutant: {names}\n{outcome.log}")


def _judge(mutant: Mutant, tree: Tree, baseline: Baseline, name: str) -> Result:
    """Plant a mutant and run tests of a stage until one notices it.

    Quick tests that do not call the mutant's function hardly ever notice anything: they run in the thorough
    stage, unless there are no others.
    """
    source = (tree.root / mutant.file).read_text(encoding="utf-8")
    quick = baseline.stage("quick")
    calling, others = quick.split(mutant)
    runs = [(quick, calling or others)]
    if name == "thorough":
        thorough = baseline.stage(name)
        runs = [(quick, others if calling else []), (thorough, thorough.order())]
    begun, outcome = time.monotonic(), Outcome()
    tree.write(mutant.file, mutant.applied(source))
    try:
        for stage, tests in runs:
            if not tests:
                continue
            slack, plain = SLACK[stage.name], stage.name == "quick"
            limits = {test: slack + 10 * stage.seconds[test] for test in tests}
            outcome = tree.run(_files_of(tests), order=tests, plain=plain, limits=limits, limit=slack)
            if outcome.verdict in KILLED:
                stage.kills[outcome.test] = stage.kills.get(outcome.test, 0) + 1
                break
    finally:
        tree.write(mutant.file, source)
    return _result(mutant, outcome, name, begun)


def _result(mutant: Mutant, outcome: Outcome, stage: str, begun: float) -> Result:
    test = outcome.test if outcome.verdict in KILLED else ""
    return Result(mutant.key, mutant.line, outcome.verdict, stage, test, round(time.monotonic() - begun, 2))


def _files_of(tests: Sequence[str]) -> list[str]:
    """The files that the tests are in, in the order of the tests."""
    return list(dict.fromkeys(test.partition("::")[0] for test in tests))
