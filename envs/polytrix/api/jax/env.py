"""Games for JAX: states are arrays, and a step is a pure function to be used in `jit`, `vmap` and `scan`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from polytrix.core.calls import did_you_mean, is_whole, shown
from polytrix.core.drivers import BEGIN, EXTERNAL
from polytrix.core.errors import OptionError, PolicyError, SnapshotError
from polytrix.core.game import Game
from polytrix.core.loaded import any_loaded
from polytrix.core.rows import new_row, results_of, step_rows
from polytrix.core.simulator import Simulator
from polytrix.core.snapshot import Copies, record_mark
from polytrix.core.state import RecordArray
from polytrix.core.transition import BELIEVE, LOOK, row_dtype

from ..shared.arguments import check_flag, check_seat, configure_game, shaping_weights
from .ffi import register


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class State:
    """One game; under `vmap` many, with the same axes before those given here.

    Attributes:
        current_player: () int8, the seat to move, whose view `observation` is. Once over: the learner's, or 0.
        observation: (O,) int8.
        legal_action_mask: (A,) bool. All True once over, when no action has an effect.
        legal_ids, num_legal: (L,) int16 and () int32, the same as a list: the legal actions, ascending, are
            `legal_ids[:num_legal]`. The entries after them mean nothing.
        rewards: (P,) float32, every seat's payoff at the end of the game, else 0.
        terminated, truncated: () bool, whether the rules ended the game, or a limit did.
        row: (R,) uint8, the game itself, with what no seat can see: its dice to come, for example. It is not
            checked: never make one of untrusted bytes.
        kind: which games these are.
    """

    current_player: Array
    observation: Array
    legal_action_mask: Array
    legal_ids: Array
    num_legal: Array
    rewards: Array
    terminated: Array
    truncated: Array
    row: Array
    kind: str = field(metadata={"static": True})

    def replace(self, **changes: Any) -> State:
        """A copy with some attributes changed."""
        return replace(self, **changes)


class Env:
    """A game as pure functions, with the names of Pgx. Like there, `init` and `step` take one game: use `vmap`.

    The rules run on the CPU as machine code that XLA calls. For arrays on other devices JAX sends the rows
    to the CPU and back; the results are the same.

    An illegal action ends the game: its seat gets -1, the others 0. A game that is over stays so, and its
    rewards are 0 from then on.

    Args:
        game: a game or its id.
        opponent: who plays all other seats inside the step, a built-in policy such as "random" or "greedy".
            None: the caller plays all seats.
        seat: the seat that is the caller's with an `opponent`; "rotate" moves on by one seat with each game.
        auto_reset: whether the next game begins at once when one ends. The state then shows its first decision,
            with the rewards and the end of the last game.
        shaping: weight of the change of each seat's potential, from one step to the next, in its rewards; the
            potential of a finished game is 0.
        num_threads: the number of threads that share the rows of a call. Results do not depend on it.
        callback: whether to call Python even on the CPU.
        **options: game options, and data files by name.

    Raises:
        OptionError, DataError, PolicyError: invalid arguments.

    >>> import jax
    >>> env = Env("quatrix", auto_reset=True)
    >>> states = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(1), 64))
    >>> states = jax.jit(jax.vmap(env.step))(states, states.legal_ids[:, 0])
    >>> states.observation.shape, states.legal_action_mask.shape
    ((64, 577), (64, 848))
    """

    def __init__(
        self,
        game: Game | str,
        *,
        opponent: str | None = None,
        seat: int | str = "rotate",
        auto_reset: bool = False,
        shaping: float = 0.0,
        num_threads: int = 1,
        callback: bool = False,
        **options: Any,
    ) -> None:
        self.game, values = configure_game(game, options, type(self))
        self.kind = (
            f"{self.game.id} with records {record_mark(self.game)} {self.game.data_marks or ''}".rstrip()
        )
        self.auto_reset = check_flag("auto_reset", auto_reset)
        self.callback = check_flag("callback", callback)
        if not is_whole(num_threads) or num_threads < 1:
            raise OptionError(f"num_threads is {shown(num_threads)}; allowed: 1 or more")
        self.num_threads = int(num_threads)
        self.num_players = self.game.num_players(values)
        blank = new_row(self.game, values)
        blank["goes_on"] = auto_reset
        blank["shaping"], _ = shaping_weights(self.game, shaping, 1.0)
        if opponent is not None:
            rule = check_seat(seat, self.num_players)
            if rule == "random":
                raise OptionError(f"seat is 'random'; allowed: 0..{self.num_players - 1} or 'rotate'")
            blank["policy"] = built_in(self.game, opponent)
            blank["policy"][0, 0 if isinstance(rule, str) else rule] = EXTERNAL
            blank["rotates"] = rule == "rotate"
        self._blank = blank.view(np.uint8)

    @property
    def id(self) -> str:
        """Of the game, for example `polytrix/quatrix-v0`."""
        return self.game.id

    @property
    def num_actions(self) -> int:
        """The size of the action mask, A."""
        return self.game.actions.size

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """(O,)"""
        return (self.game.observations.size,)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id})"

    # -- playing ----------------------------------------------------------------------------

    def init(self, key: Array) -> State:
        """Begin a game.

        Args:
            key: of `jax.random`; equal keys begin equal games.
        """
        low, high = jax.random.bits(key, (2,), jnp.uint32)
        return self._begin(low, high)

    def init_seed(self, seed: Array | int) -> State:
        """Begin the game of a seed, which is that of any other interface.

        Args:
            seed: () integer, not negative.
        """
        seed = jnp.asarray(seed)
        low, high = seed.astype(jnp.uint32), jnp.zeros((), jnp.uint32)
        return self._begin(low, (seed >> 32).astype(jnp.uint32) if seed.dtype.itemsize == 8 else high)

    def step(self, state: State, action: Array) -> State:
        """Take the action of the seat to move, draw chance, and let opponents move.

        Args:
            state: of this environment, or of one of the same game.
            action: () integer.

        Raises:
            TypeError, ValueError: an action of another type, a state of another game or version; raised when
                JAX traces the call.
        """
        action = jnp.asarray(action)
        if not jnp.issubdtype(action.dtype, jnp.integer):
            raise TypeError(f"actions are {action.dtype}; allowed: integers")
        known = (action >= 0) & (action < self.num_actions)
        return self._call(self._row_of(state), jnp.where(known, action, self.num_actions))

    def reseed(self, state: State, key: Array) -> State:
        """The same game with other chance to come, as a search needs it: what comes next is part of a state.

        Args:
            state: as in `step`.
            key: of `jax.random`.
        """
        low, high = jax.random.bits(key, (2,), jnp.uint32)
        return state.replace(row=self._seeded(self._row_of(state), low, high))

    def believe(self, state: State, key: Array) -> State:
        """A game that to the seat to move may as well be this one: all that it cannot know is drawn anew.

        Args:
            state: as in `step`.
            key: of `jax.random`.
        """
        state = self.reseed(state, key)
        believed = self._call(state.row, jnp.full(state.current_player.shape, BELIEVE))
        return state.replace(row=believed.row)

    def show(self, states: RecordArray) -> State:
        """The states (n,) of games in a simulator, as arrays.

        Args:
            states: `Simulator.states`, or some of them.

        Raises:
            SnapshotError: a game that `Simulator.load` has read: here nothing checks that it can be played.
        """
        if any_loaded(states):
            raise SnapshotError(
                "a game comes from a snapshot; allowed: games that were begun here, since JAX plays without "
                "checks. Play it in a Simulator"
            )
        rows = np.repeat(self._blank.view(row_dtype(self.game)), len(states))
        rows["game"] = states
        return self._call(jnp.asarray(rows.view(np.uint8).reshape(len(rows), -1)), jnp.full(len(rows), LOOK))

    def simulator(self, state: State) -> Simulator:
        """A simulator with these games, to render, save or search them; outside of `jit`.

        Args:
            state: as in `step`; with any number of axes.
        """
        rows = np.array(self._row_of(state)).reshape(-1, self._blank.size).view(row_dtype(self.game))[:, 0]
        simulator = Simulator(self.game, len(rows), seed=0)
        simulator.put(Copies(rows["game"].copy(), rows["chooser"].copy()))
        return simulator

    # -- rows -------------------------------------------------------------------------------

    def _begin(self, low: Array, high: Array) -> State:
        row = self._seeded(jnp.asarray(self._blank), low, high)
        return self._call(row, jnp.full(low.shape, BEGIN))

    def _seeded(self, row: Array, low: Array, high: Array) -> Array:
        """A row whose generators are at the start of the streams of a seed, the game's and the opponents'."""
        high &= 0x7FFF_FFFF
        for name, mark in (("game", 0), ("chooser", 0x8000_0000)):  # see POLICY_STREAM
            at = row_dtype(self.game).fields[name][1]  # type: ignore[index]
            words = jnp.stack([low, high | jnp.uint32(mark), jnp.zeros_like(low), jnp.zeros_like(low)])
            generator = jax.lax.bitcast_convert_type(words, jnp.uint8).reshape(-1)  # little-endian
            row = row.at[at : at + generator.size].set(generator)
        return row

    def _row_of(self, state: State) -> Array:
        if not isinstance(state, State) or state.kind != self.kind:
            given = state.kind if isinstance(state, State) else type(state).__name__
            raise ValueError(f"the state is of {given}; allowed: states of {self.kind}. Begin a game with init")
        return state.row

    def _call(self, row: Array, actions: Array) -> State:
        results = [jax.ShapeDtypeStruct(actions.shape + shape, dtype) for shape, dtype in results_of(self.game)]

        def by_callback(row: Array, actions: Array) -> Any:
            def play(row: Any, actions: Any) -> Any:
                return step_rows(self.game, np.asarray(row), np.asarray(actions), self.num_threads)

            return tuple(jax.pure_callback(play, results, row, actions, vmap_method="broadcast_all"))

        def by_machine_code(row: Array, actions: Array) -> Any:
            name, _ = register(self.game, self.num_threads)
            return tuple(jax.ffi.ffi_call(name, results, vmap_method="broadcast_all")(row, actions))

        actions = actions.astype(jnp.int32)
        if self.callback:
            made = by_callback(row, actions)
        else:
            made = jax.lax.platform_dependent(row, actions, cpu=by_machine_code, default=by_callback)
        after, observation, mask, legal_ids, num_legal, mover, rewards, terminated, truncated = made
        return State(
            mover, observation, mask, legal_ids, num_legal, rewards, terminated, truncated, after, self.kind
        )


def built_in(game: Game, name: str) -> int:
    """The number of a policy that plays inside the step, by its name."""
    known = game.built_in_policies
    if name not in known:
        raise PolicyError(
            f"opponent is {shown(name)}; allowed: None, or what plays inside the step: "
            f"{', '.join(game.listed_policies)}.{did_you_mean(name, known)} "
            "Other policies are yours to call: leave out opponent"
        )
    return known[name]


class LearnerEnv:
    """The same with the names of Gymnax, for one learner: `reset` and `step` return what it sees and gets.

    Args:
        env: one with an `opponent`, and with `auto_reset`.
    """

    def __init__(self, env: Env) -> None:
        if not env.auto_reset:
            raise OptionError(
                "auto_reset is False; allowed: True, since the learner's next game begins by itself"
            )
        self.env = env

    def reset(self, key: Array, params: None = None) -> tuple[Array, State]:
        """Begin a game: observation and state."""
        state = self.env.init(key)
        return state.observation, state

    def step(
        self, key: Array | None, state: State, action: Array, params: None = None
    ) -> tuple[Array, State, Array, Array, dict[str, Array]]:
        """Take the learner's action: observation, state, reward, done and no infos. The key is not needed."""
        after = self.env.step(state, action)
        done = after.terminated | after.truncated
        return after.observation, after, after.rewards[state.current_player], done, {}
