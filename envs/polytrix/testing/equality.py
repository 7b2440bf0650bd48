"""Check that a game is the same in every mode, batch, thread count and API, and deterministic."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from polytrix.core.compile.compiler import Mode
from polytrix.core.drivers import EXTERNAL
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import OVER, ByteArray, FloatArray, IntArray

from .variants import option_combinations

_MANY = 200  # games: enough for the simulator to use three threads
_DECISIONS = 60  # in each game, to see whether it is deterministic; half of them where many games are compared


class Trajectory(NamedTuple):
    """The outputs of some games: arrays whose first two axes are decision and game."""

    mover: npt.NDArray[np.int8]
    observation: ByteArray
    mask: ByteArray
    rewards: FloatArray

    def of(self, games: slice) -> Trajectory:
        """Some of the games."""
        return Trajectory._make(array[:, games] for array in self)


def check_apis_equal(
    game: Game,
    options: Mapping[str, Any] | None = None,
    *,
    seed: int = 0,
    decisions: int = 30,
    modes: tuple[Mode, ...] = (Mode.PLAIN, Mode.CHECKED),
) -> None:
    """Assert that games with the same seeds are identical however they are run.

    Two games run in compiled code are compared at every decision (mover, observation, mask,
    rewards) with the same games in the other modes, alone, in a large batch on one thread and on
    three, stepped row by row, and through the AEC environment. In plain Python any overflow or
    warning is an error, since compiled code would silently continue with a different number.

    Args:
        game: the game.
        options: values for its options.
        seed: seed of the first game.
        decisions: number of decisions to compare in each game.
        modes: modes to compare with compiled code.
    """
    where = f"{game.name} {dict(options or {})}"

    def run(count: int, mode: Mode = Mode.COMPILED, threads: int = 1) -> Trajectory:
        return record(Simulator(game, count, options, seed, threads, mode), choices(seed, count, decisions))

    many = run(_MANY)
    reference, first = run(2), slice(1)
    assert_equal(game, reference, many.of(slice(2)), f"{where}: a batch of 2 and one of {_MANY}")
    assert_equal(game, many, run(_MANY, threads=3), f"{where}: one thread and three")
    assert_equal(game, reference.of(first), run(1), f"{where}: a batch and a game alone")
    one_by_one = _one_row_at_a_time(game, options, seed, decisions)
    assert_equal(game, reference, one_by_one, f"{where}: row by row")
    aec = _through_aec(game, options, seed, decisions)
    assert_equal(game, reference.of(first), aec, f"{where}: simulator and AEC environment")
    for mode in modes:
        other = _in_mode(mode, partial(run, 2, mode), where)
        assert_equal(game, reference, other, f"{where}: compiled and {mode.value} mode")

    def against(kinds: Sequence[int], mode: Mode = Mode.COMPILED) -> Trajectory:
        count = len(kinds)
        return record(
            Simulator(game, count, options, seed, mode=mode), choices(seed, count, decisions // 2), kinds
        )

    policies = {name: [kind] * 2 for name, kind in heuristics_of(game).items()}
    if game.habits:
        policies["habits, a game each"] = [game.built_in_policies[name] for name in game.habits]
    for name, kinds in policies.items():
        reference = against(kinds)
        for mode in modes:
            other = _in_mode(mode, partial(against, kinds, mode), where)
            assert_equal(game, reference, other, f"{where}: against {name}, compiled and {mode.value} mode")


def heuristics_of(game: Game) -> dict[str, int]:
    """The numbers, by name, of greedy and the game's heuristics, without habits."""
    return {name: game.built_in_policies[name] for name in game.listed_policies if name != "random"}


