"""What holds in every state, and in every step from one state to the next."""

from __future__ import annotations

from polytrix.core.invariants import invariant
from polytrix.core.state import CHANCE, OVER

from .ending import someone_has_completed
from .exchange import pieces
from .lexicon import COUNT
from .state import (
    DOMAINS,
    NONE,
    PIECES,
    PLACES,
    SEATS,
    WAVELENGTHS,
    WORDS,
    Hints,
    Phase,
    State,
    dice_are_open,
    is_introduced,
    own_reading,
    seat_after,
)


@invariant
def roles_are_taken(before: State, s: State) -> bool:
    """ES-07: one Kvanter and one Negater, never the same seat, once the first Negater is drawn."""
    if s.phase == Phase.SETUP and s.dealt_row == NONE:
        return s.kvanter == NONE and s.negater == NONE
    return (
        min(s.kvanter, s.negater) >= 0 and max(s.kvanter, s.negater) < s.num_players and s.kvanter != s.negater
    )


@invariant
def letters_are_conserved(before: State, s: State) -> bool:
    """ES-02, ES-32, ES-37: seats hold each other's letters or none, and all six pieces of each are there."""
    for letter in range(s.num_players):
        total = 0
        for seat in range(s.num_players):
            total += pieces(s, seat, letter)
        if total != PIECES:
            return False
    return True


@invariant
def absent_seats_have_nothing(before: State, s: State) -> bool:
    """ES-01: seats that do not play have no letters, dice or words, and nobody compares with them or itself."""
    for seat in range(SEATS):
        absent = seat >= s.num_players
        if absent and (s.die[seat] != NONE or s.last_die[seat] != NONE):
            return False
        for other in range(SEATS):
            apart = absent or other >= s.num_players or other == seat
            if apart and s.pair[seat, other]:
                return False
            if apart or s.options.hints != Hints.LEXICON:
                for domain in range(DOMAINS):
                    if s.echo[seat, other, domain] or s.clash[seat, other, domain]:
                        return False
        for word in range(WORDS):
            if s.said_by[word] > s.num_players or (absent and s.known[seat, word]):
                return False
    return max(s.last_kvanter, s.last_negater) < s.num_players


@invariant
def nobody_shows_the_banned_colour(before: State, s: State) -> bool:
    """ES-22: dice lie there only while they are set and at the end, in colours that are not banned."""
    for seat in range(SEATS):
        if s.die[seat] != NONE and (s.die[seat] == s.banned or s.phase < Phase.DIE):
            return False
    return s.phase != Phase.FINISHED or dice_are_open(s)


@invariant
def dice_are_set_clockwise(before: State, s: State) -> bool:
    """ES-23, ES-24: dice are set clockwise, the Kvanter's first, or last if he has waited."""
    if s.phase != Phase.DIE:
        return True
    seat, unset = s.kvanter, NONE
    if s.die[seat] == NONE and not s.waited:
        unset = seat
    for _ in range(s.num_players):
        seat = seat_after(s, seat)
        if s.die[seat] == NONE and unset == NONE:
            unset = seat
        elif s.die[seat] != NONE and unset != NONE and (seat != s.kvanter or s.waited):
            return False
    return unset != NONE and (s.mover == unset or s.mover == OVER)


@invariant
def the_mover_is_the_one_to_ask(before: State, s: State) -> bool:
    """ES-18: the Kvanter bans and hints, chance draws and rolls, and nobody moves once the game is over."""
    if s.phase == Phase.SETUP or s.phase == Phase.ROLL:
        return s.mover == CHANCE
    if s.phase == Phase.FINISHED:
        return s.mover == OVER
    return s.mover == OVER or s.phase == Phase.DIE or s.mover == s.kvanter


@invariant
def hints_are_words_in_use(before: State, s: State) -> bool:
    """ES-15: a hint is a word of a domain in use, given before the dice; none is given without hints."""
    if s.phase < Phase.DIE or s.options.hints == Hints.NONE:
        return s.hint == NONE
    return s.hint != NONE and s.options.domains >> s.hint // PLACES & 1 == 1


@invariant
def only_what_was_shown_is_known(before: State, s: State) -> bool:
    """ES-12, ES-46: known are the readings of introduced words, and of others the dice of their latest use."""
    if s.phase == Phase.SETUP:
        return True
    for word in range(WORDS):
        introduced = is_introduced(s, word)
        for seat in range(s.num_players):
            known = s.known[seat, word]
            if introduced and known != own_reading(s, seat, word):
                return False
            if not introduced and (known != 0) != (s.said[word] != 0):
                return False
        giver = s.said_by[word] - 1
        if s.said[word] and not introduced and s.known[giver, word] != s.said[word]:
            return False
    return True


@invariant
def readings_are_faces_and_stay(before: State, s: State) -> bool:
    """ES-08: every reading is a face of its word, and stays the same for the whole game."""
    for word in range(WORDS):
        for wavelength in range(WAVELENGTHS):
            reading, was = s.reading[wavelength, word], before.reading[wavelength, word]
            if reading != NONE and COUNT[word, reading] == 0:
                return False
            if was != NONE and was != reading:
                return False
    return True


@invariant
def roles_pass_between_turns(before: State, s: State) -> bool:
    """ES-41, ES-42: roles pass at the end of a turn, the Negater's after two, and only then."""
    if s.turn == before.turn:
        return before.phase == Phase.SETUP or (s.kvanter == before.kvanter and s.negater == before.negater)
    return s.turn == before.turn + 1 and (s.negater == before.negater) == (s.turn % 2 == 0)


@invariant
def letters_go_to_those_who_hit(before: State, s: State) -> bool:
    """ES-28 to ES-34: letters change hands as a turn ends, between Kvanter and Estimators who hit."""
    ends = s.turn != before.turn or s.phase == Phase.FINISHED
    colour = s.last_die[s.last_kvanter] if ends else NONE
    for seat in range(SEATS):
        for other in range(SEATS):
            if s.pair[seat, other] == before.pair[seat, other]:
                continue
            hit = s.last_die[seat] == colour and s.last_die[other] == colour
            if not ends or not hit or s.last_die[s.last_negater] == colour:
                return False
            if seat != s.last_kvanter and other != s.last_kvanter:
                return False
            if before.pair[seat, other] and not s.options.advanced:
                return False
    return True


@invariant
def the_game_ends_with_a_word_or_at_a_limit(before: State, s: State) -> bool:
    """ES-38, ES-45: the game is over at a completed word or at a limit, and not later."""
    completed = someone_has_completed(s)
    if s.mover != OVER:
        return not completed and not s.truncated
    return completed != (s.truncated == 1)
