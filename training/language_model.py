"""Train a small language model to play a game by text: first by imitation, then by policy gradient.

    python training/language_model.py resistor
    python training/language_model.py quatrix --positions 60000 --games 4000 --out runs/quatrix-by-text

1. **A model.** By default a tiny transformer with random weights, and a tokenizer that is trained on the texts
   of the game; nothing is downloaded. `--model FOLDER` begins with a causal language model of Transformers.
2. **Imitation.** The model learns what `--teacher` answers to positions of games. Each position is met once.
3. **Policy gradient.** The model plays against `--opponents`, by `polytrix.llm.rollouts`, with one attempt to
   answer: an illegal move loses the game. REINFORCE with PPO's clipped ratio makes answers more probable that
   were followed by more than the mean of the games against the same opponent.

Before, between and after, the model plays games on held-out seeds, with sampled answers and with its most
probable ones. Its folders `untrained`, `imitation` and `policy_gradient` are models of Transformers; the arena
plays with them as `hf:FOLDER`. The run can be stopped at any time (Ctrl-C, kill -9); the same command continues
from the last checkpoint, exactly as if it had not stopped.

In this file: settings, the stages and their order. In `language/`, `tiny_model.py` makes the model,
`demonstrations.py` the examples; `learning.py` has returns and losses, `report.py` the card and the picture.
`polytrix.llm.transformers` asks models and tells how probable answers are.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, cast

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import numpy as np
import torch
import tyro
from transformers.utils.logging import disable_progress_bar

import polytrix
from polytrix.agents import resolve
from polytrix.core.errors import CheckpointError, PolytrixError
from polytrix.llm import MODEL, Prompts, Rollout, rollouts
from polytrix.llm.models import as_prompt
from polytrix.llm.setup import Setup
from polytrix.llm.transformers import Answer, ChatModel
from polytrix.training.language.demonstrations import Demonstration, demonstrations
from polytrix.training.language.learning import clipped_loss, minibatches, returns_of
from polytrix.training.language.report import FIGURES, card, draw, figures
from polytrix.training.language.tiny_model import tiny_model
from polytrix.training.shared.arguments import (
    Amount,
    Count,
    Positive,
    Seed,
    Share,
    Weight,
    frozen,
    given_options,
    settings_from,
)
from polytrix.training.shared.bars import Bar
from polytrix.training.shared.checkpoints import Checkpoints, adam_like, load_adam
from polytrix.training.shared.evaluation import HELD_OUT_SEED
from polytrix.training.shared.reports import origin, run_name, write_report
from polytrix.training.shared.runs import Budget, Clock, MakeState, Run, check_count, ends_in_words

UNTRAINED, IMITATION, POLICY_GRADIENT = STAGES = ("untrained", "imitation", "policy_gradient")

RUN_SEEDS = 1 << 20
"""Number of seeds of games that belong to a seed of a run."""
RUNS = 1 << 17
"""Number of seeds of runs that have games of their own."""
POLICY_SEED = 1 << 38
"""First seed of games of the policy gradient, above those of demonstrations."""
CURVE_SEED = 1 << 39
"""First seed of games for the learning curve."""

MINIBATCHES = 32
"""Minibatches of demonstrations that are shuffled together."""
WARM_UP = 2_000
"""Positions in which the learning rate of imitation rises."""
LOWEST_RATE = 0.05
"""Share of the learning rate that is left at the end of imitation."""
SAMPLE = 2_000
"""Demonstrations from which a tokenizer learns."""
CLIP_RANGE = 0.2
"""Clipping range of the ratio of probabilities."""
MAX_GRAD_NORM = 1.0
"""Maximum norm of the gradient."""
CURVE_POINTS = 6
"""Points of the learning curve in each stage."""
CURVE_GAMES = 50
"""Most games against each opponent, for each of them."""

COUNTS = ("demonstrated", "positions", "games")
"""What a learner counts."""


@dataclass(frozen=True)
class Settings:
    """Settings of `language_model.py`."""

    game: tyro.conf.Positional[str]
    """Name of the game, for example resistor."""
    out: Path | None = None
    """Folder of the run; by default one in runs/. A run in this folder is continued."""
    model: str = ""
    """Folder with a causal language model of Transformers to begin with; by default a tiny one from scratch."""
    list_moves: bool = False
    """List the legal moves in prompts. Prompts are longer, and illegal moves easier to avoid."""

    answer_tokens: Count = 12
    """Tokens after which an answer is cut off."""

    vocabulary: Count = 1000
    """Tokens of a tiny model's tokenizer."""
    layers: Count = 2
    """Layers of a tiny model."""
    width: Count = 128
    """Width of a tiny model's layers."""
    heads: Count = 4
    """Attention heads of a tiny model; a divisor of the width."""

    teacher: str = "greedy"
    """The agent that is imitated."""
    positions: Amount = 40_000
    """Positions that are learned from by imitation."""
    variety: Share = 0.2
    """Share of random moves in the games that are imitated."""
    learning_rate: Positive = 2e-3
    """Learning rate of imitation; it falls to 5% of that."""
    batch_size: Count = 32
    """Answers per step of the optimiser."""

    opponents: tuple[str, ...] = ("random", "greedy")
    """The agents that the model plays against by turns during the policy gradient."""
    games: Amount = 2_000
    """Games of the policy gradient."""
    games_at_once: Count = 64
    """Games of an iteration of the policy gradient; they are played side by side."""
    policy_learning_rate: Positive = 3e-4
    """Learning rate of the policy gradient."""
    gamma: Share = 0.95
    """Discount factor per decision of the model."""

    final_games: Count = 400
    """Games against each opponent, with sampled and with the most probable answers, before, between and after
    the stages. For a point of the learning curve as many are played, but at most 50, with sampled answers."""
    checkpoint_seconds: Weight = 30.0
    """Seconds between checkpoints, approximately."""
    seed: Seed = 1
    """Random seed."""
    options: dict[str, Any] = field(default_factory=dict)
    """Options of the game."""


