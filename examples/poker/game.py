"""The description that both games share."""

from __future__ import annotations

from collections.abc import Callable

import polytrix
from polytrix.core.constants import Constants
from polytrix.core.invariants import invariants_in
from polytrix.core.options import Options

from . import invariants, picture, rules, state, words
from .state import longest_round


def poker(
    name: str, title: str, setup: Callable[[state.State], None], numbers: type[Constants]
) -> polytrix.Game:
    """A game of poker.

    Args:
        name, title, setup: of the game.
        numbers: SUITS, ROUNDS, RAISES and BET, as in `State`.
    """
    given = {key.lower(): number for key, number in numbers.members().items()}
    suits, rounds, raises, bet = (given[key] for key in ("suits", "rounds", "raises", "bet"))
    fields = state.fields(given)
    options = Options(max_decisions=rounds * longest_round(raises))
    held = invariants_in(vars(invariants))
    stake = 1 + sum(raises * bet * (number + 1) for number in range(rounds))
    return polytrix.Game(
        name=name,
        title=title,
        version=0,
        seats=words.SEATS,
        fields=fields,
        options=options,
        actions=state.ACTIONS,
        observations=state.observations(suits, rounds, raises),
        max_legal=state.ACTIONS.size,
        max_chance=state.RANKS * suits,
        payoff_limit=lambda options: float(stake),
        setup=setup,
        chance=rules.chance,
        legal=rules.legal,
        apply=rules.apply,
        payoff=rules.payoff,
        observe=rules.observe,
        redeal=rules.redeal,
        playout=rounds * longest_round(raises),
        format_action=words.format_action,
        format_chance=words.format_chance,
        secret=words.secret,
        text=words.text,
        legend=words.LEGEND,
        draw=picture.draw,
        spectators=True,
        check=held.check,
        invariants=held.texts,
    )
