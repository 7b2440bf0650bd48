"""Whether a log is true and complete: its lines are read one by one, and held against the states of the step.

    python -m tests.games.truth --game pressure_matrix --steps 200000

Each game has a reader, `tests/games/NAME/log_reader.py`, which knows nothing of `tell.py`. It lists

- the kinds of lines, each as a pattern and a function that looks at both states. A line of no kind is false;
- public fields, each with a function that says which lines a change of it must bring (a pattern for each).

The steps are those of random games with random options, and of games that go on from positions that are rare.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from tqdm import tqdm

import polytrix
from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import programs
from polytrix.core.game import Game
from polytrix.core.state import CHANCE, OVER, Record, new_records
from polytrix.core.viewers import SPECTATOR, Viewer
from polytrix.core.words import explained
from polytrix.play.session import Session
from polytrix.testing import option_combinations

MOST_STEPS = 60
"""As many steps of a game are read at most, so that many games begin."""


@dataclass(frozen=True)
class Step:
    """An action or chance outcome, and who is told of it.

    Attributes:
        table: what the reader keeps while it reads the lines one after the other, see `Reader.table`.
    """

    game: Game
    before: Record
    event: int
    after: Record
    viewer: Viewer
    table: Any = None

    @property
    def lines(self) -> list[str]:
        """What the viewer is told."""
        before, event, after, viewer = self.before, self.event, self.after, self.viewer
        if self.game.tell is not None:
            return list(self.game.tell(before, event, after, viewer))
        return [] if before.mover == CHANCE else [explained(self.game, before, event)]

    @property
    def winners(self) -> list[int]:
        """The seats with the highest payoff, if it is positive; the game must be over."""
        payoffs = np.zeros(self.game.max_players, np.float32)
        self.game.payoff(self.after, payoffs)
        return [seat for seat, payoff in enumerate(payoffs) if payoff == payoffs.max() > 0]

    def differs(self, name: str) -> bool:
        """Whether a field has changed."""
        return bool(self.before[name].tobytes() != self.after[name].tobytes())


Truth = Callable[..., Any]
"""`(step, *groups of the pattern) -> whether the line is true`."""
Required = Callable[[Step], Iterable[str]]
"""`(step) -> patterns`, each of which a line must contain."""


@dataclass
class Reader:
    """What a game's log may say, and must.

    Attributes:
        kinds: by pattern, whether such a line is true.
        fields: by public field, the lines that its change must bring.
        ends: find what is wrong with the table once the lines have been carried out on it.
        positions: `(rng) -> state`, a position that is rare in games, or None.
        table: `(state) -> table`, on which the lines are carried out as if they were moves.
    """

    positions: Callable[[np.random.Generator], Record] | None = None
    table: Callable[[Record], Any] = lambda before: None
    kinds: dict[str, Truth] = field(default_factory=dict)
    fields: dict[str, Required] = field(default_factory=dict)
    ends: list[Required] = field(default_factory=list)

    def line(self, pattern: str) -> Callable[[Truth], Truth]:
        """Decorates the function that says whether lines of a pattern are true."""

        def add(truth: Truth) -> Truth:
            self.kinds[pattern] = truth
            return truth

        return add

    def change(self, *names: str) -> Callable[[Required], Required]:
        """Decorates the function that says what must be told if one of the fields has changed."""

        def add(required: Required) -> Required:
            self.fields.update(dict.fromkeys(names, required))
            return required

        return add

    def at_the_end(self, check: Required) -> Required:
        """Decorates a function that says what is wrong with the table once all lines are read."""
        self.ends.append(check)
        return check

    def read(self, step: Step, line: str) -> tuple[str, bool]:
        """The kind of a line, by the name of the function that read it, "" if none; and whether it is true."""
        for pattern, truth in self.kinds.items():
            if found := re.fullmatch(pattern, line):
                return truth.__name__, bool(truth(step, *found.groups()))
        return "", False

    def missing(self, step: Step, lines: list[str]) -> list[str]:
        """Changes of public fields that no line tells, as `field: pattern`, and faults of the table."""
        faults = [fault for check in self.ends for fault in check(step)]
        return faults + [
            f"{name}: {pattern}"
            for name, required in self.fields.items()
            if step.differs(name)
            for pattern in required(step)
            if not any(re.search(pattern, line) for line in lines)
        ]


class Findings(NamedTuple):
    """What reading has found, counted; and the first fault of each kind, in full."""

    lines: Counter[str]
    false: Counter[str]
    untold: Counter[str]
    examples: dict[str, str]

    def read(self, reader: Reader, step: Step) -> None:
        """Read what is told of a step."""
        lines = step.lines
        for line in lines:
            kind, true = reader.read(step, line)
            self.lines[kind] += 1
            if not true:
                self.fault(self.false, kind or f"(no kind) {line.split()[0]} ...", step, line)
        for missing in reader.missing(step, lines):
            self.fault(self.untold, re.split("[: ]", missing)[0], step, missing)

    def fault(self, counter: Counter[str], kind: str, step: Step, words: str) -> None:
        """Count a fault, and keep it if it is the first of its kind."""
        counter[kind] += 1
        self.examples.setdefault(
            kind,
            f"viewer {step.viewer} is told of event {step.event}: {step.lines}\n{words}\n"
            f"{step.game.text(step.before, None)}\n-- after\n{step.game.text(step.after, None)}",
        )


def reader_of(game: Game) -> Reader:
    """The reader of a game's log."""
    reader: Reader = import_module(f"tests.games.{game.name}.log_reader").READER
    return reader


