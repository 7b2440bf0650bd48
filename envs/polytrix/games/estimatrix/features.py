"""Features that long random play must reach, counted from the states before and after each step."""

from __future__ import annotations

from polytrix.core.constants import Constants
from polytrix.core.state import OVER, IntArray

from .ending import winners
from .state import NONE, Ban, Hints, Phase, State, is_introduced, seat_after

FEATURES = (
    "readings are drawn",
    "symbols without readings",
    "no hints",
    "a ban is chosen",
    "the Kvanter rolls the ban",
    "the table rolls the ban",
    "a word is given for the first time",
    "a word is given again by the same Kvanter",
    "a word is given again by another Kvanter",
    "an introduced word is given",
    "the Kvanter sets first",
    "the Kvanter waits",
    "nobody hits",
    "the Negater alone hits",
    "the Negater blocks an exchange",
    "the Negater blocks a return",
    "one Estimator hits",
    "several Estimators hit",
    "Estimators and Negater agree without a hit",
    "an exchange",
    "several exchanges at once",
    "nothing between two who have exchanged",
    "a return",
    "exchange and return at once",
    "the last letter comes and another goes back",
    "the Negater stays",
    "the Negater who stays is skipped",
    "the Negater changes",
    "the new Negater is skipped as Kvanter",
    "the Kvanter becomes Negater",
    "the old Negater becomes Kvanter",
    "the Kvanter wins alone",
    "an Estimator wins alone",
    "a shared victory",
    "winners without the Kvanter",
    "cut off with one in the lead",
    "cut off with several in the lead",
    "cut off in a draw",
    "cut off in the middle of a turn",
    "cut off with hidden dice",
)


class Feature(Constants):
    """Entries of `FEATURES`."""

    (
        READINGS, WITH_SYMBOLS, WITHOUT_HINTS, BAN_CHOSEN, BAN_ROLLED, BAN_BY_TABLE, FIRST_TIME, AGAIN_SAME,
        AGAIN_OTHER, INTRODUCED, SETS_FIRST, WAITS, NO_HIT, NEGATER_ALONE, BLOCKED_EXCHANGE, BLOCKED_RETURN,
        ONE_HIT, SEVERAL_HITS, NO_MATTER, EXCHANGE, EXCHANGES, NOTHING, RETURN, BOTH, NET, STAYS, STAYS_SKIPPED,
        CHANGES, NEW_SKIPPED, BECOMES_NEGATER, BECOMES_KVANTER, KVANTER_WINS, ESTIMATOR_WINS, SHARED,
        WITHOUT_KVANTER, ONE_LEADS, SEVERAL_LEAD, DRAW, MID_TURN, HIDDEN_DICE,
    ) = range(len(FEATURES))  # fmt: skip


def cover(before: State, s: State, seen: IntArray) -> None:
    """Count the features of a step."""
    if before.phase == Phase.SETUP and s.phase != Phase.SETUP:
        cover_hint_mode(s, seen)
    if before.banned == NONE and s.banned != NONE:
        cover_ban(before, s, seen)
    if before.hint == NONE and s.hint != NONE:
        cover_hint(s, seen)
    if before.phase == Phase.DIE:
        cover_die(before, s, seen)
    if s.mover == OVER:
        cover_end(s, seen)


def cover_hint_mode(s: State, seen: IntArray) -> None:
    """The kind of hints."""
    if s.options.hints == Hints.LEXICON:
        seen[Feature.READINGS] += 1
    elif s.options.hints == Hints.SYMBOLS:
        seen[Feature.WITH_SYMBOLS] += 1
    elif s.options.hints == Hints.NONE:
        seen[Feature.WITHOUT_HINTS] += 1


def cover_ban(before: State, s: State, seen: IntArray) -> None:
    """Who banned the colour."""
    if before.phase == Phase.BAN:
        seen[Feature.BAN_CHOSEN] += 1
    elif before.phase == Phase.ROLL and s.options.ban == Ban.ROLLED:
        seen[Feature.BAN_BY_TABLE] += 1
    elif before.phase == Phase.ROLL:
        seen[Feature.BAN_ROLLED] += 1


def cover_hint(s: State, seen: IntArray) -> None:
    """Whether the word was given before, and by whom."""
    word = int(s.hint)
    if s.said[word] == 0:
        seen[Feature.FIRST_TIME] += 1
    elif s.said_by[word] == s.kvanter + 1:
        seen[Feature.AGAIN_SAME] += 1
    else:
        seen[Feature.AGAIN_OTHER] += 1
    if is_introduced(s, word):
        seen[Feature.INTRODUCED] += 1


