"""Pixel Tactics: two units of a leader and heroes on 3 x 3 slots, from equal decks of 25 cards."""

from polytrix.core.game import Game

from . import (
    description,
    drawing,
    ending,
    features,
    greedy,
    invariants,
    knowledge,
    notation,
    rules,
    sight,
    state,
    view,
)

GAME = Game(
    name="pixel_tactics",
    title="Pixel Tactics",
    version=0,
    seats=("south", "north"),
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
    redeal=knowledge.redeal,
    potential=knowledge.potential,
    playout=30,
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
)
