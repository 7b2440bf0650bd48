"""The rules of Quatrix. Squares, rows and directions are those of the mover's own view."""

from __future__ import annotations

from polytrix.core.state import CHANCE, OVER, FloatArray, IdArray

from .state import (
    ALL_COLUMNS,
    BACKWARD,
    BOTH,
    COLUMNS,
    DISC,
    FAR,
    FINISHED,
    FORWARD,
    LAST_COLUMN,
    LAST_ROW,
    LAST_SQUARE,
    LEFT,
    MOVE,
    NEAR,
    NEAR_SQUARES,
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
    SOURCES,
    SQUARE,
    SQUARES,
    STEP,
    State,
    clear_board,
    has,
    pips_home,
    row_of,
    toggle_disc,
    toggle_ring,
)
from .tables import BIT, BIT_INDEX, BIT_MODULUS, BOARD, CROSS, LEFT_PART, NEAR_BOARD, RIGHT_PART

# -- the course of the game ---------------------------------------------------------------


def setup(s: State) -> None:
    """QX-04: a pip on every square of both start tracks."""
    clear_board(s)
    for seat in range(2):
        for square in range(COLUMNS):
            toggle_ring(s, seat, square)
            toggle_disc(s, seat, square)
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


def clear_roll(s: State) -> None:
    """No dice rolled, none used, nothing moved this turn."""
    s.dice[:] = 0
    s.rolled = 0
    s.used[:] = 0
    s.first_kind = NO_KIND
    s.first_from = 0
    s.first_to = 0
    s.first_direction = 0


def chance(s: State) -> int:
    """One die: outcome k shows k + 1."""
    return 6


def apply(s: State, action: int) -> None:
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


def roll_opening(s: State, number: int) -> None:
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


def roll_die(s: State, number: int) -> None:
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


def move(s: State, action: int) -> None:
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


def return_ring(s: State, column: int) -> None:
    """QX-62: the popped ring goes to a square of its own start track, named in the popper's view."""
    toggle_ring(s, 1 - int(s.turn_seat), LAST_COLUMN - column)


def go_on(s: State) -> None:
    """QX-71: the turn goes on while a die is left that can be used, and ends by itself otherwise."""
    for die in range(2):
        if s.used[die] == 0 and has_candidate(s, die):
            s.phase = MOVE
            return
    end_turn(s)


def end_turn(s: State) -> None:
    """QX-08: turns alternate strictly, after doubles too."""
    s.turn_seat = 1 - s.turn_seat
    clear_roll(s)
    s.phase = ROLL
    s.mover = CHANCE


def win(s: State, seat: int) -> None:
    """QX-80, with the odds of QX-83 to QX-85."""
    loser = 1 - seat
    s.winner = seat
    s.odds = 1
    for row in range(1, 1 + int(s.options.finish_depth)):  # the winner's zone, seen by the loser
        if row_of(s.ring[loser], row) | row_of(s.disc[loser], row):
            s.odds = 2
    if row_of(s.ring[loser], 0) | row_of(s.disc[loser], 0):
        s.odds = 3
    s.phase = FINISHED
    s.mover = OVER


def payoff(s: State, out: FloatArray) -> None:
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


def die_of(s: State, action: int) -> int:
    """The die of a `move` action; pips move with the lowest unused one."""
    if action < PIP_OFFSET:
        return action // (4 * SOURCES)
    return int(s.used[0])


def kind_of(s: State, seat: int, action: int) -> int:
    """What the action carries: QX-21, out of a pip only the ring."""
    if action >= PIP_OFFSET:
        return PIP
    return RING if has(s.ring[seat], square_of(action)) else DISC


# -- the board ----------------------------------------------------------------------------


def carry(s: State, seat: int, kind: int, square: int, landing: int, popped: bool) -> None:
    """Move a unit's pieces; a popped enemy ring leaves the board. Joining needs no action (QX-05)."""
    if kind != DISC:
        toggle_ring(s, seat, square)
        toggle_ring(s, seat, landing)
    if kind != RING:
        toggle_disc(s, seat, square)
        toggle_disc(s, seat, landing)
    if popped:
        toggle_ring(s, 1 - seat, LAST_SQUARE - landing)


def pops(s: State, seat: int, kind: int, landing: int) -> bool:
    """QX-60: a single disc lands on a single enemy ring (which is the only enemy unit open to it)."""
    return kind == DISC and has(s.enemy_ring[seat], landing)


