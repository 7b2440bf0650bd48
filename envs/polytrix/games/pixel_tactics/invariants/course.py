"""PT-10 to PT-24, PT-80 to PT-83, PT-110 to PT-116: the course of rounds, matches and the game."""

from __future__ import annotations

from polytrix.core.bits import size
from polytrix.core.state import OVER

from ..cards.effects import Mark
from ..flow.matches import trophies_needed
from ..flow.wave import last_standing
from ..state import LEADER_SLOT, MATCHES, OPENING_HAND, ROWS, SEATS, Phase, Result, Row, State
from ..table.board import occupied
from ..table.passives import is_lethal, leader_marks


def leaders_fit(s: State) -> bool:
    """PT-11: leaders are picked one after the other and revealed together."""
    hidden = s.phase in (Phase.DEALING, Phase.CHOOSING)
    if (s.revealed == 0) != hidden:
        return False
    for seat in range(SEATS):
        if s.leader[seat] < 0:
            if not hidden:
                return False
        elif hidden and (
            s.phase == Phase.DEALING or seat > 0 or not int(s.hand[seat]) >> int(s.leader[seat]) & 1
        ):
            return False
    return True


def nothing_yet(s: State) -> bool:
    """PT-10, PT-112: before the first round the field is empty."""
    if s.round_number > 0:
        return True
    for seat in range(SEATS):
        if occupied(s, seat) or s.acted[seat] or s.damage[seat, LEADER_SLOT]:
            return False
        if s.discard[seat] or s.fixed[seat]:
            return False
        if s.ward[seat] or s.played[seat] or s.lose_now[seat] or s.lose_next[seat] or s.level[seat]:
            return False
        if s.known[seat] and not leader_marks(s, 1 - seat) & Mark.OPEN_HAND:
            return False
        if not opening_fits(s, seat):
            return False
    return bool(s.actions == 0 and s.turn == 0 and s.wave < 0)


def opening_fits(s: State, seat: int) -> bool:
    """PT-10, PT-112: the hand has the cards dealt so far, without a revealed leader."""
    cards = size(int(s.hand[seat]))
    full = OPENING_HAND + int(s.trophies[1 - seat])
    if s.phase != Phase.DEALING:
        return bool(cards == full - s.revealed)
    if s.depth == 0:
        return False
    f = s.stack[0]
    if f.seat == seat:
        return bool(cards + f.left == full)
    return cards == (0 if seat > f.seat else full)


def level_fits(s: State, seat: int) -> bool:
    """PT-PRI-L: at most one level for each ended round but the first."""
    ended = int(s.round_number) if s.phase == Phase.OVER else int(s.round_number) - 1
    return bool(s.level[seat] == 0 or (leader_marks(s, seat) & Mark.LEVEL and s.level[seat] < ended))


def trophies_fit(s: State, seat: int) -> bool:
    """PT-110 to PT-116: trophies and cards out of the game agree with the number of ended matches."""
    ended = int(s.match) - (0 if s.phase == Phase.OVER else 1)
    out, needed = int(s.match) - 1, trophies_needed(s)
    mine, both = int(s.trophies[seat]), int(s.trophies[0]) + int(s.trophies[1])
    if not 1 <= s.match <= MATCHES or size(int(s.out[seat])) != out or (out and s.options.best_of == 1):
        return False
    if mine == needed and not (s.phase == Phase.OVER and s.result == seat):
        return False
    return 0 <= mine <= min(needed, ended) and both >= min(ended, 2 * (needed - 1))


def moment(s: State) -> int:
    """A number that grows with every turn."""
    return ((int(s.match) * 128 + int(s.round_number)) * 4 + int(s.wave) + 1) * 2 + int(s.turn)


def time_fits(before: State, s: State) -> bool:
    """PT-20, PT-83: time moves forward; the first player and the turn determine the active seat."""
    if moment(s) < moment(before) or s.round_number > s.options.max_rounds:
        return False
    if s.phase in (Phase.DEALING, Phase.CHOOSING, Phase.COIN):
        return bool(s.round_number == 0 and s.first == -1 and s.active == -1)
    if s.phase not in (Phase.PLAYING, Phase.CLOSED, Phase.OVER) or (
        s.phase != Phase.PLAYING and (s.actions or s.turn == 0)
    ):
        return False
    if not (0 <= s.first < SEATS and 0 <= s.wave < ROWS and s.round_number >= 1):
        return False
    return bool(s.active == (s.first if s.turn == 0 else 1 - int(s.first)))


def end_fits(s: State) -> bool:
    """The game is over where a match has decided it, and nowhere else."""
    finished = s.phase == Phase.OVER
    if s.truncated:
        return bool(s.mover == OVER and not finished and s.result == Result.RUNNING)
    if (s.mover == OVER) != finished or (s.result != Result.RUNNING) != finished:
        return False
    if finished and (s.result != result_of(s) or not decides(s)):
        return False
    winner = int(s.last_winner)
    if finished and winner != (s.result if s.result != Result.TIE else -1):
        return False
    return winner < 0 or bool(s.trophies[winner] > 0)


def decides(s: State) -> bool:
    """PT-110, PT-116: whether the match that has ended is the last one."""
    if s.options.best_of == 1 or s.match == MATCHES:
        return True
    return bool(s.result != Result.TIE and s.trophies[s.result] == trophies_needed(s))


def result_of(s: State) -> int:
    """PT-80 to PT-83: the result of the match, read from the board."""
    south, north = is_lethal(s, 0, LEADER_SLOT), is_lethal(s, 1, LEADER_SLOT)
    if south and north:
        return last_standing(s)
    if not south and not north:
        return Result.TIE if s.round_number == s.options.max_rounds and s.wave == Row.REAR else Result.RUNNING
    return 1 if south else 0