def cover_die(before: State, s: State, seen: IntArray) -> None:
    """A die, a wait, or the end of a turn."""
    if s.waited and not before.waited:
        seen[Feature.WAITS] += 1
    if s.phase == Phase.DIE and not s.waited and before.die[s.kvanter] == NONE and s.die[s.kvanter] != NONE:
        seen[Feature.SETS_FIRST] += 1
    if s.phase != Phase.DIE:
        cover_hits(before, s, seen)
        cover_letters(before, s, seen)
    if s.turn != before.turn:
        cover_roles(before, s, seen)


def hit_then(s: State, seat: int) -> bool:
    """Whether a seat other than the Kvanter hit in the previous turn."""
    return bool(seat != s.last_kvanter and s.last_die[seat] == s.last_die[s.last_kvanter])


def cover_hits(before: State, s: State, seen: IntArray) -> None:
    """ES-27, ES-28, ES-30."""
    kvanter, negater = int(s.last_kvanter), int(s.last_negater)
    count = 0
    exchanges, returns, agreeing = 0, 0, 0
    for seat in range(s.num_players):
        if seat in (kvanter, negater):
            continue
        if hit_then(s, seat):
            count += 1
            if not before.pair[kvanter, seat]:
                exchanges += 1
            elif s.options.advanced:
                returns += 1
        elif s.last_die[seat] == s.last_die[negater]:
            agreeing += 1
    if hit_then(s, negater):
        if count == 0:
            seen[Feature.NEGATER_ALONE] += 1
        if exchanges:
            seen[Feature.BLOCKED_EXCHANGE] += 1
        if returns:
            seen[Feature.BLOCKED_RETURN] += 1
        return
    if agreeing:
        seen[Feature.NO_MATTER] += 1
    if count == 0:
        seen[Feature.NO_HIT] += 1
    elif count == 1:
        seen[Feature.ONE_HIT] += 1
    else:
        seen[Feature.SEVERAL_HITS] += 1


def cover_letters(before: State, s: State, seen: IntArray) -> None:
    """ES-29 to ES-34, ES-40."""
    kvanter = int(s.last_kvanter)
    gained, lost, nothing = 0, 0, 0
    for seat in range(s.num_players):
        change = int(s.pair[kvanter, seat]) - int(before.pair[kvanter, seat])
        if change > 0:
            gained += 1
        elif change < 0:
            lost += 1
        elif s.pair[kvanter, seat] and hit_then(s, seat) and not hit_then(s, int(s.last_negater)):
            nothing += 1
    if gained:
        seen[Feature.EXCHANGE] += 1
    if gained > 1:
        seen[Feature.EXCHANGES] += 1
    if nothing:
        seen[Feature.NOTHING] += 1
    if lost:
        seen[Feature.RETURN] += 1
    if gained and lost:
        seen[Feature.BOTH] += 1
        if before.received[kvanter] == s.num_players - 2:
            seen[Feature.NET] += 1


def cover_roles(before: State, s: State, seen: IntArray) -> None:
    """ES-41 to ES-43."""
    following = seat_after(s, before.kvanter)
    if before.negater_turns == 1:
        seen[Feature.STAYS] += 1
        if following == s.negater:
            seen[Feature.STAYS_SKIPPED] += 1
        return
    seen[Feature.CHANGES] += 1
    if following == s.negater:
        seen[Feature.NEW_SKIPPED] += 1
    if s.negater == before.kvanter:
        seen[Feature.BECOMES_NEGATER] += 1
    if s.kvanter == before.negater:
        seen[Feature.BECOMES_KVANTER] += 1


def cover_end(s: State, seen: IntArray) -> None:
    """ES-38, ES-39, ES-45."""
    best = winners(s)
    count = 0
    for seat in range(s.num_players):
        count += best >> seat & 1
    if s.truncated:
        if count == 0:
            seen[Feature.DRAW] += 1
        elif count == 1:
            seen[Feature.ONE_LEADS] += 1
        else:
            seen[Feature.SEVERAL_LEAD] += 1
        if s.phase == Phase.HINT or s.phase == Phase.DIE:
            seen[Feature.MID_TURN] += 1
        if s.phase == Phase.DIE and (s.die[s.kvanter] != NONE or s.die[seat_after(s, s.kvanter)] != NONE):
            seen[Feature.HIDDEN_DICE] += 1
        return
    by_kvanter = best >> int(s.kvanter) & 1
    if count == 1:
        seen[Feature.KVANTER_WINS if by_kvanter else Feature.ESTIMATOR_WINS] += 1
        return
    seen[Feature.SHARED] += 1
    if not by_kvanter:
        seen[Feature.WITHOUT_KVANTER] += 1
