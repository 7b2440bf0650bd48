"""Setup, chance, legal actions and apply: the order in which the other files are used.

A game waits in a phase for a seat or for chance. A decision or chance outcome sets the next phase. Then `run`
carries out all phases that wait for nobody, and decisions with a single legal action (PM-89), until the game
waits again.
"""

from __future__ import annotations

from polytrix.core.bits import first_and_rest, nth, size
from polytrix.core.state import CHANCE, IdArray
from polytrix.core.trust import MOST_ROUNDS, require

from .choices import UNDECIDED, only_choice
from .faces import draw_reverse, turn_over, unseen_faces
from .matrix import FIRST_NODES
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
from .opening import deal, end_roll_off, lay_out, make_bid, place_runner, roll_off_die
from .pressure import begin_pressure, carry_out, choose_node, close, end_pressure
from .reactions import announce, answer_steal, ask_next, resolve, resolve_next, stay_silent
from .rearranging import choose_runner, invert_tile, swap_with, teleport_to
from .recovery import discard_rival, recall, reclaim_from
from .state import SIMPLE_ACTIONS, Act, Phase, State, Window, clockwise
from .tiles import SETTINGS, Setting


def setup(s: State) -> None:
    """The table before the deal."""
    lay_out(s)


def chance(s: State) -> int:
    """The outcomes of drawing a face, rolling a die or drawing lots (PM-97)."""
    if s.phase == Phase.DEAL or s.phase == Phase.REVERSE:
        return unseen_faces(s)
    if s.phase != Phase.ROLL and SETTINGS[Setting.LOTS]:
        return size(s.tied)
    return int(SETTINGS[Setting.DIE])


def legal(s: State, ids: IdArray) -> int:
    """Write the choices that the record keeps for the mover, ascending; return their number."""
    count = 0
    for action in range(SIMPLE_ACTIONS):
        if s.choice_simple >> action & 1:
            ids[count] = action
            count += 1
    for half in range(2):
        offset = s.choice_block + FIRST_NODES * half
        left = int(s.choices[half])
        while left:
            member, left = first_and_rest(left)
            ids[count] = offset + member
            count += 1
    return count


def apply(s: State, action: int) -> None:
    """Carry out a decision or a chance outcome, and everything that follows without a question."""
    if s.mover == CHANCE:
        happen(s, action)
        run(s, UNDECIDED)
    else:
        run(s, action)


def happen(s: State, outcome: int) -> None:
    """Carry out a chance outcome."""
    phase = s.phase
    if phase == Phase.ROLL:
        roll_die(s, outcome + 1)
    elif phase == Phase.DEAL:
        deal(s, outcome)
    elif phase == Phase.REVERSE:
        draw_reverse(s, outcome)
    elif SETTINGS[Setting.LOTS]:
        end_roll_off(s, nth(s.tied, outcome))
    else:
        roll_off_die(s, outcome + 1)


def decide(s: State, action: int) -> None:
    """Carry out a decision of the mover."""
    phase = s.phase
    if phase == Phase.MOVE:
        move(s, action - Act.MOVE)
    elif phase == Phase.NODE:
        choose_node(s, action - Act.NODE)
    elif phase == Phase.BEFORE_ROLL:
        if action >= Act.USE:
            use_control(s, action - Act.USE)
        else:
            decide_before_roll(s, action)
    elif phase == Phase.WINDOW:
        if action == Act.PASS:
            stay_silent(s)
        else:
            announce(s, action - Act.USE)
    elif phase == Phase.BID:
        make_bid(s, action - Act.BID)
    elif phase == Phase.PLACE:
        place_runner(s, action - Act.START)
    elif phase == Phase.FAIL:
        if action == Act.PASS:
            ask_penalty(s)
        else:
            use_control(s, action - Act.USE)
    elif phase == Phase.GIVE:
        give_one(s, action - Act.GIVE + 1)
    elif phase == Phase.DIVIDE:
        divide(s, action - Act.GIVE + 1)
    elif phase == Phase.STEAL:
        steal_from(s, action - Act.STEAL + 1)
    elif phase == Phase.SHIELD:
        answer_steal(s, action)
    elif phase == Phase.PAYER:
        choose_payer(s, action - Act.PAYER)
    elif phase == Phase.FLIP:
        turn_over(s, action - Act.FLIP, Phase.EFFECT)
    elif phase == Phase.INVERT:
        invert_tile(s, action - Act.INVERT)
    elif phase == Phase.RUNNER:
        choose_runner(s, action - Act.RUNNER)
    elif phase == Phase.TELEPORT:
        teleport_to(s, action - Act.TELEPORT)
    elif phase == Phase.RECLAIM:
        reclaim_from(s, action - Act.RECLAIM)
    elif phase == Phase.RECALL:
        recall(s, action)
    elif phase == Phase.DISCARD:
        discard(s, action - Act.DISCARD)
    elif phase == Phase.DISCARD_RIVAL:
        discard_rival(s, action - Act.DISCARD)
    elif phase == Phase.ORDER:
        resolve(s, clockwise(s, s.active, action - Act.FIRST + 1))
    else:
        swap_with(s, action - Act.SWAP)


def run(s: State, decision: int) -> None:
    """Go on until a seat has a choice, chance is pending, or the game is over.

    Args:
        s: the game.
        decision: the action of the mover; UNDECIDED after a chance outcome.
    """
    rounds = 0
    while s.phase < Phase.OVER or s.phase >= Phase.TURN:
        require(rounds < MOST_ROUNDS)
        rounds += 1
        if s.phase >= Phase.TURN:
            proceed(s)
            continue
        if decision == UNDECIDED:
            decision = only_choice(s)
            if decision == UNDECIDED:
                return
        decide(s, decision)
        decision = UNDECIDED


def proceed(s: State) -> None:
    """Carry out phases that wait for nobody, asked for in the order in which they often follow one another."""
    if s.phase == Phase.ROLLED:
        measure_move(s)
    if s.phase == Phase.PENALISED:
        end_penalty(s)
    if s.phase == Phase.MOVED:
        end_movement(s)
    if s.phase == Phase.ASK:
        ask_next(s)
    if s.phase == Phase.RESOLVE:
        resolve_next(s, after_window(s))
    if s.phase == Phase.EACH:
        steal_from_next(s)
    while s.phase == Phase.EFFECT:
        carry_out(s)
    if s.phase == Phase.CLOSE:
        close(s)
    if s.phase == Phase.CLOSED:
        end_pressure(s)
    if s.phase == Phase.NEXT:
        next_turn(s)
    if s.phase == Phase.TURN:
        begin_turn(s)
    if s.phase == Phase.PRESSURE:
        begin_pressure(s)
    if s.phase == Phase.READY:
        ask_before_roll(s)


def after_window(s: State) -> int:
    """The phase after all reactions of a window have happened."""
    if s.window == Window.LANDING:
        return Phase.PRESSURE
    return Phase.EFFECT if s.window == Window.WIN else Phase.CLOSED
