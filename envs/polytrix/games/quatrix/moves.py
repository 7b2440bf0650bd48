"""Die moves: what they do to the board, and which of them exist, whatever the duty to use both dice says.

Squares, rows and directions are those of the mover's own view.
"""

from __future__ import annotations

from polytrix.core.bits import lowest
from polytrix.core.state import IdArray

from .bitboard import (
    ALL_COLUMNS,
    BIT,
    BOARD,
    COLUMNS,
    LAST_SQUARE,
    LEFT_PART,
    NEAR_SQUARES,
    RIGHT_PART,
    Half,
    has,
)
from .state import SOURCES, STEP, Act, CombinedStraight, Direction, Kind, State, toggle_disc, toggle_ring

# -- making one ---------------------------------------------------------------------------


def square_of(action: int) -> int:
    """The square that a `move` or `pip` action starts from."""
    return int(action) // 4 % SOURCES


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


def make_move(s: State, action: int) -> bool:
    """Make a die move; return whether it pops a ring."""
    seat, square, direction = s.turn_seat, square_of(action), action % 4
    kind = kind_of(s, seat, action)
    landing = square + int(s.dice[die_of(s, action)]) * STEP[direction]
    popped = kind == Kind.DISC and has(s.enemy_ring[seat], landing)  # QX-60: no other enemy unit is open to it
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

Starts = tuple[int, int, int, int, int, int, int]
"""Four sets of squares: from which units go forward, backward, left and right. First the near halves of all
four, then the far halves of the last three, as nobody goes forward from own row 9 (QX-12).

Where the mover has no unit the bits do not matter, also those of no square, until `reach` clears them.
"""


def open_to(s: State, seat: int, kind: int, half: int) -> int:
    """One half of the set of squares that are open to a ring or a disc (QX-50)."""
    closed = s.enemy_disc[seat, half]
    if kind == Kind.RING:
        closed |= s.ring[seat, half] | s.enemy_ring[seat, half]
    else:
        closed |= s.disc[seat, half]
    return int(BOARD[half] & ~closed)


def origins(near: int, far: int, distance: int) -> Starts:
    """The squares from which a step of `distance` leads into a set."""
    rows = COLUMNS * distance
    far &= ALL_COLUMNS  # no die move ends on own row 10 (QX-12)
    return (
        near >> rows | far << (NEAR_SQUARES - rows),
        near << rows,
        near << distance & int(RIGHT_PART[distance]),
        near >> distance & int(LEFT_PART[distance]),
        near >> (NEAR_SQUARES - rows),
        far << distance,
        far >> distance,
    )


def reach(s: State, die: int, pips: bool) -> Starts:
    """The squares from which die moves with this die exist (QX-10, QX-12).

    With `pips` those of whole pips, else those of single pieces and of rings in pips (QX-21).
    """
    seat, distance = s.turn_seat, int(s.dice[die])
    ring, ring_far = int(s.ring[seat, Half.NEAR]), int(s.ring[seat, Half.FAR])
    disc, disc_far = int(s.disc[seat, Half.NEAR]), int(s.disc[seat, Half.FAR])
    ring_to, ring_to_far = open_to(s, seat, Kind.RING, Half.NEAR), open_to(s, seat, Kind.RING, Half.FAR)
    disc_to, disc_to_far = open_to(s, seat, Kind.DISC, Half.NEAR), open_to(s, seat, Kind.DISC, Half.FAR)
    if pips:  # the discs go with the rings, to squares that are open to both
        ring, ring_far = ring & disc, ring_far & disc_far
        ring_to, ring_to_far = ring_to & disc_to, ring_to_far & disc_to_far
        disc, disc_far = 0, 0
    else:  # single discs
        disc, disc_far = disc & ~ring, disc_far & ~ring_far
    by_ring = origins(ring_to, ring_to_far, distance)
    by_disc = origins(disc_to, disc_to_far, distance)
    wall = walled(s, seat, distance)
    bar = barred(s, seat, distance, pips)
    return (
        (by_ring[0] & ring | by_disc[0] & disc) & ~(wall[0] | bar[0]),
        (by_ring[1] & ring | by_disc[1] & disc) & ~(wall[1] | bar[1]),
        (by_ring[2] & ring | by_disc[2] & disc) & ~(wall[2] | bar[2]),
        (by_ring[3] & ring | by_disc[3] & disc) & ~(wall[3] | bar[3]),
        (by_ring[4] & ring_far | by_disc[4] & disc_far) & ~(wall[4] | bar[4]),
        (by_ring[5] & ring_far | by_disc[5] & disc_far) & ~(wall[5] | bar[5]),
        (by_ring[6] & ring_far | by_disc[6] & disc_far) & ~(wall[6] | bar[6]),
    )


