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
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, cast

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import numpy as np
import torch
import tyro
from rich.console import Console
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
from polytrix.training.shared.checkpoints import Checkpoints, adam_like, check_like, load_adam, must_match
from polytrix.training.shared.evaluation import HELD_OUT_SEED
from polytrix.training.shared.reports import origin, run_name, write_report
from polytrix.training.shared.runs import ends_in_words

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


@dataclass(frozen=True)
class Settings:
    """Settings of `language_model.py`."""

    game: tyro.conf.Positional[str]
    """Name of the game, for example resistor."""
    out: Path | None = None
    """Folder of the run; by default one in runs/. A run in this folder is continued."""
    restart: bool = False
    """Delete the run in the folder and start again."""
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

    curve_points: Count = 6
    """Points of the learning curve in each stage."""
    curve_games: Count = 50
    """Games against each opponent, with sampled answers, for each point of the learning curve."""
    final_games: Count = 400
    """Games against each opponent, with sampled and with the most probable answers, before, between and after
    the stages."""
    checkpoint_seconds: Weight = 30.0
    """Seconds between checkpoints, approximately."""
    seed: Seed = 1
    """Random seed."""
    options: dict[str, Any] = field(default_factory=dict)
    """Options of the game."""


@dataclass
class Progress:
    """How far a run has come."""

    demonstrated: int = 0  # games
    positions: int = 0
    games: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    curve: list[dict[str, Any]] = field(default_factory=list)
    results: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    @staticmethod
    def read(saved: Any, rivals: Sequence[str]) -> Progress:
        """The progress of a checkpoint.

        Args:
            saved: from the checkpoint, once `asdict` of a progress.
            rivals: the agents that the model is measured against.

        Raises:
            CheckpointError: it is none, or no run has come so far.
        """
        point = {"stage": "", "done": 0, "results": [FIGURES] * len(rivals)}
        expected = asdict(Progress()) | {
            "seconds": dict.fromkeys(saved["seconds"], 0.0),
            "curve": [point] * len(saved["curve"]),
            "results": dict.fromkeys(saved["results"], [FIGURES] * (2 * len(rivals))),
        }
        check_like(saved, expected, "progress")
        progress = Progress(**saved)
        stages = {*progress.seconds, *progress.results, *(each["stage"] for each in progress.curve)}
        measured = [*progress.results.values(), *(each["results"] for each in progress.curve)]
        for each in (found for results in measured for found in results):
            if each["opponent"] not in rivals or each["games"] < 1:
                raise CheckpointError(f"progress has {each['games']} games against {each['opponent']!r:.40}")
        counts = progress.demonstrated, progress.positions, progress.games
        if not stages <= set(STAGES) or not all(0 <= each < RUN_SEEDS * RUNS for each in counts):
            raise CheckpointError(f"progress is of stages {sorted(stages)!s:.60}, with counts {counts}")
        return progress


