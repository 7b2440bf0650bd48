"""The games of a tournament, played on a cluster."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import cache
from typing import Any

from polytrix.arena import Tournament
from polytrix.arena.play import Block, Games, play_tables
from polytrix.arena.tournament import first_seed
from polytrix.core.game import Game
from polytrix.training.shared.cluster import Cluster


def blocks_on(cluster: Cluster | None, tournament: Tournament) -> Callable[[Block], Future[Games]] | None:
    """What lets a cluster play a block, for `play_with_a_bar`; None without a cluster."""
    if cluster is None:
        return None
    agents = {agent.name: agent for agent in tournament.agents}
    common = tournament.game, tournament.options, tournament.seed, tournament.behaviour

    @cache
    def policy(name: str) -> Any:
        return cluster.share(agents[name].make())

    def begin(block: Block) -> Future[Games]:
        return cluster.submit(play_block, *common, block, policy(block.one), policy(block.rest))

    return begin


def play_block(
    game: Game, options: Mapping[str, Any], seed: int, behaviour: bool, block: Block, one: bytes, rest: bytes
) -> Games:
    """Play a block between two shared policies."""
    return play_tables(
        game, options, (pickle.loads(one), pickle.loads(rest)), block.seating(game.num_players(options)),
        first_seed(seed, block), block.deals, block.generator(seed), behaviour=behaviour,
    )  # fmt: skip