def check_determinism(
    game: Game,
    options: Mapping[str, Any] | None = None,
    *,
    seed: int = 0,
    mode: Mode = Mode.COMPILED,
) -> None:
    """Assert that a game depends only on its seed, not on the game before it or on global state.

    The same seed gives byte-identical states, NumPy's global generator is neither read nor advanced,
    and a game begun by `restart` equals a fresh game with the same seed.
    """
    where = f"{game.name} {dict(options or {})}"
    runs: list[list[bytes]] = []
    for disturbance in (1, 2):
        np.random.seed(disturbance)
        before = _global_generator()
        sim = Simulator(game, 2, options, seed=seed, mode=mode)
        runs.append([])
        for actions in choices(seed, 2, _DECISIONS):
            sim.restart(np.flatnonzero(sim.over))
            sim.step(_choose(sim, actions))
            runs[-1].append(sim.states.tobytes())
        assert _global_generator() == before, f"{where}: a rule draws from NumPy's global generator"
    for number, (one, other) in enumerate(zip(*runs, strict=True)):
        assert one == other, f"{where}: seed {seed} gives two different states after decision {number}"
    sim = Simulator(game, 2, options, seed=seed, mode=mode)
    for actions in choices(seed, 2, _DECISIONS):
        sim.step(_choose(sim, actions))
        over = np.flatnonzero(sim.over)
        check_next_games(sim, over, [options or {}] * len(over), where)


