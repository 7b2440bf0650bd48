"""Environments whose rows are games: one seat learns, or all of them, one after another or side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from polytrix.agents.resolve import PolicySpec
from polytrix.core.errors import GameOverError, MissingExtraError, OptionError
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import FloatArray, IntArray

from ..shared.arguments import (
    IllegalAction,
    ObservationType,
    SeatRule,
    check_dtype,
    configure_rows,
    shaping_weights,
)
from ..shared.learner import LearnerBatch
from ..shared.opponents import Opponents, Weighted, opponents_of

try:
    import torch
    from tensordict import TensorDict, TensorDictBase
    from torchrl.data import Binary, Bounded, Categorical, Composite, Unbounded
    from torchrl.envs import EnvBase
except ImportError:
    raise MissingExtraError("polytrix.api.torchrl", "torchrl") from None

Arrays = dict[str, npt.NDArray[Any]]

FLAGS = ("done", "terminated", "truncated")
WAIT = 0
"""The only action of an agent that waits."""


class GameEnv(EnvBase):  # type: ignore[misc]  # untyped where TorchRL is not installed
    """What the environments share. Row i plays the games of seed `seed + i`, whatever the batch size.

    All tensors of a step are new, so rollouts may keep them. A game that a limit has ended is `terminated`, and
    `truncated` besides: its payoff is final, and there is nothing to bootstrap.

    Args:
        game: a game or its id.
        num_envs: the number of games, B.
        seed, shaping, gamma, dtype: as for `LearnerBatch`.
        num_threads: the number of threads; it does not affect results.
        **options: game options, and data files by name, each as a name, path or content. An option may be
            a list of values, assigned to the rows in turn.

    Attributes:
        game: the game.
        simulator: plays the games.

    Raises:
        OptionError, DataError, PolicyError, ValueError: invalid arguments.
    """

    def __init__(
        self,
        game: Game | str,
        num_envs: int,
        *,
        seed: int | None = None,
        num_threads: int = 1,
        shaping: float = 0.0,
        gamma: float = 1.0,
        dtype: ObservationType = "int8",
        **options: Any,
    ) -> None:
        self.game, values = configure_rows(game, options, num_envs, type(self).__init__)
        self.shaping, self.gamma = shaping_weights(self.game, shaping, gamma)
        self.dtype = check_dtype(dtype)
        self.simulator = Simulator(self.game, num_envs, values, seed, num_threads)
        super().__init__(device="cpu", batch_size=[num_envs])
        self._played: Simulator | LearnerBatch = self.simulator  # begins games, and says which are over
        self._rows = np.arange(num_envs)
        self._waits = np.ones(num_envs, np.bool_)  # games seeded but not yet returned by `reset`
        self._potential = np.zeros((num_envs, self.game.max_players), np.float32)  # used for shaping only
        flags = {name: Categorical(2, (num_envs, 1), dtype=torch.bool) for name in FLAGS}
        self.full_done_spec = Composite(**flags, shape=self.batch_size)
        self.observation_spec, self.full_action_spec, self.full_reward_spec = self._specs()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.game.id}, num_envs={len(self._rows)})"

    # -- what the environments differ in ----------------------------------------------------

    def _specs(self, *group: int, **seen: Any) -> tuple[Any, Any, Any]:
        """Specs of what is seen, of actions and of rewards, in each row, or of each agent in it."""
        shape, actions = (len(self._rows), *group), self.game.actions.size
        bounds = (self.game.observations.low, self.game.observations.high)
        low, high = (torch.from_numpy(each.astype(self.dtype)).expand(*shape, -1) for each in bounds)
        observation = Bounded(low, high, dtype=low.dtype)
        mask = Binary(actions, (*shape, actions), dtype=torch.bool)
        return (
            Composite(observation=observation, action_mask=mask, **seen, shape=shape),
            Composite(action=Categorical(actions, shape), shape=shape),
            Composite(reward=Unbounded((*shape, 1)), shape=shape),
        )

    def _open(self, rows: IntArray) -> None:
        """Note what shaping needs of games that have begun in these rows."""

    def _take(self, action: IntArray) -> Arrays:
        """Take the actions; what has been paid, in new arrays."""
        raise NotImplementedError

    def _seen(self) -> Arrays:
        """What is seen now, in new arrays."""
        raise NotImplementedError

    def _nest(self, tensors: dict[str, torch.Tensor]) -> dict[str, Any]:
        """Put tensors into the group, if there is one."""
        return tensors

    # -- TorchRL's side -----------------------------------------------------------------------

    def _set_seed(self, seed: int | None) -> None:
        self._played.seed(seed)
        self._waits[:] = True

    def _reset(self, tensordict: TensorDictBase | None = None) -> TensorDictBase:
        chosen = None if tensordict is None else tensordict.get("_reset", None)
        rows = self._rows if chosen is None else np.flatnonzero(chosen.numpy(force=True))
        self._played.restart(rows[~self._waits[rows]])
        self._waits[rows] = False
        self._open(rows)
        return self._output(self._seen())

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        if self._waits.any():
            raise GameOverError("no games have begun; call reset() first")
        paid = self._take(tensordict[self.action_key].numpy(force=True))
        return self._output(self._seen() | paid)

    def _output(self, arrays: Arrays) -> TensorDictBase:
        over = self._played.over
        ends = (over, over.copy(), self.simulator.truncated)
        flags = {name: torch.from_numpy(flag[:, None]) for name, flag in zip(FLAGS, ends, strict=True)}
        tensors = self._nest({name: torch.from_numpy(array) for name, array in arrays.items()})
        return TensorDict(tensors | flags, self.batch_size, device=self.device)

    def maybe_reset(self, tensordict: TensorDictBase) -> TensorDictBase:
        """Begin the next games where they are over, and show all rows: faster than a choice for each entry."""
        done = tensordict["done"]
        if not done.any():
            return tensordict
        return tensordict.update(self._reset(TensorDict({"_reset": done}, self.batch_size)))

    def rand_action(self, tensordict: TensorDictBase | None = None) -> TensorDictBase:
        """Set a random legal action in each row, by torch's generator. In finished games it means nothing."""
        simulator = self.simulator
        place = (torch.rand(len(self._rows)).numpy() * simulator.num_legal).astype(np.int64)
        action = torch.from_numpy(simulator.legal_ids[self._rows, place].astype(np.int64))
        random = TensorDict(self._nest({"action": action}), self.batch_size, device=self.device)
        return random if tensordict is None else tensordict.update(random)

    def close(self, *, raise_if_closed: bool = True) -> None:
        """Stop the threads. The environment cannot be used afterwards."""
        super().close(raise_if_closed=raise_if_closed)
        self.simulator.close()


