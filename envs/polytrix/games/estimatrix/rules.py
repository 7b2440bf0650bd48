"""The course of the game: set-up, then turns of ban, hint, dice and exchange."""

from __future__ import annotations

from polytrix.core.state import CHANCE, OVER, IdArray

from .ending import someone_has_completed
from .evidence import introduce_words, remember
from .exchange import exchange_letters
from .lexicon import FACE
from .state import (
    COLOUR_COUNT,
    DOMAINS,
    NONE,
    PLACES,
    WORDS,
    Act,
    Ban,
    Hints,
    Phase,
    State,
    seat_after,
    turn_of_service,
)

# -- set-up ---------------------------------------------------------------------------------------


def setup(s: State) -> None:
    """The state before the first Negater is drawn; seat i has letter i (ES-03)."""
    s.phase = Phase.SETUP
    s.turn = 1
    s.dealt_row = NONE
    s.dealt_column = 0
    s.kvanter = NONE
    s.negater = NONE
    s.last_kvanter = NONE
    s.last_negater = NONE
    s.last_die[:] = NONE
    s.pair[:] = 0
    s.reading[:] = NONE
    s.wave[:] = NONE
    s.known[:] = 0
    s.known_ban[:] = 0
    s.said[:] = 0
    s.said_by[:] = 0
    s.echo[:] = 0
    s.clash[:] = 0
    clear_turn(s)


def chance(s: State) -> int:
    """The number of outcomes: of drawing a seat, a face or a wavelength, or of rolling the Kvanter die."""
    if s.phase == Phase.ROLL:
        return COLOUR_COUNT
    if s.dealt_row == NONE:
        return s.num_players
    return COLOUR_COUNT if s.dealt_row < WORDS else s.options.wavelengths


def deal(s: State, outcome: int) -> None:
    """ES-06, ES-08, ES-09: draw the first Negater, then all readings, then the seats' wavelengths."""
    row, column = s.dealt_row, s.dealt_column
    if row == NONE:
        s.negater = outcome
        s.kvanter = seat_after(s, outcome)  # ES-07
        if s.options.hints != Hints.LEXICON:  # ES-13, ES-14
            begin_turn(s)
            return
        columns = 1
    elif row < WORDS:
        s.reading[column, row] = FACE[row, outcome]
        columns = s.options.wavelengths
    else:
        s.wave[row - WORDS, column] = outcome
        columns = DOMAINS
    if column + 1 < columns:
        s.dealt_column = column + 1
        return
    s.dealt_column = 0
    s.dealt_row = row + 1
    if row + 1 == WORDS + s.num_players:
        introduce_words(s)
        begin_turn(s)


# -- turns ----------------------------------------------------------------------------------------


def clear_turn(s: State) -> None:
    """ES-44: remove ban, hint and dice."""
    s.banned = NONE
    s.hint = NONE
    s.waited = 0
    s.die[:] = NONE


def begin_turn(s: State) -> None:
    """ES-18, ES-20: ask the Kvanter for a ban, or roll for it."""
    clear_turn(s)
    if s.options.ban == Ban.ROLLED:
        s.phase = Phase.ROLL
        s.mover = CHANCE
    else:
        s.phase = Phase.BAN
        s.mover = s.kvanter


def ban(s: State, colour: int) -> None:
    """ES-17: ban the colour, then ask for the hint, or for dice if there are no hints."""
    s.banned = colour
    s.phase = Phase.DIE if s.options.hints == Hints.NONE else Phase.HINT
    s.mover = s.kvanter


def set_die(s: State, colour: int) -> None:
    """ES-24, ES-26: set the mover's die and ask the next seat; after the last die resolve the turn."""
    s.die[s.mover] = colour
    seat = s.kvanter
    for _ in range(s.num_players):
        seat = seat_after(s, seat)
        if s.die[seat] == NONE:
            s.mover = seat
            return
    resolve(s)


def resolve(s: State) -> None:
    """ES-26 to ES-46: exchange letters, record the dice, then start the next turn or end the game."""
    exchange_letters(s)
    remember(s)
    for seat in range(s.num_players):
        s.last_die[seat] = s.die[seat]
    s.last_kvanter = s.kvanter
    s.last_negater = s.negater
    if someone_has_completed(s):
        s.phase = Phase.FINISHED
        s.mover = OVER
    elif s.turn == s.options.max_turns:  # ES-45
        s.phase = Phase.FINISHED
        s.mover = OVER
        s.truncated = 1
    else:
        s.turn += 1
        pass_roles(s)
        begin_turn(s)


def pass_roles(s: State) -> None:
    """ES-41, ES-42: pass the Negater's role after two turns, then the Kvanter's, skipping the Negater."""
    if turn_of_service(s) == 1:
        s.negater = s.negater - 1 if s.negater > 0 else s.num_players - 1  # counter-clockwise
    s.kvanter = seat_after(s, s.kvanter)
    if s.kvanter == s.negater:
        s.kvanter = seat_after(s, s.kvanter)


# -- decisions --------------------------------------------------------------------------------------


def legal(s: State, ids: IdArray) -> int:
    """Write the mover's legal actions and return their number."""
    count = 0
    if s.phase == Phase.BAN:
        for action in range(Act.BAN, Act.ROLL + 1):
            ids[count] = action
            count += 1
    elif s.phase == Phase.HINT:
        for domain in range(DOMAINS):
            if s.options.domains >> domain & 1:  # ES-15
                for word in range(PLACES * domain, PLACES * (domain + 1)):
                    ids[count] = Act.HINT + word
                    count += 1
    else:
        for colour in range(COLOUR_COUNT):
            if colour != s.banned:  # ES-22
                ids[count] = Act.SET + colour
                count += 1
        if s.mover == s.kvanter and not s.waited:  # ES-23
            ids[count] = Act.WAIT
            count += 1
    return count


def apply(s: State, action: int) -> None:
    """Carry out an action or a chance outcome."""
    if s.phase == Phase.DIE:
        if action == Act.WAIT:
            s.waited = 1
            s.mover = seat_after(s, s.kvanter)
        else:
            set_die(s, action - Act.SET)
    elif s.phase == Phase.SETUP:
        deal(s, action)
    elif s.phase == Phase.HINT:
        s.hint = action - Act.HINT  # ES-21
        s.phase = Phase.DIE
    elif s.phase == Phase.ROLL or action != Act.ROLL:
        ban(s, action)  # outcomes of the roll are colours, like the first actions
    else:
        s.phase = Phase.ROLL
        s.mover = CHANCE
