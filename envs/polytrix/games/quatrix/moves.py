"""Die moves: what they do to the board, and which of them exist, whatever the duty to use both dice says.

Squares, rows and directions are those of the mover's own view.
"""

from __future__ import annotations

from polytrix.core.state import IdArray

from .bitboard import (
    ALL_COLUMNS,
    BIT,
    BIT_INDEX,
    BIT_MODULUS,
    BOARD,
    COLUMNS,
    LAST_SQUARE,
    LEFT_PART,
    NEAR_BOARD,
    NEAR_SQUARES,
    RIGHT_PART,
    SQUARES,
    Half,
    has,
)
from .state import (
    SOURCES,
    START_SQUARE,
    STEP,
    Act,
    CombinedStraight,
    Direction,
    Kind,
    State,
    toggle_disc,
    toggle_ring,
)

# -- making one ---------------------------------------------------------------------------


def square_of(action: int) -> int:
    """The square that a `move` or `pip` action starts from."""
    return int(START_SQUARE[action])


def die_of(s: State, action: int) -> int:
    """The die that the action uses: a whole pip takes the first unused one."""
    if action < Act.PIP:
        return action // (4 * SOURCES)
    return int(s.used[0])


def kind_of(s: State, seat: int, action: int) -> int:
    """What the action carries; from a pip, a `move` action takes the ring (QX-21)."""
    if action >= Act.PIP:
        return Kind.PIP
    return Kind.RING if has(s.ring[seat], square_of(action)) else Kind.DISC


def carry(s: State, seat: int, kind: int, square: int, landing: int, popped: bool) -> None:
    """Move a unit's pieces, and take a popped enemy ring off the board."""
    if kind != Kind.DISC:
        toggle_ring(s, seat, square)
        toggle_ring(s, seat, landing)
    if kind != Kind.RING:
        toggle_disc(s, seat, square)
        toggle_disc(s, seat, landing)
    if popped:
        toggle_ring(s, 1 - seat, LAST_SQUARE - landing)


def pops(s: State, seat: int, kind: int, landing: int) -> bool:
    """Whether a single disc lands on a single enemy ring, the only enemy unit that is open to it (QX-60)."""
    return kind == Kind.DISC and has(s.enemy_ring[seat], landing)


def make_move(s: State, action: int) -> bool:
    """Make a die move; return whether it pops a ring."""
    seat, square, direction = int(s.turn_seat), square_of(action), action % 4
    kind = kind_of(s, seat, action)
    landing = square + int(s.dice[die_of(s, action)]) * STEP[direction]
    popped = pops(s, seat, kind, landing)
    carry(s, seat, kind, square, landing, popped)
    if s.first_kind == Kind.NONE:
        s.first_kind = kind
        s.first_from = square
        s.first_to = landing
        s.first_direction = direction
    return popped


def forget_first_move(s: State) -> None:
    """Clear the record of the turn's first die move."""
    s.first_kind = Kind.NONE
    s.first_from = 0
    s.first_to = 0
    s.first_direction = 0


# -- where they can start -----------------------------------------------------------------


def open_to(s: State, seat: int, kind: int, half: int) -> int:
    """One half of the set of squares that are open to a ring, a disc or a pip (QX-50)."""
    closed = s.enemy_disc[seat, half]
    if kind != Kind.DISC:
        closed |= s.ring[seat, half] | s.enemy_ring[seat, half]
    if kind != Kind.RING:
        closed |= s.disc[seat, half]
    return int(BOARD[half] & ~closed)


def origins(near: int, far: int, direction: int, distance: int) -> tuple[int, int]:
    """The squares from which a step of `distance` leads into a set.

    Bits of own row 10 do not matter, as no die move starts or ends there (QX-12).
    """
    rows = COLUMNS * distance
    if direction == Direction.FORWARD:
        return near >> rows | (far & ALL_COLUMNS) << (NEAR_SQUARES - rows), 0
    if direction == Direction.BACKWARD:
        return near << rows & NEAR_BOARD, near >> (NEAR_SQUARES - rows) & ALL_COLUMNS
    if direction == Direction.LEFT:
        return near << distance & NEAR_BOARD & RIGHT_PART[distance], far << distance & ALL_COLUMNS
    return near >> distance & LEFT_PART[distance], (far & ALL_COLUMNS) >> distance


def walled(s: State, seat: int, direction: int, distance: int) -> tuple[int, int]:
    """The squares from which an enemy pip is less than `distance` away (QX-52)."""
    near = int(s.enemy_ring[seat, Half.NEAR] & s.enemy_disc[seat, Half.NEAR])
    far = int(s.enemy_ring[seat, Half.FAR] & s.enemy_disc[seat, Half.FAR])
    walled_near = 0
    walled_far = 0
    for step in range(1, distance):
        a, b = origins(near, far, direction, step)
        walled_near |= a
        walled_far |= b
    return walled_near, walled_far


