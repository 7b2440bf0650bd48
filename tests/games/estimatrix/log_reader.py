"""What a log of Estimatrix Spectrum may say and must, see `tests/games/truth.py`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from polytrix.core.state import CHANCE, OVER
from polytrix.core.viewers import SPECTATOR
from polytrix.games.estimatrix.lexicon import FACE, SYMBOL, WORD
from polytrix.games.estimatrix.state import COLOURS, LETTERS
from tests.games.truth import Reader, Step

READER = Reader()

COLOUR = f"({'|'.join(COLOURS)})"
LETTER = f"([{LETTERS}])"


def seats(step: Step) -> range:
    return range(int(step.after.num_players))


def turn_is_over(step: Step) -> bool:
    """All dice are set: the last one was set in this step."""
    unset = [seat for seat in seats(step) if step.before.die[seat] < 0]
    return step.before.mover != CHANCE and len(unset) == 1 and 55 <= step.event < 61


def set_like(step: Step, kvanter: int) -> list[int]:
    """The other seats with the Kvanter's colour, in the turn that is over."""
    dice = step.after.last_die
    return [seat for seat in seats(step) if seat != kvanter and dice[seat] == dice[kvanter]]


# -- what is done -------------------------------------------------------------------------------------


@READER.line(f"bans {COLOUR}: nobody may set it in this turn")
def bans(step: Step, colour: str) -> bool:
    return step.before.mover == step.before.kvanter and COLOURS[int(step.after.banned)] == colour


@READER.line(f"banned is {COLOUR}")
def is_banned(step: Step, colour: str) -> bool:
    return step.before.mover == CHANCE and COLOURS[int(step.after.banned)] == colour


@READER.line("rolls the Kvanter die for the ban")
def rolls(step: Step) -> bool:
    return step.before.mover == step.before.kvanter and step.after.mover == CHANCE


