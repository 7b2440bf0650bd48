"""The position as a picture: a round table, and beside it a panel of the words.

Each seat has its letters, its die (under a cup while it is hidden) and the die of its role: the
Negater's is dark with a pip for each turn served, the Kvanter's shows the banned colour. Lines join seats that
hold each other's letter. The hint is in the middle, with the viewer's reading below it. Below the
table are the six colours, to be touched for bans and dice.
"""

from __future__ import annotations

from math import cos, pi, sin

from polytrix.core.state import OVER
from polytrix.core.viewers import SPECTATOR, Viewer, side_of
from polytrix.drawing import (
    Picture,
    Shape,
    circle,
    group,
    line,
    lines_of,
    place,
    polygon,
    rect,
    text,
    text_width,
    texts,
)
from polytrix.drawing.colours import CARD, FADED, GRID, INK, PAPER

from .ending import winners
from .exchange import pieces
from .lexicon import COUNT, DOMAIN
from .notation import hint_name
from .state import (
    COLOUR_COUNT,
    COLOURS,
    DOMAINS,
    LETTERS,
    NONE,
    Hints,
    Phase,
    State,
    dice_are_open,
    is_introduced,
    own_reading,
    places_from,
    turn_of_service,
)
from .text import HIDDEN, NOTHING, die_word, hint_shown, question, result, roles, seats_on, word_known, words_of
from .touch import colour_place

CENTRE_X, CENTRE_Y = 203, 260
TABLE, RING_X, RING_Y = 165, 135, 168  # radius of the table, and those of the ellipse of seats
SEAT_WIDTH, SEAT_HEIGHT = 132, 82
PIECE = 18
SWATCH, SWATCH_STEP, SWATCH_TOP = 44, 50, 473  # a finger meets one on a narrow screen
WIDTH, PANEL_WIDTH, HEIGHT = 406, 398, 520  # of the table, and of the words beside or below it
COLUMN, ROW = 132, 17
ABREAST = 3  # domains beside each other
PANEL_TOP, DOMAIN_HEIGHT, KNOWN_TOP = 62, 208, 478

DICE = ("#fdfdfb", "#f4c531", "#d5392f", "#3a9d53", "#2f6fd0", "#8a4bb5")
FELT, DARK, LIT = "#e4e7dd", "#33312f", "#fff3c4"
PAIR, FILLED = "#b3884a", "#f0ddb8"

ROLES = {
    "Kvanter": "The Kvanter gives the hint; the crossed die shows the colour that is banned in this turn.",
    "Negater": "The Negater has the dark die, with a pip for each turn served.",
}
DIE_IN_WORDS = {HIDDEN: "The cup hides the die until all are set", NOTHING: "The die is not set yet"}

Point = tuple[float, float]


def draw(s: State, seat: Viewer) -> Picture:
    """The position as a viewer sees it; None sees all dice and readings, spectators no readings."""
    words = words_panel(s, seat, WIDTH + 8, 0)
    return Picture(WIDTH + PANEL_WIDTH * bool(words), HEIGHT, (*table(s, seat), *words), background=PAPER)


def draw_narrow(s: State, seat: Viewer) -> Picture:
    """The same with the words below the table."""
    words = words_panel(s, seat, 10, HEIGHT)
    return Picture(WIDTH, HEIGHT * (1 + bool(words)), (*table(s, seat), *words), background=PAPER)


def table(s: State, seat: Viewer) -> list[Shape]:
    """The heading, and the table with its seats."""
    near = side_of(seat)
    shapes = [*heading(s), circle(CENTRE_X, CENTRE_Y, TABLE, fill=FELT, stroke=GRID, stroke_width=3)]
    if s.phase != Phase.SETUP:
        shapes += pair_lines(s, near)
        shapes += middle(s, seat)
    for other in range(s.num_players):
        shapes += seat_card(s, other, seat, middle_of(s, near, other))
    for colour in range(COLOUR_COUNT):
        shapes += swatch(s, colour)
    return shapes


def middle_of(s: State, near: int, other: int) -> Point:
    """The centre of a seat: the viewer sits at the bottom, the others clockwise."""
    angle = pi / 2 + 2 * pi * places_from(s, near, other) / s.num_players
    return CENTRE_X + RING_X * cos(angle), CENTRE_Y + RING_Y * sin(angle)


