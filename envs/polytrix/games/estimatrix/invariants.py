"""What must hold in every state of every game, and from one state to the next."""

from __future__ import annotations

from polytrix.core.state import CHANCE, OVER

from .ending import someone_has_completed
from .exchange import pieces
from .readings import deal_fits, evidence_fits, faces_fit, known_fits, readings_fit, said_fits
from .state import (
    BAN,
    COLOUR_COUNT,
    DIE,
    FINISHED,
    HINT,
    NO_HINTS,
    NONE,
    PIECES,
    PLACES,
    ROLL,
    ROLLED,
    SEATS,
    SETUP,
    WORDS,
    State,
    dice_are_open,
    seat_after,
    seat_before,
)

INVARIANTS = (
    "ES-07: one Kvanter and one Negater, never the same seat, once the first Negater is drawn",
    "ES-32: pair flags are symmetric, and only of two seats that play",
    "ES-37: letters are conserved: `received` counts the flags, and all six pieces of every letter are there",
    "ES-22, ES-25: dice show colours that are not banned, and lie only where they have been set",
    "ES-23, ES-24: dice are set clockwise, the Kvanter's first, or last if he has waited",
    "the phase is one to wait in, with the mover that it waits for",
    "ES-15: hints are words of the domains in use, and there are none without hints",
    "ES-14, ES-46: what was said is known with the seat that said it; nothing was, without hints",
    "ES-12, ES-46: what is known are introduced readings, or dice and the ban of a word that has been said",
    "ES-10: a seat's readings are those of its wavelengths",
    "echo and clash sum up what is known",
    "ES-41, ES-42: roles pass at the end of a turn, the Negater's after two turns, and only then",
    "ES-28 to ES-34: letters change hands only in a turn that ends, between Kvanter and Estimators who hit",
    "ES-38, ES-45: the game is over at a completed word or at a limit, and not later",
    "ES-04, ES-06 to ES-09: set-up draws the first Negater, readings and wavelengths in order, and no more",
    "ES-08: every reading is a face of its word",
    "ES-43, ES-44: of the turn before all dice and both roles are known; before there are none",
)


def check(before: State, s: State) -> int:
    """The number of an invariant that is broken, 0 if none is."""
    if not roles_fit(s):
        return 1
    if not pairs_are_symmetric(s):
        return 2
    if not letters_are_conserved(s):
        return 3
    if not dice_show_colours(s):
        return 4
    if not dice_are_in_order(s):
        return 5
    if not phase_fits(s):
        return 6
    if not hint_fits(s):
        return 7
    if not said_fits(s):
        return 8
    if not known_fits(s):
        return 9
    if not readings_fit(s):
        return 10
    if not evidence_fits(s):
        return 11
    if not roles_follow(before, s):
        return 12
    if not exchanges_follow(before, s):
        return 13
    if not end_fits(s):
        return 14
    if not deal_fits(before, s):
        return 15
    if not faces_fit(s):
        return 16
    if not last_turn_fits(s):
        return 17
    return 0


def roles_fit(s: State) -> bool:
    """Who is what."""
    if not 3 <= s.num_players <= SEATS:
        return False
    if s.phase == SETUP and s.dealt_row == NONE:
        return bool(s.kvanter == NONE and s.negater == NONE)
    n = s.num_players
    return bool(
        0 <= s.kvanter < n and 0 <= s.negater < n and s.kvanter != s.negater and 1 <= s.negater_turns <= 2
    )


def pairs_are_symmetric(s: State) -> bool:
    """No seat with itself, none that is absent."""
    pair, n = s.pair, int(s.num_players)
    for seat in range(SEATS):
        for other in range(SEATS):
            flag = pair[seat, other]
            if not 0 <= flag <= 1 or flag != pair[other, seat]:
                return False
            if flag and (seat == other or seat >= n):
                return False
    return True


def letters_are_conserved(s: State) -> bool:
    """ES-02, ES-04, ES-37: counted seat by seat and letter by letter."""
    n = int(s.num_players)
    for letter in range(SEATS):
        flags, total = 0, 0
        for seat in range(SEATS):
            flags += int(s.pair[letter, seat])
            total += pieces(s, seat, letter) if seat < n else 0
        if flags != s.received[letter]:
            return False
        if total != (PIECES if letter < n else n) or (letter < n and pieces(s, letter, letter) < 1):
            return False
    return True


def dice_show_colours(s: State) -> bool:
    """Dice of seats that play, in the phase in which they are set."""
    for seat in range(SEATS):
        die = s.die[seat]
        if die == NONE:
            continue
        if not 0 <= die < COLOUR_COUNT or die == s.banned or seat >= s.num_players:
            return False
        if s.phase != DIE and s.phase != FINISHED:
            return False
    return s.phase != FINISHED or dice_are_open(s)