def check_mixture(
    game: Game,
    combinations: Iterable[Mapping[str, Any]] | None = None,
    *,
    seed: int = 0,
    mode: Mode = Mode.COMPILED,
) -> None:
    """Assert that a batch of games with different options plays each of them as if it were alone.

    Each row is compared at every decision with its game alone, on one thread and on three, also with
    each heuristic of the game as the last player; after saving and loading into a simulator with other
    options; and in the next game of the row, which keeps the options.

    Args:
        game: the game.
        combinations: options of the rows; None uses `option_combinations`.
        seed: seed of the first row.
        mode: how the rules are run.
    """
    given = option_combinations(game) if combinations is None else list(combinations)
    rows = [given[i % len(given)] for i in range(max(200, len(given)))]  # enough for three threads
    numbers = choices(seed, len(rows), _DECISIONS // 2)
    where = f"{game.name}, {len(given)} combinations of options side by side"

    def simulator(options: Sequence[Mapping[str, Any]] | None, threads: int = 1) -> Simulator:
        return Simulator(game, len(rows), options, seed, threads, mode)

    for kind in (EXTERNAL, *heuristics_of(game).values()):
        together = record(simulator(rows), numbers, kind)
        threads = simulator(rows, threads=3)
        assert_equal(game, together, record(threads, numbers, kind), f"{where}: one thread and three")
        threads.close()
        for row in range(len(given)):
            alone = record(Simulator(game, 1, rows[row], seed + row, mode=mode), numbers[:, [row]], kind)
            among = together.of(slice(row, row + 1))
            assert_equal(game, among, alone, f"{where}: row {row} and {rows[row]} alone")

    mixed, loaded = simulator(rows), simulator(None)
    loaded.load(mixed.save())
    together = record(mixed, numbers)
    assert_equal(game, together, record(loaded, numbers), f"{where}: saved and loaded")
    absent = np.arange(game.max_players) >= mixed.num_players[:, None]
    assert not together.rewards[:, absent].any(), f"{where}: a seat that takes no part has a reward"
    check_next_games(mixed, np.arange(len(given)), given, where)


def choices(seed: int, games: int, decisions: int) -> IntArray:
    """Random numbers (decisions, games) that select legal actions; game i depends on `seed + i` only."""
    columns = [np.random.default_rng(seed + i).integers(0, 1 << 62, decisions) for i in range(games)]
    return np.stack(columns, axis=1)


def record(sim: Simulator, numbers: IntArray, last: int | Sequence[int] = EXTERNAL) -> Trajectory:
    """Play with the given numbers, one row of `numbers` per decision; finished games stay as they are.

    Args:
        sim: the games.
        numbers: see `choices`.
        last: who decides for the last player of each game, or of all games.
    """
    sim.policy[np.arange(sim.num_envs), sim.num_players - 1] = last
    seen = [_look(sim)]
    for chosen in numbers:
        live = np.flatnonzero(~sim.over)
        if len(live):
            sim.step(_choose(sim, chosen)[live], live)
        seen.append(_look(sim))
    return _stacked(seen)


def assert_equal(game: Game, one: Trajectory, other: Trajectory, what: str) -> None:
    """Assert that two trajectories are equal; the error says where they first differ."""
    pairs: list[tuple[Any, Any]] = list(zip(one, other, strict=True))
    unequal = [(a != b).reshape(*a.shape[:2], -1).any(axis=2) for a, b in pairs]
    if not np.any(unequal):
        return
    decision, row = (int(i) for i in np.argwhere(np.any(unequal, axis=0))[0])
    number = next(i for i, where in enumerate(unequal) if where[decision, row])
    name, (a, b) = Trajectory._fields[number], (array[decision, row] for array in pairs[number])
    if layout := {"observation": game.observations, "mask": game.actions}.get(name):
        index = int(np.flatnonzero(a != b)[0])
        block, place = layout.locate(index)
        name, a, b = f"{name} {block.name}{list(place)}", a[index], b[index]
    raise AssertionError(
        f"{what}: after {decision} decisions of game {row} the {name}: {a.tolist()} and {b.tolist()}"
    )


def _look(sim: Simulator) -> tuple[npt.NDArray[Any], ...]:
    return sim.mover.copy(), sim.observation.copy(), sim.mask.copy(), sim.reward.copy()


def _stacked(seen: Sequence[tuple[npt.NDArray[Any], ...]]) -> Trajectory:
    return Trajectory._make(map(np.stack, zip(*seen, strict=True)))


def _choose(sim: Simulator, numbers: IntArray) -> IntArray:
    """Action `number % count` of each row's list of legal actions."""
    picks = numbers % np.maximum(sim.num_legal, 1)
    chosen: IntArray = sim.legal_ids[np.arange(sim.num_envs), picks].astype(np.int64)
    return chosen


def _one_row_at_a_time(game: Game, options: Mapping[str, Any] | None, seed: int, decisions: int) -> Trajectory:
    """Two games in one simulator, stepped one at a time, the second one first."""
    sim = Simulator(game, 2, options, seed)
    seen = [_look(sim)]
    for chosen in choices(seed, 2, decisions):
        actions = _choose(sim, chosen)
        for row in (1, 0):
            if not sim.over[row]:
                sim.step(actions[row : row + 1], [row])
        seen.append(_look(sim))
    return _stacked(seen)


def _in_mode(mode: Mode, run: Callable[[], Trajectory], where: str) -> Trajectory:
    """The trajectory; in plain Python, overflows and warnings are errors."""
    if mode is not Mode.PLAIN:
        return run()
    with warnings.catch_warnings(), np.errstate(over="raise", divide="raise", invalid="raise"):
        warnings.simplefilter("error")
        try:
            return run()
        except (ArithmeticError, Warning) as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            raise AssertionError(
                f"{where}: plain Python, {frame.filename}:{frame.lineno} ({frame.line}): {error}. "
                "Compiled code continues with a different number: read small fields through int(...)"
            ) from error


def _through_aec(game: Game, options: Mapping[str, Any] | None, seed: int, decisions: int) -> Trajectory:
    """One game through the AEC environment; a finished game is seen by seat 0, as in the simulator."""
    from polytrix.api.aec import AECGame

    env = AECGame(game, **dict(options or {}))
    env.reset(seed=seed)
    seen = []
    for number in [*choices(seed, 1, decisions)[:, 0], None]:
        over = all(env.terminations[agent] or env.truncations[agent] for agent in env.agents)
        agent = env.possible_agents[0] if over else env.agent_selection
        shown = env.observe(agent)
        mover = OVER if over else env.possible_agents.index(agent)
        rewards = np.zeros((1, game.max_players), np.float32)
        rewards[0, : env.num_agents] = [env.rewards[name] for name in env.agents]
        seen.append(
            (np.array([mover], np.int8), shown["observation"][None], shown["action_mask"][None], rewards)
        )
        if not over and number is not None:
            legal = np.flatnonzero(shown["action_mask"])
            env.step(int(legal[number % len(legal)]))
    env.close()
    return _stacked(seen)


def check_next_games(sim: Simulator, rows: IntArray, options: Sequence[Mapping[str, Any]], where: str) -> None:
    """Begin the next games in these rows, and assert that each is that of its seed and options."""
    sim.restart(rows)
    for row, own in zip(rows, options, strict=True):
        seed = int(sim.states[row].generator.key)
        fresh = Simulator(sim.game, 1, own, seed=seed, mode=sim.mode)
        assert fresh.states.tobytes() == sim.states[row : row + 1].tobytes(), (
            f"{where}: the next game in row {row} is not that of seed {seed} and {dict(own)}; "
            "setup leaves something from the game before"
        )


def _global_generator() -> bytes:
    return np.random.get_state(legacy=True)[1].tobytes()  # type: ignore[index]
