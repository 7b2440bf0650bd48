"""Long random play in which everything that must hold is looked at after every step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from polytrix.core.compiler import Mode
from polytrix.core.drivers import GREEDY
from polytrix.core.errors import NotationError
from polytrix.core.game import Game
from polytrix.core.programs import programs
from polytrix.core.simulator import Simulator
from polytrix.core.state import GENERATOR, IntArray, new_records

_NOTATION_EVERY = 50  # steps between looks at the notation, which is slow


@dataclass
class PlayReport:
    """What `check_random_play` has seen."""

    decisions: int = 0
    terminated: int = 0
    truncated: int = 0
    legal_actions: int = 0
    most_legal: int = 0

    @property
    def mean_legal(self) -> float:
        """Legal actions per decision."""
        return self.legal_actions / max(1, self.decisions)

    def add(self, other: PlayReport) -> None:
        """Count what another run has seen as well."""
        self.decisions += other.decisions
        self.terminated += other.terminated
        self.truncated += other.truncated
        self.legal_actions += other.legal_actions
        self.most_legal = max(self.most_legal, other.most_legal)


def check_random_play(
    game: Game,
    options: Mapping[str, Any] | None = None,
    decisions: int = 2000,
    mode: Mode = Mode.CHECKED,
    *,
    seed: int = 0,
    games: int = 16,
    policy: str = "random",
    progress: Callable[[int], None] | None = None,
) -> PlayReport:
    """Play at random and assert after every step what must hold in every position.

    The observation keeps its bounds; the mask is the list of legal actions, which is ascending
    and neither empty nor longer than `max_legal`; the game's own check passes; rewards are zero
    until the end and sum to zero then; text and parsed notation name the same action.

    Args:
        game: the game.
        options: values for its options.
        decisions: in all games together, at least.
        mode: how the rules are run; CHECKED finds every index out of bounds.
        seed: of the first game.
        games: played side by side; each ended one is followed by the next.
        policy: "random", or "greedy" for both the rare ends and the arithmetic of the greedy
            opponent, with every eighth decision at random.
        progress: called with the number of decisions after every step.

    Raises:
        AssertionError: with the game's seed and decision; IndexError: an index out of bounds.
    """
    if policy not in ("random", "greedy") or (policy == "greedy" and game.greedy is None):
        raise ValueError(f"policy is {policy!r}; allowed: 'random', and 'greedy' if the game has one")
    sim = Simulator(game, games, options, seed=seed, mode=mode)
    low, high = game.observations.low, game.observations.high
    report = PlayReport()
    check_step(sim, low, high)
    while report.decisions < decisions:
        live = np.flatnonzero(~sim.over)
        report.legal_actions += int(sim.num_legal[live].sum())
        report.most_legal = max(report.most_legal, int(sim.num_legal[live].max()))
        step = report.decisions // games
        actions = sim.random_actions(live) if policy == "random" or step % 8 == 0 else _greedy(sim, live)
        sim.step(actions, live)
        report.decisions += len(live)
        check_step(sim, low, high)
        if step % _NOTATION_EVERY == 0:
            check_notation(sim, int(np.argmax(~sim.over)))
        report.terminated += int(sim.terminated.sum())
        report.truncated += int(sim.truncated.sum())
        sim.restart(np.flatnonzero(sim.over))
        if progress is not None:
            progress(report.decisions)
    return report


def check_step(sim: Simulator, low: Any, high: Any) -> None:
    """Assert what must hold in every row after every step."""
    game, over = sim.game, sim.over
    outside = np.argwhere((sim.observation < low) | (sim.observation > high))
    if len(outside):
        row, index = (int(i) for i in outside[0])
        block, place = game.observations.locate(index)
        raise AssertionError(
            f"{place_of(sim, row)}: observation {block.name}{list(place)} is {sim.observation[row, index]}; "
            f"its block allows {block.low}..{block.high}"
        )
    for row in range(sim.num_envs):
        where = place_of(sim, row)
        try:
            game.check(sim.states[row])
        except AssertionError as error:
            raise AssertionError(f"{where}: {error}") from error
        count = int(sim.num_legal[row])
        ids = sim.legal_ids[row, :count]
        assert over[row] == (count == 0), f"{where}: {count} legal actions, mover {sim.mover[row]}"
        assert count <= game.max_legal, f"{where}: {count} legal actions; max_legal is {game.max_legal}"
        assert (np.diff(ids) > 0).all(), f"{where}: the legal actions do not ascend: {ids.tolist()}"
        assert np.array_equal(np.flatnonzero(sim.mask[row]), ids), f"{where}: mask and legal actions differ"
        assert sim.mask[row].max(initial=0) <= 1, f"{where}: the mask holds {sim.mask[row].max()}"
    assert not sim.reward[~over].any(), f"{game.name}: a reward before the end"
    sums = np.abs(sim.reward.sum(axis=1, dtype=np.float64))
    if sums.max() > 1e-6:
        row = int(sums.argmax())
        raise AssertionError(f"{place_of(sim, row)}: payoffs {sim.reward[row].tolist()} do not sum to zero")


def check_notation(sim: Simulator, row: int) -> None:
    """Assert that text and action name each other, in one position, and that looking changes nothing."""
    game, s = sim.game, sim.states[row]
    before = s.tobytes()
    names: dict[str, int] = {}
    for action in sim.legal_ids[row, : sim.num_legal[row]].tolist():
        name = game.format_action(s, action)
        assert name not in names, f"{place_of(sim, row)}: {name!r} names actions {names[name]} and {action}"
        names[name] = action
    for name, action in names.items():
        try:
            parsed = game.parse_action(s, name)
        except NotationError as error:
            raise AssertionError(f"{place_of(sim, row)}: action {action} is {name!r}, but {error}") from error
        assert parsed == action, f"{place_of(sim, row)}: {name!r} is action {action}, but parses as {parsed}"
    game.text(s, None)
    assert s.tobytes() == before, f"{place_of(sim, row)}: notation or text changed the state"


def place_of(sim: Simulator, row: int) -> str:
    """Which position of which game a row shows, so that it can be found again."""
    s = sim.states[row]
    return f"{sim.game.name} {sim.options}, game of seed {int(s.generator.key)}, decision {int(s.decisions)}"


def _greedy(sim: Simulator, rows: IntArray) -> IntArray:
    """The greedy opponent's choices, made from observation and mask as always."""
    game = sim.game
    actions = np.zeros(len(rows), np.int64)
    generators = new_records(1, GENERATOR)
    generators["key"] = sim.states["generator"]["key"][rows[0]]
    generators["counter"] = sim.states["decisions"][rows[0]]
    programs(game, sim.mode).answer(
        GREEDY,
        sim.observation[rows],
        sim.mask[rows],
        generators,
        new_records(2, game.state),
        np.zeros(game.max_legal, np.int16),
        np.zeros(game.max_legal, np.float32),
        actions,
    )
    return actions
