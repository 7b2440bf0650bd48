"""The course of the game: which function of the rules comes when.

A game stands in a phase that waits for a seat or for chance. Whatever happens there sets the
next phase; `run` then carries out all phases that need nobody, and decisions with a single
legal action (PM-89), until the game waits again.
"""

from __future__ import annotations

from polytrix.core.state import CHANCE, IdArray

from .choices import UNDECIDED, list_choices, only_choice
from .flipping import draw_reverse, turn_over
from .money import choose_payer, divide, give_one, steal_from, steal_from_next
from .movement import (
    ask_before_roll,
    ask_penalty,
    begin_turn,
    decide_before_roll,
    discard,
    end_movement,
    end_penalty,
    measure_move,
    move,
    next_turn,
    roll_die,
    use_control,
)
from .opening import deal, lay_out, make_bid, place_runner, roll_off_die, unseen_faces
from .pressure import begin_pressure, carry_out, choose_node, close, end_pressure
from .reactions import announce, answer_steal, ask_next, resolve, resolve_next, stay_silent
from .rearranging import choose_runner, invert_tile, swap_with, teleport_to
from .recovery import discard_rival, recall, reclaim_from
from .state import (
    ASK,
    AT_LANDING,
    AT_WIN,
    BEFORE_ROLL,
    BID,
    BID_BLOCK,
    CLOSE,
    CLOSED,
    DEAL,
    DIE,
    DISCARD,
    DISCARD_BLOCK,
    DISCARD_RIVAL,
    DIVIDE,
    EACH,
    EFFECT,
    FAIL,
    FINISHED,
    FIRST_BLOCK,
    FLIP,
    FLIP_BLOCK,
    GIVE,
    GIVE_BLOCK,
    INVERT,
    INVERT_BLOCK,
    MOVE,
    MOVE_BLOCK,
    MOVED,
    NEXT,
    NODE,
    NODE_BLOCK,
    ORDER,
    PASS,
    PAYER,
    PAYER_BLOCK,
    PLACE,
    PRESSURE,
    READY,
    RECALL,
    RECLAIM,
    RECLAIM_BLOCK,
    RESOLVE,
    REVERSE,
    ROLL,
    ROLLED,
    RUNNER,
    RUNNER_BLOCK,
    SHIELD,
    START_BLOCK,
    STEAL,
    STEAL_BLOCK,
    SWAP_BLOCK,
    TELEPORT,
    TELEPORT_BLOCK,
    TURN,
    USE_BLOCK,
    WINDOW,
    State,
    clockwise,
)


def setup(s: State) -> None:
    """The table before the deal."""
    lay_out(s)


def chance(s: State) -> int:
    """A face, or one die."""
    return unseen_faces(s) if s.phase == DEAL or s.phase == REVERSE else DIE


def legal(s: State, ids: IdArray) -> int:
    """The mover's choices, which were listed when it was asked."""
    return list_choices(s, ids)


def apply(s: State, action: int) -> None:
    """Carry out a decision or a chance outcome, and all that follows without a question."""
    if s.mover == CHANCE:
        happen(s, action)
        run(s, UNDECIDED)
    else:
        run(s, action)


def happen(s: State, outcome: int) -> None:
    """A chance outcome."""
    phase = int(s.phase)
    if phase == ROLL:
        roll_die(s, outcome + 1)
    elif phase == DEAL:
        deal(s, outcome)
    elif phase == REVERSE:
        draw_reverse(s, outcome)
    else:
        roll_off_die(s, outcome + 1)


def decide(s: State, action: int) -> None:
    """The mover's decision."""
    phase = int(s.phase)
    if phase == MOVE:
        move(s, action - MOVE_BLOCK)
    elif phase == NODE:
        choose_node(s, action - NODE_BLOCK)
    elif phase == BEFORE_ROLL:
        if action >= USE_BLOCK:
            use_control(s, action - USE_BLOCK)
        else:
            decide_before_roll(s, action)
    elif phase == WINDOW:
        if action == PASS:
            stay_silent(s)
        else:
            announce(s, action - USE_BLOCK)
    elif phase == BID:
        make_bid(s, action - BID_BLOCK)
    elif phase == PLACE:
        place_runner(s, action - START_BLOCK)
    elif phase == FAIL:
        if action == PASS:
            ask_penalty(s)
        else:
            use_control(s, action - USE_BLOCK)
    elif phase == GIVE:
        give_one(s, action - GIVE_BLOCK + 1)
    elif phase == DIVIDE:
        divide(s, action - GIVE_BLOCK + 1)
    elif phase == STEAL:
        steal_from(s, action - STEAL_BLOCK + 1)
    elif phase == SHIELD:
        answer_steal(s, action)
    elif phase == PAYER:
        choose_payer(s, action - PAYER_BLOCK)
    elif phase == FLIP:
        turn_over(s, action - FLIP_BLOCK, EFFECT)
    elif phase == INVERT:
        invert_tile(s, action - INVERT_BLOCK)
    elif phase == RUNNER:
        choose_runner(s, action - RUNNER_BLOCK)
    elif phase == TELEPORT:
        teleport_to(s, action - TELEPORT_BLOCK)
    elif phase == RECLAIM:
        reclaim_from(s, action - RECLAIM_BLOCK)
    elif phase == RECALL:
        recall(s, action)
    elif phase == DISCARD:
        discard(s, action - DISCARD_BLOCK)
    elif phase == DISCARD_RIVAL:
        discard_rival(s, action - DISCARD_BLOCK)
    elif phase == ORDER:
        resolve(s, clockwise(s, int(s.active), action - FIRST_BLOCK + 1))
    else:
        swap_with(s, action - SWAP_BLOCK)


def run(s: State, decision: int) -> None:
    """Go on until a seat has a real choice, chance is asked, or the game is over.

    Args:
        s: the game.
        decision: what the mover has decided; UNDECIDED if nobody was asked.
    """
    while s.phase < FINISHED or s.phase >= TURN:
        if s.phase >= TURN:
            proceed(s)
            continue
        if decision == UNDECIDED:
            decision = only_choice(s)
            if decision == UNDECIDED:
                return
        decide(s, decision)
        decision = UNDECIDED


def proceed(s: State) -> None:
    """A phase that needs nobody."""
    phase = int(s.phase)
    if phase == EFFECT:
        carry_out(s)
    elif phase == NEXT:
        next_turn(s)
    elif phase == TURN:
        begin_turn(s)
    elif phase == READY:
        ask_before_roll(s)
    elif phase == ROLLED:
        measure_move(s)
    elif phase == MOVED:
        end_movement(s)
    elif phase == PRESSURE:
        begin_pressure(s)
    elif phase == CLOSE:
        close(s)
    elif phase == CLOSED:
        end_pressure(s)
    elif phase == ASK:
        ask_next(s)
    elif phase == RESOLVE:
        resolve_next(s, after_window(s))
    elif phase == EACH:
        steal_from_next(s)
    else:
        end_penalty(s)


def after_window(s: State) -> int:
    """What follows when all reactions of a window have happened."""
    if s.window == AT_LANDING:
        return PRESSURE
    return EFFECT if s.window == AT_WIN else CLOSED