def open_to(s: State, seat: int, kind: int, word: int) -> int:
    """QX-50: the squares that are open to a ring, a disc or a pip; one word of the set."""
    closed = s.enemy_disc[seat, word]
    if kind != DISC:
        closed |= s.ring[seat, word] | s.enemy_ring[seat, word]
    if kind != RING:
        closed |= s.disc[seat, word]
    return int(BOARD[word] & ~closed)


def origins(near: int, far: int, direction: int, distance: int) -> tuple[int, int]:
    """The squares from which a step of `distance` leads into a set.

    Neither they nor the landing squares lie on own row 10 (QX-12): bits of it do not matter.
    """
    rows = COLUMNS * distance
    if direction == FORWARD:
        return near >> rows | (far & ALL_COLUMNS) << (NEAR_SQUARES - rows), 0
    if direction == BACKWARD:
        return near << rows & NEAR_BOARD, near >> (NEAR_SQUARES - rows) & ALL_COLUMNS
    if direction == LEFT:
        return near << distance & NEAR_BOARD & RIGHT_PART[distance], far << distance & ALL_COLUMNS
    return near >> distance & LEFT_PART[distance], (far & ALL_COLUMNS) >> distance


def walled(s: State, seat: int, direction: int, distance: int) -> tuple[int, int]:
    """QX-52: the squares from which an enemy pip stands strictly before `distance`."""
    near = int(s.enemy_ring[seat, NEAR] & s.enemy_disc[seat, NEAR])
    far = int(s.enemy_ring[seat, FAR] & s.enemy_disc[seat, FAR])
    walled_near = 0
    walled_far = 0
    for step in range(1, distance):
        a, b = origins(near, far, direction, step)
        walled_near |= a
        walled_far |= b
    return walled_near, walled_far


def reach(s: State, seat: int, direction: int, distance: int, pips: bool) -> tuple[int, int]:
    """QX-10, QX-12: squares whose unit can make this die move, the duty aside, as a set.

    With `pips` the pips as units, else single pieces and the rings of pips (QX-21).
    """
    ring_near, ring_far = int(s.ring[seat, NEAR]), int(s.ring[seat, FAR])
    disc_near, disc_far = int(s.disc[seat, NEAR]), int(s.disc[seat, FAR])
    if pips:
        near, far = origins(open_to(s, seat, PIP, NEAR), open_to(s, seat, PIP, FAR), direction, distance)
        near &= ring_near & disc_near
        far &= ring_far & disc_far
    else:
        near, far = origins(open_to(s, seat, RING, NEAR), open_to(s, seat, RING, FAR), direction, distance)
        near &= ring_near
        far &= ring_far
        a, b = origins(open_to(s, seat, DISC, NEAR), open_to(s, seat, DISC, FAR), direction, distance)
        near |= disc_near & ~ring_near & a
        far |= disc_far & ~ring_far & b
    a, b = walled(s, seat, direction, distance)
    near &= ~a
    far &= ~b
    if s.first_kind != NO_KIND:
        a, b = barred(s, seat, direction, distance, pips)
        near &= ~a
        far &= ~b
    return near, far


def barred(s: State, seat: int, direction: int, distance: int, pips: bool) -> tuple[int, int]:
    """Squares of the first die move of the turn whose unit may not make this second one, as a set."""
    near = 0
    far = 0
    if not may_follow(s, seat, pips, int(s.first_from), direction, distance):
        near |= BIT[s.first_from, NEAR]
        far |= BIT[s.first_from, FAR]
    if not may_follow(s, seat, pips, int(s.first_to), direction, distance):
        near |= BIT[s.first_to, NEAR]
        far |= BIT[s.first_to, FAR]
    return near, far


def may_follow(s: State, seat: int, pip: bool, square: int, direction: int, distance: int) -> bool:
    """Whether the unit on a square of the first die move may make this second one (QX-15, 16, 31, 44)."""
    doubles = s.dice[0] == s.dice[1]
    ring = has(s.ring[seat], square)
    if square == s.first_from:  # QX-44: the disc must not run after its ring
        after_its_ring = doubles and s.first_kind == RING and not ring
        return not (after_its_ring and direction == s.first_direction)
    if s.first_kind == DISC and ring and not pip:
        return True  # QX-16: that ring has not moved yet
    if direction == s.first_direction ^ 1:
        return False  # QX-15
    if direction != s.first_direction or doubles or s.options.combined_straight != BOTH:
        return True
    passed = int(s.first_from) + distance * STEP[direction]  # QX-31
    if passed < 0 or passed >= SQUARES:
        return True  # then the landing square is off the board as well
    word = NEAR if passed < NEAR_SQUARES else FAR
    return open_to(s, seat, RING if ring else DISC, word) & int(BIT[passed, word]) != 0