def dice_are_in_order(s: State) -> bool:
    """Of the seats from the Kvanter on, those before the mover have set theirs, and no others."""
    if s.phase != DIE:
        return bool(s.waited == 0 or s.phase == FINISHED)
    if s.waited and s.die[s.kvanter] != NONE:
        return False
    if s.die[s.kvanter] == NONE and not s.waited:
        for seat in range(s.num_players):
            if s.die[seat] != NONE:
                return False
        return bool(s.mover == s.kvanter or s.mover == OVER)
    open_one = NONE
    seat = int(s.kvanter)
    for _ in range(s.num_players):
        seat = seat_after(s, seat)
        if s.die[seat] == NONE:
            if open_one == NONE:
                open_one = seat
        elif open_one != NONE and seat != s.kvanter:
            return False
    return bool(open_one != NONE and (s.mover == open_one or s.mover == OVER))


def phase_fits(s: State) -> bool:
    """Chance is asked in SETUP and ROLL, the Kvanter in BAN and HINT; ban and hint are there from then on."""
    if s.phase == SETUP:
        return bool(s.mover == CHANCE and s.turn == 1 and s.banned == NONE)
    if not 1 <= s.turn <= s.options.max_turns:
        return False
    if s.phase == ROLL:
        return bool(s.mover == CHANCE and s.banned == NONE and s.hint == NONE)
    if s.phase == BAN:
        asked = s.options.ban != ROLLED and (s.mover == s.kvanter or s.mover == OVER)
        return bool(asked and s.banned == NONE and s.hint == NONE)
    if not 0 <= s.banned < COLOUR_COUNT:
        return False
    if s.phase == HINT:
        return bool((s.mover == s.kvanter or s.mover == OVER) and s.hint == NONE)
    if s.phase == DIE:
        return bool(s.mover == OVER or 0 <= s.mover < s.num_players)
    return bool(s.phase == FINISHED and s.mover == OVER)


def hint_fits(s: State) -> bool:
    """A hint stands from its phase on, and only where there are hints."""
    if s.options.hints == NO_HINTS:
        return bool(s.hint == NONE and s.phase != HINT)
    if s.phase != DIE and s.phase != FINISHED:
        return bool(s.hint == NONE)
    return bool(0 <= s.hint < WORDS and int(s.options.domains) >> (int(s.hint) // PLACES) & 1)


def roles_follow(before: State, s: State) -> bool:
    """Compared with the state before."""
    if before.phase == SETUP or before.phase == FINISHED:
        return True
    if s.turn == before.turn:
        return bool(
            s.kvanter == before.kvanter
            and s.negater == before.negater
            and s.negater_turns == before.negater_turns
        )
    negater = int(before.negater)
    if before.negater_turns == 2:
        negater = seat_before(s, negater)
    kvanter = seat_after(s, before.kvanter)
    if kvanter == negater:
        kvanter = seat_after(s, kvanter)
    return bool(
        s.turn == before.turn + 1
        and s.negater == negater
        and s.kvanter == kvanter
        and s.negater_turns == 3 - before.negater_turns
    )


def exchanges_follow(before: State, s: State) -> bool:
    """A flag that has changed is the Kvanter's with an Estimator who hit, while the Negater did not."""
    ends = s.turn != before.turn or (s.phase == FINISHED and before.phase == DIE)
    pair, was, die = s.pair, before.pair, s.last_die
    kvanter, negater = int(s.last_kvanter), int(s.last_negater)
    for seat in range(SEATS):
        for other in range(SEATS):
            if pair[seat, other] == was[seat, other]:
                continue
            if not ends or (seat != kvanter and other != kvanter) or seat == negater or other == negater:
                return False
            colour = die[kvanter]
            if die[seat] != colour or die[other] != colour or die[negater] == colour:
                return False
            if was[seat, other] and not s.options.advanced:
                return False
    return True


def end_fits(s: State) -> bool:
    """Nobody has completed the word while the game goes on."""
    completed = someone_has_completed(s)
    if s.mover != OVER:
        return bool(not completed and s.truncated == 0 and s.phase != FINISHED)
    if not s.truncated:
        return bool(completed and s.phase == FINISHED)
    at_limit = s.decisions >= s.options.max_decisions if s.phase != FINISHED else s.turn == s.options.max_turns
    return bool(not completed and at_limit)


def last_turn_fits(s: State) -> bool:
    """The roles are those of two seats; at the end of a game its last turn is meant."""
    kvanter, negater, n = int(s.last_kvanter), int(s.last_negater), int(s.num_players)
    known = s.turn > 1 or s.phase == FINISHED
    if (kvanter != NONE) != known or (negater != NONE) != known or kvanter >= n or negater >= n:
        return False
    if known and kvanter == negater:
        return False
    for seat in range(SEATS):
        die = int(s.last_die[seat])
        if (die != NONE) != (known and seat < n) or (s.phase == FINISHED and die != s.die[seat]):
            return False
    return bool(s.phase != FINISHED or (kvanter == s.kvanter and negater == s.negater))
