"""PPO in one compiled function of JAX: rollouts and updates in `scan`, after PureJaxRL. All seats learn.

python examples/jax_quatrix.py

The decisions of one seat are a chain: the reward of a decision is what its seat receives until its own next
decision, so advantages run backwards along each seat's own decisions. Actions are drawn from the list of legal
ones: with the list as logits, and not the mask, drawing takes a fraction of the time.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array

from polytrix.agents import NetworkPolicy
from polytrix.api.jax import Env, State
from polytrix.training.shared.evaluation import evaluate

ROWS, STEPS, BATCHES, EPOCHS = 512, 64, 16, 2
LAYERS = (128, 128)
GAMMA, LAMBDA, CLIP, ENTROPY, VALUE_WEIGHT, LEARNING_RATE = 0.995, 0.9, 0.2, 0.01, 0.5, 1e-3

Parameters = list[tuple[Array, Array]]


class Decision(NamedTuple):
    """One decision in each game; a scan adds an axis for time."""

    observation: Array  # (B, O)
    legal_ids: Array  # (B, L)
    num_legal: Array  # (B,)
    mover: Array  # (B,)
    place: Array  # (B,) of the action among the legal ones
    log_probability: Array  # (B,)
    value: Array  # (B,)
    rewards: Array  # (B, P) of all seats, for this step
    over: Array  # (B,) whether the game ended with it


def new_parameters(env: Env, key: Array) -> Parameters:
    """Hidden layers, then those of policy and value."""
    sizes = [*env.observation_shape, *LAYERS]
    shapes = [*pairwise(sizes), (LAYERS[-1], env.num_actions), (LAYERS[-1], 1)]
    scales = [2**0.5] * len(LAYERS) + [0.01, 1.0]
    keys = jax.random.split(key, len(shapes))
    return [
        (jax.nn.initializers.orthogonal(scale)(each, shape), jnp.zeros(shape[1]))
        for each, shape, scale in zip(keys, shapes, scales, strict=True)
    ]


def forward(env: Env, parameters: Parameters, seen: Any) -> tuple[Array, Array]:
    """Log-probabilities of the legal actions (B, L), very low beyond them, and values (B,)."""
    *hidden, (policy, policy_bias), (value, value_bias) = parameters
    x = seen.observation * env.game.observations.scale
    for weight, bias in hidden:
        x = jax.nn.relu(x @ weight + bias)
    legal = jnp.arange(seen.legal_ids.shape[-1]) < seen.num_legal[:, None]
    logits = jnp.take_along_axis(x @ policy + policy_bias, seen.legal_ids.astype(int), 1)
    return jax.nn.log_softmax(jnp.where(legal, logits, -1e9)), (x @ value + value_bias)[:, 0]


def at(numbers: Array, place: Array) -> Array:
    """Entry `place[b]` of each row b."""
    return jnp.take_along_axis(numbers, place[:, None].astype(int), 1)[:, 0]


def decide(env: Env, parameters: Parameters, states: State, key: Array) -> tuple[State, Decision]:
    """Take one decision in each game."""
    likely, value = forward(env, parameters, states)
    place = jax.random.categorical(key, likely)
    after = jax.vmap(env.step)(states, at(states.legal_ids, place))
    return after, Decision(
        states.observation, states.legal_ids, states.num_legal, states.current_player, place, at(likely, place),
        value, after.rewards, after.terminated | after.truncated,
    )  # fmt: skip


class Following(NamedTuple):
    """What follows each seat's decision, (B, P); found from the last step backwards."""

    reward: Array  # since then
    value: Array  # at the seat's next decision
    advantage: Array  # of that
    known: Array  # whether there is one, or the end


def add_advantage(after: Following, made: Decision) -> tuple[Following, tuple[Array, Array]]:
    """Generalised advantage estimation, one step backwards: the advantages (B,), and whether they are known."""
    over = made.over[:, None]
    reward = jnp.where(over, 0.0, after.reward) + made.rewards
    value, advantage = jnp.where(over, 0.0, after.value), jnp.where(over, 0.0, after.advantage)
    known = over | after.known
    surprise = at(reward, made.mover) + GAMMA * at(value, made.mover) - made.value
    found = surprise + GAMMA * LAMBDA * at(advantage, made.mover)
    found = jnp.where(at(known, made.mover), found, 0.0)
    own = jnp.arange(reward.shape[1]) == made.mover[:, None]
    before = Following(
        jnp.where(own, 0.0, reward),
        jnp.where(own, made.value[:, None], value),
        jnp.where(own, found[:, None], advantage),
        known | own,
    )
    return before, (found, at(known, made.mover))


