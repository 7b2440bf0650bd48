"""How seats play, in a few figures: a game declares them, and its rule `tally` counts them.

A figure is a mean: the sum of what `tally` notes of a seat, and on how many occasions.

>>> from polytrix.core.layout import Layout
>>> class Behaviour(Layout):
...     HITS = share("throws that hit")
...     REACH = mean("how far throws go")
>>> Behaviour.REACH, [shown(figure, 3, 4) for figure in Behaviour()]
(2, ['75%', '0.75'])
"""

from __future__ import annotations

import numpy as np

from .drivers import begin, decide, settle
from .layout import Block, block
from .random import reseed
from .rules import tally
from .state import IdArray, IntArray, RecordArray


def share(meaning: str) -> int:
    """Declare in a `Layout` the share of occasions on which something holds."""
    return block(2, meaning=meaning)


def mean(meaning: str) -> int:
    """Declare in a `Layout` the mean of a number over occasions, or over games."""
    return block(2, meaning=meaning, high=127)


def note(out: IntArray, seat: int, figure: int, value: int) -> None:
    """Note an occasion of a seat, and its value; for `tally`."""
    out[seat, figure] += value
    out[seat, figure + 1] += 1


def count_behaviour(states: RecordArray, played: IdArray, before: RecordArray, out: IntArray) -> None:
    """Play games again from their beginning, and add to `out[b]` how the seats of game b have played.

    `played[b]` has the actions of game b, as many as its decisions; `before` is one scratch state.
    """
    for b in range(states.shape[0]):
        s = states[b]
        decisions = s.decisions
        reseed(s.generator, np.uint64(s.generator.key))
        begin(s)
        settle(s)
        for i in range(decisions):
            action = int(played[b, i])
            before[0] = s
            decide(s, action)
            settle(s)
            tally(before[0], action, s, out[b])


def shown(figure: Block, total: int, occasions: int) -> str:
    """A figure as text; "-" without an occasion."""
    if not occasions:
        return "-"
    return f"{total / occasions:.0%}" if figure.high == 1 else f"{total / occasions:.2f}"
