"""Exchanges and returns of letters, once the dice are revealed."""

from __future__ import annotations

from .state import PIECES, SEATS, State


def hits(s: State, seat: int) -> bool:
    """ES-27: a seat other than the Kvanter has set the Kvanter's colour."""
    return bool(seat != s.kvanter and s.die[seat] == s.die[s.kvanter])


def exchange_letters(s: State) -> None:
    """ES-28 to ES-31: unless the Negater hits, the Kvanter exchanges with every Estimator who hits."""
    if hits(s, s.negater):
        return
    for seat in range(s.num_players):
        if not hits(s, seat):
            continue
        if not s.pair[s.kvanter, seat]:
            set_pair(s, s.kvanter, seat, 1)
        elif s.options.advanced:  # ES-34
            set_pair(s, s.kvanter, seat, 0)


def set_pair(s: State, one: int, other: int, flag: int) -> None:
    """ES-32: record whether two seats hold each other's letter."""
    s.pair[one, other] = flag
    s.pair[other, one] = flag


def received(s: State, seat: int) -> int:
    """The number of other seats whose letter a seat holds."""
    count = 0
    for other in range(SEATS):
        count += s.pair[seat, other]
    return count


def pieces(s: State, seat: int, letter: int) -> int:
    """ES-37: the number of pieces of a letter that a seat holds."""
    if letter == seat:
        return PIECES - received(s, seat)
    if letter >= s.num_players:  # ES-04: a letter that nobody has chosen
        return 1
    return int(s.pair[seat, letter])
