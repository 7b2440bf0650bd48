"""What can be set about a learner's games, and the checks of it."""

from __future__ import annotations

import operator
from typing import Any, Literal, TypeAlias, get_args

from polytrix.core.errors import OptionError

SeatRule: TypeAlias = "int | Literal['random', 'rotate']"
"""The learner's seat: always the same, drawn for each game, or taking turns."""

IllegalAction: TypeAlias = Literal["forfeit", "raise"]
"""What an illegal action does: end the game with reward -1 for its seat, or raise an error."""

FORFEIT = -1.0
"""What an illegal action costs its seat, where it ends the game."""


def checked_seat(seat: Any, players: int) -> SeatRule:
    """`seat` as a number, which must be below that of the players, or as a rule; else OptionError."""
    if isinstance(seat, str) and seat in ("random", "rotate"):
        return seat  # type: ignore[return-value]
    try:
        number = operator.index(seat)
    except TypeError:
        number = -1
    if isinstance(seat, bool) or not 0 <= number < players:
        raise OptionError(f"seat is {seat!r}; allowed: 0..{players - 1}, 'random' or 'rotate'")
    return number


def checked_illegal_action(rule: Any) -> IllegalAction:
    """The rule, or OptionError."""
    if rule not in get_args(IllegalAction):
        raise OptionError(f"illegal_action is {rule!r}; allowed: 'forfeit' or 'raise'")
    return rule  # type: ignore[no-any-return]