@READER.line(rf"hints ([\w-]+) \(faces: ([a-z0-9, ]+)\)(?:: you read it as {COLOUR})?")
def hints(step: Step, word: str, faces: str, reading: str | None) -> bool:
    s, hint = step.after, int(step.after.hint)
    counted = Counter(COLOURS[int(face)] for face in FACE[hint])
    if WORD[hint] != word or faces != ", ".join(f"{name} {counted[name]}" for name in COLOURS if counted[name]):
        return False
    if step.viewer in (None, SPECTATOR):
        return reading is None
    return COLOURS[int(s.reading[s.wave[step.viewer, hint // 8], hint])] == reading


@READER.line(r"hints (s\d\d), a symbol without a meaning of its own")
def hints_a_symbol(step: Step, symbol: str) -> bool:
    return SYMBOL[int(step.after.hint)] == symbol


@READER.line("lets all others set their dice first")
def waits(step: Step) -> bool:
    return step.before.mover == step.before.kvanter and step.after.mover != step.after.kvanter


@READER.line(f"sets a die to {COLOUR}")
def sets(step: Step, colour: str) -> bool:
    dice = step.after.last_die if turn_is_over(step) else step.after.die
    may_know = step.viewer in (None, step.before.mover) or turn_is_over(step)
    return may_know and COLOURS[int(dice[step.before.mover])] == colour


@READER.line("sets a die, hidden until all are set")
def sets_in_secret(step: Step) -> bool:
    return step.after.die[step.before.mover] >= 0 and not turn_is_over(step)


# -- the end of a turn --------------------------------------------------------------------------------


@READER.line("the dice: (.*)")
def dice(step: Step, told: str) -> bool:
    shown = [f"{LETTERS[seat]} {COLOURS[int(step.after.last_die[seat])]}" for seat in seats(step)]
    return turn_is_over(step) and told.split(", ") == shown


@READER.line(f"{LETTER} and {LETTER} (exchange|give back) letters")
def letters(step: Step, kvanter: str, other: str, how: str) -> bool:
    one, two = LETTERS.index(kvanter), LETTERS.index(other)
    held = [bool(s.pair[one, two]) for s in (step.before, step.after)]
    return two in set_like(step, one) and held == ([False, True] if how == "exchange" else [True, False])


def nothing_exchanged(step: Step) -> bool:
    return turn_is_over(step) and not step.differs("pair")


@READER.line(f"no letters are exchanged: {LETTER}, the Negater, has set {LETTER}'s colour")
def negated(step: Step, negater: str, kvanter: str) -> bool:
    hit = LETTERS.index(negater) in set_like(step, LETTERS.index(kvanter))
    return nothing_exchanged(step) and hit and LETTERS[step.before.negater] == negater


@READER.line(f"no letters are exchanged: nobody else has set {LETTER}'s colour")
def nobody_fits(step: Step, kvanter: str) -> bool:
    return nothing_exchanged(step) and not set_like(step, LETTERS.index(kvanter))


@READER.line(f"no letters are exchanged: (.*) set {LETTER}'s colour, but had exchanged with {LETTER} before")
def exchanged_before(step: Step, others: str, kvanter: str, again: str) -> bool:
    """ES-33."""
    held = step.before.pair[LETTERS.index(kvanter)]
    fitting = set_like(step, LETTERS.index(kvanter))
    named = [LETTERS.index(other) for other in others.split(" and ")]
    return (
        nothing_exchanged(step)
        and named == fitting
        and all(held[seat] for seat in fitting)
        and kvanter == again
    )


@READER.line(f"now {LETTER} is the Kvanter, {LETTER} the Negater")
def roles(step: Step, kvanter: str, negater: str) -> bool:
    s = step.after
    return turn_is_over(step) and (LETTERS[s.kvanter], LETTERS[s.negater]) == (kvanter, negater)


@READER.line(r"turn (\d+): over, (cut off, )?(?:won by (.*)|a draw)")
def result(step: Step, turn: str, cut_off: str | None, winners: str | None) -> bool:
    s, won = step.after, step.winners
    if s.mover != OVER or s.turn != int(turn) or bool(cut_off) != bool(s.truncated):
        return False
    return [LETTERS[seat] for seat in won] == (winners.split(" and ") if winners else [])


# -- what must be told ----------------------------------------------------------------------------------


@READER.change("banned")
def a_ban(step: Step) -> Iterator[str]:
    if step.after.banned >= 0:
        yield f"(bans|banned is) {COLOURS[int(step.after.banned)]}"


@READER.change("hint")
def a_hint(step: Step) -> Iterator[str]:
    if step.after.hint >= 0:
        yield f"hints ({WORD[int(step.after.hint)]}|{SYMBOL[int(step.after.hint)]})"


@READER.change("waited")
def waiting(step: Step) -> Iterator[str]:
    if step.after.waited:
        yield "lets all others set their dice first"


@READER.change("die")
def a_die(step: Step) -> Iterator[str]:
    yield "sets a die"


@READER.change("last_die")
def all_dice(step: Step) -> Iterator[str]:
    yield from (
        rf"the dice: .*\b{LETTERS[seat]} {COLOURS[int(step.after.last_die[seat])]}" for seat in seats(step)
    )


@READER.change("pair")
def pairs(step: Step) -> Iterator[str]:
    for one in seats(step):
        for other in range(one):
            if step.before.pair[one, other] != step.after.pair[one, other]:
                how = "exchange" if step.after.pair[one, other] else "give back"
                both = f"{LETTERS[one]} and {LETTERS[other]}|{LETTERS[other]} and {LETTERS[one]}"
                yield f"({both}) {how} letters"


@READER.change("kvanter", "negater")
def a_role(step: Step) -> Iterator[str]:
    if step.after.mover != OVER:
        yield f"now {LETTERS[step.after.kvanter]} is the Kvanter, {LETTERS[step.after.negater]} the Negater"


@READER.change("mover")
def the_end(step: Step) -> Iterator[str]:
    if step.after.mover == OVER:
        yield r"turn \d+: over"