class Run:
    """A training run in a folder.

    Args:
        settings: of the run.

    Raises:
        SystemExit: the settings do not fit the game, or the run in the folder has others.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.prompts = Prompts(rules=False, notation=False, legal_moves=settings.list_moves, memory=0)
        try:
            self.game, self.options = polytrix.find(settings.game).configured(given_options(settings))
            self.players = self.game.num_players(self.options)
            for agent in (settings.teacher, *settings.opponents):
                resolve(agent, self.game)
        except PolytrixError as error:
            raise SystemExit(str(error)) from None
        self.shown = Setup(self.game, [MODEL] * self.players, options=self.options, prompts=self.prompts)
        self.folder = settings.out or Path("runs") / f"language-{run_name(self.game, self.options)}"
        torch.set_num_threads(1)
        self._first_seed = settings.seed % RUNS * RUN_SEEDS  # of games
        self.checkpoints, self.progress = Checkpoints(self.folder, settings.restart), Progress()
        self._saved = time.monotonic()
        found = self.checkpoints.read(self._fixed())
        if found is None:
            self.model = self._first_model()
            self.optimizer = self._new_optimizer()
        else:
            state, problem = found
            if problem:
                Console(stderr=True).print(problem, soft_wrap=True, markup=False)
            self._restore(state)

    # -- the stages -------------------------------------------------------------------------

    def train(self) -> None:
        """Go through the stages, and measure the model before, between and after."""
        settings, progress = self.settings, self.progress
        self._measure(UNTRAINED)
        self._stage(IMITATION, settings.positions, lambda: progress.positions, self.imitate)
        self._stage(POLICY_GRADIENT, settings.games, lambda: progress.games, self.reinforce)

    def imitate(self) -> float:
        """Learn from the decisions of some games.

        Returns:
            The mean loss of an answer: minus the logarithm of its probability.
        """
        settings, progress = self.settings, self.progress
        examples = self._demonstrations(MINIBATCHES * settings.batch_size)
        prompts = self.model.tokens_of([each.chat for each in examples])
        answers = self.model.tokens_of_answers([each.answer for each in examples])
        losses = []
        for chosen in minibatches(prompts, settings.batch_size, self._rng()):
            loss = -self.model.log_probabilities(
                [prompts[each] for each in chosen], [answers[each] for each in chosen]
            ).mean()
            progress.positions += len(chosen)
            left = max(LOWEST_RATE, 1 - progress.positions / settings.positions)
            self._step(loss, settings.learning_rate * left * min(1.0, progress.positions / WARM_UP))
            losses.append(loss.item())
        return float(np.mean(losses))

    def reinforce(self) -> float:
        """Play some games, and make answers more probable that were followed by more than usual.

        Returns:
            The mean payoff of the games.
        """
        settings, progress = self.settings, self.progress
        torch.manual_seed(self._first_seed + progress.games)
        answers, advantages, payoffs = list[Answer](), list[float](), list[float]()
        count = -(-settings.games_at_once // len(settings.opponents))
        for opponent in settings.opponents:
            seed = POLICY_SEED + self._first_seed + progress.games
            found = self.play(opponent, count, seed, temperature=1.0)
            returns = [worth for rollout in found for worth in returns_of(rollout, settings.gamma)]
            advantages += [worth - float(np.mean(returns)) for worth in returns]
            answers += [cast(Answer, turn.answer) for rollout in found for turn in rollout.turns]
            payoffs += [rollout.reward for rollout in found]
            progress.games += count
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
        return float(np.mean(payoffs))

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

    # -- around the stages ------------------------------------------------------------------

    def _stage(self, name: str, total: int, done: Callable[[], int], iterate: Callable[[], float]) -> None:
        """Iterate until all is done, then measure the model."""
        progress, points = self.progress, self.settings.curve_points
        if not total or (done() >= total and name in progress.results):
            return
        progress.results.pop(name, None)  # of a run with fewer games
        if not done():
            self.optimizer = self._new_optimizer()
        with Bar(total=total, initial=done(), desc=name.replace("_", " ")) as bar:
            while done() < total:
                before, began = done(), time.monotonic()
                figure = iterate()
                progress.seconds[name] = progress.seconds.get(name, 0.0) + time.monotonic() - began
                bar.set_postfix_str(f"{'loss' if name == IMITATION else 'payoff'} {figure:.3f}")
                bar.update(done() - before)
                if done() * points // total > before * points // total and done() < total:
                    self._add_point(name, done())
                if time.monotonic() - self._saved > self.settings.checkpoint_seconds:
                    self.save()
        self._measure(name)

    def _measure(self, stage: str) -> None:
        """Save the model, and play the games on held-out seeds, unless that is done."""
        if stage in self.progress.results:
            return
        self.model.save(self.folder / stage)
        with Bar(desc=f"held-out games, {stage.replace('_', ' ')}", total=2 * len(self._rivals())) as bar:
            self.progress.results[stage] = [
                self._figures(rival, self.settings.final_games, HELD_OUT_SEED, temperature, bar)
                for temperature in (1.0, 0.0)
                for rival in self._rivals()
            ]
        self.save()

    def _add_point(self, stage: str, done: int) -> None:
        """Add a point to the learning curve."""
        games = self.settings.curve_games
        found = [self._figures(rival, games, CURVE_SEED, temperature=1.0) for rival in self._rivals()]
        self.progress.curve.append({"stage": stage, "done": done, "results": found})

    def _figures(
        self, rival: str, games: int, seed: int, temperature: float, bar: Any = None
    ) -> dict[str, Any]:
        """What the model does in games against an agent."""
        torch.manual_seed(self.settings.seed)
        found = figures(rival, self.play(rival, games, seed, temperature), sampled=temperature > 0)
        if bar is not None:
            bar.update()
        return found

    def _rivals(self) -> list[str]:
        """The agents that the model is measured against."""
        return ["random"] if self.game.greedy is None else ["random", "greedy"]

    def _demonstrations(self, count: int) -> list[Demonstration]:
        """The next demonstrations: those of whole games, at least `count`."""
        settings, progress = self.settings, self.progress
        found: list[Demonstration] = []
        while len(found) < count:
            seed = self._first_seed + progress.demonstrated
            found += demonstrations(self.shown, settings.teacher, settings.variety, seed)
            progress.demonstrated += 1
        return found

    def _rng(self) -> np.random.Generator:
        """A generator for the next iteration, wherever the run was stopped before."""
        return np.random.default_rng([self.settings.seed, self.progress.positions, self.progress.games])

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
        self.progress.demonstrated = 0  # they are learned from, too
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

    def _fixed(self) -> dict[str, Any]:
        """The settings that must stay the same when the run is continued: more games can be added."""
        return {name: value for name, value in frozen(self.settings).items() if name != "games"}

    def _new_optimizer(self) -> torch.optim.Optimizer:
        return torch.optim.AdamW(self.model.network.parameters(), betas=(0.9, 0.98), weight_decay=0.01)

    def save(self) -> None:
        """Write a checkpoint."""
        self.checkpoints.write(
            {
                "settings": self._fixed(),
                "progress": asdict(self.progress),
                "weights": self.model.network.state_dict(),
                "optimizer": self.optimizer.state_dict(),
            }
        )
        self._saved = time.monotonic()

    def _restore(self, state: Mapping[str, Any]) -> None:
        """Continue from the state of a checkpoint.

        Raises:
            SystemExit: it does not match this run.
        """
        with must_match(self.folder):
            tokens = self.settings.answer_tokens
            self.model = ChatModel.load(self.folder / UNTRAINED, tokens)  # for its tokenizer and its shape
            self.optimizer = self._new_optimizer()
            self.progress = Progress.read(state["progress"], self._rivals())
            check_like(state["weights"], self.model.network.state_dict(), "weights")
            check_like(state["optimizer"], adam_like(self.optimizer, state["optimizer"]), "optimizer")
            self.model.network.load_state_dict(state["weights"])
            load_adam(self.optimizer, state["optimizer"])

    def record(self) -> dict[str, Any]:
        """The content of `result.json`."""
        progress, network = self.progress, self.model.network
        return {
            **origin(self.game, self.players, "language_model.py", ("transformers", "tokenizers")),
            "settings": {**frozen(self.settings), "options": given_options(self.settings)},
            "parameters": sum(each.numel() for each in network.parameters()),
            "demonstrated_games": progress.demonstrated,
            "positions": progress.positions,
            "games": progress.games,
            "seconds": {stage: round(seconds, 1) for stage, seconds in progress.seconds.items()},
            "results": progress.results,
            "curve": progress.curve,
        }


def read_settings(arguments: list[str]) -> Settings:
    """Settings from the command line."""
    return settings_from(Settings, arguments, "language_model", __doc__)


def train(settings: Settings) -> None:
    """Train, measure and report."""
    disable_progress_bar()  # of Transformers, for reading and writing models
    with ends_in_words():
        run = Run(settings)
        with closing(run.checkpoints):
            run.train()
            record, title = run.record(), f"{run.game.title} by text, {run.players} players"
            write_report(run.folder, record, card(record), partial(draw, record=record, title=title))


def main() -> None:
    """Train with the settings of the command line."""
    train(read_settings(sys.argv[1:]))


if __name__ == "__main__":
    main()