def heading(s: State) -> list[Shape]:
    """The current decision or the result, and the turn."""
    if s.phase == Phase.SETUP:
        words, turn = "Set-up", ""
    elif s.mover == OVER:
        words, turn = result(s).partition(": ")[2], f"turn {s.turn}"
    else:
        words, turn = question(s), f"turn {s.turn} of {s.options.max_turns}"
    words = words[0].upper() + words[1:]
    kind = "advanced game" if s.options.advanced else ""
    needs = needs_in_words(s, s.kvanter) if s.phase != Phase.SETUP and s.mover != OVER else ""
    below = ", ".join(part for part in (turn, kind, needs) if part)
    return [
        text(10, 20, words, size=17, fill=INK, class_="status"),
        text(10, 42, below, size=12, fill=FADED, class_="turn"),
    ]


def swatch(s: State, colour: int) -> list[Shape]:
    """A colour to be touched; the banned one is crossed out."""
    x = CENTRE_X + SWATCH_STEP * (colour - COLOUR_COUNT / 2) + (SWATCH_STEP - SWATCH) / 2
    at, banned = (x, SWATCH_TOP, SWATCH), colour == s.banned
    says = f"{COLOURS[colour].capitalize()}{': banned in this turn' if banned else ''}."
    return [
        die(*at, colour, "swatch"),
        *(cross(*at) if banned else []),
        place(colour_place(colour), *at, SWATCH, says=says),
    ]


# -- the table --------------------------------------------------------------------------------------


def pair_lines(s: State, near: int) -> list[Shape]:
    """Lines between seats that hold each other's letter."""
    n = s.num_players
    return [
        line(
            middle_of(s, near, one), middle_of(s, near, other), stroke=PAIR, stroke_width=5, opacity=0.55,
            class_=f"pair {LETTERS[one]}{LETTERS[other]}",
        )
        for one in range(n)
        for other in range(one + 1, n)
        if s.pair[one, other]
    ]  # fmt: skip


def seat_card(s: State, other: int, viewer: Viewer, at: Point) -> list[Shape]:
    """A seat's letters, dice and role. The mover has a frame, as have the winners once the game is over."""
    x, y = at[0] - SEAT_WIDTH / 2, at[1] - SEAT_HEIGHT / 2
    won = s.mover == OVER and bool(winners(s) >> other & 1)
    framed = s.mover == other or won
    name = " ".join(["You"] * (other == viewer) + ["won"] * won)
    shapes = [
        rect(
            x, y, SEAT_WIDTH, SEAT_HEIGHT, radius=10, fill=CARD, stroke=INK if framed else GRID,
            stroke_width=3 if framed else 1.5, class_=f"seat {LETTERS[other]}{' framed' if framed else ''}",
        ),
        text(x + 8, y + 14, LETTERS[other], size=16, fill=INK),
        *letters(s, other, x + 7, y + 26),
    ]  # fmt: skip
    if name:
        shapes.append(text(x + 28, y + 14, name, size=12, fill=FADED, class_="name"))
    if s.phase != Phase.SETUP:
        shapes += own_die(s, other, viewer, x + 10, y + 50)
        shapes += last_die(s, other, x + 44, y + 63)
    if s.kvanter == other:
        shapes += kvanter_die(s, x + SEAT_WIDTH - 36, y + 48)
    if s.negater == other:
        shapes += negater_die(s, x + SEAT_WIDTH - 36, y + 48)
    return [
        *shapes,
        place(f"seat-{LETTERS[other]}", x, y, SEAT_WIDTH, SEAT_HEIGHT, says=seat_in_words(s, other, viewer)),
    ]


def seat_in_words(s: State, other: int, viewer: Viewer) -> str:
    """What is known of a seat, in sentences."""
    held = [
        f"{pieces(s, other, letter)} {name}" for letter, name in enumerate(LETTERS) if pieces(s, other, letter)
    ]
    whose = "You" if other == viewer else f"Seat {LETTERS[other]}"
    lines = [f"{whose}: letters {', '.join(held)}."]
    if s.phase not in (Phase.SETUP, Phase.FINISHED):
        lines.append(f"{needs_in_words(s, other)} to win.")
    if s.phase != Phase.SETUP:
        lines.append(f"{DIE_IN_WORDS.get(die := die_word(s, other, viewer), f'The die shows {die}')}.")
    if s.last_die[other] != NONE and s.phase != Phase.FINISHED:
        lines.append(f"Before: the die of the last turn was {COLOURS[s.last_die[other]]}.")
    return "\n".join([*lines, *(ROLES[role] for role in roles(s, other))])