# -- legal actions ------------------------------------------------------------------------


def legal(s: State, ids: IdArray) -> int:
    """All that the duty to use both dice leaves (QX-70 to QX-72, QX-82)."""
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


def places(s: State, ids: IdArray) -> int:
    """QX-62, QX-63: squares of the victim's start track without a ring."""
    rings = row_of(s.enemy_ring[s.turn_seat], LAST_ROW)
    count = 0
    for column in range(COLUMNS):
        if rings >> column & 1 == 0:
            ids[count] = PLACE_OFFSET + column
            count += 1
    return count


def candidates(s: State, die: int, ids: IdArray, count: int) -> int:
    """Append all die moves with this die, the duty aside; return the new length."""
    count = moves(s, die, False, ids, count)
    if s.dice[0] == s.dice[1]:  # QX-20, QX-40
        count = moves(s, die, True, ids, count)
    return count


def moves(s: State, die: int, pips: bool, ids: IdArray, count: int) -> int:
    """Append the die moves of pips as units, or of all others, in ascending order."""
    seat = int(s.turn_seat)
    distance = int(s.dice[die])
    forward, forward_far = reach(s, seat, FORWARD, distance, pips)
    backward, backward_far = reach(s, seat, BACKWARD, distance, pips)
    left, left_far = reach(s, seat, LEFT, distance, pips)
    right, right_far = reach(s, seat, RIGHT, distance, pips)
    offset = PIP_OFFSET if pips else die * 4 * SOURCES
    count = append(forward, backward, left, right, offset, ids, count)
    offset += 4 * NEAR_SQUARES
    return append(forward_far, backward_far, left_far, right_far, offset, ids, count)


def append(forward: int, backward: int, left: int, right: int, offset: int, ids: IdArray, count: int) -> int:
    """Append the actions of one word, square by square."""
    units = forward | backward | left | right
    while units:
        lowest = units & -units
        square = BIT_INDEX[lowest % BIT_MODULUS]
        action = offset + 4 * square
        ids[count] = action + FORWARD  # write all four, keep those that are possible: no branches
        count += forward >> square & 1
        ids[count] = action + BACKWARD
        count += backward >> square & 1
        ids[count] = action + LEFT
        count += left >> square & 1
        ids[count] = action + RIGHT
        count += right >> square & 1
        units ^= lowest
    return count


def has_candidate(s: State, die: int) -> bool:
    """Whether any die move with this die exists. Where a pip can move whole, so can its ring."""
    seat = int(s.turn_seat)
    for direction in range(4):
        near, far = reach(s, seat, direction, int(s.dice[die]), False)
        if near | far:
            return True
    return False


def all_leave_second(s: State, ids: IdArray, split: int, count: int) -> bool:
    """A quick proof that the duty forbids nothing: every move leaves another unit something to do.

    `ids[:split]` are moves of the higher die and `ids[split:count]` of the lower one, or all
    are doubles. A unit that can move with the other die still can after the first move if it
    shares no square with that, and cannot only land where the first move ended.
    False means only that this test does not know.
    """
    if pips_home(s, int(s.turn_seat)) == PIECES - 1:
        return False  # a first move might win
    if s.dice[0] == s.dice[1]:
        return leave_second(s, ids, 0, count, 0, count, 0)
    return leave_second(s, ids, 0, split, split, count, 0) and leave_second(s, ids, split, count, 0, split, 1)


def leave_second(
    s: State, ids: IdArray, begin: int, end: int, other_begin: int, other_end: int, die: int
) -> bool:
    """The test of `all_leave_second` for `ids[begin:end]`, moves with `die`, against those of the other."""
    near = 0
    far = 0
    for j in range(other_begin, other_end):
        square = square_of(ids[j])
        near |= BIT[square, NEAR]
        far |= BIT[square, FAR]
    distance = int(s.dice[die])
    other = int(s.dice[1 - die])
    for i in range(begin, end):
        square = square_of(ids[i])
        landing = square + distance * STEP[ids[i] & 3]
        left_near = near & ~BIT[square, NEAR] & ~CROSS[other, landing, NEAR]
        left_far = far & ~BIT[square, FAR] & ~CROSS[other, landing, FAR]
        if left_near | left_far == 0:
            return False
    return True


def dutiful(s: State, ids: IdArray, count: int) -> int:
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


def outcome(s: State, action: int) -> int:
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
        toggle_ring(s, 1 - seat, LAST_SQUARE - landing)
    s.first_kind = NO_KIND
    s.first_from = 0
    s.first_to = 0
    s.first_direction = 0
    return result
