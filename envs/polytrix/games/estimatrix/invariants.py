"""Invariants of every state, and of every step from one state to the next."""

from __future__ import annotations

from polytrix.core.constants import Constants
from polytrix.core.state import CHANCE, OVER

from .ending import someone_has_completed
from .evidence import agreement
from .exchange import pieces, received
from .lexicon import COUNT
from .state import (
    COLOUR_COUNT,
    DOMAINS,
    FACES,
    NONE,
    PIECES,
    PLACES,
    SEATS,
    WAVELENGTHS,
    WORDS,
    Ban,
    Hints,
    Phase,
    State,
    dice_are_open,
    first_introduced,
    own_reading,
    seat_after,
    seat_before,
    turn_of_service,
)

INVARIANTS = (
    "ES-07: one Kvanter and one Negater, never the same seat, once the first Negater is drawn",
    "ES-32: pair flags are symmetric, and only of two seats that play",
    "ES-37: letters are conserved: all six pieces of every letter are there",
    "ES-22, ES-25: dice show colours that are not banned, and lie only where they have been set",
    "ES-23, ES-24: dice are set clockwise, the Kvanter's first, or last if he has waited",
    "the phase is one to wait in, with the mover that it waits for",
    "ES-15: hints are words of the domains in use, and there are none without hints",
    "ES-14, ES-46: what was said is known with the seat that said it; nothing was, without hints",
    "ES-12, ES-46: what is known are introduced readings, or dice and the ban of a word that has been said",
    "echo and clash sum up what is known",
    "ES-41, ES-42: roles pass at the end of a turn, the Negater's after two turns, and only then",
    "ES-28 to ES-34: letters change hands only in a turn that ends, between Kvanter and Estimators who hit",
    "ES-38, ES-45: the game is over at a completed word or at a limit, and not later",
    "ES-04, ES-06 to ES-09: set-up draws the first Negater, readings and wavelengths in order, and no more",
    "ES-08: every reading is a face of its word",
    "ES-43, ES-44: of the turn before all dice and both roles are known; before there are none",
)


class Broken(Constants):
    """Invariants by number, as `check` returns it."""

    (
        ROLES, PAIRS, LETTERS, DICE, DICE_ORDER, PHASE, HINT, SAID, KNOWN, EVIDENCE, ROLE_CHANGE,
        EXCHANGES, END, DEAL, FACES, LAST_TURN,
    ) = range(1, len(INVARIANTS) + 1)  # fmt: skip


def check(before: State, s: State) -> int:
    """The number of a broken invariant; 0 if all hold."""
    if not roles_fit(s):
        return Broken.ROLES
    if not pairs_are_symmetric(s):
        return Broken.PAIRS
    if not letters_are_conserved(s):
        return Broken.LETTERS
    if not dice_show_colours(s):
        return Broken.DICE
    if not dice_are_in_order(s):
        return Broken.DICE_ORDER
    if not phase_fits(s):
        return Broken.PHASE
    if not hint_fits(s):
        return Broken.HINT
    if not said_fits(s):
        return Broken.SAID
    if not known_fits(s):
        return Broken.KNOWN
    if not evidence_fits(s):
        return Broken.EVIDENCE
    if not roles_follow(before, s):
        return Broken.ROLE_CHANGE
    if not exchanges_follow(before, s):
        return Broken.EXCHANGES
    if not end_fits(s):
        return Broken.END
    if not deal_fits(before, s):
        return Broken.DEAL
    if not faces_fit(s):
        return Broken.FACES
    if not last_turn_fits(s):
        return Broken.LAST_TURN
    return 0


def roles_fit(s: State) -> bool:
    """Both roles are taken, by two different seats."""
    if not 3 <= s.num_players <= SEATS:
        return False
    if s.phase == Phase.SETUP and s.dealt_row == NONE:
        return bool(s.kvanter == NONE and s.negater == NONE)
    n = s.num_players
    return 0 <= s.kvanter < n and 0 <= s.negater < n and s.kvanter != s.negater


def pairs_are_symmetric(s: State) -> bool:
    """No flag pairs a seat with itself or with an absent seat."""
    pair, n = s.pair, s.num_players
    for seat in range(SEATS):
        for other in range(SEATS):
            flag = pair[seat, other]
            if not 0 <= flag <= 1 or flag != pair[other, seat]:
                return False
            if flag and (seat == other or seat >= n):
                return False
    return True


def letters_are_conserved(s: State) -> bool:
    """ES-02, ES-04, ES-37: count the pieces of every letter."""
    n = s.num_players
    for letter in range(SEATS):
        total = 0
        for seat in range(n):
            total += pieces(s, seat, letter)
        if total != (PIECES if letter < n else n) or (letter < n and pieces(s, letter, letter) < 1):
            return False
    return True