def random_options(game: Game, rng: np.random.Generator) -> dict[str, Any]:
    """Some of all option combinations that random play tries."""
    combinations = option_combinations(game)
    return game.options.validate(combinations[rng.integers(len(combinations))])


def steps(game: Game, rng: np.random.Generator) -> Iterator[Step]:
    """The steps of one game, from its first decision or from a rare position on, each told to one viewer."""
    reader = reader_of(game)
    if reader.positions is not None and rng.random() < 0.5:
        s = reader.positions(rng)
    else:
        s = Session(game, random_options(game, rng), int(rng.integers(1 << 60))).state
    states = new_records(1, game.state)
    states[0] = s
    advance = programs(game, Mode.PLAIN).advance
    ids = np.zeros(game.max_legal, np.int16)
    skip = rng.integers(0, 200) if rng.random() < 0.5 else 0
    for number in range(MOST_STEPS + skip):
        before = states[0].copy()
        if before.mover == OVER:
            return
        count = game.chance(before) if before.mover == CHANCE else game.legal(before, ids)
        event = int(rng.integers(count)) if before.mover == CHANCE else int(ids[rng.integers(count)])
        advance(states, np.array([event]))
        if number >= skip:
            viewers = (None, SPECTATOR, *range(int(before.num_players)))
            viewer = viewers[rng.integers(len(viewers))]
            yield Step(game, before, event, states[0].copy(), viewer, reader.table(before))


def search(game: Game, count: int, seed: int) -> Findings:
    """Read what is told of so many steps."""
    findings = Findings(Counter(), Counter(), Counter(), {})
    rng = np.random.default_rng(seed)
    reader = reader_of(game)
    done = 0
    with tqdm(total=count, disable=None, unit="step") as bar:
        while done < count:
            for step in steps(game, rng):
                findings.read(reader, step)
                done += 1
                bar.update()
    return findings


def report(findings: Findings) -> str:
    """The kinds of lines with their numbers, and the faults."""
    total, wrong = findings.lines.total(), findings.false.total()
    lines = [f"{total:,} lines of {len(findings.lines)} kinds: {wrong:,} false"]
    lines += [
        f"{count:>9,}  {findings.false[kind]:>7,} false  {kind}" for kind, count in findings.lines.most_common()
    ]
    lines += [f"untold: {count:,} changes of {name}" for name, count in findings.untold.most_common()]
    return "\n".join([*lines, *(f"\n=== {kind}\n{words}" for kind, words in findings.examples.items())])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", required=True, help="name of the game")
    parser.add_argument("--steps", type=int, default=100_000, help="number of actions and chance outcomes")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    game = polytrix.find(asked.game)
    findings = search(game, asked.steps, asked.seed)
    print(report(findings))
    raise SystemExit(bool(findings.examples))


if __name__ == "__main__":
    main()
