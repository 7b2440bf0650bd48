"""The interfaces by name: context managers that give a function from a case to what has come out of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module

from polytrix.llm import rollouts

from .cases import Case, Played

Play = Callable[[Case], Played]
INTERFACES = ("rollouts", "textarena", "openenv", "verifiers")


def interface(name: str) -> AbstractContextManager[Play]:
    """The interface of this name; those of libraries need them installed."""
    if name == "rollouts":
        return through_rollouts()
    opened: AbstractContextManager[Play] = import_module(f"tests.trainers.through_{name}").opened()
    return opened


@contextmanager
def through_rollouts() -> Iterator[Play]:
    """`polytrix.llm.rollouts`, one game at a time."""

    def play(case: Case) -> Played:
        found = list(rollouts(case.game, case.model, 1, seed=case.seed, **case.setup))
        return Played(
            transcript=found[0].transcript,
            rewards={each.seat: each.reward for each in found},
            forfeited=next((each.seat for each in found if each.forfeited), None),
            refused=sum(each.refused for each in found),
            chats={each.seat: each.messages for each in found},
        )

    yield play
