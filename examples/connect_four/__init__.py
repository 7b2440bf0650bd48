"""Connect Four: the worked example of docs/adding_a_game.md."""

from __future__ import annotations

import polytrix

from . import (
    ending,
    features,
    greedy,
    invariants,
    notation,
    observation,
    picture,
    redeal,
    rules,
    state,
    text,
    touch,
    vocabulary,
)

GAME = polytrix.Game(
    name="connect_four",
    title="Connect Four",
    version=0,
    seats=("red", "yellow"),
    state=state.STATE,
    fields=state.FIELDS,
    options=state.OPTIONS,
    actions=state.ACTIONS,
    observations=state.OBSERVATIONS,
    max_legal=state.COLUMNS,
    setup=rules.setup,
    chance=rules.chance,
    legal=rules.legal,
    apply=rules.apply,
    payoff=ending.payoff,
    observe=observation.observe,
    redeal=redeal.redeal,
    greedy=greedy.greedy,
    playout=state.SQUARES,
    format_action=notation.format_action,
    parse_action=notation.parse_action,
    format_chance=notation.format_chance,
    text=text.text,
    draw=picture.draw,
    touch=touch.touch,
    vocabulary=vocabulary.vocabulary,
    check=invariants.check,
    invariants=invariants.INVARIANTS,
    cover=features.cover,
    features=features.FEATURES,
)

polytrix.register(GAME)