def loss(env: Env, parameters: Parameters, made: Decision, advantage: Array, known: Array) -> Array:
    """PPO's clipped surrogate, the squared error of values, and entropy, where advantages are known."""
    likely, value = forward(env, parameters, made)
    weight = known / known.sum()
    mean = (advantage * weight).sum()
    better = (advantage - mean) / jnp.sqrt((weight * (advantage - mean) ** 2).sum() + 1e-8)
    ratio = jnp.exp(at(likely, made.place) - made.log_probability)
    surrogate = jnp.minimum(ratio * better, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * better)
    error = (value - made.value - advantage) ** 2
    entropy = -(jnp.exp(likely) * likely).sum(1)
    return (weight * (VALUE_WEIGHT * error - surrogate - ENTROPY * entropy)).sum()


@partial(jax.jit, static_argnums=(0, 1))
def iterate(env: Env, optimizer: Any, learner: Any, _: None = None) -> Any:
    """A rollout, and an update with it: the learner's next state, and the number of games that ended."""
    parameters, memory, states, key = learner
    key, chance, order = jax.random.split(key, 3)
    play = partial(decide, env, parameters)
    states, made = jax.lax.scan(play, states, jax.random.split(chance, STEPS))
    none = jnp.zeros(made.rewards.shape[1:])
    nothing = Following(none, none, none, none > 0)
    _, (advantage, known) = jax.lax.scan(add_advantage, nothing, made, reverse=True)
    rows = jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), (made, advantage, known))

    def learn(state: Any, chosen: Array) -> Any:
        parameters, memory = state
        slope = jax.grad(partial(loss, env))(parameters, *jax.tree.map(lambda x: x[chosen], rows))
        change, memory = optimizer.update(slope, memory)
        return (optax.apply_updates(parameters, change), memory), None

    orders = jnp.concatenate(
        [
            jax.random.permutation(each, ROWS * STEPS).reshape(BATCHES, -1)
            for each in jax.random.split(order, EPOCHS)
        ]
    )
    (parameters, memory), _ = jax.lax.scan(learn, (parameters, memory), orders)
    return (parameters, memory, states, key), made.over.sum()


def policy_of(env: Env, parameters: Parameters) -> NetworkPolicy:
    """What has been learned, as polytrix saves, rates and plays it."""
    layers = [(np.asarray(weight), np.asarray(bias)) for weight, bias in parameters[:-1]]
    return NetworkPolicy(env.game, layers, "relu", name="learner", deterministic=True)


def wins(env: Env, parameters: Parameters, opponent: str, games: int) -> float:
    """The share of held-out games that the network wins, from both seats."""
    return evaluate(env.game, policy_of(env, parameters), opponent, games).rate


def main() -> None:
    """Learn and evaluate."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0, help="of learning")
    parser.add_argument("--games", type=int, default=500, help="of the evaluation")
    arguments = parser.parse_args()
    env = Env("quatrix", auto_reset=True, shaping=0.5, num_threads=2)
    key, first, games = jax.random.split(jax.random.key(1), 3)
    optimizer = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(LEARNING_RATE, eps=1e-5))
    parameters = new_parameters(env, first)
    states = jax.vmap(env.init)(jax.random.split(games, ROWS))
    learner = parameters, optimizer.init(parameters), states, key
    iterate(env, optimizer, learner)  # compiles it
    print(f"wins against random before: {wins(env, parameters, 'random', arguments.games):.0%}")
    begun, decisions, ended = time.monotonic(), 0, 0
    while time.monotonic() - begun < 60 * arguments.minutes:
        learner, games = iterate(env, optimizer, learner)
        decisions, ended = decisions + ROWS * STEPS, ended + int(games)
        rate = decisions / (time.monotonic() - begun)
        print(f"\r{decisions:,} decisions, {ended:,} games, {rate:,.0f} decisions/s", end="")
    print()
    for opponent in ("random", "greedy"):
        print(f"wins against {opponent} after: {wins(env, learner[0], opponent, arguments.games):.0%}")


if __name__ == "__main__":
    main()
