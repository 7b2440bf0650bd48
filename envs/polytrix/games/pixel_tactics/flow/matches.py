"""PT-10 to PT-13, PT-80 to PT-83, PT-110 to PT-116: start and end of matches and rounds."""

from __future__ import annotations

from polytrix.core.state import OVER

from ..board.choices import ask
from ..board.passives import leader_marks
from ..board.stack import push_draws
from ..board.zones import ask_chance, from_hand, shuffle
from ..cards.effects import Mark
from ..state import (
    ALL_CARDS,
    MATCHES,
    OPENING_HAND,
    SEATS,
    SLOTS,
    Chance,
    Decision,
    Phase,
    Result,
    Row,
    Source,
    State,
)

NOT_YET = -1


def lay_out(s: State) -> None:
    """PT-01, PT-100: empty both units; all cards that are not out of the game are in the decks."""
    s.phase = Phase.DEALING
    s.round_number = 0
    s.wave = NOT_YET
    s.first = NOT_YET
    s.active = NOT_YET
    s.actions = 0
    s.result = Result.RUNNING
    s.drawn = NOT_YET
    s.revealed = 0
    s.depth = 0
    for seat in range(SEATS):
        s.lose_next[seat] = 0
        s.lose_now[seat] = 0
        s.level[seat] = 0
        s.hand[seat] = 0
        s.deck[seat] = ALL_CARDS & ~int(s.out[seat])
        s.discard[seat] = 0
        s.in_play[seat] = 0
        s.aside[seat] = 0
        s.known[seat] = 0
        shuffle(s, seat)
        s.leader[seat] = NOT_YET
        s.heroes[seat] = 0
        s.corpses[seat] = 0
        s.captives[seat] = 0
        for slot in range(SLOTS):
            s.card[seat, slot] = -1
            s.damage[seat, slot] = 0
    clear_marks(s)


def clear_marks(s: State) -> None:
    """PT-26: remove everything that lasts until the end of the wave."""
    for seat in range(SEATS):
        s.acted[seat] = 0
        s.fresh[seat] = 0
        s.moved[seat] = 0
        s.hurt[seat] = 0
        s.struck[seat] = 0
        s.ward[seat] = 0
        s.played[seat] = 0
        for slot in range(SLOTS):
            s.boost[seat, slot] = 0


# -- the beginning ------------------------------------------------------------------------------------


def deal(s: State) -> None:
    """PT-10, PT-112: draw the opening hand of seat 0, then of seat 1."""
    for seat in range(SEATS):
        if s.hand[seat] == 0:
            push_draws(s, seat, OPENING_HAND + int(s.trophies[1 - seat]), False)
            return
    s.phase = Phase.CHOOSING


def choose_leaders(s: State) -> None:
    """PT-10, PT-11: ask each seat for a leader from its hand, then reveal both."""
    for seat in range(SEATS):
        if s.leader[seat] < 0:
            ask(s, seat, Decision.LEADER, Source.HAND, False)
            return
    reveal(s)
    s.phase = Phase.COIN


def reveal(s: State) -> None:
    """PT-13, PT-106: reveal the leaders; their abilities begin."""
    s.revealed = 1
    for seat in range(SEATS):
        from_hand(s, seat, int(s.leader[seat]))
    for seat in range(SEATS):
        if leader_marks(s, 1 - seat) & Mark.OPEN_HAND:
            s.known[seat] = s.hand[seat]


def name_first(s: State) -> None:
    """PT-12, PT-114: the winner of the last match is first player, else chance decides."""
    if s.last_winner >= 0:
        begin_match(s, s.last_winner)
    else:
        ask_chance(s, Chance.FIRST, NOT_YET)


def begin_match(s: State, first: int) -> None:
    """PT-20: start the first round."""
    s.first = first
    s.round_number = 1
    begin_wave(s, Row.VANGUARD)


def begin_wave(s: State, wave: int) -> None:
    """PT-20, PT-25: start a wave; the first player has the first turn."""
    s.wave = wave
    s.active = s.first
    for seat in range(SEATS):
        s.lose_now[seat] = s.lose_next[seat]
        s.lose_next[seat] = 0
    s.phase = Phase.STARTING


def end_round(s: State) -> None:
    """PT-24, PT-83: give levels, change the first player, or end the match after the last round."""
    if s.round_number > 1:
        for seat in range(SEATS):
            if leader_marks(s, seat) & Mark.LEVEL:
                s.level[seat] += 1
    if s.round_number >= s.options.max_rounds:
        end_match(s, Result.TIE)
        return
    s.first = 1 - s.first
    s.round_number += 1
    begin_wave(s, Row.VANGUARD)


# -- the end ------------------------------------------------------------------------------------------


def trophies_needed(s: State) -> int:
    """PT-110: the trophies that win the game."""
    return int(s.options.best_of + 1) // 2


def end_match(s: State, result: int) -> None:
    """PT-110, PT-111, PT-115, PT-116: give trophies; end the game or lay out the next match."""
    needed = trophies_needed(s)
    s.result = result
    over = s.options.best_of == 1 or s.match == MATCHES
    if result == Result.TIE:
        s.last_winner = NOT_YET
        for seat in range(SEATS):
            if s.trophies[seat] + 1 < needed:
                s.trophies[seat] += 1
    else:
        s.last_winner = result
        s.trophies[result] += 1
        over = over or s.trophies[result] == needed
    if over:
        s.phase = Phase.OVER
        s.mover = OVER
    else:
        for seat in range(SEATS):  # PT-113
            s.out[seat] |= 1 << int(s.leader[seat])
        s.match += 1
        lay_out(s)
