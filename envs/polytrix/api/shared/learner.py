"""A batch of games with a learner in one seat and policies in the others: the base of all single-agent APIs.

Only the learner's own transitions are visible, from one of its decisions to its next or to the end of
the game, with the final payoff of its own seat.
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from copy import deepcopy
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from polytrix.agents import Policy, ask_rows, name_of
from polytrix.core import drivers, snapshot
from polytrix.core.arrays import arrays_in
from polytrix.core.calls import check_actions, row_numbers, seeds_from
from polytrix.core.entrance import Entrance, looks, plays
from polytrix.core.errors import GameOverError, OptionError, PolicyError, SnapshotError
from polytrix.core.simulator import Simulator
from polytrix.core.snapshot import Copies
from polytrix.core.state import ByteArray, FloatArray, IntArray
from polytrix.core.transition import PATIENCE

from .arguments import (
    IllegalAction,
    ObservationType,
    SeatRule,
    Seen,
    check_dtype,
    check_illegal_action,
    check_seat,
    shaping_weights,
)
from .opponents import LEARNER, NOBODY, Opponents, bits_of, learners_seats, table_of

BoolArray: TypeAlias = npt.NDArray[np.bool_]


class Outcome(NamedTuple):
    """Result of a step for every row; rows that were not stepped have reward 0."""

    reward: FloatArray  # (B,) float32
    terminated: BoolArray  # (B,)
    truncated: BoolArray  # (B,)


class LearnerBatch:
    """B games, each with a learner in one seat, stepped together from one of its decisions to the next.

    The games may have different options and numbers of players, as given to the simulator.

    A game's seats and opponents depend only on the row's seed and on how many games the row has begun
    since, so a row plays the same games in a batch of any size.

    Args:
        simulator: plays the games; the batch takes ownership.
        opponents: the players of the other seats.
        seat: the learner's seat, which must exist in all games; "random" draws one for each game;
            "rotate" moves to the next seat each game, and rows with consecutive seeds start in
            consecutive seats.
        seed: as for `Simulator`.
        shaping: weight of potential-based reward shaping, `shaping * (gamma * potential(now)
            - potential(at the last decision))`; the potential of a finished game is 0.
        gamma: the discount in that term.
        illegal_action: "forfeit" ends the learner's game with reward -1; "raise" raises
            IllegalActionError and changes nothing.
        dtype: of the learner's observations, "int8" or "float32" (four times the memory; for code that
            multiplies them). Opponents always observe int8.

    Attributes:
        dtype: the same as a NumPy type.
        entrance: keeps a second call out; the simulator has its own.
        seat: (B,) int64, the learner's seat.
        players: (B,) int64, the number of players.
        player: (B, P) int64, indices into `policies`; LEARNER (-1) at the learner's own seat, NOBODY
            (-2) at unused seats.
        length: (B,) int64, the learner's decisions in this game so far.
        returned: (B,) float64, the sum of the learner's rewards in this game so far.

    Raises:
        OptionError: an invalid seat, shaping, gamma, illegal_action or dtype.
    """

    def __init__(
        self,
        simulator: Simulator,
        opponents: Opponents,
        *,
        seat: SeatRule = "random",
        seed: int | None = None,
        shaping: float = 0.0,
        gamma: float = 1.0,
        illegal_action: IllegalAction = "raise",
        dtype: ObservationType = "int8",
    ) -> None:
        self.simulator = simulator
        self.entrance = Entrance()
        self.game = simulator.game
        self.num_envs = simulator.num_envs
        self.shaping, self.gamma = shaping_weights(self.game, shaping, gamma)
        self.illegal_action = check_illegal_action(illegal_action)
        self.dtype = check_dtype(dtype)

        rows, seats = simulator.num_envs, self.game.max_players
        self.players = simulator.num_players
        self.seat_rule = check_seat(seat, int(self.players.min()))
        self.seat = np.zeros(rows, np.int64)
        self.player = np.full((rows, seats), NOBODY, np.int64)
        self.length = np.zeros(rows, np.int64)
        self.returned = np.zeros(rows, np.float64)
        self.policies: tuple[Policy, ...] = ()
        self._forfeited = np.zeros(rows, np.bool_)
        self._potential = np.zeros(rows, np.float32)  # at the learner's last decision
        self._origin = np.zeros(rows, np.uint64)  # seed of the row
        self._begun = np.zeros(rows, np.uint64)  # games begun since the row was seeded
        self._all_rows = np.arange(rows)
        self.set_opponents(opponents)
        self.seed(seed)

    # -- status of the games ----------------------------------------------------------------

    @property
    def over(self) -> BoolArray:
        """(B,) bool: the learner's game has ended."""
        return np.asarray(self.simulator.over | self._forfeited)

    @property
    def terminated(self) -> BoolArray:
        """(B,) bool: it ended by the rules, or by an illegal action of the learner."""
        return np.asarray(self.simulator.terminated | self._forfeited)

    @property
    def truncated(self) -> BoolArray:
        """(B,) bool: a limit cut it off: `max_decisions`, or one of the game such as `max_turns`."""
        return self.simulator.truncated

    def observation(self) -> Seen:
        """The learner's observations, (B, O), a new array; final observations in finished games."""
        seen: Seen = self.simulator.observation.astype(self.dtype)
        ended = np.flatnonzero(self.simulator.over)
        if len(ended):
            seen[ended] = self.view(ended)
        return seen

    def view(self, rows: IntArray) -> Seen:
        """The learner's observations in some rows, (n, O), a new array."""
        return self.simulator.view(self.seat[rows], rows)[0].astype(self.dtype, copy=False)

    def mask(self) -> ByteArray:
        """The learner's action masks, (B, A) int8, a new array; all 0 in finished games."""
        mask: ByteArray = self.simulator.mask.copy()
        mask[self._forfeited] = 0
        return mask

    # -- beginning games --------------------------------------------------------------------

    @plays
    def seed(
        self, seed: int | Sequence[int] | None = None, rows: Sequence[int] | IntArray | None = None
    ) -> None:
        """Begin the first games of the given seeds.

        Args:
            seed: as for `Simulator.seed`.
            rows: all by default. All together also reseed the generator of the callable policies.

        Raises:
            ValueError, IndexError: the batch is unchanged.
        """
        chosen = self._rows(rows)
        keys = seeds_from(seed, len(chosen))
        if len(chosen) == self.num_envs:
            self.rng = np.random.default_rng(keys.tolist())
        self._origin[chosen] = keys
        self._begun[chosen] = 0
        self._prepare(chosen)
        self.simulator.seed(keys.tolist(), chosen)
        self._open(chosen)

    @plays
    def restart(self, rows: Sequence[int] | IntArray | None = None) -> None:
        """Begin the next games in the given rows (all by default), abandoning unfinished ones."""
        chosen = self._rows(rows)
        if len(chosen):
            self._next(chosen)
            self._open(chosen)

    def _rows(self, rows: Sequence[int] | IntArray | None) -> IntArray:
        return self._all_rows if rows is None else row_numbers(rows, self.num_envs)

    def _next(self, rows: IntArray) -> None:
        self._begun[rows] += np.uint64(1)
        self._prepare(rows)
        self.simulator.restart(rows)

    def _prepare(self, rows: IntArray) -> None:
        """Assign seats and opponents for the games about to begin."""
        seats, players, largest = self.game.max_players, self.players[rows], int(self.players.max())
        bits = bits_of(self._origin[rows], self._begun[rows], seats)
        turns = self._origin[rows] + self._begun[rows]
        seat = learners_seats(self.seat_rule, players, turns, bits[:, 0])
        self.seat[rows] = seat
        self.player[rows] = table_of(seat, players, seats, self._opponents, bits[:, 1:largest])
        self.simulator.policy[rows] = self._kinds[self.player[rows]]
        self.length[rows] = 0
        self.returned[rows] = 0.0
        self._forfeited[rows] = False

    def _open(self, rows: IntArray) -> None:
        """Play on to the learner's first decision; a game that ends before it is followed by the next."""
        waiting = rows
        for _ in range(PATIENCE):
            self._answer(waiting)
            waiting = waiting[self.simulator.mover[waiting] < 0]
            if not len(waiting):
                if self.shaping:
                    self._potential[rows] = self._rate(rows)
                return
            self._next(waiting)
        raise OptionError(
            f"{PATIENCE} games in a row ended before the learner in seat {self.seat[waiting[0]]} had a "
            f"decision; max_decisions is {self.simulator.options_of(waiting[0])['max_decisions']}: raise it"
        )

    # -- playing ----------------------------------------------------------------------------

    @plays
    def step(self, actions: npt.ArrayLike, rows: IntArray | None = None) -> Outcome:
        """Take the learner's actions and let its opponents play up to its next decision or the end.

        Args:
            actions: integers, one per row.
            rows: distinct row numbers, all by default. Their games must not be over.

        Raises:
            TypeError, ValueError, IndexError, GameOverError, IllegalActionError: the batch is unchanged.
            PolicyError: a policy returned an invalid answer. Reset its games, which cannot continue.
            SnapshotError: a loaded game cannot be played on. The batch is unchanged; reset that game.
        """
        chosen = self._rows(rows)
        given = check_actions(actions, len(chosen))
        self._check_turn(chosen)
        if not self.simulator.careful:
            return self._play(given, chosen)
        copies, rng = self.simulator.copies(chosen), deepcopy(self.rng)
        arrays = {name: getattr(self, name).copy() for name in _SAVED}
        try:
            outcome = self._play(given, chosen)
            self.view(chosen)  # environments show the end of a game too
        except SnapshotError:
            self._put(copies, chosen, arrays, rng)
            raise
        return outcome

    def _play(self, actions: npt.NDArray[Any], rows: IntArray) -> Outcome:
        played, forfeits = rows, rows[:0]
        if self.illegal_action == "forfeit":
            legal = self._legal(actions, rows)
            if not legal.all():
                played, actions, forfeits = rows[legal], actions[legal], rows[~legal]
        self.simulator.step(actions, None if played is self._all_rows else played)
        self._forfeited[forfeits] = True
        self._answer(played)
        return self._outcome(rows, forfeits)

    def _check_turn(self, rows: IntArray) -> None:
        """Raise GameOverError unless the learner is to move in all rows."""
        wrong = (self.simulator.mover[rows] != self.seat[rows]) | self._forfeited[rows]
        if wrong.any():
            row = int(rows[np.flatnonzero(wrong)[0]])
            state = "is over" if self.over[row] else "was interrupted by an opponent's failed answer"
            raise GameOverError(f"the game in row {row} {state}; begin the next one with reset()")

    def _legal(self, actions: npt.NDArray[Any], rows: IntArray) -> BoolArray:
        """Which actions are not forfeits. Numbers that are no actions pass, for the simulator to reject."""
        known = (actions >= 0) & (actions < self.game.actions.size)
        return np.asarray(~known | (self.simulator.mask[rows, np.where(known, actions, 0)] != 0))

    def _answer(self, rows: IntArray) -> None:
        """Let the external policies move until the learner is to move or the game is over in each row."""
        if not self._asks:
            return
        simulator = self.simulator
        while True:
            mover = simulator.mover[rows]
            rows = rows[(mover >= 0) & (mover != self.seat[rows])]
            if not len(rows):
                return
            player = self.player[rows, simulator.mover[rows]]
            actions = np.zeros(len(rows), np.int64)
            for number in np.unique(player):
                group = player == number
                asked = rows[group]
                actions[group] = ask_rows(
                    self.policies[number], simulator, asked, self.rng, self._begun[asked].astype(np.int64)
                )
            simulator.step(actions, rows)

    def _outcome(self, rows: IntArray, forfeits: IntArray) -> Outcome:
        reward = np.zeros(self.num_envs, np.float32)
        reward[rows] = self.simulator.reward[rows, self.seat[rows]]  # 0 until the game ends
        reward[forfeits] = drivers.FORFEIT
        if self.shaping:
            now = self._rate(rows)
            reward[rows] += self.shaping * (self.gamma * now - self._potential[rows])
            self._potential[rows] = now
        self.length[rows] += 1
        self.returned[rows] += reward[rows]
        return Outcome(reward, self.terminated, self.truncated)

    def _rate(self, rows: IntArray) -> FloatArray:
        """The potential of the learner's seat in some rows, (n,) float32; 0 once its game is over."""
        potential: FloatArray = self.simulator.potential(rows)[np.arange(len(rows)), self.seat[rows]]
        potential[self._forfeited[rows]] = 0.0
        return potential

    def payoff(self, rows: IntArray) -> FloatArray:
        """The learner's payoffs in finished games, without shaping, (n,) float32."""
        payoff: FloatArray = self.simulator.reward[rows, self.seat[rows]]
        payoff[self._forfeited[rows]] = drivers.FORFEIT
        return payoff

    # -- opponents --------------------------------------------------------------------------

    @plays
    def set_opponents(self, opponents: Opponents) -> None:
        """Draw the opponents of new games from here.

        Games in progress keep theirs, except that a new policy replaces an old one of the same name.
        """
        self._set_opponents(opponents)

    def _set_opponents(self, opponents: Opponents) -> None:
        names = [name_of(policy) for policy in opponents.policies]
        table = list(opponents.policies)
        moved = np.append(np.zeros(len(self.policies), np.int64), [NOBODY, LEARNER])  # at indices -2 and -1
        for number in np.unique(self.player[self.player >= 0]):
            old = self.policies[number]
            if name_of(old) not in names:
                names.append(name_of(old))
                table.append(old)
            moved[number] = names.index(name_of(old))
        self._seat_players(tuple(table), moved[self.player])
        self._opponents = opponents

    def _seat_players(self, policies: tuple[Policy, ...], player: IntArray) -> None:
        """Set the table of policies and their seats."""
        kinds = [getattr(policy, "built_in", drivers.EXTERNAL) for policy in policies]
        self.policies = policies
        self.player[:] = player
        self._kinds = np.array([*kinds, drivers.EXTERNAL, drivers.EXTERNAL], np.int8)  # + NOBODY, LEARNER
        self._asks = drivers.EXTERNAL in kinds
        self.simulator.policy[:] = self._kinds[self.player]

    # -- copying ----------------------------------------------------------------------------

    @looks
    def save(self) -> bytes:
        """The complete state of the batch as bytes; policies are saved by name only."""
        used = np.unique(self.player[self.player >= 0])
        header = {
            "num_envs": self.num_envs,
            "policies": [name_of(self.policies[number]) for number in used],
            "rng": self.rng.bit_generator.state,
        }
        arrays = {name: getattr(self, name) for name in _SAVED}
        arrays["player"] = np.where(self.player >= 0, np.searchsorted(used, self.player), self.player)
        arrays["header"] = np.array(json.dumps(header))
        arrays["simulator"] = np.frombuffer(self.simulator.save(), np.uint8)
        buffer = io.BytesIO()
        np.savez(buffer, **arrays)
        return buffer.getvalue()

    @plays
    def load(self, data: bytes, policies: Sequence[Policy] = ()) -> None:
        """Resume from the bytes of `save`.

        `policies` are opponents of games in progress that are not among the current ones.

        Raises:
            SnapshotError: damaged bytes, another game, or another number of games or players.
            PolicyError: an opponent that is unknown here. In both cases the batch is unchanged.
        """
        copies, arrays, names, rng = _read(data, self)
        known = {name_of(policy): policy for policy in (*policies, *self._opponents.policies)}
        missing = [name for name in names if name not in known]
        if missing:
            raise PolicyError(
                f"the saved games have opponents {', '.join(missing)}; give them in `policies` "
                f"(known: {', '.join(known)})"
            )
        self._put(copies, self._all_rows, arrays, rng)
        self._seat_players(tuple(known[name] for name in names), self.player)
        self._set_opponents(self._opponents)

    def _put(
        self, copies: Copies, rows: IntArray, arrays: dict[str, npt.NDArray[Any]], rng: np.random.Generator
    ) -> None:
        """Put copies of games into these rows, and the arrays named in `_SAVED` of all rows."""
        self.simulator.put(copies, rows)
        self.rng = rng
        for name, array in arrays.items():
            getattr(self, name)[:] = array

    def close(self) -> None:
        """Close the simulator. The batch cannot be used afterwards."""
        self.entrance.close()
        self.simulator.close()


