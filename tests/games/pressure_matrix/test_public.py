"""What random changes of public fields do not meet is seen, too, see `tests/games/test_public.py`."""

from __future__ import annotations

import pytest

from tests.games.by_hand import observed

from .positions import Table


def seen(table: Table, seat: int) -> bytes:
    """The observation of a seat."""
    return observed(table.game, table.state, seat).tobytes()


@pytest.mark.parametrize(("name", "value"), [("victim", 3), ("stake", 1)])
def test_who_is_stolen_from_and_how_much_are_seen(name: str, value: int) -> None:
    """Seat 1 may use its marker on b2 against seat 0."""
    table = Table(
        "n=4 at=pressure runners=a1,d1,d4,a4\n"
        "a1: STEAL 2 | PAY 1 | WIN 2 | PAY 2\n"
        "b2: SHIELD @1 | PAY 1 | WIN 2 | PAY 2"
    ).play("node nw; steal +1")
    before = [seen(table, seat) for seat in range(4)]
    table.state[name] = value
    assert not table.broken
    assert all(seen(table, seat) != before[seat] for seat in range(4))


def test_own_bids_are_seen_at_once() -> None:
    table = Table("n=4 at=bid").play("bid 1; bid 2")
    before = [seen(table, seat) for seat in range(4)]
    table.state.bid[1] = 3
    assert [seen(table, seat) != before[seat] for seat in range(4)] == [False, True, False, False]


def test_credits_are_told_apart_up_to_127() -> None:
    """Credits are public by the rules, but observations show them only up to 127."""
    table = Table("n=2 runners=a1,c3")
    looks = set()
    for credits in range(200):
        table.state.credits[1] = credits
        looks.add(seen(table, 0))
    assert len(looks) == 128
