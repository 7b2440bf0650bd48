"""The position as text, as a seat sees it; `words.LEGEND` says how to read it.

On a small screen the turn, which changes most, is nearest to the prompt.
"""

from __future__ import annotations

from polytrix.core.state import OVER
from polytrix.core.viewers import SPECTATOR, Viewer

from .ending import winners
from .exchange import pieces
from .lexicon import COUNT, DOMAIN, WORD
from .notation import hint_name
from .state import (
    CODES,
    COLOURS,
    DOMAINS,
    LETTERS,
    NONE,
    PLACES,
    WORDS,
    Hints,
    Phase,
    State,
    dice_are_open,
    is_introduced,
    own_reading,
    turn_of_service,
)

HIDDEN = "?"
NOTHING = "-"


def text(s: State, seat: Viewer) -> str:
    """The position for a terminal; None sees everything, spectators no readings."""
    if s.phase == Phase.SETUP:
        return "set-up"
    lines = []
    if s.options.hints == Hints.LEXICON:
        lines += readings(s, seat)
    hint = f"The Kvanter hints {hint_shown(s, s.hint, seat)}." if s.hint != NONE else ""
    lines += [*used_words(s), last_turn(s), situation(s), *table(s, seat), hint]
    return "\n".join(line for line in lines if line)


# -- the turn -------------------------------------------------------------------------------------


def situation(s: State) -> str:
    """The current decision, or the result."""
    if s.mover == OVER:
        return result(s)
    service = ("first", "second")[turn_of_service(s) - 1]
    banned = f" Banned: {COLOURS[s.banned]}" if s.banned != NONE else ""
    rules = "advanced game, " if s.options.advanced else ""
    return (
        f"{rules}turn {s.turn} of {s.options.max_turns}: {question(s)}, "
        f"{LETTERS[s.negater]} is Negater ({service} turn).{banned}"
    )


def question(s: State) -> str:
    """Who decides what now."""
    kvanter = LETTERS[s.kvanter]
    if s.phase == Phase.ROLL:
        return f"the Kvanter die of {kvanter} rolls"
    if s.phase == Phase.BAN:
        return f"{kvanter} bans a colour as Kvanter"
    if s.phase == Phase.HINT:
        return f"{kvanter} gives a hint as Kvanter"
    if s.mover == s.kvanter:
        return (
            f"{kvanter} sets the last die as Kvanter"
            if s.waited
            else f"{kvanter} sets a die or waits as Kvanter"
        )
    return f"{LETTERS[s.mover]} sets a die, {kvanter} is Kvanter{' and waits' if s.waited else ''}"


def result(s: State) -> str:
    """How the game ended."""
    best = winners(s)
    won_by = names([seat for seat in range(s.num_players) if best >> seat & 1])
    end = "cut off, " if s.truncated else ""
    won = "a draw" if not won_by else f"{won_by} win{'s' * (best.bit_count() == 1)}"
    return f"turn {s.turn}: {end}{won}"


def table(s: State, seat: Viewer) -> list[str]:
    """One line per seat: its pieces of each letter, its die and its role."""
    lines = [f"{'':8}{' '.join(LETTERS)}   die"]
    for other in range(s.num_players):
        held = " ".join(
            str(count) if (count := pieces(s, other, letter)) else "." for letter in range(len(LETTERS))
        )
        notes = ", ".join([*roles(s, other), *(["you"] if other == seat else [])])
        lines.append(f"{LETTERS[other]:8}{held}   {die_word(s, other, seat):7}{notes}".rstrip())
    return lines


def roles(s: State, seat: int) -> list[str]:
    """The seat's role: Kvanter, Negater or none."""
    return ["Kvanter"] * (s.kvanter == seat) + ["Negater"] * (s.negater == seat)


def die_word(s: State, seat: int, viewer: Viewer) -> str:
    """ES-25: the colour of a seat's die, if the viewer may see it."""
    if s.die[seat] == NONE:
        return NOTHING
    return COLOURS[s.die[seat]] if viewer in (None, seat) or dice_are_open(s) else HIDDEN


def word_known(s: State, word: int) -> str:
    """ES-12, ES-46: everybody's reading of an introduced word, or the dice when a word was last the hint."""
    return ", ".join(f"{LETTERS[seat]} {COLOURS[s.known[seat, word] - 1]}" for seat in range(s.num_players))


def last_turn(s: State) -> str:
    """Dice and roles of the previous turn."""
    if s.last_kvanter == NONE or s.phase == Phase.FINISHED:
        return ""
    dice = " ".join(f"{LETTERS[seat]}:{CODES[s.last_die[seat]]}" for seat in range(s.num_players))
    roles = f"Kvanter {LETTERS[s.last_kvanter]}, Negater {LETTERS[s.last_negater]}"
    return f"last turn: {dice}, {roles}; {last_hits(s)}"