def dice_show_colours(s: State) -> bool:
    """Dice show allowed colours, belong to seats that play, and exist only in DIE and FINISHED."""
    for seat in range(SEATS):
        die = s.die[seat]
        if die == NONE:
            continue
        if not 0 <= die < COLOUR_COUNT or die == s.banned or seat >= s.num_players:
            return False
        if s.phase != Phase.DIE and s.phase != Phase.FINISHED:
            return False
    return s.phase != Phase.FINISHED or dice_are_open(s)


def dice_are_in_order(s: State) -> bool:
    """Clockwise from the Kvanter, the seats before the mover have set their dice, and no others."""
    if s.phase != Phase.DIE:
        return bool(s.waited == 0 or s.phase == Phase.FINISHED)
    if s.waited and s.die[s.kvanter] != NONE:
        return False
    if s.die[s.kvanter] == NONE and not s.waited:
        for seat in range(s.num_players):
            if s.die[seat] != NONE:
                return False
        return bool(s.mover == s.kvanter or s.mover == OVER)
    open_one = NONE
    seat = s.kvanter
    for _ in range(s.num_players):
        seat = seat_after(s, seat)
        if s.die[seat] == NONE:
            if open_one == NONE:
                open_one = seat
        elif open_one != NONE and seat != s.kvanter:
            return False
    return bool(open_one != NONE and (s.mover == open_one or s.mover == OVER))


def phase_fits(s: State) -> bool:
    """Chance moves in SETUP and ROLL, the Kvanter in BAN and HINT; later phases have a ban and a hint."""
    if s.phase == Phase.SETUP:
        return bool(s.mover == CHANCE and s.turn == 1 and s.banned == NONE)
    if not 1 <= s.turn <= s.options.max_turns:
        return False
    if s.phase == Phase.ROLL:
        return bool(s.mover == CHANCE and s.banned == NONE and s.hint == NONE)
    if s.phase == Phase.BAN:
        asked = s.options.ban != Ban.ROLLED and (s.mover == s.kvanter or s.mover == OVER)
        return bool(asked and s.banned == NONE and s.hint == NONE)
    if not 0 <= s.banned < COLOUR_COUNT:
        return False
    if s.phase == Phase.HINT:
        return bool((s.mover == s.kvanter or s.mover == OVER) and s.hint == NONE)
    if s.phase == Phase.DIE:
        return bool(s.mover == OVER or 0 <= s.mover < s.num_players)
    return bool(s.phase == Phase.FINISHED and s.mover == OVER)


