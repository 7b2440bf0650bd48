"""TextArena: `make`, `reset`, `get_observation`, `step`, `close`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

pytest.importorskip("textarena", reason="needs the extra textarena: make test-integrations")

import textarena as ta

import polytrix.llm.textarena  # noqa: F401  # registers the games
from polytrix.llm import MODEL, Message

from .cases import Case, Played
from .interfaces import Play

ROLES = {ta.ObservationType.PROMPT: "system", ta.ObservationType.PLAYER_ACTION: "assistant"}


@contextmanager
def opened() -> Iterator[Play]:
    """Observations as they come, without a wrapper."""
    yield play


def play(case: Case) -> Played:
    """One game, in an environment of its own."""
    setup = dict(case.setup)
    options: dict[str, Any] = setup.pop("options")
    env = ta.make(f"polytrix/{case.game}-v0-raw", **setup, **options)
    env.reset(num_players=setup["seats"].count(MODEL), seed=case.seed)
    chats: dict[int, list[Message]] = {player: [] for player in env.state.game_info}
    model, refused, done = case.model, 0, env.state.done
    while not done:
        player, observations = env.get_observation()
        chats[player] += [{"role": ROLES.get(kind, "user"), "content": text} for _, text, kind in observations]
        done, info = env.step(model(chats[player]))
        refused += info["error"] is not None
    for player in chats:
        left = env.state.observations[player]
        chats[player] += [{"role": ROLES.get(kind, "user"), "content": text} for _, text, kind in left]
    rewards, infos = env.close()
    seats = list(env.episode.tasks)
    out = [seats[player] for player, info in infos.items() if info["invalid_move"]]
    for player, info in infos.items():
        assert info["turn_count"] == sum(each.seat == seats[player] for each in env.episode.answered)
    return Played(
        transcript=env.transcript(),
        rewards={seats[player]: reward for player, reward in rewards.items()},
        forfeited=out[0] if out else None,
        refused=refused,
        chats={seats[player]: chat for player, chat in chats.items()},
    )
