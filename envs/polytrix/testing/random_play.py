"""Random play that checks every position."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from polytrix.core import drivers, inspection, random_play
from polytrix.core.calls import seeds_from
from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import programs
from polytrix.core.game import Game
from polytrix.core.inspection import fault_of, scratch_for
from polytrix.core.simulator import Simulator
from polytrix.core.state import GENERATOR, OVER, IntArray, Record, RecordArray, new_records

POLICIES = {"random": drivers.RANDOM, "greedy": drivers.GREEDY, "mixed": random_play.MIXED}

_LONGEST = 512  # rounds per call of the driver
_NOTATION_EVERY = 8  # calls of the driver between checks of the notation, which is slow plain Python


@dataclass
class PlayReport:
    """The counts of `check_random_play`."""

    decisions: int = 0
    terminated: int = 0
    truncated: int = 0
    legal_actions: int = 0
    most_legal: int = 0

    @property
    def games(self) -> int:
        """Finished games."""
        return self.terminated + self.truncated

    @property
    def mean_legal(self) -> float:
        """Legal actions per decision."""
        return self.legal_actions / max(1, self.decisions)

    @staticmethod
    def total(reports: Sequence[PlayReport]) -> PlayReport:
        """The counts of several runs together."""
        counts = {
            each.name: sum(getattr(report, each.name) for report in reports) for each in fields(PlayReport)
        }
        return PlayReport(**counts | {"most_legal": max(report.most_legal for report in reports)})


def check_random_play(
    game: Game,
    options: Mapping[str, Any] | None = None,
    decisions: int = 2000,
    mode: Mode = Mode.CHECKED,
    *,
    seed: int = 0,
    games: int = 16,
    whole_games: int = 0,
    policy: str = "random",
    progress: Callable[[PlayReport], None] | None = None,
) -> PlayReport:
    """Play at random and check every position, after every action and chance outcome.

    The game's invariants must hold; every seat's observation must be within bounds; the legal
    actions must exist, be in ascending order, and number from 1 to `max_legal`; payoffs must sum to
    zero. From time to time it also checks that all legal actions have different names.

    Args:
        game: the game.
        options: values for its options.
        decisions: minimum number of decisions in all games together.
        mode: how the rules are run; CHECKED finds every index out of bounds.
        seed: seed of the first game. It determines the whole game including the policies' choices,
            so the seed in an error together with `games=1` reproduces it.
        games: number of games played side by side; a finished game is followed by the next.
        whole_games: minimum number of finished games.
        policy: "random"; "greedy", with one decision in eight at random, to reach rare endings and
            to test the greedy policy's arithmetic; or "mixed", each seat random or greedy.
        progress: called with the report so far from time to time.

    Raises:
        AssertionError: with the game's seed and decision.
        IndexError: an index out of bounds.
    """
    if policy not in POLICIES or (policy != "random" and game.greedy is None):
        raise ValueError(f"policy is {policy!r}; allowed: 'random'; if the game has them 'greedy', 'mixed'")
    states = first_states(game, options, seed, games)
    scratch = scratch_for(game)
    tally = np.zeros(random_play.MOST_LEGAL + 1, np.int64)
    fixed = (
        POLICIES[policy], new_records(games, GENERATOR), new_records(1, game.state), new_records(2, game.state),
        np.zeros(game.max_legal, np.float32), tally, scratch,
    )  # fmt: skip
    run = programs(game, mode).play_randomly
    report, calls = PlayReport(), 0
    while report.decisions < decisions or report.games < whole_games:
        left = -(-(decisions - report.decisions) // games)
        rounds = min(_LONGEST, 4**calls, left if left > 0 else _LONGEST)
        try:
            run(states, rounds, *fixed)
        except (IndexError, ZeroDivisionError) as error:
            raise type(error)(f"{place_of(game, states[scratch.found[inspection.ROW]])}: {error}") from error
        if scratch.found[inspection.FAULT] != inspection.FINE:
            s = states[scratch.found[inspection.ROW]]
            raise AssertionError(f"{place_of(game, s)}: {fault_of(game, s, scratch)}")
        if rounds < _LONGEST or calls % _NOTATION_EVERY == 0:
            check_notation(game, states[calls % games])
        calls += 1
        report = PlayReport(*tally.tolist())
        if progress is not None:
            progress(report)
    return report


def first_states(game: Game, options: Mapping[str, Any] | None, seed: int, games: int) -> RecordArray:
    """Records with which the driver begins the games of seeds `seed`, `seed + 1`, ..."""
    states = new_records(games, game.state)
    states["mover"] = OVER
    states["generator"]["key"] = seeds_from(seed, games)
    game.write_options(states, game.options.validate(options or {}))
    return states


def place_of(game: Game, s: Record) -> str:
    """The options, seed and decision that reproduce a position."""
    options = game.options.read(s.options)
    return f"{game.name} {options}, game of seed {int(s.generator.key)}, decision {int(s.decisions)}"


def check_notation(game: Game, s: Record) -> None:
    """Assert that no two legal actions have one name, and that formatting leaves the state unchanged."""
    before = s.tobytes()
    names: dict[str, int] = {}
    for action in game.legal_ids(s):
        name = game.format_action(s, action)
        assert name not in names, f"{place_of(game, s)}: {name!r} names actions {names[name]} and {action}"
        names[name] = action
    game.text(s, None)
    assert s.tobytes() == before, f"{place_of(game, s)}: notation or text changed the state"


def play_on(sim: Simulator) -> IntArray:
    """Make a random decision in each game, or begin the next one if it is over; the actions, -1 for none."""
    actions, over = sim.random_actions(), sim.over
    sim.step(actions[~over], np.flatnonzero(~over))
    sim.restart(np.flatnonzero(over))
    return actions
