"""A game under other names, so that a language model's memory of it does not help.

>>> from polytrix.llm.disguise import Disguise
>>> disguise = Disguise("quatrix", seed=1)
>>> hidden = disguise.hide("the ring goes 2 forward from g11 to g9")
>>> disguise.reveal(hidden)
'the ring goes 2 forward from g11 to g9'

What is renamed, the game declares (`core/vocabulary.py`): its title, pieces, colours, seats, cards, keywords,
and whatever else hardly any other game has; letters of its codes, such as columns. The words that half of all
games share stay, as rules could not be understood without them: row, card, hand, deck, turn, win, opponent.
Numbers stay, too, since moves count along them. So does the layout of a text, but names are longer or shorter
than the words, so that columns of a table shift.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import count
from types import MappingProxyType

from polytrix.core import catalogue
from polytrix.core.calls import check_seed
from polytrix.core.game import Game
from polytrix.core.vocabulary import WORD, Vocabulary, words_in

STAND_INS = "bcdfghjklmnpqrstwz"
"""Letters that stand in for those of codes. With vowels and y among them, some codes would be English words."""

FOR_MARKS = "bdfgjkvwz"
"""Letters that abbreviations are made of. No common one consists of them."""

FIRST, VOWELS, LAST = "bdfgklmnprstvz", "aeiou", "klmnprt"
MIDDLE = (
    "zb", "zd", "zg", "zm", "zn", "zv", "vd", "vg", "vm", "vn", "vz", "kv", "kz", "gv", "dv", "pv", "bz",
)  # fmt: skip
"""What names are made of: two syllables, which meet as in no English word."""

ENDINGS = ("ing", "er", "ed", "s")
OTHER_ENDINGS = ("en", "an", "on", "un", "in")

PROJECT = "polytrix"


class Disguise:
    """Renames what is a game's own in its texts and moves.

    Every name has a stand-in, drawn by the seed, and the two change places wherever either occurs. So nothing
    is lost: hiding a hidden text gives it back. The same seed gives the same names everywhere and always.

    Args:
        game: the game, or its name.
        seed: a whole number that draws the names.

    Attributes:
        names: the stand-in of each word and abbreviation, in all the ways in which it may be written.

    Raises:
        KeyError: no game has this name.
        ValueError: the seed is no whole number from 0 on; the game has no vocabulary, or one too large.
    """

    def __init__(self, game: Game | str, seed: int) -> None:
        game = catalogue.find(game) if isinstance(game, str) else game
        if game.vocabulary is None:
            raise ValueError(
                f"{game.name} has no vocabulary, so it is not known what to rename; declare "
                "`vocabulary` in its `Game`, see 'Adding a game' in the documentation"
            )
        draw = Draw(f"{game.name} {check_seed(seed)}")
        vocabulary = game.vocabulary()
        letters = pair_letters(vocabulary, draw)
        closed = {
            name: group + "".join(letters[letter] for letter in group)
            for name, group in vocabulary.letters.items()
        }
        code = re.compile(vocabulary.pattern(closed) or r"(?!)")
        initials = {word: letters[letter].lower() for letter, word in vocabulary.initials.items()}
        words, marks = own_names(game, vocabulary)
        names = stand_ins(words, marks, initials, code, draw)
        self.names: Mapping[str, str] = MappingProxyType(names)
        self._words = both_ways(names)
        self._letters = str.maketrans(both_ways(letters))
        self._pattern = re.compile(f"(?P<code>{code.pattern})|{WORD}")

    def hide(self, text: str) -> str:
        """A text as a reader of the disguised game sees it: the rules, a position, moves, the log, an error."""
        return self._pattern.sub(self._exchanged, text)

    def reveal(self, text: str) -> str:
        """The text that was hidden; a move in disguised notation becomes one in the game's own."""
        return self.hide(text)  # names and stand-ins have changed places

    def kept_words(self, text: str) -> set[str]:
        """The words of a text that are not renamed, in lower case: what a vocabulary leaves out."""
        found = (match for match in self._pattern.finditer(text) if match.lastgroup != "code")
        return {match[0].lower() for match in found if len(match[0]) > 1 and match[0] not in self._words}

    def _exchanged(self, found: re.Match[str]) -> str:
        if found.lastgroup == "code":
            return found[0].translate(self._letters)
        return self._words.get(found[0], found[0])


