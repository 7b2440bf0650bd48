"""Connect Four: the worked example of adding a game, told step by step in docs/adding_a_game.md."""

from __future__ import annotations

import polytrix

from . import checks, drawing, greedy, notation, rules, state

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
    payoff=rules.payoff,
    observe=rules.observe,
    redeal=rules.redeal,
    greedy=greedy.greedy,
    playout=state.SQUARES,
    format_action=notation.format_action,
    parse_action=notation.parse_action,
    format_chance=notation.format_chance,
    text=notation.text,
    draw=drawing.draw,
    check=checks.check,
    invariants=checks.INVARIANTS,
    cover=checks.cover,
    features=checks.FEATURES,
)

polytrix.register(GAME)
