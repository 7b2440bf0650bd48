"""Each invariant of the opening, of questions and of what is pending notices states that break it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polytrix.core.bits import lowest
from polytrix.core.state import entries, new_records
from polytrix.games.pressure_matrix import GAME
from polytrix.games.pressure_matrix.effects import CODES, Code
from polytrix.games.pressure_matrix.invariants import INVARIANTS, check
from polytrix.games.pressure_matrix.markers import black_out, clear_blackouts
from polytrix.games.pressure_matrix.matrix import MATRIX
from polytrix.games.pressure_matrix.pending import toll_at
from polytrix.games.pressure_matrix.state import FACES, Act, Phase, Window, put_runner
from polytrix.games.pressure_matrix.tiles import FACE_AMOUNT, FACE_CODE

from .play import bid, dealt, go, new_game
from .positions import Table
from .random_positions import met


def broken(s: Any) -> str:
    """The invariant that the state breaks."""
    number = check(s, s)
    return INVARIANTS[number - 1] if number else "none"


def in_phase(phase: int, players: int = 3, **options: Any) -> Any:
    """A state of random play."""
    states = met(lambda s: s["phase"] == phase, players, **options)
    assert broken(states[0]) == "none"
    return states[0]


def free_square(s: Any) -> int:
    """The first square of the matrix of three players on which nobody stands."""
    return next(q for q in range(16) if int(MATRIX[3]) & ~s.occupied >> q & 1)


def in_window(window: int, phase: int = Phase.WINDOW) -> Any:
    """One in which reactions are announced or carried out."""
    s = met(lambda s: (s["window"] == window) & (s["phase"] == phase), 4)[0]
    assert broken(s) == "none"
    return s


def drawing() -> Any:
    """A tile is being turned over, and its other side is unknown."""
    states = met(
        lambda s: (s["phase"] == Phase.FLIP) & (s["reverse"][:, :9] < 0).all(axis=1), 2, reverse="drawn"
    )
    go(states, f"flip {'abc'[(square := lowest(int(states[0].choices[0]))) % 5]}{square // 5 + 1}")
    assert states[0].phase == Phase.REVERSE and broken(states[0]) == "none"
    return states[0]


def rolling_leaders() -> Any:
    """The richest roll for who of them pays: all three are made equally rich before LEADER_PAYS."""
    leader_pays = CODES.index("LEADER_PAYS")

    def can_choose_it(states: Any) -> Any:
        here = states["runner"][np.arange(len(states)), states["active"]]
        faces = states["up"][np.arange(len(states)), here]
        return (states["phase"] == Phase.NODE) & (FACE_CODE[faces] == leader_pays).any(axis=1)

    states = met(can_choose_it)
    states[0].credits[:3] = 9
    places = FACE_CODE[states[0].up[states[0].runner[states[0].active]]].tolist()
    go(states, Act.NODE + places.index(leader_pays))
    assert states[0].phase == Phase.LEADER_DICE and broken(states[0]) == "none"
    return states


# -- PM-01 and the opening ------------------------------------------------------------------------


@pytest.mark.clause("PM-01")
@pytest.mark.parametrize(
    ("field", "value"), [("first", 3), ("active", 4), ("thief", 3), ("roll_seat", 3), ("num_players", 6)]
)
def test_only_seats_that_play_are_named(field: str, value: int) -> None:
    s = in_phase(Phase.MOVE)
    s[field] = value
    assert "PM-01" in broken(s)


@pytest.mark.clause("PM-01")
@pytest.mark.parametrize("field", ["credits", "declared", "left", "roll_sum"])
def test_absent_seats_have_nothing(field: str) -> None:
    s = in_phase(Phase.MOVE)
    s[field][4] = 1
    assert "PM-01" in broken(s)


@pytest.mark.clause("PM-01")
def test_squares_that_are_named_are_in_the_matrix() -> None:
    s = in_phase(Phase.STEAL)
    s.node_square = 24
    assert not int(MATRIX[3]) >> 24 & 1 and "PM-01" in broken(s)


@pytest.mark.clause("PM-03", "PM-06", "PM-07", "PM-09")
def test_before_the_first_turn() -> None:
    """Each line: what is changed while bids are made, rolled for, and runners placed."""
    asked = go(dealt(3), "bid 2")
    states = dealt(3)
    bid(states, [1, 5, 2])
    placing = go(states, "start ne")
    assert asked.phase == 0 and placing.phase == Phase.PLACE
    for original, change in (
        (asked, {"credits": [11, 10, 10, 0, 0]}),
        (asked, {"hand": [4, 5, 5, 0, 0], "discarded": [1, 0, 0, 0, 0]}),
        (asked, {"level": 1}),
        (asked, {"black": [1, 0]}),
        (asked, {"forced": 1}),
        (asked, {"runner": [0, -1, -1, -1, -1], "occupied": 1}),
        (placing, {"credits": [10, 10, 10, 0, 0]}),
        (placing, {"first": 0, "active": 0, "runner": [3, -1, -1, -1, -1], "mover": 1}),
        (placing, {"runner": [-1, 1, -1, -1, -1], "occupied": 2}),
        (placing, {"active": 0}),
    ):
        s = original.copy()
        assert broken(s) == "none"
        for field, value in change.items():
            s[field] = value
        assert "PM-03, PM-07, PM-09" in broken(s), change


@pytest.mark.clause("PM-07")
def test_who_began_has_bid_the_most() -> None:
    s = in_phase(Phase.MOVE)
    s.bid[:3], s.first = [1, 2, 3], 0
    assert "PM-07" in broken(s)


@pytest.mark.clause("PM-04")
def test_tiles_are_dealt_in_order() -> None:
    s = in_phase(Phase.MOVE)
    s.phase, s.turning = 23, 5
    assert "PM-04" in broken(s)


@pytest.mark.clause("PM-92")
def test_there_are_not_too_many_credits() -> None:
    s = in_phase(Phase.MOVE)
    s.credits[0] = 100 * (s.decisions + 1)
    assert "PM-92" in broken(s)


# -- questions ----------------------------------------------------------------------------------


@pytest.mark.clause("PM-89")
@pytest.mark.parametrize("phase", [p for p in range(22) if p not in (Phase.MOVE, Phase.FAIL, Phase.RECALL)])
def test_what_is_offered_is_what_the_phase_allows(phase: int) -> None:
    if phase == 10:
        states = rolling_leaders()
        s = states[0]
        while s.phase == Phase.LEADER_DICE:
            s = go(states, 3 if s.roll_seat == 0 else 1)
    else:
        s = in_phase(phase, 4)
    half = 0 if s.choices[0] else 1
    s.choices[half] &= s.choices[half] - 1
    assert "PM-89" in broken(s)


@pytest.mark.clause("PM-89")
@pytest.mark.parametrize("field", ["choice_simple", "choice_block"])
def test_the_block_that_is_offered_belongs_to_the_phase(field: str) -> None:
    s = in_phase(Phase.NODE)
    s[field] += 1
    assert "PM-89" in broken(s)


@pytest.mark.clause("PM-38", "PM-40")
def test_nothing_is_asked_for_without_credits() -> None:
    s = in_phase(Phase.STEAL)
    s.credits[(s.active + 1) % 3] = s.credits[(s.active + 2) % 3] = 0
    assert "PM-89" in broken(s)
    s = in_phase(6)
    s.credits[s.active] = 0
    assert "PM-89" in broken(s)


@pytest.mark.clause("PM-58")
def test_a_marker_comes_back_only_if_one_was_discarded() -> None:
    s = in_phase(Phase.RECALL)
    s.hand[s.active] += s.discarded[s.active]
    s.discarded[s.active] = 0
    assert "PM-89" in broken(s)


@pytest.mark.clause("PM-21", "PM-22", "PM-23")
def test_destinations_are_those_of_the_movement() -> None:
    s = met(lambda s: (s["phase"] == Phase.MOVE) & (s["movement"] > 3), 5)[0]
    s.choices[0] &= s.choices[0] - 1
    assert "PM-21" in broken(s)
    s = met(lambda s: (s["phase"] == Phase.DISCARD) & (s["code"] == 0), 2)[0]
    assert broken(s) == "none"
    s.movement, s.dice[:], s.adjust = 1, 1, 0
    for square in range(25):  # one of two neighbours at least is open now
        clear_blackouts(s, square)
    assert "PM-21" in broken(s)


@pytest.mark.clause("PM-14", "PM-15", "PM-16", "PM-17")
@pytest.mark.parametrize(
    "change", [{"rolled": 2}, {"movement": 7}, {"movement": -1}, {"adjust": 9}, {"dice": [1, 0, 1]}]
)
def test_dice_and_movement_belong_together(change: dict[str, Any]) -> None:
    s = met(lambda s: (s["phase"] == Phase.NODE) & (s["rolled"] == 3) & (s["adjust"] == 0))[0]
    assert broken(s) == "none"
    for field, value in change.items():
        s[field] = value
    assert "PM-14" in broken(s)


@pytest.mark.clause("PM-12", "PM-24")
def test_whoever_rolls_has_a_marker_in_hand() -> None:
    s = in_phase(Phase.MOVE)
    s.discarded[s.active] += s.hand[s.active]
    s.hand[s.active] = 0
    assert "PM-12" in broken(s)


# -- what is pending ------------------------------------------------------------------------------


def test_what_is_asked_is_asked_by_the_effect() -> None:
    s = in_phase(Phase.STEAL)
    s.step = 0
    assert "asked by the effect" in broken(s)
    s = in_phase(Phase.STEAL)
    s.step = 3
    assert "asked by the effect" in broken(s)
    s = in_phase(Phase.NODE)
    s.code = 1
    assert "asked by the effect" in broken(s)
    s = in_window(Window.FULL)
    s.step = 1
    assert "asked by the effect" in broken(s)


def test_nothing_is_pending_in_another_phase() -> None:
    for field in ("teleported", "turning", "roll_seat"):
        s = in_phase(Phase.MOVE)
        s[field] = 0
        assert "what is pending" in broken(s), field
    s = in_window(Window.WIN)
    s.window = 0
    assert "PM-89" in broken(s)  # reactions to nothing


def test_the_rules_go_on_where_they_asked() -> None:
    for s in (in_phase(Phase.SHIELD), in_phase(Phase.DISCARD), drawing()):
        s.resume += 1
        assert "go on" in broken(s)


@pytest.mark.clause("PM-29")
def test_the_node_is_blacked_out_under_the_runner() -> None:
    s = in_phase(Phase.STEAL)
    s.node_place = (s.node_place + 1) % 4
    assert "PM-29" in broken(s)
    s = in_phase(Phase.STEAL)
    s.filled ^= 1
    assert "PM-29" in broken(s)
    s = in_phase(Phase.STEAL)
    put_runner(s, s.active, free_square(s))
    assert "PM-29" in broken(s)
    s = in_phase(Phase.NODE)
    s.won = 1
    assert "PM-29" in broken(s)
    s = in_phase(Phase.NODE)
    s.step = 1
    assert "PM-29" in broken(s)


@pytest.mark.clause("PM-53")
def test_a_new_phase_is_due_only_after_a_teleport() -> None:
    s = in_phase(Phase.STEAL)
    put_runner(s, s.active, free_square(s))
    s.again = 1
    assert "PM-53" in broken(s)


@pytest.mark.clause("PM-76")
def test_a_window_opens_at_the_tile_that_was_filled() -> None:
    s = met(lambda s: (s["window"] == Window.FULL) & (s["again"] == 0), 4)[0]
    square, place = s.node_square, s.node_place
    clear_blackouts(s, square)
    black_out(s, square, place)
    s.filled = 0
    assert "PM-76" in broken(s)


@pytest.mark.clause("PM-60", "PM-74")
def test_a_node_has_won_what_it_wins() -> None:
    s = in_window(Window.WIN)
    s.won += 1
    assert "PM-60, PM-74" in broken(s)
    s = in_phase(Phase.STEAL)
    s.won = 1
    assert "PM-60, PM-74" in broken(s)


@pytest.mark.clause("PM-44", "PM-93")
def test_a_tile_that_is_being_turned_over_is_cleared() -> None:
    s = drawing()
    black_out(s, s.turning, 0)
    assert "PM-44, PM-93" in broken(s)
    s = drawing()
    s.turning = s.runner[s.active]
    assert "PM-44, PM-93" in broken(s)
    s = drawing()
    s.reverse[s.turning] = 99
    s.unseen[1] &= ~(1 << 49)
    assert "PM-44, PM-93" in broken(s)


@pytest.mark.clause("PM-77", "PM-78")
@pytest.mark.parametrize("window", [Window.LANDING, Window.WIN, Window.FULL])
def test_announcements_are_those_of_seats_that_were_asked(window: int) -> None:
    s = met(lambda s: (s["window"] == window) & (s["phase"] == Phase.WINDOW) & (s["asked"] < 3), 4)[0]
    late = (s.active + s.asked + 1) % 4
    assert broken(s) == "none" and s.hand[late] > 0
    s.declared[late] = 1
    assert "PM-77" in broken(s)
    s = in_window(window)
    s.declared[s.mover] = s.hand[s.mover] + 1
    assert "PM-77" in broken(s)
    s = in_window(window)
    s.toll = 1
    assert "PM-77" in broken(s)
    s = in_phase(Phase.MOVE)
    s.declared[0] = 1
    assert "PM-77" in broken(s)


@pytest.mark.clause("PM-73")
def test_a_toll_is_that_of_the_tile() -> None:
    s = in_window(Window.LANDING, Phase.SHIELD)
    s.toll += 1
    assert "PM-73" in broken(s)


@pytest.mark.clause("PM-40", "PM-41", "PM-75")
def test_a_shield_is_asked_for_what_there_is() -> None:
    s = in_phase(Phase.SHIELD)
    s.stake += 1
    assert "PM-40, PM-41, PM-75" in broken(s)
    s = in_phase(Phase.SHIELD)
    s.thief = s.victim
    assert "PM-40, PM-41, PM-75" in broken(s)
    s = met(lambda s: (s["phase"] == Phase.SHIELD) & (s["each_next"] > 0), 4)[0]
    s.each_next = s.each_next % 4 + 1
    assert "PM-40, PM-41, PM-75" in broken(s)


@pytest.mark.clause("PM-39")
def test_gifts_are_divided_only_where_there_is_not_enough() -> None:
    s = in_phase(Phase.DIVIDE)
    s.left[s.active] = 1
    assert "PM-39" in broken(s)
    s = in_phase(Phase.DIVIDE)
    s.credits[s.active] = s.left.sum()
    assert "PM-39" in broken(s)
    s = in_phase(Phase.MOVE)
    s.left[0] = 1
    assert "PM-39" in broken(s)


@pytest.mark.clause("PM-08", "PM-43")
@pytest.mark.parametrize("phase", [Phase.BID_DICE, Phase.LEADER_DICE])
def test_roll_offs(phase: int) -> None:
    s = bid(dealt(3), [3, 3, 1]) if phase == Phase.BID_DICE else rolling_leaders()[0]
    assert s.phase == phase and broken(s) == "none"
    for change in (
        {"tied": 0},
        {"tied": 1 << s.roll_seat},
        {"tied": 0b11111},
        {"roll_dice": 0},
        {"roll_dice": 4 if phase == Phase.BID_DICE else 2},
        {"roll_sum": [6, 6, 6, 0, 0]},
        {"roll_sum": [0, 0, 1, 0, 0]},
    ):
        other = s.copy()
        for field, value in change.items():
            other[field] = value
        assert "PM-08, PM-43" in broken(other), change


@pytest.mark.clause("PM-08", "PM-43")
def test_without_a_roll_off_nobody_is_tied() -> None:
    s = in_phase(Phase.MOVE)
    s.tied = 3
    assert "PM-08, PM-43" in broken(s)


def test_the_order_matters_only_if_there_is_too_little() -> None:
    s = in_phase(21, 4)
    s.credits[s.active] = 100
    assert "PM-89" in broken(s)


def test_any_state_can_be_looked_at() -> None:
    """`check` reads nothing outside of its tables, whatever stands in the fields."""
    rng = np.random.default_rng(0)
    names = {field.name for field in GAME.fields}
    numbers = [entry for entry in entries(GAME.state, GAME.fields) if entry.field in names]
    for phase in (Phase.MOVE, Phase.SHIELD, Phase.WINDOW, Phase.TELEPORT):
        original = in_phase(phase, 4)
        for _ in range(150):
            states = new_records(1, GAME.state)
            states[0] = original
            for _ in range(6):
                entry = numbers[rng.integers(len(numbers))]
                entry.of(states)[0] = rng.integers(entry.low, entry.high, endpoint=True, dtype=entry.type)
            check(states[0], states[0])


# -- in positions laid by hand ------------------------------------------------------------------------


STEALING = "n=3 at=pressure runners=a1,d1,d4\na1: STEAL 2 | PAY 1 | WIN 2 | PAY 2"
"""Once the node nw is chosen, seat 0 is asked whom it steals from."""


def change(table: Table, **fields: Any) -> Table:
    """Write into fields of the state."""
    for field, value in fields.items():
        table.state[field] = value
    return table


def test_nobody_is_active_while_tiles_are_dealt() -> None:
    s = new_game()[0]
    assert broken(s) == "none"
    s.active = 0
    assert "the mover is the one it waits for" in broken(s)


@pytest.mark.clause("PM-06", "PM-07")
def test_after_the_bids_each_seat_has_made_one() -> None:
    table = Table("n=3 runners=a1,d1,d4")
    assert table.broken == "none"
    table.state.bid[2] = -1
    assert "PM-07" in table.broken


@pytest.mark.clause("PM-38")
def test_nobody_without_credits_is_asked_whom_to_give_them() -> None:
    table = Table("n=3 at=pressure runners=a1,d1,d4\na1: GIVE 1 | PAY 1 | WIN 2 | PAY 2").play("node nw")
    table.holds("0 GIVE: give +1, give +2")
    table.state.credits[0] = 0
    assert "PM-89" in table.broken


def test_what_is_asked_is_asked_by_a_step_that_can_ask_it() -> None:
    for fields in (
        {"step": 0},
        {"step": 2},
        {"phase": Phase.GIVE, "choice_block": Act.GIVE},
        {"code": CODES.index("GIVE")},
    ):
        table = Table(STEALING).play("node nw").holds("0 STEAL: steal +1, steal +2")
        assert "asked by the effect" in change(table, **fields).broken, fields


@pytest.mark.clause("PM-62")
def test_a_special_node_that_takes_a_marker_asks_nothing() -> None:
    at = "n=3 at=pressure runners=a1,d1,d4\na1: INVERT | HACK | WIN 2 | PAY 2\n"
    table = (
        Table(at + "b2: *WIN 1 | PAY 1 | WIN 2 | PAY 2").play("node nw").holds("0 INVERT: invert a1, invert b2")
    )
    black_out(table.state, 0, 1)
    assert "asked by the effect" in change(table, code=CODES.index("HACK"), node_place=1).broken


@pytest.mark.clause("PM-29")
def test_the_amount_is_that_of_the_node() -> None:
    for amount in (1, 3):
        assert "PM-29" in change(Table(STEALING).play("node nw"), amount=amount).broken


@pytest.mark.clause("PM-73")
def test_a_toll_is_found_on_whichever_node_it_stands() -> None:
    s = new_game()[0]
    for face in range(FACES):
        s.up[0] = face
        tolls = [int(FACE_AMOUNT[face, place]) for place in range(4) if FACE_CODE[face, place] == Code.TOLL]
        assert toll_at(s, 0) == sum(tolls)


@pytest.mark.clause("PM-53", "PM-76")
def test_a_full_tile_may_wait_for_a_reboot_before_the_new_pressure_phase() -> None:
    at = "n=3 at=pressure runners=a1,d1,d4\n"
    at += "a1: *PAY 1 | *PAY 2 | *WIN 1 | TELEPORT\nb2: REBOOT @1 | PAY 1 | WIN 2 | PAY 2"
    table = Table(at).play("runner +0; teleport b1").holds("1 WINDOW: use b2.nw, pass")
    assert table.state.again and table.broken == "none"
    table.play("pass").holds("0 NODE: node nw, node ne, node sw, node se")


@pytest.mark.clause("PM-76")
def test_full_tiles_whose_node_wins_nothing_are_turned_over_like_others() -> None:
    at = "n=3 at=pressure runners=a1,d1,d4\n"
    at += "a1: *PAY 1 | *PAY 2 | *WIN 1 | PAY 1\nb2: REBOOT @1 | PAY 1 | WIN 2 | PAY 2"
    table = Table(at).holds("1 WINDOW: use b2.nw, pass; credits 9,10,10")
    assert table.broken == "none"
    assert "PM-60, PM-74" in change(table, won=1).broken


@pytest.mark.clause("PM-77", "PM-79")
def test_while_reactions_happen_all_seats_have_been_asked() -> None:
    at = "n=3 at=pressure runners=a1,d1,d4\n"
    table = Table(at + "a1: WIN 2 | PAY 1 | WIN 1 | PAY 2\nb2: TAX @1 | SHIELD @0 | WIN 2 | PAY 2")
    table.play("node nw; use b2.nw").holds("0 SHIELD: use b2.ne, pass")
    assert table.state.asked == 3 and table.broken == "none"
    assert "PM-77" in change(table, asked=2).broken