def walled(s: State, seat: int, distance: int) -> Starts:
    """The squares from which an enemy pip is less than `distance` away (QX-52)."""
    near = int(s.enemy_ring[seat, Half.NEAR] & s.enemy_disc[seat, Half.NEAR])
    far = int(s.enemy_ring[seat, Half.FAR] & s.enemy_disc[seat, Half.FAR])
    forward, backward, left, right, backward_far, left_far, right_far = 0, 0, 0, 0, 0, 0, 0
    for step in range(1, distance):
        wall = origins(near, far, step)
        forward |= wall[0]
        backward |= wall[1]
        left |= wall[2]
        right |= wall[3]
        backward_far |= wall[4]
        left_far |= wall[5]
        right_far |= wall[6]
    return forward, backward, left, right, backward_far, left_far, right_far


def barred(s: State, seat: int, distance: int, pips: bool) -> Starts:
    """The squares of the turn's first die move whose unit may not make this second one."""
    if s.first_kind == Kind.NONE:
        return 0, 0, 0, 0, 0, 0, 0
    start, landing, direction = s.first_from, s.first_to, s.first_direction
    on, on_far, back, back_far = 0, 0, 0, 0  # barred in the first move's direction, and in the opposite one
    if s.first_kind == Kind.RING and s.dice[0] == s.dice[1] and not has(s.ring[seat], start):
        on |= int(BIT[start, Half.NEAR])  # QX-44: the disc must not run after its ring
        on_far |= int(BIT[start, Half.FAR])
    if pips or s.first_kind != Kind.DISC or not has(s.ring[seat], landing):  # QX-16: else that ring is free
        back |= int(BIT[landing, Half.NEAR])  # QX-15
        back_far |= int(BIT[landing, Half.FAR])
        if not may_go_on(s, seat, distance):
            on |= int(BIT[landing, Half.NEAR])
            on_far |= int(BIT[landing, Half.FAR])
    forward, backward = direction == Direction.FORWARD, direction == Direction.BACKWARD
    left, right = direction == Direction.LEFT, direction == Direction.RIGHT
    return (
        on * forward | back * backward,
        on * backward | back * forward,
        on * left | back * right,
        on * right | back * left,
        on_far * backward | back_far * forward,
        on_far * left | back_far * right,
        on_far * right | back_far * left,
    )


def may_go_on(s: State, seat: int, distance: int) -> bool:
    """Whether the unit that made the first die move may go straight on (QX-31)."""
    if s.dice[0] == s.dice[1] or s.options.combined_straight != CombinedStraight.BOTH:
        return True
    passed = s.first_from + distance * STEP[s.first_direction]
    if passed < 0 or passed > LAST_SQUARE:
        return True  # the landing square is off the board as well
    half = Half.NEAR if passed < NEAR_SQUARES else Half.FAR
    kind = Kind.RING if has(s.ring[seat], s.first_to) else Kind.DISC
    return open_to(s, seat, kind, half) & int(BIT[passed, half]) != 0


def units_of(starts: Starts) -> tuple[int, int]:
    """The squares from which any of these die moves starts."""
    return starts[0] | starts[1] | starts[2] | starts[3], starts[4] | starts[5] | starts[6]


def has_candidate(s: State, die: int) -> bool:
    """Whether any die move with this die exists. Where a pip can move whole, so can its ring."""
    near, far = units_of(reach(s, die, False))
    return near | far != 0


# -- as actions ---------------------------------------------------------------------------


def candidates(s: State, die: int, starts: Starts, ids: IdArray, count: int) -> int:
    """Append all die moves with this die, which start from `reach(s, die, False)`; return the new length."""
    count = append(starts, die * 4 * SOURCES, ids, count)
    if s.dice[0] == s.dice[1]:  # QX-20, QX-40
        count = append(reach(s, die, True), Act.PIP, ids, count)
    return count


def append(starts: Starts, offset: int, ids: IdArray, count: int) -> int:
    """Append the die moves from these squares, in ascending order."""
    forward, backward, left, right, backward_far, left_far, right_far = starts
    count = append_half(forward, backward, left, right, offset, ids, count)
    return append_half(0, backward_far, left_far, right_far, offset + 4 * NEAR_SQUARES, ids, count)


def append_half(
    forward: int, backward: int, left: int, right: int, offset: int, ids: IdArray, count: int
) -> int:
    """Append the actions that start in one half of the board, square by square."""
    units = forward | backward | left | right
    while units:
        square = lowest(units)
        action = offset + 4 * square
        ids[count] = action + Direction.FORWARD  # write all four, count those that are possible: no branches
        count += forward >> square & 1
        ids[count] = action + Direction.BACKWARD
        count += backward >> square & 1
        ids[count] = action + Direction.LEFT
        count += left >> square & 1
        ids[count] = action + Direction.RIGHT
        count += right >> square & 1
        units &= units - 1
    return count