class OneSeatEnv(GameEnv):
    """Games with a learner in one seat, and opponents in the others.

    Keys are `observation` (B, O) int8, `action_mask` (B, A) bool, all False once a game is over, and `seat`
    (B,) int64, the learner's; `action` (B,) int64; `reward`, `done`, `terminated` and `truncated` (B, 1).

    Args:
        game, num_envs, seed, num_threads, shaping, gamma, dtype: as for `GameEnv`.
        opponent: "random", "greedy", "ppo", the path of a saved network or a callable, for all other seats; a
            list with one for each of them; or a pool to draw from: `{"greedy": 0.2, "a/policy.npz": 0.3}`.
        seat, illegal_action: as for `LearnerBatch`.
        **options: as for `GameEnv`.

    >>> env = OneSeatEnv("quatrix", 8, opponent="greedy", seed=3)
    >>> played = env.rollout(20, break_when_any_done=False)
    >>> played["action_mask"].gather(-1, played["action"][..., None]).all()
    tensor(True)
    """

    def __init__(
        self,
        game: Game | str,
        num_envs: int,
        *,
        opponent: PolicySpec | Sequence[PolicySpec] | Weighted = "random",
        seat: SeatRule = "random",
        seed: int | None = None,
        num_threads: int = 1,
        illegal_action: IllegalAction = "raise",
        shaping: float = 0.0,
        gamma: float = 1.0,
        dtype: ObservationType = "int8",
        **options: Any,
    ) -> None:
        learning: Any = {"seed": seed, "shaping": shaping, "gamma": gamma, "dtype": dtype}
        super().__init__(game, num_envs, num_threads=num_threads, **learning, **options)
        self._played = self.learners = LearnerBatch(
            self.simulator,
            self._opponents(opponent),
            seat=seat,
            illegal_action=illegal_action,
            **learning,
        )

    def _specs(self) -> tuple[Any, Any, Any]:  # type: ignore[override]  # a row has no group
        return super()._specs(seat=Categorical(self.game.max_players, self.batch_size))

    def _opponents(self, opponent: PolicySpec | Sequence[PolicySpec] | Weighted) -> Opponents:
        return opponents_of(self.game, opponent, int(self.simulator.num_players.max()))

    def set_opponent(self, opponent: PolicySpec | Sequence[PolicySpec] | Weighted) -> None:
        """Let these play in new games, given as to the constructor; games in progress keep theirs."""
        self.learners.set_opponents(self._opponents(opponent))

    def _take(self, action: IntArray) -> Arrays:
        return {"reward": self.learners.step(action).reward[:, None]}

    def _seen(self) -> Arrays:
        learners = self.learners
        mask = learners.mask().view(np.bool_)
        return {"observation": learners.observation(), "action_mask": mask, "seat": learners.seat.copy()}


