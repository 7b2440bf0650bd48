"""Steps many games at once in preallocated arrays; every API is built on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from . import drivers, snapshot
from .calls import (
    as_array,
    as_compiled_for,
    check_actions,
    one_row,
    row_numbers,
    seeds_from,
    shown,
)
from .compile.compiler import Mode, direct_call
from .compile.programs import as_argument, programs
from .entrance import Entrance, looks, plays
from .errors import GameOverError, IllegalActionError, OptionError, PolicyError
from .game import Game
from .loaded import all_or_nothing, any_loaded, as_begun_here, checked, forget, refusing
from .notation import some_of, whose_decision
from .options import Value
from .random import POLICY_STREAM
from .state import GENERATOR, MOST_DECISIONS, OVER, ByteArray, FloatArray, IntArray, RecordArray, new_records

Arrays: TypeAlias = tuple[npt.NDArray[Any], ...]

_SHARE = 64  # minimum number of rows that a thread takes at a time


class Simulator:
    """A batch of games, stepped together.

    Args:
        game: the game.
        num_envs: number of games, B.
        options: values of the game's options; the others keep their defaults. Or a sequence of B such
            mappings, one per row, to mix games with different options and numbers of players.
        seed: row i plays the game of seed `seed + i`, whatever B is. None: from the operating system.
        num_threads: number of threads that share the rows. Results do not depend on it.
        mode: compiled, compiled with bounds checks, or plain Python.
        keep_actions: whether `played` keeps the actions of the games that begin here.

    While a row holds a game that `load` has put there, all rows are played by programs that check every index,
    with the same results. A row that cannot be played on raises SnapshotError, and nothing has been changed.

    A row keeps its options from game to game, until `load` or `fork` puts another game there. Seats
    from its number of players on do not play: they are never the mover, their rewards are 0.

    Attributes:
        states: (B,) records. Change them with `load`, `fork` and `step`; after changing them
            by hand call `refresh`.
        observation: (B, O) int8, what each row's mover sees; seat 0 once the game is over.
        mask: (B, A) int8, 1 where the mover's action is legal; all 0 once over.
        legal_ids, num_legal: (B, max_legal) int16 and (B,) int32, the same as a list: row i's legal actions,
            ascending, are `legal_ids[i, :num_legal[i]]`. The entries after them mean nothing. 0 once over.
        mover: (B,) int8, the seat to move, or OVER (-2).
        reward: (B, P) float32, the payoff of every seat once over, else 0; P is `game.max_players`.
        played: (B, L) int16, the actions of each row's game, as many as its decisions; L is MOST_DECISIONS, or
            0 if they are not kept.
        careful: whether a row holds a loaded game, so that checked programs play.
        entrance: keeps a second call out.

    The output arrays are allocated once, overwritten in place and read-only: copy what you keep.

    A simulator serves one call at a time: a call during another one, from a second thread or a signal handler,
    raises BusyError and changes nothing. After `close` it can be viewed and saved; all else raises ClosedError.

    >>> import polytrix
    >>> from polytrix.core.simulator import Simulator
    >>> sim = Simulator(polytrix.find("quatrix"), num_envs=4, seed=7)
    >>> for _ in range(100):
    ...     sim.step(sim.random_actions())
    ...     sim.restart(np.flatnonzero(sim.over))
    >>> sim.observation.shape, sim.mask.shape
    ((4, 577), (4, 848))
    """

    def __init__(
        self,
        game: Game,
        num_envs: int = 1,
        options: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        seed: int | None = None,
        num_threads: int = 1,
        mode: Mode = Mode.COMPILED,
        keep_actions: bool = False,
    ) -> None:
        if num_envs < 1:
            raise ValueError(f"num_envs is {num_envs}; allowed: 1 or more")
        if num_threads < 1:
            raise ValueError(f"num_threads is {num_threads}; allowed: 1 or more")
        self.game = game
        self.num_envs = num_envs
        self.num_threads = num_threads
        self.mode = mode
        self._usual = self._run = programs(game, mode)
        self.careful = False
        self._pool = ThreadPoolExecutor(num_threads - 1) if num_threads > 1 else None

        observations, actions, seats = game.observations.size, game.actions.size, game.max_players
        self.states = new_records(num_envs, game.state)
        _write_options(game, self.states, options or {})
        self.entrance = Entrance(helpers=num_threads - 1)
        self._policy = np.zeros((num_envs, seats), np.int8)
        self._callers = np.zeros((1, seats), np.int8)  # the caller decides for all seats
        self._known_policies = [drivers.EXTERNAL, *game.built_in_policies.values()]
        self._checked_policy = self._policy.copy()  # what `step` reads, whoever writes to `policy` meanwhile
        self._checked_bytes = self._checked_policy.tobytes()
        self._generators = new_records(num_envs, GENERATOR)
        self._work = [new_records(2, game.state) for _ in range(num_threads)]
        self._score = [np.zeros(game.max_legal, np.float32) for _ in range(num_threads)]
        self._scratch_ids = np.zeros(game.max_legal, np.int16)
        self._one_action = np.zeros(1, np.int64)
        self._num_actions = actions
        self._raw_states = as_argument(self.states, mode)
        self._raw_generators = as_argument(self._generators, mode)
        self._raw_work = [as_argument(work, mode) for work in self._work]
        self._outputs = drivers.Outputs(
            np.zeros((num_envs, observations), np.int8),
            np.zeros((num_envs, actions), np.int8),
            np.zeros((num_envs, game.max_legal), np.int16),
            np.zeros(num_envs, np.int32),
            np.full(num_envs, OVER, np.int8),
            np.zeros((num_envs, seats), np.float32),
        )
        self.observation, self.mask, self.legal_ids, self.num_legal, self.mover, self.reward = map(
            _read_only, self._outputs
        )
        self._played = np.zeros((num_envs, MOST_DECISIONS if keep_actions else 0), np.int16)
        self.played = _read_only(self._played)
        self._all_rows = np.arange(num_envs)
        self.seed(seed)
        self._mask_item: Callable[[int], int] = self._outputs.mask.item
        self._first_mover: Callable[[int], int] = self._outputs.mover.item
        self._one_usual_call = self._one_call = direct_call(self._run.step)  # compiled by seeding
        self._one_arguments = self._step_arguments(0, self._all_rows[:1], self._one_action, self._callers)

    # -- state of the games ---------------------------------------------------------------

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.game.id}, num_envs={self.num_envs})"

    @property
    def options(self) -> dict[str, Value]:
        """The values of all options; those of row 0 if rows differ."""
        return self.options_of(0)

    def options_of(self, row: int) -> dict[str, Value]:
        """The values of all options of the game in a row."""
        return self.game.options.read(self.states[one_row(row, self.num_envs)].options)

    @property
    def num_players(self) -> IntArray:
        """(B,) int64, the number of players in each row, a new array."""
        return self.states["num_players"].astype(np.int64)

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """(B,) bool: the game has ended, by the rules or by a limit."""
        return np.asarray(self.mover == OVER)

    @property
    def truncated(self) -> npt.NDArray[np.bool_]:
        """(B,) bool: a limit ended the game: `max_decisions`, or the game's own such as `max_turns`."""
        return np.asarray(self.states["truncated"] != 0)

    @property
    def terminated(self) -> npt.NDArray[np.bool_]:
        """(B,) bool: the rules ended the game."""
        return self.over & ~self.truncated

    @property
    def policy(self) -> ByteArray:
        """(B, P) int8, who decides for each seat: `drivers.EXTERNAL` (the caller of `step`), or inside
        the loop `RANDOM`, `GREEDY` or another of `Game.built_in_policies`.

        May be written between steps, in whole or in part. `seed`, `restart` and `step` refuse
        an unknown number.
        """
        return self._policy

    @policy.setter
    def policy(self, kinds: npt.ArrayLike) -> None:
        given = np.array(kinds)
        if given.dtype.kind not in "iu" or not np.isin(given, self._known_policies).all():
            raise PolicyError(f"policy is {shown(kinds)}; {self._allowed_policies()}")
        self._policy[:] = given

    # -- playing ----------------------------------------------------------------------------

    @plays
    def seed(self, seed: int | Sequence[int] | None, rows: Sequence[int] | IntArray | None = None) -> None:
        """Begin games in the given rows (all by default).

        Args:
            seed: for `seed`, `seed + 1`, ..., or one for each row. None: from the operating system.
            rows: distinct row numbers.

        Raises:
            ValueError, IndexError, PolicyError: nothing has been changed.
        """
        chosen = self._rows(rows)
        keys = seeds_from(seed, len(chosen))
        self._check_policies()
        _set_keys(self.states["generator"], chosen, keys)
        _set_keys(self._generators, chosen, keys | POLICY_STREAM)
        self._start(chosen)

    @plays
    def restart(self, rows: Sequence[int] | IntArray | None = None) -> None:
        """Begin the next game in the given rows, seeded from the generator of the last one."""
        chosen = self._rows(rows)
        if len(chosen):
            self._check_policies()
            self._usual.next_keys(self._raw_states, chosen)
            self._start(chosen)

    def _start(self, rows: IntArray) -> None:
        if self.careful:
            self._hide(rows)
            forget(self.states, rows)
            self._choose_programs()
        self._run_rows(self._spread, rows, np.full(len(rows), drivers.BEGIN, np.int64))

    @plays
    def step(self, actions: npt.ArrayLike, rows: Sequence[int] | IntArray | None = None) -> None:
        """Apply one action in each of the given rows (all by default).

        Chance is drawn, built-in policies move, and the outputs of these rows show the caller's next
        decision, or the end. A finished game stays as it is until `restart`.

        Args:
            actions: one legal action per row, integers of shape (len(rows),).
            rows: distinct row numbers.

        Raises:
            IllegalActionError, GameOverError, TypeError, ValueError, IndexError, PolicyError: nothing has
                been changed.
        """
        chosen = self._rows(rows)
        given = as_compiled_for(check_actions(actions, len(chosen)))
        self._check_policies()
        bad = self._usual.first_illegal(self._raw_states, chosen, given, self._outputs.mask)
        if bad != -1:
            self._refuse(bad, chosen, given)
        self._play(chosen, given)

    def _play(self, rows: IntArray, actions: IntArray) -> None:
        """Step the rows with actions that are legal there."""
        self._run_rows(self._spread, rows, actions)

    def _refuse(self, bad: int, rows: IntArray, actions: IntArray) -> None:
        """Raise the error for what `first_illegal` found."""
        if bad < -1:
            raise GameOverError(
                f"the game in row {rows[-2 - bad]} is over; begin the next one with restart() or seed()"
            )
        row, action = rows[bad], int(actions[bad])
        if not 0 <= action < self.game.actions.size:
            raise IllegalActionError(
                f"action {action} in row {row} does not exist; "
                f"{self.game.name} has actions 0..{self.game.actions.size - 1}"
            )
        legal = self.legal_ids[row, : self.num_legal[row]].tolist()
        seat = self.game.seats[int(self.mover[row])]
        with refusing(self.states[row], row):
            name = self.game.format_action(self.states[row], action)
        raise IllegalActionError(
            f"action {action} ({name}) is illegal in row {row}; "
            f"{some_of(legal, 'the action mask')}; {whose_decision(seat, self.states[row])}"
        )

    def _check_policies(self) -> None:
        """Take over `policy`, or raise PolicyError if a seat has a policy that the game lacks."""
        written = self._policy.tobytes()
        if written == self._checked_bytes:  # the fast path
            return
        given = np.frombuffer(written, np.int8).reshape(self._policy.shape).copy()
        known = self._known_policies
        gap = drivers.GREEDY not in known and (given == drivers.GREEDY).any()
        if gap or given.view(np.uint8).max() > max(known):  # negative ones are large as unsigned
            row, seat = np.argwhere(~np.isin(given, known))[0]
            raise PolicyError(
                f"policy of seat {seat} in row {row} is {given[row, seat]}; {self._allowed_policies()}"
            )
        self._checked_policy, self._checked_bytes = given, written

    def _allowed_policies(self) -> str:
        names = {"the caller of step": drivers.EXTERNAL} | self.game.built_in_policies
        return "allowed: " + ", ".join(f"{number} ({name})" for name, number in names.items())

    @plays
    def random_actions(self, rows: Sequence[int] | IntArray | None = None) -> IntArray:
        """A uniformly random legal action for each row, shape (len(rows),) int64; -1 where the game is over."""
        chosen = self._rows(rows)
        actions = np.zeros(len(chosen), np.int64)
        self._usual.pick_random(chosen, self._outputs, self._raw_generators, actions)
        return actions

    def _spread(self, rows: IntArray, actions: IntArray) -> None:
        """Step the rows; the threads take shares of them until none is left.

        So a thread that starts late, or gets long games, does not hold up the others.
        """
        if self._pool is None or len(rows) < 2 * _SHARE:
            self._run_step(0, rows, actions)
            return
        share_size = max(_SHARE, -(-len(rows) // (2 * self.num_threads)))
        starts = list(range(0, len(rows), share_size))
        left = iter(starts)  # next() on it is atomic under the GIL

        def work(thread: int) -> None:
            for start in left:
                share = slice(start, start + share_size)
                self._run_step(thread, rows[share], actions[share])

        def help_with(thread: int) -> None:
            with self.entrance.helpers[thread - 1]:
                work(thread)

        try:
            others = [self._pool.submit(help_with, thread) for thread in range(1, self.num_threads)]
            work(0)
        finally:
            del starts[:]  # after an interrupt nobody takes another share
        for other in others:
            if not other.cancel():  # not started, so not needed
                other.result()

    def _run_step(self, thread: int, rows: IntArray, actions: IntArray) -> None:
        self._run.step(*self._step_arguments(thread, rows, actions, self._checked_policy))

    def _step_arguments(
        self, thread: int, rows: IntArray, actions: IntArray, policy: ByteArray
    ) -> tuple[Any, ...]:
        return (
            self._raw_states, rows, actions, policy, self._raw_generators,
            self._raw_work[thread], self._score[thread], self._outputs, self._played,
        )  # fmt: skip

    def step_one(self, action: int) -> int | None:
        """Apply an action in row 0, the fastest way for one game.

        The caller decides for all seats: built-in policies do not move.

        Args:
            action: a Python int.

        Returns:
            The next mover, or OVER. None, with nothing changed, if the action is illegal or the game is over.
        """
        entrance = self.entrance
        keys = entrance.keys
        try:
            del keys[0]  # as in `entrance.plays`, which takes longer
        except IndexError:
            raise entrance.refusal(keys) from None
        try:
            if entrance.helpers:
                entrance.wait_for_helpers()
            if 0 <= action < self._num_actions and self._mask_item(action):
                self._one_action[0] = action
                self._one_call(*self._one_arguments)
                return self._first_mover(0)
            return None
        finally:
            keys.append(None)

    def _step_one_carefully(self, *arguments: Any) -> None:
        """What `step_one` calls while row 0 needs checked programs."""
        self._run_rows(lambda _: self._run.step(*arguments), self._all_rows[:1])

    def _rows(self, rows: Sequence[int] | IntArray | None) -> IntArray:
        return self._all_rows if rows is None else row_numbers(rows, self.num_envs)

    # -- observing --------------------------------------------------------------------------

    @looks
    def view(
        self, seats: npt.ArrayLike, rows: Sequence[int] | IntArray | None = None
    ) -> tuple[ByteArray, ByteArray]:
        """What `seats` (one per row, or one for all) see and may do, at any time.

        Returns:
            New arrays (n, O) and (n, A) int8. The mask of a seat that is not the mover is all 0.

        Raises:
            IndexError: a seat that does not play in its row's game.
        """
        return self._view(seats, self._rows(rows))

    def _view(self, seats: npt.ArrayLike, rows: IntArray) -> tuple[ByteArray, ByteArray]:
        wanted = self._seats(seats, rows)
        observation = np.empty((len(rows), self.game.observations.size), np.int8)
        mask = np.empty((len(rows), self.game.actions.size), np.int8)
        self._call("view", rows, (wanted, observation, mask), (self._scratch_ids,))
        return observation, mask

    @looks
    def global_state(self, rows: Sequence[int] | IntArray | None = None) -> ByteArray:
        """All seats' observations side by side, (n, P * O) int8: the input of a centralised critic.

        Zero for seats that do not play, so the size does not depend on the number of players.
        """
        chosen = self._rows(rows)
        seen = np.zeros((len(chosen), self.game.max_players, self.game.observations.size), np.int8)
        for seat in range(self.game.max_players):
            playing = self.num_players[chosen] > seat
            seen[playing, seat] = self._view(seat, chosen[playing])[0]
        return seen.reshape(len(chosen), -1)

    def _seats(self, seats: npt.ArrayLike, rows: IntArray) -> IntArray:
        """One seat per row; IndexError for one that does not play there."""
        given = as_array(seats)
        if given.dtype.kind not in "iu" or given.shape not in ((), rows.shape):
            raise IndexError(f"seats are {shown(seats)}; allowed: a whole number, or {len(rows)} of them")
        wanted = as_compiled_for(np.broadcast_to(given, rows.shape))
        players = self.states["num_players"][rows]
        wrong = (wanted < 0) | (wanted >= players)
        if wrong.any():
            i = int(np.flatnonzero(wrong)[0])
            raise IndexError(
                f"seats are {shown(seats)}; allowed: 0..{players[i] - 1} in row {rows[i]}, "
                f"a game of {players[i]} players"
            )
        return wanted

    @looks
    def potential(self, rows: Sequence[int] | IntArray | None = None) -> FloatArray:
        """The potential of every seat, (n, P) float32, a new array; 0 once over."""
        chosen = self._rows(rows)
        out = np.zeros((len(chosen), self.game.max_players), np.float32)
        self._call("potentials", chosen, (out,), ())
        return out

    @looks
    def refresh(self, rows: Sequence[int] | IntArray | None = None) -> None:
        """Recompute the outputs after states were changed from outside."""
        self._choose_programs()
        self._call("refresh", self._rows(rows), (), (self._outputs,))

    # -- games that were loaded -------------------------------------------------------------

    def _choose_programs(self) -> None:
        """Run checked programs while a row holds a game that was loaded."""
        self._be_careful(any_loaded(self.states))

    def _be_careful(self, careful: bool) -> None:
        self.careful = careful
        self._run = programs(self.game, checked(self.mode)) if self.careful else self._usual
        self._one_call = self._step_one_carefully if self.careful else self._one_usual_call

    def _run_rows(self, run: Callable[..., object], rows: IntArray, *of_rows: npt.NDArray[Any]) -> None:
        """Call `run(rows, *of_rows)`, which changes these rows; while a game is loaded, all of them or none.

        The arrays `of_rows` have an entry for each row.
        """
        if not self.careful:
            run(rows, *of_rows)
            return

        def run_part(part: slice) -> None:
            try:
                run(rows[part], *(each[part] for each in of_rows))
            finally:
                self.entrance.wait_for_helpers()  # after an error they may still be at work

        all_or_nothing(
            run_part, rows, self.states, (self.states, self._generators, *self._outputs, self._played)
        )

    def _call(self, driver: str, rows: IntArray, of_rows: Arrays, others: tuple[Any, ...]) -> None:
        """Run a driver for these rows; arrays `of_rows` have an entry for each of them."""
        run = getattr(self._run, driver)
        self._run_rows(lambda *part: run(self._raw_states, *part, *others), rows, *of_rows)

    def _rewrite(self, rows: IntArray, write: Callable[..., object], *of_rows: npt.NDArray[Any]) -> None:
        """Change states by `write(rows, *of_rows)`, and report them again."""

        def write_and_report(rows: IntArray, *of_rows: npt.NDArray[Any]) -> None:
            self._hide(rows)
            write(rows, *of_rows)
            self._run.refresh(self._raw_states, rows, self._outputs)

        try:
            self._run_rows(write_and_report, rows, *of_rows)
        finally:
            if self.careful:
                self._choose_programs()

    def _hide(self, rows: IntArray) -> None:
        """Make all actions illegal until the outputs fit the changed states: an interrupt may come before."""
        self._outputs.mask[rows] = 0

    # -- copying ----------------------------------------------------------------------------

    @looks
    def save(self, rows: Sequence[int] | IntArray | None = None) -> bytes:
        """A snapshot of the games in these rows, as bytes (see `snapshot`)."""
        copies = self._copies(self._rows(rows))
        copies.states["loaded"] = 0
        return snapshot.dump(self.game, copies)

    @plays
    def load(self, data: bytes, rows: Sequence[int] | IntArray | None = None) -> None:
        """Put the games of a snapshot into these rows, with their options.

        The bytes may come from anywhere, so until another game begins in these rows, programs check every
        index, and any call may raise SnapshotError. Within a process use `copies` and `put`.

        Raises:
            SnapshotError: damaged bytes, another game or version, the wrong number of games, or states that
                cannot be shown. Nothing has been changed.
        """
        chosen = self._rows(rows)
        self._put(snapshot.read(self.game, data, len(chosen)), chosen)

    @looks
    def copies(self, rows: Sequence[int] | IntArray | None = None) -> snapshot.Copies:
        """Copies of the games in these rows, for `put`."""
        return self._copies(self._rows(rows))

    def _copies(self, rows: IntArray) -> snapshot.Copies:
        return snapshot.Copies(self.states[rows], self._generators[rows])

    @plays
    def put(self, copies: snapshot.Copies, rows: Sequence[int] | IntArray | None = None) -> None:
        """Put copies of games into these rows, with their options.

        Args:
            copies: from `copies` of any simulator of this game. They are not checked: never build them
                from untrusted bytes.
            rows: one per copy.

        Raises:
            ValueError: copies of another game, or the wrong number of them; nothing has been changed.
        """
        self._put(copies, self._rows(rows))

    def _put(self, copies: snapshot.Copies, rows: IntArray) -> None:
        if copies.states.dtype != self.game.state or len(copies.states) != len(rows):
            raise ValueError(
                f"copies are {len(copies.states)} games of another kind or number; "
                f"allowed: {len(rows)} of {self.game.id}, one per row"
            )
        if any_loaded(copies.states) and not self.careful:
            self._be_careful(True)
        self._rewrite(rows, self._write, copies.states, copies.generators)

    def _write(self, rows: IntArray, states: RecordArray, generators: RecordArray) -> None:
        self.states[rows] = states
        self._generators[rows] = generators

    @plays
    def fork(self, source: int, rows: Sequence[int] | IntArray, seed: int) -> None:
        """Copy game `source` to `rows`, with its options, each with its own generator.

        Copy i draws its future from stream `seed + i`: the copies' futures differ from each other, and
        reveal nothing about the source's.

        Raises:
            ValueError, IndexError: nothing has been changed.
        """
        chosen = self._rows(rows)
        keys = seeds_from(seed, len(chosen))
        copied = self.states[one_row(source, self.num_envs)]

        def write(rows: IntArray, keys: npt.NDArray[np.uint64]) -> None:
            self.states[rows] = copied
            _set_keys(self.states["generator"], rows, keys)

        self._rewrite(chosen, write, keys)

    @plays
    def redeal(self, seats: npt.ArrayLike, rows: Sequence[int] | IntArray | None = None) -> None:
        """Resample in each row all that `seats` cannot know, with the row's generator."""
        chosen = self._rows(rows)
        wanted = self._seats(seats, chosen)
        self._rewrite(chosen, partial(self._run.redeal_rows, self._raw_states), wanted)

    @looks
    def hidden_actions(self, seats: npt.ArrayLike, rows: Sequence[int] | IntArray | None = None) -> IntArray:
        """What other seats have done unseen, in each row, for example to learn to foresee it.

        Returns:
            (n, max_players - 1) int64: the hidden action of the seat after `seats`, of the one after it, and
            so on; -1 if it has none (see `Game.hidden_action`).
        """
        chosen = self._rows(rows)
        out = np.zeros((len(chosen), self.game.max_players - 1), np.int64)
        self._call("hidden_actions", chosen, (self._seats(seats, chosen), out), ())
        return out

    @looks
    def __getstate__(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "num_envs": self.num_envs,
            "num_threads": self.num_threads,
            "mode": self.mode,
            "policy": self.policy,
            "snapshot": snapshot.dump(self.game, self._copies(self._all_rows)),
            "keep_actions": self._played.size > 0,
            "played": self._played[:, : self.states["decisions"].max()].copy(),
        }

    def __setstate__(self, saved: dict[str, Any]) -> None:
        Simulator.__init__(
            self,
            saved["game"],
            saved["num_envs"],
            seed=0,
            num_threads=saved["num_threads"],
            mode=saved["mode"],
            keep_actions=saved["keep_actions"],
        )
        self.policy = saved["policy"]
        self.put(snapshot.parse(self.game, saved["snapshot"], self.num_envs))
        self._played[:, : saved["played"].shape[1]] = saved["played"]

    def __eq__(self, other: object) -> bool:
        """Whether all states are equal, generators included, so that their futures are too."""
        if not isinstance(other, Simulator):
            return NotImplemented
        return self.game is other.game and self._position() == other._position()

    def __hash__(self) -> int:
        return hash((self.game.id, self._position()))

    def _position(self) -> bytes:
        return as_begun_here(self.states).tobytes()

    def close(self) -> None:
        """Stop the threads. The games can still be viewed and saved; any call that plays raises ClosedError."""
        self.entrance.close()
        if self._pool is not None:
            self._pool.shutdown(wait=False)


def _write_options(
    game: Game, states: RecordArray, given: Mapping[str, Any] | Sequence[Mapping[str, Any]]
) -> None:
    """Store options in new states: one mapping for all, or one per state."""
    if isinstance(given, Mapping):
        game.write_options(states, game.options.validate(given))
        return
    if len(given) != len(states) or not all(isinstance(each, Mapping) for each in given):
        raise OptionError(
            f"options are {shown(given)}; allowed: one mapping for all rows, or a sequence of {len(states)} "
            "mappings, one per row"
        )
    for row, each in enumerate(given):
        game.write_options(states[row : row + 1], game.options.validate(each))


def _set_keys(generators: RecordArray, rows: IntArray, keys: npt.NDArray[np.uint64]) -> None:
    """Point generators at the start of the streams `keys`."""
    generators["key"][rows] = keys
    generators["counter"][rows] = 0


def _read_only(array: Any) -> Any:
    shown = array.view()
    shown.flags.writeable = False
    return shown
