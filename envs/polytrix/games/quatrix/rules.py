"""The rules of Quatrix. Squares, rows and directions are those of the mover's own view."""

from __future__ import annotations

from polytrix.core.state import CHANCE, OVER, FloatArray, IdArray, Record

from .state import (
    ALL_COLUMNS,
    BACKWARD,
    BOTH,
    COLUMNS,
    DISC,
    FINISHED,
    FORWARD,
    LAST_COLUMN,
    LAST_ROW,
    LEFT,
    MOVE,
    NO_KIND,
    NO_SEAT,
    ODDS,
    OPENING,
    PASS,
    PIECES,
    PIP,
    PIP_OFFSET,
    PLACE,
    PLACE_OFFSET,
    RED,
    RIGHT,
    RING,
    ROLL,
    ROW_STEP,
    SOURCES,
    SQUARE,
    STEP,
    pips_home,
    toggle_disc,
    toggle_ring,
)

# -- the course of the game ---------------------------------------------------------------


def setup(s: Record) -> None:
    """QX-04: a pip on every square of both start tracks."""
    s.ring[:] = 0
    s.disc[:] = 0
    s.enemy_ring[:] = 0
    s.enemy_disc[:] = 0
    for seat in range(2):
        for column in range(COLUMNS):
            toggle_ring(s, seat, 0, column)
            toggle_disc(s, seat, 0, column)
    s.phase = OPENING
    s.turn_seat = NO_SEAT
    s.starter = NO_SEAT
    s.opening[:] = 0
    s.opening_rolled = 0
    s.turns = 0
    s.winner = NO_SEAT
    s.odds = 0
    clear_roll(s)
    s.mover = CHANCE


def clear_roll(s: Record) -> None:
    """No dice rolled, none used, nothing moved this turn."""
    s.dice[:] = 0
    s.rolled = 0
    s.used[:] = 0
    s.first_kind = NO_KIND
    s.first_from = 0
    s.first_to = 0
    s.first_direction = 0


def chance(s: Record) -> int:
    """One die: outcome k shows k + 1."""
    return 6


def apply(s: Record, action: int) -> None:
    """Carry out a die throw or the mover's decision."""
    if s.mover == CHANCE:
        if s.phase == OPENING:
            roll_opening(s, action + 1)
        else:
            roll_die(s, action + 1)
    elif s.phase == PLACE:
        return_ring(s, action - PLACE_OFFSET)
        go_on(s)
    elif action == PASS:
        end_turn(s)
    else:
        move(s, action)