def reach(s: State, seat: int, direction: int, distance: int, pips: bool) -> tuple[int, int]:
    """The squares from which this die move exists (QX-10, QX-12).

    With `pips` those of whole pips, else those of single pieces and of rings in pips (QX-21).
    """
    ring_near, ring_far = int(s.ring[seat, Half.NEAR]), int(s.ring[seat, Half.FAR])
    disc_near, disc_far = int(s.disc[seat, Half.NEAR]), int(s.disc[seat, Half.FAR])
    if pips:
        near, far = origins(
            open_to(s, seat, Kind.PIP, Half.NEAR), open_to(s, seat, Kind.PIP, Half.FAR), direction, distance
        )
        near &= ring_near & disc_near
        far &= ring_far & disc_far
    else:
        near, far = origins(
            open_to(s, seat, Kind.RING, Half.NEAR), open_to(s, seat, Kind.RING, Half.FAR), direction, distance
        )
        near &= ring_near
        far &= ring_far
        a, b = origins(
            open_to(s, seat, Kind.DISC, Half.NEAR), open_to(s, seat, Kind.DISC, Half.FAR), direction, distance
        )
        near |= disc_near & ~ring_near & a
        far |= disc_far & ~ring_far & b
    a, b = walled(s, seat, direction, distance)
    near &= ~a
    far &= ~b
    if s.first_kind != Kind.NONE:
        a, b = barred(s, seat, direction, distance, pips)
        near &= ~a
        far &= ~b
    return near, far


def barred(s: State, seat: int, direction: int, distance: int, pips: bool) -> tuple[int, int]:
    """The squares of the turn's first die move whose unit may not make this second one."""
    near = 0
    far = 0
    if not may_follow(s, seat, pips, int(s.first_from), direction, distance):
        near |= BIT[s.first_from, Half.NEAR]
        far |= BIT[s.first_from, Half.FAR]
    if not may_follow(s, seat, pips, int(s.first_to), direction, distance):
        near |= BIT[s.first_to, Half.NEAR]
        far |= BIT[s.first_to, Half.FAR]
    return near, far


def may_follow(s: State, seat: int, pip: bool, square: int, direction: int, distance: int) -> bool:
    """Whether the unit on a square of the first die move may make this second one (QX-15, 16, 31, 44)."""
    doubles = s.dice[0] == s.dice[1]
    ring = has(s.ring[seat], square)
    if square == s.first_from:  # QX-44: the disc must not run after its ring
        after_its_ring = doubles and s.first_kind == Kind.RING and not ring
        return not (after_its_ring and direction == s.first_direction)
    if s.first_kind == Kind.DISC and ring and not pip:
        return True  # QX-16: that ring has not moved yet
    if direction == s.first_direction ^ 1:
        return False  # QX-15
    if direction != s.first_direction or doubles or s.options.combined_straight != CombinedStraight.BOTH:
        return True
    passed = int(s.first_from) + distance * STEP[direction]  # QX-31
    if passed < 0 or passed >= SQUARES:
        return True  # the landing square is off the board as well
    half = Half.NEAR if passed < NEAR_SQUARES else Half.FAR
    return open_to(s, seat, Kind.RING if ring else Kind.DISC, half) & int(BIT[passed, half]) != 0


# -- as actions ---------------------------------------------------------------------------


def candidates(s: State, die: int, ids: IdArray, count: int) -> int:
    """Append all die moves with this die; return the new length."""
    count = moves(s, die, False, ids, count)
    if s.dice[0] == s.dice[1]:  # QX-20, QX-40
        count = moves(s, die, True, ids, count)
    return count


def moves(s: State, die: int, pips: bool, ids: IdArray, count: int) -> int:
    """Append the die moves of whole pips, or all others, in ascending order."""
    seat = int(s.turn_seat)
    distance = int(s.dice[die])
    forward, forward_far = reach(s, seat, Direction.FORWARD, distance, pips)
    backward, backward_far = reach(s, seat, Direction.BACKWARD, distance, pips)
    left, left_far = reach(s, seat, Direction.LEFT, distance, pips)
    right, right_far = reach(s, seat, Direction.RIGHT, distance, pips)
    offset = Act.PIP if pips else die * 4 * SOURCES
    count = append(forward, backward, left, right, offset, ids, count)
    offset += 4 * NEAR_SQUARES
    return append(forward_far, backward_far, left_far, right_far, offset, ids, count)


def append(forward: int, backward: int, left: int, right: int, offset: int, ids: IdArray, count: int) -> int:
    """Append the actions that start in one half of the board, square by square."""
    units = forward | backward | left | right
    while units:
        lowest = units & -units
        square = BIT_INDEX[lowest % BIT_MODULUS]
        action = offset + 4 * square
        ids[count] = action + Direction.FORWARD  # write all four, count those that are possible: no branches
        count += forward >> square & 1
        ids[count] = action + Direction.BACKWARD
        count += backward >> square & 1
        ids[count] = action + Direction.LEFT
        count += left >> square & 1
        ids[count] = action + Direction.RIGHT
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