def needs_in_words(s: State, seat: int) -> str:
    """ES-38: the letters that a seat lacks."""
    lacks = [LETTERS[other] for other in range(s.num_players) if not pieces(s, seat, other)]
    return f"{LETTERS[seat]} needs {', '.join(lacks)}"


def letters(s: State, seat: int, x: float, y: float) -> list[Shape]:
    """The letters of MATRIX: filled if the seat holds a piece, its own letter with the number of pieces."""
    shapes = []
    for letter, name in enumerate(LETTERS):
        count = pieces(s, seat, letter)
        left = x + (PIECE + 2) * letter
        box = rect(
            left, y, PIECE, PIECE, radius=4, fill=FILLED if count else PAPER, stroke=GRID, stroke_width=1,
            class_=f"letter{' held' if count else ''}",
        )  # fmt: skip
        label = text(
            left + (PIECE - 7 * (letter == seat)) / 2, y + PIECE / 2, name, size=12.5, anchor="middle",
            fill=INK if count else FADED,
        )  # fmt: skip
        shapes += [box, label]
        if letter == seat:
            at = left + PIECE - 4.5, y + PIECE - 6.5
            shapes.append(text(*at, str(count), size=11.8, anchor="middle", fill=INK, class_="count"))
    return shapes


def own_die(s: State, seat: int, viewer: Viewer, x: float, y: float) -> list[Shape]:
    """ES-25: the die, under a cup if it is hidden from the viewer; a dashed square before it is set."""
    if s.die[seat] == NONE:
        return [rect(x, y, 26, 26, radius=6, fill="none", stroke=GRID, stroke_dasharray="3 3", class_="no-die")]
    if viewer in (None, seat) or dice_are_open(s):
        return [die(x, y, 26, s.die[seat], f"die {COLOURS[s.die[seat]]}")]
    cup = [(x + 4, y - 2), (x + 22, y - 2), (x + 29, y + 27), (x - 3, y + 27)]
    return [
        group(polygon(cup, fill="#6b5a48"), rect(x - 5, y + 24, 36, 5, radius=2, fill="#57493a"), class_="cup")
    ]


def die(x: float, y: float, size: float, colour: int, name: str) -> Shape:
    """A die that shows a colour."""
    return rect(x, y, size, size, radius=size / 4, fill=DICE[colour], stroke=INK, stroke_width=1.3, class_=name)


def last_die(s: State, seat: int, x: float, y: float) -> list[Shape]:
    """The seat's die of the previous turn, small; nothing once the game is over."""
    if s.last_die[seat] == NONE or s.phase == Phase.FINISHED:
        return []
    label = text(x, y, "before", size=11.8, fill=FADED)
    return [label, die(x + 37, y - 6.5, 13, s.last_die[seat], f"last {COLOURS[s.last_die[seat]]}")]