def last_hits(s: State) -> str:
    """ES-28: who hit in the previous turn."""
    hits = seats_that_hit(s)
    return "the Negater hit" if s.last_negater in hits else f"{names(hits) or 'nobody'} hit"


def seats_that_hit(s: State) -> list[int]:
    """ES-27: the seats that set the Kvanter's colour in the previous turn."""
    kvanter = s.last_kvanter
    return [
        seat for seat in range(s.num_players) if seat != kvanter and s.last_die[seat] == s.last_die[kvanter]
    ]


def names(seats: list[int]) -> str:
    """The letters of some seats, for a sentence."""
    return " and ".join(LETTERS[seat] for seat in seats)


def seats_on(s: State, domain: int, wavelength: int) -> str:
    """The letters of the seats on a wavelength."""
    return "".join(LETTERS[seat] for seat in range(s.num_players) if s.wave[seat, domain] == wavelength)


# -- words ----------------------------------------------------------------------------------------


def hint_shown(s: State, word: int, viewer: Viewer) -> str:
    """A word as a hint: its faces, and the viewer's reading."""
    name = hint_name(s, word)
    if s.options.hints != Hints.LEXICON:
        return f"{name}, a symbol without a meaning of its own"
    shown = f"{name} (faces: {faces(word)})"
    if viewer is None or viewer == SPECTATOR:
        return shown
    return f"{shown}: you read it as {COLOURS[own_reading(s, viewer, word) - 1]}"


def faces(word: int) -> str:
    """A word's faces, counted by colour."""
    return ", ".join(f"{COLOURS[colour]} {count}" for colour, count in enumerate(COUNT[word]) if count)


def readings(s: State, viewer: Viewer) -> list[str]:
    """What the viewer knows of readings and wavelengths."""
    if viewer is None:
        return wavelengths(s)
    return [] if viewer == SPECTATOR else own_readings(s, viewer)


def own_readings(s: State, seat: int) -> list[str]:
    """One line per domain: the seat's readings, and its echo and clash with each other seat."""
    others = [other for other in range(s.num_players) if other != seat]
    lines = ["your readings, and echo/clash with " + ", ".join(LETTERS[other] for other in others)]
    for domain in range(DOMAINS):
        if s.options.domains >> domain & 1:
            words = " ".join(
                f"{word_name(s, word)}:{CODES[own_reading(s, seat, word) - 1]}" for word in words_of(domain)
            )
            signs = " ".join(
                f"{s.echo[seat, other, domain]}/{s.clash[seat, other, domain]}" for other in others
            )
            lines.append(f"{DOMAIN[domain]!s:9}{words}  {signs}")
    return lines


def wavelengths(s: State) -> list[str]:
    """One line per domain and wavelength: the seats on it, and its readings."""
    lines = ["readings by wavelength, and who is on it"]
    for domain in range(DOMAINS):
        for wavelength in range(s.options.wavelengths):
            words = " ".join(
                f"{word_name(s, word)}:{CODES[s.reading[wavelength, word]]}" for word in words_of(domain)
            )
            lines.append(
                f"{DOMAIN[domain]!s:9}{wavelength} {seats_on(s, domain, wavelength) or NOTHING:6} {words}"
            )
    return lines


def words_of(domain: int) -> range:
    """The words of a domain."""
    return range(PLACES * domain, PLACES * (domain + 1))


def word_name(s: State, word: int) -> str:
    """A word, with `+` if it is introduced."""
    return f"{WORD[word]}{'+' if is_introduced(s, word) else ''}"


def used_words(s: State) -> list[str]:
    """ES-46: words with known dice or readings, and the Kvanter's colour at their latest use."""
    if s.options.hints == Hints.NONE:
        return []
    n = s.num_players
    lines = []
    for word in range(WORDS):
        if not s.options.domains >> (word // PLACES) & 1:
            continue
        introduced = is_introduced(s, word)
        if not introduced and not s.said[word]:
            continue
        shown = " ".join(f"{LETTERS[seat]}:{CODES[s.known[seat, word] - 1]}" for seat in range(n))
        line = f"  {hint_name(s, word)}: {'everybody reads' if introduced else 'dice'} {shown}"
        if s.said[word]:
            line += f"; hint of {LETTERS[s.said_by[word] - 1]}, who set {CODES[s.said[word] - 1]}"
        if not introduced:
            line += f", {CODES[s.known_ban[word] - 1]} banned"
        lines.append(line)
    return ["known of words", *lines] if lines else []
