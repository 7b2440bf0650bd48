"""Setup, chance, legal actions and apply: which rule runs when.

Every action leaves work to do: frames on the stack, or a phase. `advance` does it until a seat has a
real choice, a chance event is pending, or the game is over.
"""

from __future__ import annotations

from polytrix.core.bits import nth, size
from polytrix.core.state import CHANCE, IdArray
from polytrix.core.trust import MOST_ROUNDS, require

from .board.choices import UNDECIDED, clear_choices, list_choices, only_choice
from .board.stack import push_draws
from .board.zones import discard_from_hand, fix_next, from_hand, unfixed
from .flow.attacks import step_attack, step_strike
from .flow.damage import step_hit
from .flow.defeat import step_defeat
from .flow.matches import begin_match, choose_leaders, deal, lay_out, name_first
from .flow.orders import step_draw, step_play, step_recruit
from .flow.turn import loop_turn, next_wave, start_turn, take_action
from .flow.wave import step_wave_end
from .operations.dispatch import step_operations
from .state import NOBODY, NONE, SEATS, STACK, Act, Chance, Decision, FrameKind, Phase, State

# -- what the core calls ------------------------------------------------------------------------------


def setup(s: State) -> None:
    """PT-01: start the first match."""
    s.match = 1
    s.last_winner = -1
    for seat in range(SEATS):
        s.out[seat] = 0
        s.trophies[seat] = 0
    clear_stack(s)
    lay_out(s)
    clear_choices(s)
    s.answer = NONE
    s.chance_kind = Chance.NONE
    s.chance_seat = -1
    s.mover = NOBODY
    advance(s)


def chance(s: State) -> int:
    """The number of outcomes of the pending chance event."""
    return SEATS if s.chance_kind == Chance.FIRST else size(chance_cards(s))


def legal(s: State, ids: IdArray) -> int:
    """Write the legal actions, which were listed when the mover was asked."""
    return list_choices(s, ids)


def apply(s: State, action: int) -> None:
    """Apply an action or a chance outcome, and everything up to the next question."""
    if s.mover == CHANCE:
        happen(s, action)
    else:
        decide(s, action)
    advance(s)


def clear_stack(s: State) -> None:
    """Empty the stack, and every frame of it."""
    s.depth = 0
    for _ in range(STACK):
        push_draws(s, 0, 0, False)
    s.depth = 0


# -- decisions and chance -----------------------------------------------------------------------------


def chance_cards(s: State) -> int:
    """The cards from which chance picks one: the cards of the deck that are not fixed, or a hand."""
    seat = s.chance_seat
    return unfixed(s, seat) if s.chance_kind == Chance.DECK else int(s.hand[seat])


def happen(s: State, outcome: int) -> None:
    """Apply a chance outcome."""
    kind, seat = s.chance_kind, s.chance_seat
    if kind == Chance.FIRST:
        begin_match(s, outcome)
    else:
        card = nth(chance_cards(s), outcome)
        if kind == Chance.DECK:
            fix_next(s, seat, card)
        elif kind == Chance.DISCARD:
            discard_from_hand(s, seat, card)
        else:
            from_hand(s, seat, card)
            s.in_play[seat] |= 1 << card
            s.stack[s.depth - 1].kept = card
    s.chance_kind = Chance.NONE
    s.chance_seat = -1
    s.mover = NOBODY


def decide(s: State, action: int) -> None:
    """Apply an action of the mover; frames read theirs from `s.answer`."""
    decision, seat = s.decision, s.mover
    clear_choices(s)
    s.mover = NOBODY
    if decision == Decision.TURN:
        take_action(s, action)
    elif decision == Decision.LEADER:
        s.leader[seat] = action - Act.CARD
    else:
        s.answer = action


# -- going on -----------------------------------------------------------------------------------------


def advance(s: State) -> None:
    """Go on until somebody has a choice; single outcomes and single answers are applied at once (PT-98)."""
    rounds = 0
    while s.mover == NOBODY:
        require(rounds < MOST_ROUNDS)
        rounds += 1
        if s.depth > 0:
            step_frame(s)
            s.answer = NONE
        else:
            step_phase(s)
        if s.mover == CHANCE:
            if chance(s) == 1:
                happen(s, 0)
        elif s.mover >= 0 and s.decision != Decision.TURN:
            only = only_choice(s)
            if only != UNDECIDED:
                decide(s, only)


def step_frame(s: State) -> None:
    """Run one step of the frame on top of the stack."""
    f = s.stack[s.depth - 1]
    kind = f.kind
    if kind == FrameKind.HIT:
        step_hit(s, f)
    elif kind == FrameKind.ATTACK:
        step_attack(s, f)
    elif kind in (FrameKind.ORDER, FrameKind.POWER):
        step_operations(s, f)
    elif kind == FrameKind.PLAY:
        step_play(s, f)
    elif kind == FrameKind.RECRUIT:
        step_recruit(s, f)
    elif kind == FrameKind.STRIKE:
        step_strike(s, f)
    elif kind == FrameKind.DEFEAT:
        step_defeat(s, f)
    elif kind == FrameKind.WAVE_END:
        step_wave_end(s, f)
    else:
        step_draw(s, f)


def step_phase(s: State) -> None:
    """Run the phase, when the stack is empty."""
    phase = s.phase
    if phase == Phase.PLAYING:
        loop_turn(s)
    elif phase == Phase.STARTING:
        start_turn(s)
    elif phase == Phase.CLOSED:
        next_wave(s)
    elif phase == Phase.DEALING:
        deal(s)
    elif phase == Phase.CHOOSING:
        choose_leaders(s)
    else:
        name_first(s)