def roll_opening(s: Record, number: int) -> None:
    """QX-06: two dice each, red first, until the totals differ; the higher one starts."""
    rolled = int(s.opening_rolled)
    s.opening[rolled // 2, rolled % 2] = number
    s.opening_rolled = rolled + 1
    if rolled < 3:
        return
    red = int(s.opening[0, 0]) + int(s.opening[0, 1])
    blue = int(s.opening[1, 0]) + int(s.opening[1, 1])
    if red == blue:
        s.opening[:] = 0
        s.opening_rolled = 0
        return
    s.starter = RED if red > blue else 1 - RED
    s.turn_seat = s.starter
    s.phase = ROLL  # QX-07: with two new dice


def roll_die(s: Record, number: int) -> None:
    """One of the two dice of a turn; after the second the turn's decisions begin."""
    s.dice[s.rolled] = number
    s.rolled += 1
    if s.rolled < 2:
        return
    if s.dice[0] < s.dice[1]:
        s.dice[0], s.dice[1] = s.dice[1], s.dice[0]
    s.turns += 1
    s.phase = MOVE
    s.mover = s.turn_seat


def move(s: Record, action: int) -> None:
    """A die move, with what follows from it at once."""
    seat = int(s.turn_seat)
    square = square_of(action)
    direction = action % 4
    die = die_of(s, action)
    kind = kind_of(s, seat, action)
    landing = square + int(s.dice[die]) * STEP[direction]
    popped = pops(s, seat, kind, landing)
    carry(s, seat, kind, square, landing, popped)
    s.used[die] = 1
    if s.first_kind == NO_KIND:
        s.first_kind = kind
        s.first_from = square
        s.first_to = landing
        s.first_direction = direction
    if pips_home(s, seat) == PIECES:
        win(s, seat)
    elif popped:
        s.phase = PLACE  # QX-62: before any other die move
    else:
        go_on(s)


def return_ring(s: Record, column: int) -> None:
    """QX-62: the popped ring goes to a square of its own start track, named in the popper's view."""
    toggle_ring(s, 1 - s.turn_seat, 0, LAST_COLUMN - column)


def go_on(s: Record) -> None:
    """QX-71: the turn goes on while a die is left that can be used, and ends by itself otherwise."""
    for die in range(2):
        if s.used[die] == 0 and has_candidate(s, die):
            s.phase = MOVE
            return
    end_turn(s)


def end_turn(s: Record) -> None:
    """QX-08: turns alternate strictly, after doubles too."""
    s.turn_seat = 1 - s.turn_seat
    clear_roll(s)
    s.phase = ROLL
    s.mover = CHANCE


def win(s: Record, seat: int) -> None:
    """QX-80, with the odds of QX-83 to QX-85."""
    loser = 1 - seat
    s.winner = seat
    s.odds = 1
    for row in range(1, 1 + int(s.options.finish_depth)):  # the winner's zone, seen by the loser
        if s.ring[loser, row] | s.disc[loser, row]:
            s.odds = 2
    if s.ring[loser, 0] | s.disc[loser, 0]:
        s.odds = 3
    s.phase = FINISHED
    s.mover = OVER


def payoff(s: Record, out: FloatArray) -> None:
    """Winner +x, loser -x; a truncated game pays nothing."""
    if s.winner == NO_SEAT:
        return
    stake = int(s.odds) / 3.0 if s.options.scoring == ODDS else 1.0
    out[s.winner] = stake
    out[1 - s.winner] = -stake


# -- what an action says ------------------------------------------------------------------


def square_of(action: int) -> int:
    """The square that a `move` or `pip` action starts from."""
    return int(SQUARE[action])


def die_of(s: Record, action: int) -> int:
    """The die of a `move` action; pips move with the lowest unused one."""
    if action < PIP_OFFSET:
        return action // (4 * SOURCES)
    return int(s.used[0])


def kind_of(s: Record, seat: int, action: int) -> int:
    """What the action carries: QX-21, out of a pip only the ring."""
    if action >= PIP_OFFSET:
        return PIP
    square = square_of(action)
    return RING if s.ring[seat, square // COLUMNS] >> (square % COLUMNS) & 1 else DISC


# -- the board ----------------------------------------------------------------------------


def carry(s: Record, seat: int, kind: int, square: int, landing: int, popped: bool) -> None:
    """Move a unit's pieces; a popped enemy ring leaves the board. Joining needs no action (QX-05)."""
    if kind != DISC:
        toggle_ring(s, seat, square // COLUMNS, square % COLUMNS)
        toggle_ring(s, seat, landing // COLUMNS, landing % COLUMNS)
    if kind != RING:
        toggle_disc(s, seat, square // COLUMNS, square % COLUMNS)
        toggle_disc(s, seat, landing // COLUMNS, landing % COLUMNS)
    if popped:
        toggle_enemy_ring(s, seat, landing)


def toggle_enemy_ring(s: Record, seat: int, square: int) -> None:
    """Take an enemy ring from a square of the own view, or put it back."""
    toggle_ring(s, 1 - seat, LAST_ROW - square // COLUMNS, LAST_COLUMN - square % COLUMNS)


def pops(s: Record, seat: int, kind: int, landing: int) -> bool:
    """QX-60: a single disc lands on a single enemy ring (which is the only enemy unit open to it)."""
    rings = int(s.enemy_ring[seat, landing // COLUMNS])
    return kind == DISC and (rings >> (landing % COLUMNS) & 1) == 1


def open_to(s: Record, seat: int, kind: int, row: int) -> int:
    """QX-50: the squares of a row that are open to a ring, a disc or a pip, as a set of columns."""
    closed = int(s.enemy_disc[seat, row])
    if kind != DISC:
        closed |= int(s.ring[seat, row]) | int(s.enemy_ring[seat, row])
    if kind != RING:
        closed |= int(s.disc[seat, row])
    return ALL_COLUMNS & ~closed


def enemy_pips(s: Record, seat: int, row: int) -> int:
    """The squares of a row with an enemy pip: walls (QX-52)."""
    return int(s.enemy_ring[seat, row]) & int(s.enemy_disc[seat, row])


def walled(s: Record, seat: int, row: int, direction: int, distance: int) -> int:
    """QX-52: the squares of a row from which an enemy pip stands strictly before `distance`."""
    walls = 0
    if direction == RIGHT:
        pips = enemy_pips(s, seat, row)
        for step in range(1, distance):
            walls |= pips >> step
    elif direction == LEFT:
        pips = enemy_pips(s, seat, row)
        for step in range(1, distance):
            walls |= pips << step
    else:
        for step in range(1, distance):
            walls |= enemy_pips(s, seat, row + step * ROW_STEP[direction])
    return walls


def reach(s: Record, seat: int, row: int, direction: int, distance: int, pips: bool) -> int:
    """QX-10, QX-12: squares of a row whose unit can make this die move, the duty aside.

    With `pips` the pips as units, else single pieces and the rings of pips (QX-21).
    """
    rings = int(s.ring[seat, row])
    discs = int(s.disc[seat, row])
    landing = row + distance * ROW_STEP[direction]
    if landing < 0 or landing >= LAST_ROW:
        return 0
    if pips:
        units = rings & discs
        if units == 0:
            return 0
        can = units & back(open_to(s, seat, PIP, landing), direction, distance)
    else:
        can = rings & back(open_to(s, seat, RING, landing), direction, distance)
        can |= discs & ~rings & back(open_to(s, seat, DISC, landing), direction, distance)
    if can == 0:
        return 0
    return can & ~walled(s, seat, row, direction, distance)


def back(squares: int, direction: int, distance: int) -> int:
    """The columns from which a step of `distance` leads to `squares`."""
    if direction == RIGHT:
        return squares >> distance
    if direction == LEFT:
        return squares << distance & ALL_COLUMNS
    return squares


# -- legal actions ------------------------------------------------------------------------


def legal(s: Record, ids: IdArray) -> int:
    """Section 3.8: all that the duty to use both dice leaves."""
    if s.phase == PLACE:
        return places(s, ids)
    if s.first_kind != NO_KIND:
        return candidates(s, int(s.used[0]), ids, 0)
    count = candidates(s, 0, ids, 0)
    split = count
    if s.dice[0] != s.dice[1]:
        count = candidates(s, 1, ids, count)
    if count == 0:
        ids[0] = PASS  # QX-72
        return 1
    if all_leave_second(s, ids, split, count):
        return count
    return dutiful(s, ids, count)


def places(s: Record, ids: IdArray) -> int:
    """QX-62, QX-63: squares of the victim's start track without a ring."""
    rings = int(s.enemy_ring[s.turn_seat, LAST_ROW])
    count = 0
    for column in range(COLUMNS):
        if rings >> column & 1 == 0:
            ids[count] = PLACE_OFFSET + column
            count += 1
    return count


def candidates(s: Record, die: int, ids: IdArray, count: int) -> int:
    """Append all die moves with this die, the duty aside; return the new length."""
    count = moves(s, die, False, ids, count)
    if s.dice[0] == s.dice[1]:  # QX-20, QX-40
        count = moves(s, die, True, ids, count)
    return count


def moves(s: Record, die: int, pips: bool, ids: IdArray, count: int) -> int:
    """Append the die moves of pips as units, or of all others, in ascending order."""
    seat = int(s.turn_seat)
    distance = int(s.dice[die])
    offset = PIP_OFFSET if pips else die * 4 * SOURCES
    for row in range(LAST_ROW):
        if s.ring[seat, row] | s.disc[seat, row] == 0:
            continue
        forward = reach(s, seat, row, FORWARD, distance, pips)
        backward = reach(s, seat, row, BACKWARD, distance, pips)
        left = reach(s, seat, row, LEFT, distance, pips)
        right = reach(s, seat, row, RIGHT, distance, pips)
        if moved_here(s, row):
            forward &= ~barred(s, seat, row, FORWARD, distance, pips)
            backward &= ~barred(s, seat, row, BACKWARD, distance, pips)
            left &= ~barred(s, seat, row, LEFT, distance, pips)
            right &= ~barred(s, seat, row, RIGHT, distance, pips)
        units = forward | backward | left | right
        for column in range(COLUMNS):
            if units >> column & 1:  # write all four, keep those that are possible: no branches
                action = offset + (row * COLUMNS + column) * 4
                ids[count] = action + FORWARD
                count += forward >> column & 1
                ids[count] = action + BACKWARD
                count += backward >> column & 1
                ids[count] = action + LEFT
                count += left >> column & 1
                ids[count] = action + RIGHT
                count += right >> column & 1
    return count


def has_candidate(s: Record, die: int) -> bool:
    """Whether any die move with this die exists."""
    seat = int(s.turn_seat)
    distance = int(s.dice[die])
    for row in range(LAST_ROW):
        if s.ring[seat, row] | s.disc[seat, row] == 0:
            continue
        for direction in range(4):
            for pips in range(1 + (s.dice[0] == s.dice[1])):
                units = reach(s, seat, row, direction, distance, pips == 1)
                if units and moved_here(s, row):
                    units &= ~barred(s, seat, row, direction, distance, pips == 1)
                if units:
                    return True
    return False


def moved_here(s: Record, row: int) -> bool:
    """Whether the first die move of the turn started or ended in this row."""
    first, last = row * COLUMNS, row * COLUMNS + LAST_COLUMN
    return s.first_kind != NO_KIND and (
        first <= s.first_from <= last or first <= s.first_to <= last
    )


def barred(s: Record, seat: int, row: int, direction: int, distance: int, pips: bool) -> int:
    """The squares of a row whose unit may not move so after the first die move of the turn."""
    squares = 0
    if s.first_from // COLUMNS == row and not may_follow(s, seat, pips, s.first_from, direction, distance):
        squares |= 1 << (s.first_from % COLUMNS)
    if s.first_to // COLUMNS == row and not may_follow(s, seat, pips, s.first_to, direction, distance):
        squares |= 1 << (s.first_to % COLUMNS)
    return squares


def may_follow(s: Record, seat: int, pip: bool, square: int, direction: int, distance: int) -> bool:
    """Whether the unit on a square of the first die move may make this second one (QX-15, 16, 31, 44)."""
    doubles = s.dice[0] == s.dice[1]
    ring = s.ring[seat, square // COLUMNS] >> (square % COLUMNS) & 1
    if square == s.first_from:  # QX-44: the disc must not run after its ring
        after_its_ring = doubles and s.first_kind == RING and not ring
        return not (after_its_ring and direction == s.first_direction)
    if s.first_kind == DISC and ring and not pip:
        return True  # QX-16: that ring has not moved yet
    if direction == s.first_direction ^ 1:
        return False  # QX-15
    if direction != s.first_direction or doubles or s.options.combined_straight != BOTH:
        return True
    passed = s.first_from + distance * STEP[direction]  # QX-31
    is_open = open_to(s, seat, RING if ring else DISC, passed // COLUMNS)
    return (is_open >> (passed % COLUMNS) & 1) == 1


def all_leave_second(s: Record, ids: IdArray, split: int, count: int) -> bool:
    """A quick proof that the duty forbids nothing: every move leaves another unit something to do.

    `ids[:split]` are moves of the higher die and `ids[split:count]` of the lower one, or all
    are doubles. A move of the other die that shares no square with the first stays possible.
    False means only that this test does not know.
    """
    if pips_home(s, int(s.turn_seat)) == PIECES - 1:
        return False  # a first move might win
    doubles = split == count
    for i in range(count):
        low, high = (split, count) if i < split and not doubles else (0, split)
        distance = int(s.dice[0] if i < split else s.dice[1])
        other = int(s.dice[1] if i < split else s.dice[0])
        square = square_of(ids[i])
        landing = square + distance * STEP[ids[i] & 3]
        found = False
        for j in range(low, high):
            start = square_of(ids[j])
            end = start + other * STEP[ids[j] & 3]
            if start != square and start != landing and end != landing:
                found = True
                break
        if not found:
            return False
    return True


def dutiful(s: Record, ids: IdArray, count: int) -> int:
    """QX-70, QX-71, QX-82: of the first die moves in `ids`, those that are legal."""
    duty = False
    for i in range(count):
        duty = duty or outcome(s, ids[i]) == LEAVES_SECOND
    if not duty:
        return count
    kept = 0
    for i in range(count):
        if outcome(s, ids[i]) != LEAVES_NONE:
            ids[kept] = ids[i]
            kept += 1
    return kept


LEAVES_NONE, LEAVES_SECOND, WINS = 0, 1, 2


def outcome(s: Record, action: int) -> int:
    """Try a first die move: does it win, leave a second die move, or neither? The state is restored."""
    seat = int(s.turn_seat)
    square = square_of(action)
    die = die_of(s, action)
    kind = kind_of(s, seat, action)
    landing = square + int(s.dice[die]) * STEP[action % 4]
    popped = pops(s, seat, kind, landing)
    carry(s, seat, kind, square, landing, popped)
    s.first_kind = kind
    s.first_from = square
    s.first_to = landing
    s.first_direction = action % 4
    if pips_home(s, seat) == PIECES:
        result = WINS
    elif has_candidate(s, 1 - die):  # the popped ring's return cannot matter: it is out of reach
        result = LEAVES_SECOND
    else:
        result = LEAVES_NONE
    carry(s, seat, kind, landing, square, False)
    if popped:
        toggle_enemy_ring(s, seat, landing)
    s.first_kind = NO_KIND
    s.first_from = 0
    s.first_to = 0
    s.first_direction = 0
    return result
