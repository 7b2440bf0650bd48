"""The rules of RESISTOR_: set-up, legal actions, and their effects.

Clause ids (RS-16, ...) refer to the README beside this file. `cards.py` moves cards, `connections.py`
reads lines, `resistors.py` resolves diamonds, `ending.py` gives points.
"""

from __future__ import annotations

from polytrix.core.bits import size
from polytrix.core.state import CHANCE, OVER, IdArray

from .cards import (
    clear,
    count_layable,
    discard,
    draw,
    flip,
    lay,
    move,
    put,
    remove_from_deck,
    switch,
    take_back,
)
from .connections import BOTH_COLOURS, hues, shows_diamond, visible_diamonds
from .deck import Seat, Setting
from .ending import finish, score
from .resistors import redraw, resolve
from .state import (
    BOTH_SEATS,
    HAND_SIZE,
    NONE,
    PLACES,
    SWITCHES,
    Act,
    Left,
    Phase,
    Place,
    Reason,
    State,
    card_place,
    deck_size,
    hand_place,
    index_of,
)
from .tables import RESISTOR, SETTINGS

# -- set-up -------------------------------------------------------------------------------


def setup(s: State) -> None:
    """Clear the table; chance lays the row and deals the hands."""
    s.deck = (1 << int(SETTINGS[Setting.CARDS])) - 1
    s.length = 0
    for place in range(PLACES):
        clear(s, place)
    s.pile[:] = NONE
    s.pile_size = 0
    s.defcon[:] = SETTINGS[Setting.LEVEL]  # RS-02
    s.turn = Seat.NOBODY
    s.left = 0
    s.flipped = NONE
    s.resolving = NONE
    s.to_draw[:] = 0
    s.winner = Seat.NOBODY
    s.reason = Reason.RUNNING
    s.sketch[:] = 0
    s.phase = Phase.LAY
    s.mover = CHANCE
    if SETTINGS[Setting.STACKED]:  # RS-68
        for card in range(int(SETTINGS[Setting.ROW])):
            remove_from_deck(s, card)
            put(s, card, card, 0, 0, BOTH_SEATS)
        s.length = SETTINGS[Setting.ROW]
        s.phase = Phase.DEAL


def lay_next(s: State, outcome: int) -> None:
    """Lay the next row card, from Red's end (RS-09)."""
    lay(s, s.length, outcome)
    s.length += 1
    if s.length == SETTINGS[Setting.ROW]:
        s.phase = Phase.DEAL