def kvanter_die(s: State, x: float, y: float) -> list[Shape]:
    """The Kvanter's die: the banned colour crossed out, or all six colours before the ban."""
    frame = rect(x, y, 30, 30, radius=6, fill=CARD, stroke=INK, stroke_width=2)
    if s.banned == NONE:
        fields = [
            rect(x + 4 + 8 * (i % 3), y + 6 + 10 * (i // 3), 7, 8, fill=DICE[i], stroke=GRID, stroke_width=0.5)
            for i in range(COLOUR_COUNT)
        ]
        return [group(frame, *fields, class_="kvanter rolling" if s.phase == Phase.ROLL else "kvanter")]
    face = rect(x, y, 30, 30, radius=6, fill=DICE[s.banned], stroke=INK, stroke_width=2)
    return [group(face, *cross(x, y, 30), class_=f"kvanter banned-{COLOURS[s.banned]}")]


def cross(x: float, y: float, size: float) -> list[Shape]:
    """Crosses out a square."""
    left, right, top, bottom = x + size / 5, x + size * 4 / 5, y + size / 5, y + size * 4 / 5
    ends = ((left, top), (right, bottom)), ((right, top), (left, bottom))
    return [line(*pair, stroke=DARK, stroke_width=2.5) for pair in ends]


def negater_die(s: State, x: float, y: float) -> list[Shape]:
    """The Negater's dark die, with a pip for the first turn and two for the second."""
    pips = [(15.0, 15.0)] if turn_of_service(s) == 1 else [(9.0, 9.0), (21.0, 21.0)]
    dots = [circle(x + dx, y + dy, 3.5, fill=DICE[0]) for dx, dy in pips]
    face = rect(x, y, 30, 30, radius=6, fill=DARK, stroke=INK, stroke_width=1.3)
    return [group(face, *dots, class_="negater")]


def middle(s: State, viewer: Viewer) -> list[Shape]:
    """The hint with its faces in a speech bubble, and the viewer's reading in a thought bubble."""
    if s.hint == NONE:
        return []
    word = s.hint
    x, y = CENTRE_X, CENTRE_Y - 12
    word_y = y - 9 * (s.options.hints == Hints.LEXICON)
    shapes = [
        rect(x - 66, y - 27, 132, 54, radius=18, fill=CARD, stroke=INK, stroke_width=1.5, class_="bubble"),
        text(x, word_y, hint_name(s, word), size=16, anchor="middle", fill=INK, class_="hint"),
    ]
    shapes.append(place("hint", x - 66, y - 27, 132, 54, says=f"The hint. {word_in_words(s, viewer, word)}"))
    if s.options.hints != Hints.LEXICON:
        return shapes
    colours = [colour for colour in range(COLOUR_COUNT) for _ in range(COUNT[word, colour])]
    shapes += [die(x - 57 + 20 * i, y + 7, 13, colour, "face") for i, colour in enumerate(colours)]
    if viewer is None or viewer == SPECTATOR:
        return shapes
    own = own_reading(s, viewer, word) - 1
    cloud = rect(x - 66, y + 34, 132, 26, radius=13, fill=CARD, stroke=FADED, class_="thought")
    label = text(x - 9, y + 47, f"you read: {COLOURS[own]}", size=12.5, anchor="middle", fill=INK)
    return [*shapes, cloud, label, die(x + 46, y + 40, 14, own, f"reading {COLOURS[own]}")]


# -- the words --------------------------------------------------------------------------------------


def words_panel(s: State, viewer: Viewer, left: float, top: float) -> list[Shape]:
    """A column for each domain: words with readings and latest use, and below them the evidence."""
    if s.options.hints == Hints.NONE or s.phase == Phase.SETUP:  # nobody has a reading yet
        return []
    how = lines_of(panel_title(s, viewer), PANEL_WIDTH - 14, 11.8)
    shapes = texts(left, top + 14, how, size=11.8, step=15, fill=FADED)
    for domain in range(DOMAINS):
        x = left + COLUMN * (domain % ABREAST)
        y = top + PANEL_TOP + DOMAIN_HEIGHT * (domain // ABREAST)
        used = bool(s.options.domains >> domain & 1)
        if s.options.hints == Hints.LEXICON:
            title = str(DOMAIN[domain])
            shapes.append(text(x, y - 17, title, size=13, fill=INK if used else FADED, class_="domain"))
        for row, word in enumerate(words_of(domain)):
            shapes += word_line(s, viewer, word, x, y + ROW * row, used)
        if s.options.hints == Hints.LEXICON:
            shapes += evidence(s, viewer, domain, x, y + 8 * ROW) if viewer != SPECTATOR else []
    return shapes + known_of_hint(s, left, top + KNOWN_TOP)


def panel_title(s: State, viewer: Viewer) -> str:
    """The panel's heading."""
    if s.options.hints != Hints.LEXICON:
        return "Symbols, and the Kvanter's colour at the latest use"
    whose = {None: "How all wavelengths read. ", SPECTATOR: ""}.get(viewer, "How you read the words. ")
    return f"{whose}At a +, all know. A ring: the Kvanter's colour when the word was last the hint."


def word_line(s: State, viewer: Viewer, word: int, x: float, y: float, used: bool) -> list[Shape]:
    """The reading, the word, and the Kvanter's colour when the word was last the hint."""
    shapes: list[Shape] = []
    left = x
    if s.hint == word:
        shapes.append(rect(x - 4, y - ROW / 2, COLUMN - 4, ROW, radius=5, fill=LIT, class_="given"))
    if s.options.hints == Hints.LEXICON:
        size = 12 if viewer is not None else 8
        for colour in colours_read(s, viewer, word):
            shapes.append(die(left, y - size / 2, size, colour, "own"))
            left += size + 1.5
    name = hint_name(s, word) + ("+" if is_introduced(s, word) else "")
    shapes.append(
        text(
            left + 3,
            y,
            name,
            size=12 if viewer is not None else 11.8,
            fill=INK if used else FADED,
            class_="word",
        )
    )
    if s.said[word]:
        end = left + 12 + text_width(name, size=12)
        ring = circle(min(end, x + COLUMN - 14), y, 6, fill=DICE[s.said[word] - 1], stroke=INK, stroke_width=1)
        shapes.append(group(ring, class_="said"))
    return [
        *shapes,
        place(hint_name(s, word), x - 4, y - ROW / 2, COLUMN - 4, ROW, says=word_in_words(s, viewer, word)),
    ]


def word_in_words(s: State, viewer: Viewer, word: int) -> str:
    """What is known of a word, in sentences."""
    lines = [hint_shown(s, word, viewer)]
    if is_introduced(s, word) and s.known[0, word]:
        lines.append(f"+: everybody's reading of it is known: {word_known(s, word)}.")
    if s.said[word]:
        kvanter = LETTERS[s.said_by[word] - 1]
        lines.append(f"Ring: {kvanter} hinted it last, with a die of {COLOURS[s.said[word] - 1]}.")
        if not is_introduced(s, word):
            lines.append(f"All dice then: {word_known(s, word)}; {COLOURS[s.known_ban[word] - 1]} was banned.")
    return "\n".join(lines)


def colours_read(s: State, viewer: Viewer, word: int) -> list[int]:
    """The viewer's reading of a word; that of every wavelength if the viewer sees everything."""
    if viewer is None:
        return [s.reading[wavelength, word] for wavelength in range(s.options.wavelengths)]
    return [] if viewer == SPECTATOR else [own_reading(s, viewer, word) - 1]


def evidence(s: State, viewer: Viewer, domain: int, x: float, y: float) -> list[Shape]:
    """The viewer's echo and clash with each other seat; for viewer None, the seats on each wavelength."""
    if viewer is None:
        title, abreast = "wavelengths", 2
        lines = [f"{wave}: {seats_on(s, domain, wave)}" for wave in range(s.options.wavelengths)]
        says = ["Seats on the same wavelength read all words here alike.", *lines]
    else:
        title, abreast = "echo / clash", 3
        signs = {
            LETTERS[other]: (s.echo[viewer, other, domain], s.clash[viewer, other, domain])
            for other in range(s.num_players)
            if other != viewer
        }
        lines = [f"{name} {echo}/{clash}" for name, (echo, clash) in signs.items()]
        says = [
            "Echo: signs that a seat reads the words here as you do. Clash: signs that it does not.",
            "What counts is its open reading of a word (+), or its die when the word was last the hint, "
            "even if that was a guess.",
            "A word read alike adds 1 to 5 points to echo, most if few of its faces have the colour; "
            "one read differently adds 1 to clash.",
            "Much echo and no clash: you are probably on one wavelength and read all words here alike.",
        ]
        says += [f"{name}: echo {echo}, clash {clash}." for name, (echo, clash) in signs.items()]
    step = (COLUMN - 6) // abreast
    height = ROW / 2 + 22 + 14 * ((len(lines) - 1) // abreast)
    return [
        text(x, y, title, size=11.8, fill=FADED),
        *(
            text(
                x + step * (i % abreast), y + 15 + 14 * (i // abreast), words, size=11.8, fill=INK,
                class_="evidence",
            )
            for i, words in enumerate(lines)
        ),
        place(f"signs-{DOMAIN[domain]}", x - 4, y - ROW / 2, COLUMN - 4, height, says="\n".join(says)),
    ]  # fmt: skip


def known_of_hint(s: State, x: float, y: float) -> list[Shape]:
    """Each seat's reading of the hint if it is introduced, else its die when the hint was last given."""
    word = s.hint
    if word == NONE or not s.known[s.kvanter, word] or s.phase == Phase.FINISHED:
        return []
    how = "everybody reads it so" if is_introduced(s, word) else "the dice when it was last the hint"
    shapes = [text(x, y, f"{hint_name(s, word)}: {how}", size=11.8, fill=FADED, class_="known-of-hint")]
    for seat in range(s.num_players):
        colour = s.known[seat, word] - 1
        left = x + 64 * seat
        shapes += [
            text(left, y + 22, LETTERS[seat], size=12, fill=INK),
            die(left + 16, y + 14, 16, colour, f"known {COLOURS[colour]}"),
        ]
    return shapes
