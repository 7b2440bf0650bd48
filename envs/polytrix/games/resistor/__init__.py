"""RESISTOR_: two supercomputers hack each other along a row of double-sided circuits."""

from polytrix.core.game import Game

from . import data, deck, drawing, features, greedy, invariants, notation, rules, state, text, view, words

GAME = Game(
    name="resistor",
    title="RESISTOR_",
    version=0,
    seats=("red", "blue"),
    state=state.STATE,
    fields=state.FIELDS,
    options=state.OPTIONS,
    actions=state.ACTIONS,
    observations=state.OBSERVATIONS,
    max_legal=state.MAX_LEGAL,
    max_chance=4 * deck.CARDS,
    setup=rules.setup,
    chance=rules.chance,
    legal=rules.legal,
    apply=rules.apply,
    payoff=rules.payoff,
    observe=view.observe,
    redeal=view.redeal,
    potential=view.potential,
    format_action=notation.format_action,
    parse_action=notation.parse_action,
    format_chance=notation.format_chance,
    text=text.text,
    draw=drawing.draw,
    explain=words.explain,
    notes=words.notes,
    legend=words.LEGEND,
    check=invariants.check,
    invariants=invariants.INVARIANTS,
    cover=features.cover,
    features=features.FEATURES,
    data=(data.DECK,),
    greedy=greedy.greedy,
    variants={"micro": {"deck": str(deck.MICRO), "max_decisions": 3}},
)