class Draw:
    """Draws from a seed, the same in every version of Python: `random` promises that only for `random()`.

    Args:
        seed: any text.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed

    def numbers(self, what: str) -> Iterator[int]:
        """Large numbers without end, which depend on the seed and on `what` they are drawn for."""
        for attempt in count():
            yield int.from_bytes(sha256(f"{self._seed} {what} {attempt}".encode()).digest(), "big")

    def order(self, letters: str) -> list[str]:
        """Letters in another order."""
        return sorted(letters, key=lambda letter: next(self.numbers(f"letter {letter}")))


def own_names(game: Game, vocabulary: Vocabulary) -> tuple[list[str], list[str]]:
    """The words and marks of a game: those of its vocabulary, of its title, and the marks of its clauses."""
    title = [word for word in words_in(f"{PROJECT} {game.name} {game.title}") if word not in vocabulary.plain]
    clauses = {clause.partition("-")[0] for ids in game.clauses.values() for clause in ids}
    return [*vocabulary.words, *title], [*vocabulary.marks, *sorted(clauses)]


def pair_letters(vocabulary: Vocabulary, draw: Draw) -> dict[str, str]:
    """A stand-in for each letter of codes; the same one in both cases, if it is free in both.

    Raises:
        ValueError: there are too few other letters.
    """
    letters = "".join(dict.fromkeys("".join(vocabulary.letters.values())))
    pairs: dict[str, str] = {}
    for letter in letters:
        free = STAND_INS if letter.islower() else STAND_INS.upper()
        choice = [other for other in draw.order(free) if other not in letters and other not in pairs.values()]
        other_case = pairs.get(letter.swapcase(), "").swapcase()
        if not choice:
            raise ValueError(
                f"the vocabulary has {len(letters)} letters, {letters}: too many to rename them all"
            )
        pairs[letter] = other_case if other_case in choice else choice[0]
    return pairs


def stand_ins(
    words: list[str], marks: list[str], initials: Mapping[str, str], code: re.Pattern[str], draw: Draw
) -> dict[str, str]:
    """A stand-in for each form of each word, and for each mark.

    Args:
        words, marks: of the game, as in a `Vocabulary`; those that occur again count once.
        initials: the letter with which the stand-in of a word has to begin.
        code: what codes look like; no stand-in looks like one.
        draw: by the seed.
    """
    taken = {form.lower() for form in " ".join([*words, *marks]).split()}
    beginnings: set[str] = set()
    names: dict[str, str] = {}

    def give(new: dict[str, str]) -> bool:
        """Give these names, unless one of them has another meaning."""
        if taken & {name.lower() for name in new.values()} or any(map(code.search, new.values())):
            return False
        taken.update(name.lower() for name in new.values())
        names.update(new)
        return True

    for mark in dict.fromkeys(marks):
        for attempt, number in enumerate(draw.numbers(mark)):
            if give({mark: abbreviation(number, mark, len(mark) + attempt // 500)}):
                break
    for family in sorted(words, key=lambda family: family.split()[0] not in initials):
        forms = [form for form in family.split() if form not in names]
        if not forms:
            continue
        for attempt, number in enumerate(draw.numbers(family)):
            stem = pronounceable(number, initials.get(forms[0], ""))
            if stem[:4] in beginnings and attempt < 50:
                continue  # names that begin alike are taken for each other
            if give(in_all_cases(inflect(forms, stem))):
                beginnings.add(stem[:4])
                break
    return names


def abbreviation(number: int, mark: str, length: int) -> str:
    """Consonants, in the case of an abbreviation.

    >>> abbreviation(12345678, "QX", 2), abbreviation(12345678, "nw", 2)
    ('BW', 'bw')
    """
    letters = "".join(FOR_MARKS[number // len(FOR_MARKS) ** place % len(FOR_MARKS)] for place in range(length))
    return letters.upper() if mark.isupper() else letters


def pronounceable(number: int, initial: str) -> str:
    """A word of two syllables that is not English.

    >>> pronounceable(12345678, ""), pronounceable(12345678, "q")
    ('fuvmum', 'quvmum')
    """
    letters = []
    for choice in (FIRST, VOWELS, MIDDLE, VOWELS, LAST):
        number, place = divmod(number, len(choice))
        letters.append(choice[place])
    return "".join([initial or letters[0], *letters[1:]])


def inflect(forms: list[str], stem: str) -> dict[str, str]:
    """The forms of a word, and a stem with endings like theirs.

    >>> inflect(["steal", "steals", "stole", "stealing"], "kivzot")
    {'steal': 'kivzot', 'steals': 'kivzots', 'stole': 'kivzoten', 'stealing': 'kivzoting'}
    """
    names: dict[str, str] = {}
    used: list[str] = []
    for form in forms:
        like = [ending for ending in ENDINGS if form.lower().endswith(ending)]
        endings = [ending for ending in (*like, *OTHER_ENDINGS) if ending not in used] if names else [""]
        used.append(endings[0])
        names[form] = stem + endings[0]
    return names


def in_all_cases(names: Mapping[str, str]) -> dict[str, str]:
    """Words and their names in lower case, capitalised and in capitals; in capitals only, if so given.

    >>> in_all_cases({"pip": "kivzot", "WIN": "zazban"})
    {'pip': 'kivzot', 'Pip': 'Kivzot', 'PIP': 'KIVZOT', 'WIN': 'ZAZBAN'}
    """
    cases = (str.lower, str.capitalize, str.upper)
    return {
        case(word): case(name)
        for word, name in names.items()
        for case in ((str.upper,) if word.isupper() else cases)
    }


def both_ways(pairs: Mapping[str, str]) -> dict[str, str]:
    """Pairs from left to right and from right to left."""
    return dict(pairs) | {right: left for left, right in pairs.items()}