def hint_fits(s: State) -> bool:
    """There is a hint after phase HINT, and only if the game has hints."""
    if s.options.hints == Hints.NONE:
        return bool(s.hint == NONE and s.phase != Phase.HINT)
    if s.phase != Phase.DIE and s.phase != Phase.FINISHED:
        return bool(s.hint == NONE)
    return bool(0 <= s.hint < WORDS and s.options.domains >> (s.hint // PLACES) & 1)


def roles_follow(before: State, s: State) -> bool:
    """Roles change only between turns, and as the rules say."""
    if before.phase == Phase.SETUP or before.phase == Phase.FINISHED:
        return True
    if s.turn == before.turn:
        return bool(s.kvanter == before.kvanter and s.negater == before.negater)
    negater = before.negater
    if turn_of_service(before) == 2:
        negater = seat_before(s, negater)
    kvanter = seat_after(s, before.kvanter)
    if kvanter == negater:
        kvanter = seat_after(s, kvanter)
    return bool(s.turn == before.turn + 1 and s.negater == negater and s.kvanter == kvanter)


def exchanges_follow(before: State, s: State) -> bool:
    """Pair flags change only between the Kvanter and Estimators who hit, and only if the Negater did not."""
    ends = s.turn != before.turn or (s.phase == Phase.FINISHED and before.phase == Phase.DIE)
    pair, was, die = s.pair, before.pair, s.last_die
    kvanter, negater = s.last_kvanter, s.last_negater
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
    """The game ends when a seat has completed the word, or at a limit."""
    completed = someone_has_completed(s)
    if s.mover != OVER:
        return bool(not completed and s.truncated == 0 and s.phase != Phase.FINISHED)
    if not s.truncated:
        return bool(completed and s.phase == Phase.FINISHED)
    at_limit = (
        s.decisions >= s.options.max_decisions if s.phase != Phase.FINISHED else s.turn == s.options.max_turns
    )
    return bool(not completed and at_limit)


def last_turn_fits(s: State) -> bool:
    """Roles and dice of the previous turn, or of the last turn once the game is over."""
    kvanter, negater, n = s.last_kvanter, s.last_negater, s.num_players
    known = s.turn > 1 or s.phase == Phase.FINISHED
    if (kvanter != NONE) != known or (negater != NONE) != known or kvanter >= n or negater >= n:
        return False
    if known and kvanter == negater:
        return False
    for seat in range(SEATS):
        die = int(s.last_die[seat])
        if (die != NONE) != (known and seat < n) or (s.phase == Phase.FINISHED and die != s.die[seat]):
            return False
    return bool(s.phase != Phase.FINISHED or (kvanter == s.kvanter and negater == s.negater))


def said_fits(s: State) -> bool:
    """The Kvanter's remembered colour is the colour of his remembered die."""
    said, said_by, known, n = s.said, s.said_by, s.known, s.num_players
    introduced, domains = first_introduced(s), s.options.domains
    for word in range(WORDS):
        colour, giver = int(said[word]), int(said_by[word])
        if (colour == 0) != (giver == 0) or not 0 <= colour <= COLOUR_COUNT or not 0 <= giver <= n:
            return False
        if colour and (s.options.hints == Hints.NONE or not domains >> (word // PLACES) & 1):
            return False
        if colour and word % PLACES < introduced and known[giver - 1, word] != colour:
            return False
    return True


def known_fits(s: State) -> bool:
    """Readings of introduced words, all dice of words used as hints, nothing of other words."""
    known, known_ban, said = s.known, s.known_ban, s.said
    introduced, players = first_introduced(s), s.num_players
    if s.phase == Phase.SETUP:
        players = 0
    for word in range(WORDS):
        ban = int(known_ban[word])
        public = word % PLACES >= introduced
        if (ban != 0) != (said[word] != 0 and not public):
            return False
        for seat in range(SEATS):
            colour = int(known[seat, word])
            if seat >= players:
                if colour:
                    return False
            elif public:
                if colour != own_reading(s, seat, word):
                    return False
            elif (colour == 0) != (said[word] == 0) or (colour and colour == ban) or colour > COLOUR_COUNT:
                return False
    return True


def evidence_fits(s: State) -> bool:
    """Echo and clash, computed from scratch."""
    echo, clash = s.echo, s.clash
    comparing = s.num_players if s.options.hints == Hints.LEXICON and s.phase != Phase.SETUP else 0
    for seat in range(SEATS):
        for other in range(SEATS):
            compared = seat != other and max(seat, other) < comparing
            for domain in range(DOMAINS):
                signs = signs_of(s, seat, other, domain) if compared else 0
                if echo[seat, other, domain] != signs % MANY or clash[seat, other, domain] != signs // MANY:
                    return False
    return True


MANY = 100
"""Greater than any echo: one clash in `signs_of`."""


def signs_of(s: State, seat: int, other: int, domain: int) -> int:
    """Echo, and `MANY` times the clash, of a seat with another one in a domain."""
    signs = 0
    for word in range(PLACES * domain, PLACES * (domain + 1)):
        reading = own_reading(s, seat, word)
        alike = agreement(reading, s.known[other, word], s.known_ban[word])
        if alike > 0:
            signs += FACES - int(COUNT[word, reading - 1])
        elif alike < 0:
            signs += MANY
    return signs


def deal_fits(before: State, s: State) -> bool:
    """Readings and wavelengths have been drawn in order, and do not change afterwards."""
    reading, was, wave = s.reading, before.reading, s.wave
    row, column, wavelengths = s.dealt_row, s.dealt_column, s.options.wavelengths
    if not is_next_draw(s):
        return False
    for word in range(WORDS):
        for wavelength in range(WAVELENGTHS):
            drawn = wavelength < wavelengths and (word < row or (word == row and wavelength < column))
            if drawn != (reading[wavelength, word] != NONE):
                return False
            earlier = int(was[wavelength, word])
            if earlier != NONE and earlier != reading[wavelength, word]:
                return False
    for seat in range(SEATS):
        for domain in range(DOMAINS):
            place = WORDS + seat
            drawn = place < row or (place == row and domain < column)
            if drawn != (wave[seat, domain] != NONE) or wave[seat, domain] >= wavelengths:
                return False
    return True


def is_next_draw(s: State) -> bool:
    """The next draw is one that the options ask for; during set-up there are no hints or exchanges yet."""
    row, column = s.dealt_row, s.dealt_column
    last = WORDS + s.num_players if s.options.hints == Hints.LEXICON else NONE
    if s.phase != Phase.SETUP:
        return row == last and column == 0
    for word in range(WORDS):
        if s.said[word] != 0:
            return False
    for seat in range(s.num_players):
        if received(s, seat) != 0:
            return False
    columns = 1
    if row != NONE:
        columns = s.options.wavelengths if row < WORDS else DOMAINS
    return row <= max(NONE, last - 1) and column < columns


def faces_fit(s: State) -> bool:
    """Every reading is a face of its word, on unused wavelengths too."""
    for word in range(WORDS):
        for wavelength in range(WAVELENGTHS):
            colour = int(s.reading[wavelength, word])
            if colour != NONE and COUNT[word, colour] == 0:
                return False
    return True
