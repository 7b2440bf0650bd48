"""Gumbel search of mctx on the true rules: a released network, with a search against the network alone.

python examples/mctx_quatrix.py

The search steps the games themselves, not a learned model of them. It draws chance anew at each expansion, as
nobody knows the dice to come; and in games with secrets it searches positions in which they are dealt anew.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import mctx
import numpy as np
from jax import Array

import polytrix
from polytrix.agents import NetworkPolicy, resolve
from polytrix.api.jax import Env, State
from polytrix.core.compile.compiler import Mode
from polytrix.core.game import Game
from polytrix.training.shared.evaluation import evaluate


def network_in_jax(policy: NetworkPolicy) -> Callable[[Array], tuple[Array, Array]]:
    """A function from observations (n, O) to logits (n, A), and to expected payoffs (n,) of who observes."""
    *hidden, (last, last_bias) = policy.layers
    assert policy.values is not None, "the network has no values"
    values, values_bias = policy.values
    activate = {"relu": jax.nn.relu, "tanh": jnp.tanh}[policy.activation]

    def forward(observation: Array) -> tuple[Array, Array]:
        x = observation * policy.game.observations.scale
        for weight, bias in hidden:
            x = activate(x @ weight + bias)
        return x @ last + last_bias, jnp.tanh(x @ values + values_bias)[..., 0]

    return forward


class Search:
    """A policy for two players: Gumbel MuZero's search, over places in the list of legal actions.

    That list is shorter than the action mask: 112 entries in Quatrix, and not 848.

    Args:
        network: gives priors and values.
        simulations: for each decision.
        considered: the most actions that are tried at the root.
    """

    needs_states, mode, name = True, Mode.COMPILED, "mctx"

    def __init__(self, network: NetworkPolicy, simulations: int, considered: int = 16) -> None:
        self.game: Game = network.game
        self.env = Env(self.game)
        self.forward = network_in_jax(network)
        self.simulations, self.considered = simulations, considered
        self.search = jax.jit(self._search)

    def choose(self, states: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Actions for positions (n,) in which all that their movers cannot know has been dealt anew."""
        padded = 1 << max(5, (len(states) - 1).bit_length())  # few sizes, since each is compiled
        games = self.env.show(np.resize(states, padded))
        return np.asarray(self.search(jax.random.key(rng.integers(1 << 31)), games))[: len(states)]

    def _search(self, key: Array, states: State) -> Array:
        key, *keys = jax.random.split(key, 1 + len(states.row))
        believed = jax.vmap(self.env.believe)(states, jnp.stack(keys))
        logits, value, legal = self._evaluate(states)
        root = mctx.RootFnOutput(prior_logits=logits, value=value, embedding=believed)
        found = mctx.gumbel_muzero_policy(
            None, key, root, self._expand, self.simulations,
            invalid_actions=~legal, max_num_considered_actions=self.considered, gumbel_scale=0.0,
        )  # fmt: skip
        return jnp.take_along_axis(states.legal_ids, found.action[:, None], 1)[:, 0]

    def _expand(self, _: None, key: Array, place: Array, before: State) -> tuple[mctx.RecurrentFnOutput, State]:
        action = jnp.take_along_axis(before.legal_ids, place[:, None], 1)[:, 0]
        other_dice = jax.vmap(self.env.reseed)(before, jax.random.split(key, len(place)))
        after = jax.vmap(self.env.step)(other_dice, action)
        logits, value, _ = self._evaluate(after)
        over = after.terminated | after.truncated
        same = after.current_player == before.current_player
        reward = jnp.take_along_axis(after.rewards, before.current_player[:, None].astype(int), 1)[:, 0]
        discount = jnp.where(over, 0.0, jnp.where(same, 1.0, -1.0))
        output = mctx.RecurrentFnOutput(reward=reward, discount=discount, prior_logits=logits, value=value)
        return output, after

    def _evaluate(self, states: State) -> tuple[Array, Array, Array]:
        """Logits (n, L) of the legal actions, values (n,) for the mover, and which entries are actions."""
        logits, value = self.forward(states.observation)
        legal = jnp.arange(states.legal_ids.shape[1]) < states.num_legal[:, None]
        logits = jnp.take_along_axis(logits, states.legal_ids.astype(int), 1)
        return jnp.where(legal, logits, -1e9), value, legal


def main() -> None:
    """Play the search against the network alone."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--game", default="quatrix", help="one for two players")
    parser.add_argument("--network", default="ppo", help="a released or a saved network with values")
    parser.add_argument("--simulations", type=int, default=32, help="for each decision of the search")
    parser.add_argument("--games", type=int, default=400)
    arguments = parser.parse_args()
    game = polytrix.find(arguments.game)
    network: Any = resolve(arguments.network, game)
    network.deterministic = True
    result = evaluate(game, Search(network, arguments.simulations), network, arguments.games)
    low, high = result.interval
    print(
        f"{arguments.simulations} simulations against {arguments.network} alone: "
        f"{result.rate:.1%} of {result.games} games won (95% interval {low:.1%} to {high:.1%})"
    )


if __name__ == "__main__":
    main()
