"""What holds in every state, and in every step."""

from __future__ import annotations

from polytrix.core.invariants import invariant
from polytrix.core.state import CHANCE, OVER

from .connections import BOTH_COLOURS, hues, shows_diamond, visible_diamonds
from .deck import CARDS, Seat, Setting
from .state import (
    DRAWN_GAME,
    NONE,
    PLACES,
    ROW,
    Level,
    Phase,
    Place,
    Reason,
    State,
    deck_size,
    hand_place,
)
from .tables import SETTINGS

BASE_DECISIONS, MOST_DECISIONS = 201, 799  # RS-40


@invariant
def every_card_is_in_exactly_one_place(before: State, s: State) -> bool:
    seen, count = s.deck, deck_size(s)
    for place in range(PLACES):
        if s.card[place] != NONE:
            seen |= 1 << int(s.card[place])
            count += 1
    for i in range(CARDS):
        if (s.pile[i] != NONE) != (i < s.pile_size):
            return False
        if i < s.pile_size:
            seen |= 1 << int(s.pile[i])
            count += 1
    return bool(count == SETTINGS[Setting.CARDS] and seen == (1 << int(SETTINGS[Setting.CARDS])) - 1)


@invariant
def nothing_is_noted_of_places_without_a_card(before: State, s: State) -> bool:
    for place in range(PLACES):
        if s.card[place] == NONE and (s.side[place] != 0 or s.turned[place] != 0 or s.known[place] != 0):
            return False
    return True


@invariant
def the_row_has_no_gap(before: State, s: State) -> bool:
    """RS-39: the row has no gap, but for the centre in a tie, and two cards while the game goes on."""
    for i in range(ROW):
        replaced = s.phase == Phase.TIE and i == SETTINGS[Setting.ROW] // 2
        if (s.card[i] != NONE) != (i < s.length and not replaced):
            return False
    return s.length >= 2 or s.phase == Phase.LAY or s.phase == Phase.OVER


@invariant
def each_seat_has_one_lock_card(before: State, s: State) -> bool:
    """RS-59, RS-61: each seat has one Lock Card, on a card that shows both colours and no diamond."""
    locks = 0
    for i in range(ROW):
        lock = int(s.lock[i])
        if lock and (i >= s.length or hues(s, i) != BOTH_COLOURS or shows_diamond(s, i) or locks & lock):
            return False
        locks |= lock
    return locks == 0 or s.options.lock_down == 1


@invariant
def the_game_ends_in_time(before: State, s: State) -> bool:
    """RS-40: the game ends by a result or at its limit, and not otherwise."""
    won = s.winner != Seat.NOBODY
    if s.truncated and (won or s.decisions < s.options.max_decisions):
        return False
    if won != (s.reason != Reason.RUNNING) or won != (s.phase == Phase.OVER):
        return False
    return (s.mover == OVER) == (won or s.truncated == 1)


@invariant
def the_game_is_as_short_as_proven(before: State, s: State) -> bool:
    """RS-40: the game has no more decisions than proven."""
    extended = s.options.comeback_circuits or s.options.recycling_subsystems or s.options.lock_down
    return bool(
        SETTINGS[Setting.ACTIONS] <= 2 or s.decisions <= (MOST_DECISIONS if extended else BASE_DECISIONS)
    )


@invariant
def the_levels_decide(before: State, s: State) -> bool:
    """RS-45, RS-46: the result is that of the levels."""
    red, blue = int(s.defcon[Seat.RED]), int(s.defcon[Seat.BLUE])
    if s.winner == Seat.NOBODY:
        return True
    if s.reason == Reason.HIT:
        return (s.winner == Seat.RED or red == Level.HIGHEST) and (
            s.winner == Seat.BLUE or blue == Level.HIGHEST
        )
    if (s.reason == Reason.SHORT) != (s.length == 1) or (s.reason == Reason.DECK and s.deck != 0):
        return False
    return s.winner == (DRAWN_GAME if red == blue else Seat.RED if red < blue else Seat.BLUE)


@invariant
def the_turn_player_decides(before: State, s: State) -> bool:
    """RS-16, RS-25: the turn player decides, and of a forced flip the other one; all else is chance."""
    dealt = s.phase not in (Phase.LAY, Phase.DEAL, Phase.TIE)
    wanted = CHANCE
    if s.phase < Phase.LAY:
        wanted = 1 - s.turn if s.phase == Phase.FORCED else s.turn
    return dealt == (s.turn != Seat.NOBODY) and (s.mover == OVER or s.mover == wanted)


@invariant
def all_is_settled_before_an_action(before: State, s: State) -> bool:
    """RS-18: whenever an action is chosen, no diamond shows, both hands are full, and the deck is not empty."""
    if s.phase != Phase.ACT:
        return True
    for seat in range(2):
        for slot in range(int(SETTINGS[Setting.HAND])):
            if s.card[hand_place(seat, slot)] == NONE:
                return False
    return s.left != 0 and s.deck != 0 and visible_diamonds(s) == 0


@invariant
def diamonds_are_chosen_among_several(before: State, s: State) -> bool:
    """RS-32: the choice is between two diamonds or more."""
    diamonds = visible_diamonds(s)
    return s.phase != Phase.RESOLVE or diamonds & (diamonds - 1) != 0


@invariant
def a_drawn_card_is_placed_at_once(before: State, s: State) -> bool:
    """RS-23: a card is drawn if and only if it is to be placed or trashed."""
    return bool((s.card[Place.DRAWN] != NONE) == (s.phase == Phase.TRASH))


@invariant
def what_is_under_way_fits_the_phase(before: State, s: State) -> bool:
    if (s.flipped != NONE) != (s.phase == Phase.UNDO) or s.flipped >= s.length:
        return False
    redrawn = int(s.to_draw[Seat.RED]) + int(s.to_draw[Seat.BLUE]) > 0
    return redrawn == (s.resolving != NONE) == (s.phase == Phase.REDRAW)


@invariant
def nobody_forgets_a_side(before: State, s: State) -> bool:
    """RS-62: nobody forgets a side."""
    for place in range(PLACES):
        for other in range(PLACES):
            same = s.card[place] != NONE and before.card[other] == s.card[place]
            if same and int(before.known[other]) & ~int(s.known[place]):
                return False
    return True


@invariant
def a_new_card_is_known_from_one_side(before: State, s: State) -> bool:
    """RS-63: a card from the deck is known from one side."""
    for place in range(Place.HANDS, PLACES):
        card = int(s.card[place])
        if card != NONE and s.known[place] != 0 and (before.deck & ~s.deck) >> card & 1:
            return False
    return True


@invariant
def discards_stay(before: State, s: State) -> bool:
    """RS-56: only Recycling Subsystems take from the discards."""
    return s.pile_size >= before.pile_size or s.options.recycling_subsystems == 1
