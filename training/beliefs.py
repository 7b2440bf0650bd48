"""Give a saved network beliefs: what other seats have done unseen, learned from its games.

    python training/beliefs.py estimatrix checkpoints/estimatrix-v0-expert/policy.npz --share-greedy 1

For games with hidden actions, such as dice and bids that are revealed together. The network plays against
itself or, in a share of the games, against greedy players. A second network learns from what it sees which
action each other seat has taken. The layers that play stay as they are; a search that the network guides draws
hidden actions from the beliefs.

In held-out games, the beliefs are compared with the worlds that a search draws without them.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

import polytrix
from polytrix.agents import NetworkPolicy, save_network
from polytrix.core.game import Game
from polytrix.core.search.tree import NONE
from polytrix.core.state import FloatArray, IntArray, RecordArray
from polytrix.learning.workers import one_blas_thread
from polytrix.training.shared.arguments import (
    Count,
    Positive,
    Sizes,
    given_options,
    network_with_values,
    result_file,
    settings_from,
)
from polytrix.training.shared.self_play import HeadSettings, begin, for_minutes

WORLDS = 32
"""Worlds that are drawn for each held-out position."""

BLOCK = 32_768
"""Positions that are played before they are learned from, in random order."""


@dataclass(frozen=True)
class Settings(HeadSettings):
    """Settings of `beliefs.py`. The network must have values."""

    minutes: Positive = 5.0
    batch_size: Count = 2048
    held_out: Count = 20_000
    """Positions, from games of their own, that only measure how good the beliefs are."""
    layers: Sizes = (256, 128)
    """Sizes of the hidden layers."""
    learning_rate: Positive = 1e-3
    """Initial learning rate of Adam; decreases linearly to zero."""


class Positions(NamedTuple):
    """Positions with hidden actions, as the seat to move sees them."""

    observation: npt.NDArray[np.int8]  # (n, O)
    hidden: IntArray  # (n, P - 1), the hidden action of the next seat, and so on; NONE
    states: RecordArray  # (n,)


def main(arguments: list[str]) -> None:
    """Play, learn, compare and save."""
    settings = settings_from(Settings, arguments, "beliefs", __doc__)
    game, options = polytrix.find(settings.game).configured(given_options(settings))
    if game.hidden_action is None:
        raise SystemExit(f"{game.id} has no hidden actions, so there is nothing for beliefs to tell")
    network = network_with_values(settings.network, game)
    out = result_file(settings.out, settings.network)
    with one_blas_thread():
        positions, beliefs = learned(game, network, settings, options)
        held = next(played(game, network, settings, options, settings.held_out, settings.seed + 1))
    believing = NetworkPolicy(game, network.layers, network.activation, values=network.values, beliefs=beliefs)
    figures = {"learned": cross_entropy(held, believing.foreseen(held.observation))}
    for name, rule in (("believe", game.believe), ("redeal", game.redeal)):
        if rule is not None:
            figures[name] = cross_entropy(held, imagined(game, rule, options, held, settings.seed))
    notes = network.notes | {
        "belief_positions": positions,
        "belief_share_greedy": settings.share_greedy,
        "belief_quality": {name: {"cross_entropy": each} for name, each in figures.items()},
    }
    save_network(out, game, network.layers, network.activation, notes, values=network.values, beliefs=beliefs)
    told = ", ".join(f"{name} {each:.3f}" for name, each in figures.items())
    print(f"{out}: beliefs from {positions:,} positions; cross-entropy of hidden actions in new ones: {told}")


def played(
    game: Game, network: NetworkPolicy, settings: Settings, options: Mapping[str, Any], most: int, seed: int
) -> Iterator[Positions]:
    """Positions of the network's games in which another seat has a hidden action, always so many.

    Args:
        game, network, settings, options: of the script.
        most: number of positions.
        seed: of the games.
    """
    simulator = polytrix.Simulator(game, settings.num_envs, options, seed=seed)
    rng = np.random.default_rng(seed)
    begin(simulator, np.arange(settings.num_envs), settings.share_greedy, rng)
    found, parts = 0, list[Positions]()
    while True:
        hidden = simulator.hidden_actions(simulator.mover)
        rows = np.flatnonzero((hidden != NONE).any(1))[: most - found]
        parts.append(Positions(simulator.observation[rows], hidden[rows], simulator.states[rows]))
        found += len(rows)
        if found == most:
            yield Positions(*map(np.concatenate, zip(*parts, strict=True)))
            found, parts = 0, []
        simulator.step(network(simulator.observation, simulator.mask, rng))
        begin(simulator, np.flatnonzero(simulator.over), settings.share_greedy, rng)


def learned(
    game: Game, network: NetworkPolicy, settings: Settings, options: Mapping[str, Any]
) -> tuple[int, list[tuple[FloatArray, FloatArray]]]:
    """Learn beliefs; the number of positions, and the layers. Each position is learned from once."""
    torch.manual_seed(settings.seed)
    sizes = [game.observations.size, *settings.layers, (game.max_players - 1) * game.actions.size]
    linear = [nn.Linear(inputs, outputs) for inputs, outputs in pairwise(sizes)]
    between = nn.ReLU() if network.activation == "relu" else nn.Tanh()
    model = nn.Sequential(*(part for layer in linear for part in (layer, between)))[:-1]
    optimizer = torch.optim.Adam(model.parameters(), settings.learning_rate)
    scale = torch.from_numpy(game.observations.scale)
    games = played(game, network, settings, options, BLOCK, settings.seed)
    count, began = 0, time.perf_counter()
    for _ in for_minutes(settings.minutes, f"learning {game.name}"):
        left = 1 - (time.perf_counter() - began) / (60 * settings.minutes)
        for group in optimizer.param_groups:
            group["lr"] = settings.learning_rate * max(0.0, left)
        block = next(games)
        count += len(block.hidden)
        for chosen in torch.split(torch.randperm(len(block.hidden)), settings.batch_size):
            seen = torch.from_numpy(block.observation[chosen]).float() * scale
            optimizer.zero_grad()
            torch.autograd.backward(loss(model(seen), torch.from_numpy(block.hidden[chosen])))
            optimizer.step()
    return count, [(layer.weight.detach().numpy().T.copy(), layer.bias.detach().numpy()) for layer in linear]


def loss(logits: Tensor, hidden: Tensor) -> Tensor:
    """The mean cross-entropy of hidden actions, where there are any."""
    logits = logits.view(*hidden.shape, -1).flatten(0, 1)
    return nn.functional.cross_entropy(logits, hidden.flatten(), ignore_index=NONE)


# -- how good beliefs are -----------------------------------------------------------------


def cross_entropy(positions: Positions, foreseen: FloatArray) -> float:
    """The mean cross-entropy, in nats, of the hidden actions of some positions.

    Args:
        positions: where they are known.
        foreseen: (n, P - 1, A) probabilities.
    """
    there = positions.hidden != NONE
    likelihood = np.take_along_axis(foreseen[there], positions.hidden[there][:, None], 1)
    return float(-np.log(np.maximum(likelihood, 1e-9)).mean())


def imagined(
    game: Game, rule: Callable[..., None], options: Mapping[str, Any], positions: Positions, seed: int
) -> FloatArray:
    """The probabilities of hidden actions, (n, P - 1, A), in worlds that a rule draws for the seat to move.

    One more world counts that has a bit of every action, so that none has the probability 0.
    """
    drawing = replace(game, name=f"{game.name}_{rule.__name__}", redeal=rule)
    count = len(positions.states)
    simulator = polytrix.Simulator(drawing, count, options, seed=seed)
    rows, movers = np.arange(count), positions.states["mover"].astype(np.int64)
    found = np.full((count, positions.hidden.shape[1], game.actions.size), 1 / game.actions.size, np.float32)
    rng = np.random.default_rng(seed)
    for _ in range(WORLDS):
        simulator.states[:] = positions.states
        simulator.states["generator"]["key"] = rng.integers(1 << 62, size=count)
        simulator.redeal(movers)
        actions = simulator.hidden_actions(movers)
        for k in range(actions.shape[1]):
            there = actions[:, k] != NONE
            found[rows[there], k, actions[there, k]] += 1
    found /= found.sum(2, keepdims=True)
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