class Learner:
    """A language model that learns, first by imitation, then by policy gradient.

    Args:
        settings: of the run.
        begun: folder with the model with which the run began, if it goes on.

    Attributes:
        demonstrated: games of the teacher so far.
        positions, games: those that it has learned from so far, by imitation and by policy gradient.

    Raises:
        PolytrixError, SystemExit: the settings do not fit the game.
    """

    def __init__(self, settings: Settings, begun: Path | None = None) -> None:
        self.settings, self.demonstrated, self.positions, self.games = settings, 0, 0, 0
        self.prompts = Prompts(rules=False, notation=False, legal_moves=settings.list_moves, memory=0)
        self.game, self.options = polytrix.find(settings.game).configured(given_options(settings))
        for agent in (settings.teacher, *settings.opponents):
            resolve(agent, self.game)
        self.players = self.game.num_players(self.options)
        self.shown = Setup(self.game, [MODEL] * self.players, options=self.options, prompts=self.prompts)
        torch.set_num_threads(1)
        self._first_seed = settings.seed % RUNS * RUN_SEEDS  # of games
        # a model that goes on has the tokenizer and the shape of the first one
        self.model = ChatModel.load(begun, settings.answer_tokens) if begun else self._first_model()
        self.optimizer = self._new_optimizer()

    @property
    def done(self) -> int:
        """Positions and games so far, each up to its budget."""
        return min(self.positions, self.settings.positions) + min(self.games, self.settings.games)

    def iterate(self, clock: Clock) -> dict[str, float]:
        """Go on with the first stage that is not complete; the figures to log.

        Args:
            clock: of the run.
        """
        if self.positions < self.settings.positions:
            with clock(IMITATION):
                return self.imitate()
        if not self.games:
            self.optimizer = self._new_optimizer()
        with clock(POLICY_GRADIENT):
            return self.reinforce()

    def imitate(self) -> dict[str, float]:
        """Learn from the decisions of some games.

        Returns:
            The mean loss of an answer, minus the logarithm of its probability, to be logged.
        """
        settings = self.settings
        examples = self._demonstrations(MINIBATCHES * settings.batch_size)
        prompts = self.model.tokens_of([each.chat for each in examples])
        answers = self.model.tokens_of_answers([each.answer for each in examples])
        losses = []
        for chosen in minibatches(prompts, settings.batch_size, self._rng()):
            loss = -self.model.log_probabilities(
                [prompts[each] for each in chosen], [answers[each] for each in chosen]
            ).mean()
            self.positions += len(chosen)
            left = max(LOWEST_RATE, 1 - self.positions / settings.positions)
            self._step(loss, settings.learning_rate * left * min(1.0, self.positions / WARM_UP))
            losses.append(loss.item())
        return {"train/loss": float(np.mean(losses))}

    def reinforce(self) -> dict[str, float]:
        """Play some games, and make answers more probable that were followed by more than usual.

        Returns:
            The mean payoff of the games, to be logged.
        """
        settings = self.settings
        torch.manual_seed(self._first_seed + self.games)
        answers, advantages, payoffs = list[Answer](), list[float](), list[float]()
        count = -(-settings.games_at_once // len(settings.opponents))
        for opponent in settings.opponents:
            seed = POLICY_SEED + self._first_seed + self.games
            found = self.play(opponent, count, seed, temperature=1.0)
            returns = [worth for rollout in found for worth in returns_of(rollout, settings.gamma)]
            advantages += [worth - float(np.mean(returns)) for worth in returns]
            answers += [cast(Answer, turn.answer) for rollout in found for turn in rollout.turns]
            payoffs += [rollout.reward for rollout in found]
            self.games += count
        scale = float(np.std(advantages)) + 1e-8
        for chosen in minibatches([each.prompt for each in answers], settings.batch_size, self._rng()):
            said = [answers[each] for each in chosen]
            loss = clipped_loss(
                self.model.log_probabilities([each.prompt for each in said], [each.tokens for each in said]),
                torch.tensor([each.log_probability for each in said]),
                torch.tensor([advantages[each] / scale for each in chosen]),
                CLIP_RANGE,
            )
            self._step(loss, settings.policy_learning_rate)
        return {"rollout/payoff": float(np.mean(payoffs))}

    def play(self, opponent: str, games: int, seed: int, temperature: float = 0.0) -> list[Rollout]:
        """Games of the model, side by side, with one attempt to answer each question.

        Args:
            opponent: plays the other seats.
            games: number of games.
            seed: of the first game.
            temperature: of sampling; 0: the most probable answers.
        """
        return list(
            rollouts(
                self.game,
                partial(self.model.answers, temperature=temperature),
                games,
                batch=self.settings.games_at_once,
                seed=seed,
                seats=[MODEL] + [opponent] * (self.players - 1),
                options=self.options,
                prompts=self.prompts,
                attempts=1,
            )
        )

    def _demonstrations(self, count: int) -> list[Demonstration]:
        """The next demonstrations: those of whole games, at least `count`."""
        settings = self.settings
        found: list[Demonstration] = []
        while len(found) < count:
            seed = self._first_seed + self.demonstrated
            found += demonstrations(self.shown, settings.teacher, settings.variety, seed)
            self.demonstrated += 1
        return found

    def _rng(self) -> np.random.Generator:
        """A generator for the next iteration, wherever the run was stopped before."""
        return np.random.default_rng([self.settings.seed, self.positions, self.games])

    def _step(self, loss: torch.Tensor, rate: float) -> None:
        """Move the weights against the gradient of a loss."""
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.model.network.parameters(), MAX_GRAD_NORM)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.step()

    # -- beginning, saving and resuming -------------------------------------------------------

    def _first_model(self) -> ChatModel:
        """The model to begin with."""
        settings = self.settings
        torch.manual_seed(settings.seed)
        if settings.model:
            try:
                return ChatModel.load(settings.model, settings.answer_tokens)
            except PolytrixError as error:
                raise SystemExit(f"--model: {error}") from None
        if settings.width % (2 * settings.heads):
            raise SystemExit(
                f"--heads is {settings.heads}; allowed: numbers for which --width ({settings.width}) is a "
                "multiple of twice as much"
            )
        examples = self._demonstrations(SAMPLE)
        self.demonstrated = 0  # they are learned from too
        made = tiny_model(
            [as_prompt(each.chat) for each in examples],
            [each.answer for each in examples],
            vocabulary=settings.vocabulary,
            layers=settings.layers,
            width=settings.width,
            heads=settings.heads,
        )
        made.longest_answer = settings.answer_tokens
        return made

    def _new_optimizer(self) -> torch.optim.Optimizer:
        return torch.optim.AdamW(self.model.network.parameters(), betas=(0.9, 0.98), weight_decay=0.01)

    def state(self) -> dict[str, Any]:
        """Everything needed to go on."""
        return {
            **{name: getattr(self, name) for name in COUNTS},
            "weights": self.model.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
        }

    def state_like(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """An example of what a state must be like."""
        return self.state() | {"optimizer": adam_like(self.optimizer, state["optimizer"])}

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Go on from a result of `state`."""
        for name in COUNTS:
            check_count(state[name], name, RUN_SEEDS * RUNS)
            setattr(self, name, state[name])
        self.model.network.load_state_dict(state["weights"])
        load_adam(self.optimizer, state["optimizer"])


class LanguageRun(Run):
    """The run of a language model. It is measured on the way, and more thoroughly at the end of each stage.

    Args:
        settings: of the run.

    Raises:
        SystemExit: the run in the folder has other settings.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings, self.totals = settings, {IMITATION: settings.positions, POLICY_GRADIENT: settings.games}
        game, options = polytrix.find(settings.game).configured(given_options(settings))
        self.rivals = ["random"] if game.greedy is None else ["random", "greedy"]
        folder = settings.out or Path("runs") / f"language-{run_name(game, options)}"
        budget = Budget(decisions=sum(self.totals.values()))
        points = CURVE_POINTS * sum(map(bool, self.totals.values()))
        every, label = settings.checkpoint_seconds, f"training {game.name}"
        super().__init__(folder, frozen(settings), budget, Checkpoints(folder), every, points, label)

    @property
    def shares(self) -> dict[str, float]:
        """How much of each stage is done, 0 to 1."""
        found, left = {}, self.used.decisions
        for stage, total in self.totals.items():
            if total:
                found[stage] = min(left, total) / total
                left -= min(left, total)
        return found

    @property
    def done(self) -> float:
        """How much of the run is done, 0 to 1: stages are of equal weight."""
        return sum(self.shares.values()) / len(self.shares)

    @property
    def results(self) -> dict[str, list[dict[str, Any]]]:
        """What was measured at the end of stages, with sampled and with the most probable answers."""
        return {each["stage"]: each["results"] for each in self.curve if self.is_end(each)}

    def is_end(self, point: Mapping[str, Any]) -> bool:
        """Whether a point of the curve is the end of a stage."""
        return len(point["results"]) > len(self.rivals)

    def after_iteration(self, learner: Callable[[], Learner], state: MakeState | None, due: int) -> None:
        complete = [UNTRAINED, *(stage for stage, share in self.shares.items() if share == 1)]
        ended = [stage for stage in complete if stage not in self.results]
        for stage in ended:
            learner().model.save(self.folder / stage)
            self.add_point(learner(), stage, self.settings.final_games, HELD_OUT_SEED, 1.0, 0.0)
        if due and not ended:
            stage = next(stage for stage, share in self.shares.items() if share < 1)
            games = min(CURVE_GAMES, self.settings.final_games)
            self.add_point(learner(), stage, games, CURVE_SEED, 1.0)

    def add_point(self, learner: Learner, stage: str, games: int, seed: int, *temperatures: float) -> None:
        """Play games against each rival, and add what came out to the curve."""
        found = []
        told = f"{stage.replace('_', ' ')}, {games} games against each opponent"
        for temperature, rival in Bar(list(product(temperatures, self.rivals)), desc=told, leave=False):
            torch.manual_seed(self.settings.seed)
            played = learner.play(rival, games, seed, temperature)
            found.append(figures(rival, played, sampled=temperature > 0))
        done = learner.positions if stage == IMITATION else learner.games
        self.curve.append({"stage": stage, "done": done, "results": found})

    def curve_like(self, curve: Any) -> list[Any]:
        return [{"stage": "", "done": 0, "results": [FIGURES] * len(each["results"])} for each in curve]

    def _take(self, used: Any, curve: Any) -> None:
        super()._take(used, curve)
        if not {each["stage"] for each in self.curve} <= set(STAGES):
            raise CheckpointError(f"the curve has other stages than {', '.join(STAGES)}")
        for each in (found for point in self.curve for found in point["results"]):
            if each["opponent"] not in self.rivals or each["games"] < 1:
                raise CheckpointError(f"the curve has {each['games']} games against {each['opponent']!r:.40}")

    # -- the end ------------------------------------------------------------------------------

    def report(self, learner: Learner) -> None:
        """Write and print the card and the results."""
        record, title = self.record(learner), f"{learner.game.title} by text, {learner.players} players"
        write_report(self.folder, record, card(record), partial(draw, record=record, title=title))

    def record(self, learner: Learner) -> dict[str, Any]:
        """The content of `result.json`."""
        return {
            **origin(learner.game, learner.players, "language_model.py", ("transformers", "tokenizers")),
            "settings": {**frozen(self.settings), "options": given_options(self.settings)},
            "parameters": sum(each.numel() for each in learner.model.network.parameters()),
            "demonstrated_games": learner.demonstrated,
            "positions": learner.positions,
            "games": learner.games,
            "seconds": {stage: round(wall, 1) for stage, (wall, _) in self.clock.seconds_of.items()},
            "results": self.results,
            "curve": [each for each in self.curve if not self.is_end(each)],
        }


def read_settings(arguments: list[str]) -> Settings:
    """Settings from the command line."""
    settings = settings_from(Settings, arguments, "language_model", __doc__)
    if not settings.opponents or not settings.positions + settings.games:
        raise SystemExit("there is nothing to learn: name --opponents, and --positions or --games above 0")
    return settings


def train(settings: Settings) -> None:
    """Train, measure and report."""
    disable_progress_bar()  # of Transformers, for reading and writing models
    with ends_in_words(), LanguageRun(settings) as run:
        learner = Learner(settings, run.folder / UNTRAINED if run.saved else None)
        run.restore(learner)
        while run.goes_on(learner.done, lambda: learner, learner.state):
            run.log(learner.iterate(run.clock))
        run.report(learner)


def main() -> None:
    """Train with the settings of the command line."""
    train(read_settings(sys.argv[1:]))


if __name__ == "__main__":
    main()
