"""The description of a game: everything the faces need, in one value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import rules
from .layout import Layout
from .options import Options
from .state import Record

if TYPE_CHECKING:
    from polytrix.drawing import Picture


@dataclass(frozen=True, eq=False)
class Game:
    """A game, described once.

    Args:
        name: lower case with underscores, as in its environment id.
        title: the name as printed on the box.
        version: of the environment; grows whenever rules, actions or observation change.
        seats: a name for each seat, as many as the game can have.
        state: dtype of the record, made with `state.state_dtype`.
        options: what users may set.
        actions, observations: the layouts of the flat vectors.
        max_legal: no position has more legal actions.
        setup, chance, legal, apply, payoff, observe, redeal: the rules, see `rules.py`.
        potential: for shaped rewards, or None if the game has no such term.
        greedy: the heuristic opponent, or None.
        format_action: `(s, action) -> text`, the action in the game's notation.
        parse_action: `(s, text) -> action`; raises NotationError. `s` is the position it is played in.
        format_chance: `(s, outcome) -> text` for the pending chance event.
        text: `(s, seat or None) -> str`, the position for a terminal; None sees everything.
        draw: `(s, seat or None) -> Picture`, the position as a drawing.
        check: raises AssertionError if the state breaks an invariant of the game.
    """

    name: str
    title: str
    version: int
    seats: tuple[str, ...]
    state: np.dtype[Any]
    options: Options
    actions: Layout
    observations: Layout
    max_legal: int
    setup: Callable[..., None]
    chance: Callable[..., int]
    legal: Callable[..., int]
    apply: Callable[..., None]
    payoff: Callable[..., None]
    observe: Callable[..., None]
    redeal: Callable[..., None]
    format_action: Callable[[Record, int], str]
    parse_action: Callable[[Record, str], int]
    format_chance: Callable[[Record, int], str]
    text: Callable[[Record, int | None], str]
    draw: Callable[[Record, int | None], Picture]
    check: Callable[[Record], None]
    potential: Callable[..., float] | None = None
    greedy: Callable[..., None] | None = None

    def __post_init__(self) -> None:
        if self.name != self.name.lower() or not self.name.isidentifier():
            raise ValueError(f"game name {self.name!r}: use lower case letters, digits and underscores")
        if "options" not in (self.state.names or ()) or self.state["options"] != self.options.dtype:
            raise ValueError(f"{self.name}: make the state dtype with state_dtype(options, fields)")

    @property
    def id(self) -> str:
        """The registration id, for example `polytrix/quatrix-v0`."""
        return f"polytrix/{self.name}-v{self.version}"

    @property
    def max_players(self) -> int:
        return len(self.seats)

    @property
    def replacements(self) -> dict[Callable[..., Any], Callable[..., Any]]:
        """The game's functions by the placeholder of `rules.py` that each takes the place of."""
        own: dict[Callable[..., Any], Callable[..., Any]] = {
            rules.setup: self.setup,
            rules.chance: self.chance,
            rules.legal: self.legal,
            rules.apply: self.apply,
            rules.payoff: self.payoff,
            rules.observe: self.observe,
            rules.redeal: self.redeal,
        }
        if self.potential is not None:
            own[rules.potential] = self.potential
        if self.greedy is not None:
            own[rules.greedy] = self.greedy
        return own

    def __reduce__(self) -> tuple[Any, ...]:
        """A registered game pickles as its id, so that environments travel between processes."""
        from .catalogue import find

        return find, (self.id,)