_SAVED = ("seat", "player", "length", "returned", "_forfeited", "_potential", "_origin", "_begun")


def _read(
    data: bytes, batch: LearnerBatch
) -> tuple[Copies, dict[str, npt.NDArray[Any]], list[str], np.random.Generator]:
    """The games of a saved batch, the arrays named in `_SAVED`, the names of its policies, and its generator.

    Raises:
        SnapshotError: not all of it fits this batch.
    """
    try:
        arrays = arrays_in(data)
        header = json.loads(str(arrays["header"]))
        read = {name: arrays[name] for name in _SAVED}
        simulator = arrays["simulator"].tobytes()
        names, num_envs = header["policies"], header["num_envs"]
        rng = np.random.default_rng()
        rng.bit_generator.state = header["rng"]
    except _DAMAGE as error:
        raise SnapshotError(f"these bytes are damaged or no saved batch ({error})") from None
    if num_envs != batch.num_envs:
        raise SnapshotError(f"the saved batch has {num_envs!r:.20} games; this one has {batch.num_envs}")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise SnapshotError(f"the saved batch's policies are {names!r:.40}; allowed: a list of names")
    copies = snapshot.read(batch.game, simulator, batch.num_envs)
    players = copies.states["num_players"]
    if not np.array_equal(players, batch.players):
        raise SnapshotError(
            f"the saved games have {players.tolist()!s:.40} players; these {batch.players.tolist()!s:.40}"
        )
    for name, array in read.items():
        own = getattr(batch, name)
        if array.dtype != own.dtype or array.shape != own.shape:
            raise SnapshotError(
                f"the saved batch's {name} is of dtype {array.dtype} and shape {array.shape}; "
                f"allowed: {own.dtype} and {own.shape}"
            )
    seats = np.arange(batch.game.max_players)
    player, learner = read["player"], seats == read["seat"][:, None]
    lowest = np.where(seats >= players[:, None], NOBODY, np.where(learner, LEARNER, 0))
    highest = np.where(lowest < 0, lowest, len(names) - 1)
    in_game = (read["seat"] >= 0) & (read["seat"] < players)
    if not (in_game.all() and (lowest <= player).all() and (player <= highest).all()):
        raise SnapshotError("the saved batch seats learners or opponents where nobody sits")
    finite = np.isfinite(read["returned"]).all() and np.isfinite(read["_potential"]).all()
    if (read["length"] < 0).any() or not finite:
        raise SnapshotError("the saved batch counts decisions or rewards that no game can have")
    return copies, read, names, rng


_DAMAGE = (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError)
"""What is raised for damaged bytes, and for text and generators that are none."""
