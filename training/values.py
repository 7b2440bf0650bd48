"""Give a saved network a value head: the expected payoff of each seat, learned from its games.

    python training/values.py quatrix checkpoints/quatrix-v0/policy.npz --minutes 2

The network plays against itself or, in a share of the games, against greedy players (`--share-greedy`). Its
other layers stay as they are, so it plays as before. With values it can guide a search:
`search:200,network=PATH`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import nn

import polytrix
from polytrix.agents import NetworkPolicy, Policy, ask_rows, save_network
from polytrix.core.game import Game
from polytrix.core.state import FloatArray, IntArray
from polytrix.learning.workers import one_blas_thread
from polytrix.training.shared.arguments import (
    given_options,
    network_named,
    result_file,
    settings_from,
)
from polytrix.training.shared.self_play import HeadSettings, begin, for_minutes

SAMPLED = 0.1
"""Fraction of the decisions that are learned from; those of a game are alike."""
HELD_OUT = 0.1
"""Fraction of the games that only measure how good the values are."""
WEIGHT_DECAY = 1e-4
"""Of Adam."""
EPOCHS = 40
"""Maximum number of passes; the best one on held-out games is kept."""


def played(
    game: Game,
    network: NetworkPolicy,
    settings: HeadSettings,
    options: Mapping[str, Any],
    opponent: Policy | None = None,
) -> tuple[FloatArray, FloatArray, IntArray]:
    """Features (n, units) and payoffs (n, seats) of the network's decisions in games.

    The payoffs are those of the mover, the next seat, and so on. The third array has the number of the game of
    each decision. With an `opponent`, the network plays one seat of each game, and the opponent all others.
    """
    simulator = polytrix.Simulator(game, settings.num_envs, options, seed=settings.seed)
    rng = np.random.default_rng(settings.seed)
    players, every = game.num_players(options), np.arange(settings.num_envs)
    begin(simulator, every, settings.share_greedy, rng)
    drawn = np.random.default_rng([settings.seed, 1])
    own = drawn.integers(players, size=len(every))  # seats of the network, if there is an opponent
    open_decisions: list[list[tuple[int, FloatArray]]] = [[] for _ in every]
    features, payoffs, games = list[FloatArray](), list[FloatArray](), list[int]()
    finished = 0
    if opponent is not None:
        ask_rows(opponent, simulator, every[:1], np.random.default_rng(0))  # compiles, before time counts
    for _ in for_minutes(settings.minutes, f"playing {game.name}"):
        others = np.flatnonzero(simulator.mover != own) if opponent is not None else every[:0]
        learned_from = rng.random(len(every)) < SAMPLED
        learned_from[others] = False
        rows = np.flatnonzero(learned_from)
        for row, seen in zip(rows, network.features(simulator.observation[rows]), strict=True):
            open_decisions[row].append((int(simulator.mover[row]), seen))
        actions = network(simulator.observation, simulator.mask, rng)
        if opponent is not None and len(others):
            actions[others] = ask_rows(opponent, simulator, others, rng)
        simulator.step(actions)
        over = np.flatnonzero(simulator.over)
        for row in over:
            for mover, seen in open_decisions[row]:
                relative = np.zeros(game.max_players, np.float32)
                relative[:players] = np.roll(simulator.reward[row, :players], -mover)
                features.append(seen)
                payoffs.append(relative)
                games.append(finished)
            open_decisions[row] = []
            finished += 1
        begin(simulator, over, settings.share_greedy, rng)
        own[over] = drawn.integers(players, size=len(over))
    if not features:
        raise SystemExit(f"no game has ended in {settings.minutes:g} minutes: play longer to learn values")
    return np.stack(features), np.stack(payoffs), np.array(games)


def fitted(
    features: FloatArray, payoffs: FloatArray, games: IntArray, settings: HeadSettings, players: int
) -> tuple[tuple[FloatArray, FloatArray], float]:
    """The value head that is best on held-out games, and the share of their payoffs' variance that it explains.

    Args:
        features, payoffs, games: from `played`.
        settings: of the script.
        players: number of seats that play.
    """
    torch.manual_seed(settings.seed)
    held = torch.from_numpy(games >= games.max() * (1 - HELD_OUT))
    x, y = torch.from_numpy(features), torch.from_numpy(payoffs)
    head = nn.Linear(x.shape[1], y.shape[1])
    nn.init.zeros_(head.weight)
    nn.init.zeros_(head.bias)
    optimizer = torch.optim.Adam(head.parameters(), 1e-3, weight_decay=WEIGHT_DECAY)
    learned, mean = torch.nonzero(~held).squeeze(1), y[held, :players].mean(0)
    variance = (y[held, :players] - mean).square().mean()
    best, explained, waited = head.state_dict(), -np.inf, 0
    for _ in range(EPOCHS):
        for chosen in torch.split(learned[torch.randperm(len(learned))], settings.batch_size):
            optimizer.zero_grad()
            (head(x[chosen]).tanh() - y[chosen]).square().mean().backward()
            optimizer.step()
        with torch.no_grad():
            error = (head(x[held]).tanh() - y[held])[:, :players].square().mean()
        score = 1 - float(error / variance.clamp(min=1e-12))
        waited += 1
        if score > explained:
            best, explained, waited = {k: v.clone() for k, v in head.state_dict().items()}, score, 0
        if waited == 5:
            break
    return (best["weight"].numpy().T.copy(), best["bias"].numpy()), explained


def main(arguments: list[str]) -> None:
    """Play, learn and save."""
    settings = settings_from(HeadSettings, arguments, "values", __doc__)
    game, options = polytrix.find(settings.game).configured(given_options(settings))
    network = network_named(settings.network, game)
    out = result_file(settings.out, settings.network)
    with one_blas_thread():
        features, payoffs, games = played(game, network, settings, options)
    values, explained = fitted(features, payoffs, games, settings, game.num_players(options))
    notes = network.notes | {
        "value_games": int(games.max()) + 1,
        "value_explained": round(explained, 3),
        "value_share_greedy": settings.share_greedy,
    }
    beliefs = network.beliefs
    save_network(out, game, network.layers, network.activation, notes, values=values, beliefs=beliefs)
    print(
        f"{out}: values from {games.max() + 1:,} games explain {explained:.1%} of the payoffs in held-out ones"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