def deal_next(s: State, outcome: int) -> None:
    """Deal the next hand card, Red's first (RS-11)."""
    size = int(SETTINGS[Setting.HAND])
    dealt = 0
    while s.card[hand_place(dealt // size, dealt % size)] != NONE:
        dealt += 1
    draw(s, hand_place(dealt // size, dealt % size), outcome)
    if dealt + 1 == 2 * size:
        choose_starter(s)


def choose_starter(s: State) -> None:
    """The colour on fewer cards begins (RS-14); on a tie the centre card is replaced (RS-15)."""
    more_red = 0
    for i in range(s.length):
        more_red += (hues(s, i) >> Seat.RED & 1) - (hues(s, i) >> Seat.BLUE & 1)
    if more_red == 0 and deck_size(s) > 1 and not SETTINGS[Setting.STACKED]:
        discard(s, int(SETTINGS[Setting.ROW]) // 2)
        s.phase = Phase.TIE
    else:
        begin_turn(s, Seat.RED if more_red <= 0 else Seat.BLUE)


# -- legal actions -----------------------------------------------------------------------


def legal(s: State, ids: IdArray) -> int:
    """The mover's legal actions, ascending; they depend on public facts only (RS-65)."""
    if s.phase == Phase.ACT:
        return legal_acts(s, ids)
    if s.phase == Phase.TRASH:
        return legal_trash(s, ids)
    if s.phase == Phase.FORCED:
        return add_flips(s, ids, 0)
    if s.phase == Phase.UNDO:
        return add_range(ids, 0, Act.UNDO, 2)
    return legal_resolutions(s, ids)


def legal_acts(s: State, ids: IdArray) -> int:
    """The turn's remaining actions that are possible (RS-16)."""
    left = s.left
    count = 0
    if left & Left.FLIP:
        count = add_flips(s, ids, count)
    if left & Left.DRAW:
        count = add_range(ids, count, Act.DRAW, 1)
        if may_recycle(s):
            count = add_range(ids, count, Act.RECYCLE, 2)
    if left & Left.SWITCH:
        for position in range(s.length):
            if s.lock[index_of(s, s.mover, position)] == 0:
                count = add_switches(ids, count, Act.SWITCH + SWITCHES * position)
    if left & Left.LOCK:
        for position in range(s.length):
            if may_lock(s, index_of(s, s.mover, position)):
                count = add_range(ids, count, Act.LOCK + position, 1)
    return count


def legal_trash(s: State, ids: IdArray) -> int:
    """RS-23: a card of either hand, or the drawn one."""
    count = 0
    for which in range(2 * HAND_SIZE):
        if which % HAND_SIZE < SETTINGS[Setting.HAND]:
            count = add_range(ids, count, Act.TRASH + which, 1)
    return add_range(ids, count, Act.TRASH + 2 * HAND_SIZE, 1)


def add_range(ids: IdArray, count: int, first: int, size: int) -> int:
    """Append consecutive actions; return the new count."""
    for i in range(size):
        ids[count + i] = first + i
    return count + size


def add_switches(ids: IdArray, count: int, first: int) -> int:
    """Append the switches of a position, which begin at `first`."""
    if SETTINGS[Setting.HAND] == HAND_SIZE:
        return add_range(ids, count, first, SWITCHES)
    for which in range(SWITCHES):
        if which // HAND_SIZE % 2 < SETTINGS[Setting.HAND]:
            ids[count] = first + which
            count += 1
    return count


def add_flips(s: State, ids: IdArray, count: int) -> int:
    """Append the flips of unlocked cards (RS-20, RS-60)."""
    for position in range(s.length):
        if s.lock[index_of(s, s.mover, position)] == 0:
            ids[count] = Act.FLIP + position
            count += 1
    return count


def legal_resolutions(s: State, ids: IdArray) -> int:
    """The turn player picks among all diamonds that show (RS-32)."""
    count = 0
    for position in range(s.length):
        if shows_diamond(s, index_of(s, s.mover, position)):
            ids[count] = Act.RESOLVE + position
            count += 1
    return count


def is_behind(s: State) -> bool:
    """Whether the turn player's level is strictly the higher one."""
    return int(s.defcon[s.turn]) > int(s.defcon[1 - s.turn])


def may_recycle(s: State) -> bool:
    """RS-56."""
    return s.options.recycling_subsystems == 1 and s.pile_size > 0 and is_behind(s)


def may_lock(s: State, i: int) -> bool:
    """RS-58: a card that shows lines of both colours, locked or not."""
    return hues(s, i) == BOTH_COLOURS


def any_unlocked(s: State) -> bool:
    """Whether any row card may be flipped or switched."""
    for i in range(s.length):
        if s.lock[i] == 0:
            return True
    return False


def any_lockable(s: State) -> bool:
    """Whether any row card may take a Lock Card."""
    for i in range(s.length):
        if may_lock(s, i):
            return True
    return False


def can_act(s: State) -> bool:
    """Whether any remaining action is possible (RS-19)."""
    left = s.left
    if left & Left.DRAW:
        return True
    if left & (Left.FLIP | Left.SWITCH) and any_unlocked(s):
        return True
    return left & Left.LOCK != 0 and any_lockable(s)


# -- transitions --------------------------------------------------------------------------


def chance(s: State) -> int:
    """Outcomes of the pending event: a card, and which way it lies or which side faces Red."""
    if s.phase in (Phase.LAY, Phase.TIE):
        return 2 * count_layable(s)
    return 2 * deck_size(s)


def apply(s: State, action: int) -> None:
    """Apply an action or a chance outcome, and everything that follows without a decision."""
    if s.mover == CHANCE:
        apply_chance(s, action)
    elif s.phase == Phase.ACT:
        act(s, action)
    elif s.phase == Phase.TRASH:
        trash(s, action)
    elif s.phase == Phase.RESOLVE:
        if resolve(s, index_of(s, s.mover, action - Act.RESOLVE)):
            settle(s)
    else:
        if s.phase == Phase.FORCED:
            flip(s, index_of(s, s.mover, action - Act.FLIP))
        elif action == Act.UNDO:
            flip(s, s.flipped)  # RS-52: as it lay before; what was seen stays seen
        s.flipped = NONE
        settle(s)


def apply_chance(s: State, outcome: int) -> None:
    """Apply an outcome of the pending chance event."""
    if s.phase == Phase.LAY:
        lay_next(s, outcome)
    elif s.phase == Phase.DEAL:
        deal_next(s, outcome)
    elif s.phase == Phase.TIE:
        lay(s, int(SETTINGS[Setting.ROW]) // 2, outcome)
        choose_starter(s)
    elif s.phase == Phase.TAKE:
        draw(s, Place.DRAWN, outcome)
        ask_trash(s)
    elif redraw(s, outcome):
        settle(s)


def act(s: State, action: int) -> None:
    """Apply one of the turn's actions."""
    if action < Act.DRAW:
        spend(s, Left.FLIP)
        i = index_of(s, s.mover, action - Act.FLIP)
        flip(s, i)
        if s.options.comeback_circuits and is_behind(s):  # RS-50, RS-51: before any diamond is resolved
            s.flipped = i
            s.phase = Phase.UNDO
        else:
            settle(s)
    elif action < Act.TRASH:
        spend(s, Left.DRAW)
        if action == Act.DRAW:
            s.phase = Phase.TAKE
            s.mover = CHANCE
        else:
            take_back(s, (action - Act.RECYCLE) ^ s.mover)
            ask_trash(s)
    elif action < Act.LOCK:
        spend(s, Left.SWITCH)
        switch_out(s, action - Act.SWITCH)
        settle(s)
    else:
        spend(s, Left.LOCK)
        put_lock(s, index_of(s, s.mover, action - Act.LOCK))
        settle(s)


def spend(s: State, action: int) -> None:
    """Cross off an action of the turn, and all others once the turn has had its number of actions (RS-67)."""
    s.left &= ~action
    if 3 + s.options.lock_down - size(s.left) >= SETTINGS[Setting.ACTIONS]:
        s.left = 0


def ask_trash(s: State) -> None:
    """Ask the turn player to place or trash the drawn card (RS-22)."""
    s.phase = Phase.TRASH
    s.mover = s.turn


def trash(s: State, action: int) -> None:
    """Replace a hand card by the drawn card, or discard the drawn card (RS-23)."""
    place = card_place(s.mover, action - Act.TRASH)
    trashed = int(s.card[place])
    discard(s, place)
    if place != Place.DRAWN:
        move(s, Place.DRAWN, place)
        clear(s, Place.DRAWN)
    if RESISTOR[trashed] and any_unlocked(s):  # RS-25, RS-26
        s.phase = Phase.FORCED
        s.mover = 1 - s.turn
    else:
        settle(s)


def switch_out(s: State, which: int) -> None:
    """RS-28: position, hand, slot and orientation, all as the mover sees them."""
    mover = s.mover
    position, card, turned = which // SWITCHES, which // 2 % 4, which % 2
    switch(s, mover, index_of(s, mover, position), card_place(mover, card), turned ^ mover)


def put_lock(s: State, i: int) -> None:
    """Move the mover's Lock Card to index i (RS-58, RS-59)."""
    own = 1 << s.mover
    for j in range(s.length):
        s.lock[j] &= ~own
    s.lock[i] |= own


def settle(s: State) -> None:
    """Resolve diamonds until none shows or a choice is due; then continue the turn (RS-18, RS-32)."""
    while True:
        diamonds = visible_diamonds(s)
        if diamonds == 0:
            break
        if diamonds & (diamonds - 1):
            s.phase = Phase.RESOLVE
            s.mover = s.turn
            return
        i = 0
        while diamonds >> i != 1:
            i += 1
        if not resolve(s, i):
            return
    if deck_size(s) == 0:
        finish(s, Reason.DECK)  # RS-47
    elif can_act(s):
        s.phase = Phase.ACT
        s.mover = s.turn
    else:
        end_turn(s)


def end_turn(s: State) -> None:
    """Check both players for points; then the other player has a turn (RS-41, RS-49)."""
    score(s)
    if s.mover != OVER:
        begin_turn(s, 1 - s.turn)


def begin_turn(s: State, seat: int) -> None:
    """Begin a turn with all actions; Draw and Trash is always legal, as the deck is not empty (RS-18)."""
    s.turn = seat
    s.left = Left.FLIP | Left.DRAW | Left.SWITCH
    if s.options.lock_down:
        s.left |= Left.LOCK
    s.phase = Phase.ACT
    s.mover = seat
