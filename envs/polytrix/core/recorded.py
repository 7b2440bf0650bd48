"""A simulator of one game that remembers how the game came about."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import drivers
from .compile.compiler import Mode
from .compile.programs import as_argument, programs
from .errors import TranscriptError
from .loaded import as_begun_here
from .simulator import Simulator
from .state import IntArray, new_records
from .transcript import Transcript


class RecordedSimulator(Simulator):
    """A simulator of one game, for environments: `transcript` tells the game so far.

    It notes the actions that it is given; whoever calls `step_one` does so too, which is faster. What built-in
    policies have answered is found by asking them again.

    Attributes:
        given: the actions in this game so far, always the same list.
    """

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        self.given: list[int] = []
        super().__init__(*arguments, **settings)

    def _start(self, rows: IntArray) -> None:
        self.given.clear()
        self._answers_from = self._generators.copy()
        super()._start(rows)

    def _play(self, rows: IntArray, actions: IntArray) -> None:
        super()._play(rows, actions)
        self.given.extend(actions.tolist())

    def transcript(self) -> Transcript:
        """The game so far. Plays it again in plain Python.

        Raises:
            TranscriptError: the game was not played here from its beginning: it was loaded, or its state was
                changed from outside.
        """
        seed = int(self.states[0].generator.key)
        again = Simulator(self.game, 1, self.options, seed=seed, mode=Mode.PLAIN)
        generators = as_argument(self._answers_from.copy(), Mode.PLAIN)
        given, actions = list(reversed(self.given)), list[int]()
        while not again.over[0]:
            kind = int(self._policy[0, again.mover[0]])
            if kind != drivers.EXTERNAL:
                actions.append(_answer(again, kind, generators))
            elif given:
                actions.append(given.pop())
            else:
                break
            if not again.mask[0, actions[-1]]:
                raise TranscriptError(_NOT_FROM_HERE)
            again.step(actions[-1:])
        if again.states.tobytes() != as_begun_here(self.states).tobytes():
            raise TranscriptError(_NOT_FROM_HERE)
        return Transcript(self.game.id, self.options, seed, tuple(actions), self.game.replaced)

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "given": self.given[:], "answers_from": self._answers_from}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.given = []
        super().__setstate__(saved)
        self.given[:], self._answers_from = saved["given"], saved["answers_from"]


_NOT_FROM_HERE = (
    "this game was not played here from its beginning, so there is no transcript of it: it was loaded, or its "
    "state was changed from outside"
)


def _answer(sim: Simulator, kind: int, generators: npt.NDArray[np.void]) -> int:
    """The action of a built-in policy, drawn from its generator as in the loop of `Simulator.step`."""
    game = sim.game
    work = as_argument(new_records(2, game.state), Mode.PLAIN)
    actions, ids = np.zeros(1, np.int64), np.zeros(game.max_legal, np.int16)
    score = np.zeros(game.max_legal, np.float32)
    programs(game, Mode.PLAIN).answer(kind, sim.observation, sim.mask, generators, work, ids, score, actions)
    return int(actions[0])
