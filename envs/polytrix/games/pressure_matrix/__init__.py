"""Pressure Matrix: two to five runners of a game show, on a square of two-sided tiles."""

from polytrix.core.game import Game

from . import (
    description,
    drawing,
    ending,
    features,
    greedy,
    invariants,
    notation,
    rules,
    sight,
    state,
    tiles,
    view,
)

GAME = Game(
    name="pressure_matrix",
    title="Pressure Matrix",
    version=0,
    seats=("blue", "orange", "purple", "brown", "pink"),
    state=state.STATE,
    options=state.OPTIONS,
    actions=state.ACTIONS,
    observations=sight.OBSERVATIONS,
    max_legal=state.MAX_LEGAL,
    setup=rules.setup,
    chance=rules.chance,
    legal=rules.legal,
    apply=rules.apply,
    payoff=ending.pay_out,
    observe=view.observe,
    redeal=view.redeal,
    potential=view.potential,
    greedy=greedy.greedy,
    format_action=notation.format_action,
    parse_action=notation.parse_action,
    format_chance=notation.format_chance,
    text=description.text,
    draw=drawing.draw,
    check=invariants.check,
    invariants=invariants.INVARIANTS,
    cover=features.cover,
    features=features.FEATURES,
    data=(tiles.TILE_FILE,),
)
