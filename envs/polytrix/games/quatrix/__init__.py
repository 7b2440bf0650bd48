"""Quatrix: a race for two on 11 x 7 squares, with pips that come apart to move."""

from polytrix.core.game import Game

from . import drawing, features, greedy, invariants, notation, rules, state, view, words

GAME = Game(
    name="quatrix",
    title="Quatrix",
    version=0,
    seats=("red", "blue"),
    state=state.STATE,
    fields=state.FIELDS,
    options=state.OPTIONS,
    actions=state.ACTIONS,
    observations=state.OBSERVATIONS,
    max_legal=state.MAX_LEGAL,
    max_chance=6,
    perfect_information=True,
    setup=rules.setup,
    chance=rules.chance,
    legal=rules.legal,
    apply=rules.apply,
    payoff=rules.payoff,
    observe=view.observe,
    redeal=view.redeal,
    potential=view.potential,
    greedy=greedy.greedy,
    format_action=notation.format_action,
    parse_action=notation.parse_action,
    format_chance=notation.format_chance,
    text=notation.text,
    draw=drawing.draw,
    explain=words.explain,
    notes=words.notes,
    legend=words.LEGEND,
    check=invariants.check,
    invariants=invariants.INVARIANTS,
    cover=features.cover,
    features=features.FEATURES,
    playout=4,
)