class AllSeatsEnv(GameEnv):
    """Games in which every seat is yours: each row shows what the seat to move sees.

    Keys are those of `OneSeatEnv`, with the mover in `seat` (seat 0 once a game is over). Besides, there are
    `decisions` (B,) int64, how many the game has had, and `rewards` (B, P) float32, what each seat was paid in
    this step: its payoff at the end and, when it is to move again, its shaping since its last decision.
    `reward` is what the seat was paid whose action it was; `LinkDecisions` adds what it is paid later.

    >>> from polytrix.api.torchrl import LinkDecisions
    >>> env = AllSeatsEnv("quatrix", 8, seed=3)
    >>> played = env.rollout(20, break_when_any_done=False)
    >>> decisions = LinkDecisions()(played)  # 2 seats in each row have a last one, which waits
    >>> len(decisions) == 8 * 20 - 8 * 2
    True
    """

    def _specs(self) -> tuple[Any, Any, Any]:  # type: ignore[override]  # a row has no group
        self._rewards = np.zeros_like(self._potential)
        return super()._specs(
            seat=Categorical(self.game.max_players, self.batch_size),
            decisions=Unbounded(self.batch_size, dtype=torch.int64),
            rewards=Unbounded(self._potential.shape),
        )

    def _open(self, rows: IntArray) -> None:
        self._potential[rows] = 0.0
        self._pay_shaping(np.zeros_like(self._potential), rows)
        self._rewards[rows] = 0.0

    def _take(self, action: IntArray) -> Arrays:
        mover = self.simulator.mover.copy()
        self.simulator.step(action)
        self._rewards = self.simulator.reward.copy()
        self._pay_shaping(self._rewards, self._rows)
        return {"reward": self._rewards[self._rows, mover][:, None]}

    def _pay_shaping(self, rewards: FloatArray, rows: IntArray) -> None:
        """Pay the seats to move for the time since their last decisions, and all seats at the end."""
        if not self.shaping:
            return
        over = self.simulator.over[rows]
        ended, live = rows[over], rows[~over]
        rewards[ended] -= self.shaping * self._potential[ended]
        mover = self.simulator.mover[live]
        now = self.simulator.potential(live)[np.arange(len(live)), mover]
        rewards[live, mover] += self.shaping * (self.gamma * now - self._potential[live, mover])
        self._potential[live, mover] = now

    def _seen(self) -> Arrays:
        simulator = self.simulator
        return {
            "observation": simulator.observation.astype(self.dtype),
            "action_mask": simulator.mask.copy().view(np.bool_),
            "seat": np.maximum(simulator.mover, 0).astype(np.int64),
            "decisions": simulator.states["decisions"].astype(np.int64),
            "rewards": self._rewards.copy(),
        }


class GroupedEnv(GameEnv):
    """Games whose seats are a group of agents side by side, as multi-agent libraries want them.

    Keys are `("agents", ...)`: `observation` (B, P, O), `action_mask` (B, P, A), `action` (B, P) and `reward`
    (B, P, 1); and `done`, `terminated`, `truncated` (B, 1). Each agent has a step at every decision. One that
    waits has a single action, 0, which does nothing: its log-probability is 0, and so is its gradient. With
    `shaping`, each agent gets `shaping * (gamma * potential(after) - potential(before))` in every step.

    Attributes:
        group_map: the names of the agents: `{"agents": ["player_0", ...]}`.

    Raises:
        OptionError: also if the games have different numbers of players.

    >>> env = GroupedEnv("quatrix", 4, seed=3)
    >>> env.rollout(20)["agents", "observation"].shape
    torch.Size([4, 20, 2, 577])
    """

    def _specs(self) -> tuple[Any, Any, Any]:  # type: ignore[override]
        given = sorted({*self.simulator.num_players.tolist()})
        if len(given) > 1:
            raise OptionError(f"the games have {given} players; allowed: the same number in all rows")
        self._players = given[0]
        self.group_map = {"agents": [f"player_{seat}" for seat in range(self._players)]}
        observation, action, reward = (
            Composite(agents=spec, shape=self.batch_size) for spec in super()._specs(self._players)
        )
        return observation, action, reward

    def _open(self, rows: IntArray) -> None:
        if self.shaping:
            self._potential[rows] = self.simulator.potential(rows)

    def _take(self, action: IntArray) -> Arrays:
        self.simulator.step(action[self._rows, self.simulator.mover])
        rewards = self.simulator.reward.copy()
        if self.shaping:
            now = self.simulator.potential()
            rewards += self.shaping * (self.gamma * now - self._potential)
            self._potential = now
        return {"reward": rewards[:, : self._players, None]}

    def _seen(self) -> Arrays:
        simulator, rows = self.simulator, len(self._rows)
        views = simulator.global_state().reshape(rows, self.game.max_players, -1)
        mask = np.zeros((rows, self._players, self.game.actions.size), np.bool_)
        mask[..., WAIT] = True
        live = np.flatnonzero(simulator.mover >= 0)
        mask[live, simulator.mover[live]] = simulator.mask[live]
        return {"observation": views[:, : self._players].astype(self.dtype), "action_mask": mask}

    def _nest(self, tensors: dict[str, torch.Tensor]) -> dict[str, Any]:
        shape = (len(self._rows), self._players)
        if "action" in tensors:  # one for each row, of the agent to move
            mover = torch.from_numpy(np.maximum(self.simulator.mover, 0).astype(np.int64))
            action = tensors["action"][:, None]
            tensors = {"action": torch.full(shape, WAIT).scatter(1, mover[:, None], action)}
        return {"agents": TensorDict(tensors, shape)}
