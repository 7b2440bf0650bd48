"""The layout of an observation.

What is known of 48 words and six seats is written as numbers, 1 + colour, since few of them matter at a
time. What matters for the decision at hand is picked out of them and stands by itself, one-hot: the
hint with all that is known of it, and the evidence that concerns the Kvanter and the Negater.
"""

from __future__ import annotations

from polytrix.core.layout import Block, Layout

from .state import (
    CODES,
    COLOUR_COUNT,
    DOMAINS,
    FACES,
    MOST_ECHO,
    PHASES,
    PLACES,
    SEATS,
    WAVELENGTHS,
    WORDS,
)

LARGEST = 127

_COLOURS = "white, yellow, red, green, blue, purple"

OBSERVATIONS = Layout(
    Block("seats", (SEATS,), "the seat plays; here and below, entry k is the k-th seat to the viewer's left"),
    Block("kvanter", (SEATS,), "one-hot: the Kvanter"),
    Block("negater", (SEATS,), "one-hot: the Negater"),
    Block("negater_last", (1,), "the Negater serves the second turn"),
    Block("phase", (4,), f"one-hot {PHASES[1]} (also while chance is pending), HINT, DIE, OVER"),
    Block("mover", (SEATS,), "one-hot: who decides"),
    Block("banned", (COLOUR_COUNT,), f"one-hot {_COLOURS}"),
    Block("waited", (1,), "the Kvanter has waited"),
    Block("placed", (SEATS,), "the seat has set its die"),
    Block("own_die", (COLOUR_COUNT,), "one-hot: the viewer's die"),
    Block("pairs", (SEATS, SEATS), "the two seats hold each other's letter"),
    Block("received", (SEATS,), "letters of others that the seat holds", high=SEATS - 1),
    Block("near", (SEATS,), "it lacks one letter only"),
    Block(
        "exchange",
        (SEATS,),
        "what happens if the seat hits as Estimator: 1 exchange, -1 return, 0 nothing",
        low=-1,
    ),
    Block("hint", (WORDS,), "one-hot: the hint"),
    Block("hint_domain", (DOMAINS,), "one-hot: its domain; of symbols, their block of eight"),
    Block("hint_faces", (COLOUR_COUNT,), "how many of its faces have the colour", high=FACES),
    Block("hint_reading", (COLOUR_COUNT,), "one-hot: the viewer's reading of the hint"),
    Block("hint_known", (SEATS, COLOUR_COUNT), "one-hot: `known` of the hint"),
    Block("hint_said", (COLOUR_COUNT,), "one-hot: `said` of the hint"),
    Block("hint_by", (SEATS,), "one-hot: `said_by` of the hint"),
    Block("hint_kvanter", (COLOUR_COUNT,), "one-hot: `known` of the hint and the Kvanter"),
    Block("hint_again", (COLOUR_COUNT,), "one-hot: `said` of the hint, if the same Kvanter gave it"),
    Block(
        "hint_echo",
        (2,),
        "the viewer's echo with Kvanter and Negater in the hint's domain",
        high=MOST_ECHO,
    ),
    Block("hint_clash", (2,), "the clash likewise", high=PLACES),
    Block("reading", (WORDS,), f"the viewer's reading, 1 to 6 for {CODES}", high=COLOUR_COUNT),
    Block(
        "share",
        (WORDS,),
        "for the Kvanter before the hint: faces like the viewer's reading; 6 if the colour is public, "
        "0 if it is banned",
        high=FACES,
    ),
    Block(
        "said",
        (WORDS,),
        "the Kvanter's colour when the word was last the hint, 1 to 6; 0 never",
        high=COLOUR_COUNT,
    ),
    Block("said_by", (WORDS,), "that Kvanter, 1 for the viewer to 6", high=SEATS),
    Block(
        "known",
        (SEATS, WORDS),
        "the seat's die when the word was last the hint, 1 to 6; of introduced words, its reading",
        high=COLOUR_COUNT,
    ),
    Block("known_ban", (WORDS,), "the colour banned then, 1 to 6", high=COLOUR_COUNT),
    Block(
        "echo",
        (SEATS - 1, DOMAINS),
        "k-th other seat: words it seems to read like the viewer, each 6 less its faces of that colour",
        high=MOST_ECHO,
    ),
    Block("clash", (SEATS - 1, DOMAINS), "words that they seem to read differently", high=PLACES),
    Block("negater_echo", (DOMAINS,), "for the Kvanter: its row of `echo` with the Negater", high=MOST_ECHO),
    Block("negater_clash", (DOMAINS,), "its row of `clash` with the Negater", high=PLACES),
    Block(
        "partner_echo",
        (DOMAINS,),
        "for the Kvanter: sum of its rows of `echo` with seats it can exchange with, at most 127",
        high=LARGEST,
    ),
    Block("partner_clash", (DOMAINS,), "the same of `clash`", high=PLACES * (SEATS - 2)),
    Block("last_dice", (SEATS, COLOUR_COUNT), "one-hot: dice of the turn before"),
    Block("last_kvanter", (SEATS,), "one-hot: its Kvanter"),
    Block("last_negater", (SEATS,), "one-hot: its Negater"),
    Block("opt_advanced", (1,), "the option advanced"),
    Block("opt_hints", (3,), "one-hot: lexicon, symbols, none"),
    Block("opt_domains", (DOMAINS,), "the domain may be used"),
    Block("opt_wavelengths", (WAVELENGTHS,), "one-hot: 1, 2, 3 (with the lexicon)"),
    Block("opt_acquaintance", (2,), "at least one, at least two introduced words (with the lexicon)"),
    Block("opt_rolled", (1,), "the ban is always rolled"),
    Block(
        "turns_left", (1,), "until max_turns, the running turn counted, at most 127; 0 once over", high=LARGEST
    ),
    Block("clock", (1,), "127 x decisions / max_decisions, rounded down", high=LARGEST),
)

