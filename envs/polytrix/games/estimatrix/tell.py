"""What actions and dice have done, for a log: bans, hints, who has set a die, what the dice have shown."""

from __future__ import annotations

from polytrix.core.state import CHANCE, OVER
from polytrix.core.viewers import Viewer

from .notation import hint_name
from .state import ACTIONS, COLOURS, LETTERS, Hints, Phase, State
from .text import faces, result
from .words import secret


def tell(before: State, event: int, after: State, viewer: Viewer) -> list[str]:
    """What an action or a roll has done; dice and readings of others only once they are open."""
    if before.mover == CHANCE:
        lines = [f"banned is {COLOURS[event]}"] if before.phase == Phase.ROLL else []
    else:
        lines = [done(before, event, viewer)]
    return lines + revealed(before, after)


def done(s: State, action: int, viewer: Viewer) -> str:
    """The action itself."""
    block, (number,) = ACTIONS.locate(action)
    if block.name == "ban":
        return f"bans {COLOURS[number]}: nobody may set it in this turn"
    if block.name == "roll":
        return "rolls the Kvanter die for the ban"
    if block.name == "hint":
        return hinted(s, number, viewer)
    if block.name == "wait":
        return "lets all others set their dice first"
    if viewer is not None and secret(s, action, viewer):
        return "sets a die, hidden until all are set"
    return f"sets a die to {COLOURS[number]}"


def hinted(s: State, word: int, viewer: Viewer) -> str:
    """A hint, with the viewer's reading of it."""
    name = hint_name(s, word)
    if s.options.hints != Hints.LEXICON:
        return f"hints {name}, a symbol without a meaning of its own"
    seated = viewer is not None and viewer >= 0
    reading = f": you read it as {COLOURS[int(s.own[viewer, word]) - 1]}" if seated else ""
    return f"hints {name} (faces: {faces(word)}){reading}"


def revealed(before: State, after: State) -> list[str]:
    """ES-26: the dice of a turn that is over, the letters exchanged, and the end."""
    if after.turn == before.turn and after.mover != OVER:
        return []
    seats = range(int(after.num_players))
    dice = ", ".join(f"{LETTERS[seat]} {COLOURS[int(after.last_die[seat])]}" for seat in seats)
    lines = [f"the dice: {dice}"]
    kvanter = int(after.last_kvanter)
    for seat in seats:
        if before.pair[kvanter, seat] != after.pair[kvanter, seat]:
            how = "exchange" if after.pair[kvanter, seat] else "give back"
            lines.append(f"{LETTERS[kvanter]} and {LETTERS[seat]} {how} letters")
    if len(lines) == 1:
        negated = after.last_die[after.last_negater] == after.last_die[kvanter]
        why = f"{LETTERS[after.last_negater]}, the Negater, has" if negated else "nobody else has"
        lines.append(f"no letters are exchanged: {why} set {LETTERS[kvanter]}'s colour")
    return [*lines, result(after)] if after.mover == OVER else lines
