"""What actions and dice have done, for a log: bans, hints, who has set a die, what the dice have shown."""

from __future__ import annotations

from polytrix.core.state import CHANCE, OVER
from polytrix.core.viewers import Viewer

from .state import ACTIONS, COLOURS, LETTERS, Phase, State
from .text import hint_shown, names, result, seats_that_hit
from .words import secret


def tell(before: State, event: int, after: State, viewer: Viewer) -> list[str]:
    """What an action or a roll has done; dice and readings of others only once they are open."""
    if before.mover == CHANCE:
        lines = [f"banned is {COLOURS[event]}"] if before.phase == Phase.ROLL else []
    else:
        lines = [done(before, event, viewer)]
    return lines + turn_end(before, after)


def done(s: State, action: int, viewer: Viewer) -> str:
    """The action itself."""
    block, (number,) = ACTIONS.locate(action)
    if block.name == "ban":
        return f"bans {COLOURS[number]}: nobody may set it in this turn"
    if block.name == "roll":
        return "rolls the Kvanter die for the ban"
    if block.name == "hint":
        return f"hints {hint_shown(s, number, viewer)}"
    if block.name == "wait":
        return "lets all others set their dice first"
    if viewer is not None and secret(s, action, viewer):
        return "sets a die, hidden until all are set"
    return f"sets a die to {COLOURS[number]}"


def turn_end(before: State, after: State) -> list[str]:
    """ES-26: the dice of a turn that is over, the letters exchanged, and the next roles or the end.

    Of the opening, the first roles.
    """
    begins = before.phase == Phase.SETUP and after.phase != Phase.SETUP
    turn_over = after.turn != before.turn or after.phase == Phase.FINISHED
    lines = dice_and_letters(before, after) if turn_over else []
    if after.mover == OVER:
        lines.append(result(after))
    elif turn_over or begins:
        lines.append(f"now {LETTERS[after.kvanter]} is the Kvanter, {LETTERS[after.negater]} the Negater")
    return lines


def dice_and_letters(before: State, after: State) -> list[str]:
    """The dice of the turn that is over, and who has exchanged letters or why nobody has."""
    seats, kvanter = range(after.num_players), after.last_kvanter
    dice = ", ".join(f"{LETTERS[seat]} {COLOURS[after.last_die[seat]]}" for seat in seats)
    letters = [
        f"{LETTERS[kvanter]} and {LETTERS[seat]} "
        f"{'exchange' if after.pair[kvanter, seat] else 'give back'} letters"
        for seat in seats
        if before.pair[kvanter, seat] != after.pair[kvanter, seat]
    ]
    return [f"the dice: {dice}", *(letters or [f"no letters are exchanged: {obstacle(after)}"])]


def obstacle(s: State) -> str:
    """ES-28, ES-33: why the last turn has changed no letters."""
    kvanter, negater = s.last_kvanter, s.last_negater
    hits = seats_that_hit(s)
    if negater in hits:
        return f"{LETTERS[negater]}, the Negater, has set {LETTERS[kvanter]}'s colour"
    if not hits:
        return f"nobody else has set {LETTERS[kvanter]}'s colour"
    return f"{names(hits)} set {LETTERS[kvanter]}'s colour, but had exchanged with {LETTERS[kvanter]} before"