SEATS_AT = OBSERVATIONS.offset("seats")
KVANTER = OBSERVATIONS.offset("kvanter")
NEGATER = OBSERVATIONS.offset("negater")
NEGATER_LAST = OBSERVATIONS.offset("negater_last")
PHASE = OBSERVATIONS.offset("phase")
MOVER = OBSERVATIONS.offset("mover")
BANNED = OBSERVATIONS.offset("banned")
WAITED = OBSERVATIONS.offset("waited")
PLACED = OBSERVATIONS.offset("placed")
OWN_DIE = OBSERVATIONS.offset("own_die")
PAIRS = OBSERVATIONS.offset("pairs")
RECEIVED = OBSERVATIONS.offset("received")
NEAR = OBSERVATIONS.offset("near")
EXCHANGE = OBSERVATIONS.offset("exchange")
HINT_GIVEN = OBSERVATIONS.offset("hint")
HINT_DOMAIN = OBSERVATIONS.offset("hint_domain")
HINT_FACES = OBSERVATIONS.offset("hint_faces")
HINT_READING = OBSERVATIONS.offset("hint_reading")
HINT_KNOWN = OBSERVATIONS.offset("hint_known")
HINT_SAID = OBSERVATIONS.offset("hint_said")
HINT_BY = OBSERVATIONS.offset("hint_by")
HINT_KVANTER = OBSERVATIONS.offset("hint_kvanter")
HINT_AGAIN = OBSERVATIONS.offset("hint_again")
HINT_ECHO = OBSERVATIONS.offset("hint_echo")
HINT_CLASH = OBSERVATIONS.offset("hint_clash")
READING = OBSERVATIONS.offset("reading")
SHARE = OBSERVATIONS.offset("share")
SAID = OBSERVATIONS.offset("said")
SAID_BY = OBSERVATIONS.offset("said_by")
KNOWN = OBSERVATIONS.offset("known")
KNOWN_BAN = OBSERVATIONS.offset("known_ban")
ECHO = OBSERVATIONS.offset("echo")
CLASH = OBSERVATIONS.offset("clash")
NEGATER_ECHO = OBSERVATIONS.offset("negater_echo")
NEGATER_CLASH = OBSERVATIONS.offset("negater_clash")
PARTNER_ECHO = OBSERVATIONS.offset("partner_echo")
PARTNER_CLASH = OBSERVATIONS.offset("partner_clash")
LAST_DICE = OBSERVATIONS.offset("last_dice")
LAST_KVANTER = OBSERVATIONS.offset("last_kvanter")
LAST_NEGATER = OBSERVATIONS.offset("last_negater")
OPT_ADVANCED = OBSERVATIONS.offset("opt_advanced")
OPT_HINTS = OBSERVATIONS.offset("opt_hints")
OPT_DOMAINS = OBSERVATIONS.offset("opt_domains")
OPT_WAVELENGTHS = OBSERVATIONS.offset("opt_wavelengths")
OPT_ACQUAINTANCE = OBSERVATIONS.offset("opt_acquaintance")
OPT_ROLLED = OBSERVATIONS.offset("opt_rolled")
TURNS_LEFT = OBSERVATIONS.offset("turns_left")
CLOCK = OBSERVATIONS.offset("clock")

SHOWN_BAN, SHOWN_HINT, SHOWN_DIE, SHOWN_OVER = range(4)
"""Entries of the block `phase`."""
