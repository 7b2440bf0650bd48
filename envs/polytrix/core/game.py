"""The description of a game: everything that the APIs need, in one object."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache, cached_property
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from types import FunctionType
from typing import Any

import numpy as np

from . import drivers, rules
from .calls import did_you_mean, shown
from .compile.substitution import with_tables
from .data import DataFile, built, shipped_text
from .errors import DataError
from .invariants import invariants_in
from .layout import Layout, Symmetry
from .notation import as_text, ids_of, not_named
from .options import Choice, Options, Value
from .state import CHANCE, Field, Record, RecordArray, Seen, fields_of, new_records, state_dtype
from .viewers import SPECTATOR, Viewer

PLAYERS = "players"
"""The option for the number of players, in games where it varies."""

MODULES = (
    "state", "rules", "ending", "observation", "redeal", "notation", "text", "words", "tell", "picture",
    "touch", "greedy", "behaviour", "invariants",
)  # fmt: skip
"""The modules of a game's package that `Game.of` looks into; a game has those of them that it needs."""

CLASSES = ("State", "Act", "Obs", "Behaviour")
"""The classes that `Game.of` takes from a module: the fields of the record, and layouts."""

TABLES = ("OPTIONS", "MAX_LEGAL", "MAX_CHANCE", "SYMMETRIES", "HEURISTICS", "HABITS", "LEGEND", "CLAUSES")
"""What `Game.of` takes from a module, besides functions and classes: under these names, in small letters."""


def number_as_text(s: Any, outcome: int) -> str:
    """The name of a chance outcome in games that give them none: its number."""
    return str(outcome)


def at_most_one(options: Mapping[str, Any]) -> float:
    """The payoff limit of games in which a win pays 1."""
    return 1.0


@dataclass(frozen=True, eq=False)
class Game:
    """The description of a game.

    Args:
        name: lower case with underscores, as in the environment id.
        title: the name as printed on the box.
        version: of the environment; increased whenever rules, actions or observations change.
        seats: a name for each seat, up to the maximum number of players. A game that supports fewer declares
            an option `players`, a Choice of numbers: seats 0..players-1 play. Otherwise all seats play.
        options: what users may set.
        fields: the game's own fields of the record, with their bounds and who sees them; see `fields_of`.
        actions, observations: the layouts of the flat vectors.
        max_legal: upper bound on the number of legal actions in any position.
        symmetries: a group of permutations, by axes of the layouts, with which the rules commute. The identity
            is the first. They exchange things in data files too.
        setup, chance, legal, apply, payoff, observe, redeal: the rules, see `rules.py`.
        potential: the rule for reward shaping, or None.
        greedy: the rule that scores actions for the greedy policy, or None.
        heuristics: names of further built-in policies besides "random" and "greedy".
        habits: names of built-in policies with one habit or blind spot each, for the game's population; lists
            of agents do not show them. Nobody trains with those whose names begin with "unseen-".
        rate: the rule that scores actions for heuristics and habits.
        max_chance: upper bound on the number of outcomes of any chance event.
        payoff_limit: `(options) -> number`: upper bound on absolute payoffs, given all options.
        variants: named settings, each a mapping of options and data files, for example tiny ones for research.
        difficulty: how hard the rules are to learn, from 1 for easy to 3 for hard; 0: not told.
        minutes: how long a game takes people, about; 0: not told.
        playout: decisions in a search playout before the potential replaces the payoff; tuned by measurement.
        behaviour: the layout of what `tally` counts, see `behaviour.py`.
        tally: the rule that counts how seats play.
        believe: `redeal` weighted by what a seat can infer, for agents that look ahead; or None.
        hidden_action, set_hidden_action: the rules for actions that others see later; networks can learn to
            foresee them. Both or neither.
        format_action: `(s, action) -> text`, the action in the game's notation, for no two legal ones the same;
            raises IndexError. People need not write a `#` at the end of a name, nor its blanks and capitals.
        objection: `(s, text) -> text`, why a text names no legal action, for errors; "" if it does not tell.
        as_seen: `(s, action, viewer) -> action`, the action whose notation a viewer is told, where each seat
            counts from its own side; None: the action itself.
        format_chance: `(s, outcome) -> text` for the pending chance event.
        text: `(s, seat or None) -> str`, the position for a terminal; None sees everything.
        draw: `(s, seat or None) -> polytrix.drawing.Picture`, the position as a drawing.
        draw_narrow: the same, with the same places, for a place that is about 400 pixels wide; None: as `draw`.
        spectators: whether `text` and `draw` also take SPECTATOR (`core/viewers.py`), and then show what every
            seat knows. If not, spectators of a game with hidden information see no position.
        explain: `(s, action) -> str`, what a legal action does, for its mover; None: as in the layout.
        tell: `(before, event, after, viewer) -> lines`, what an action or chance outcome has done, for a log;
            the name of the mover stands before the first line of an action. It depends only on what the viewer
            knows afterwards. None: the log explains actions, to those who may know what their mover knew.
        touch: `(s, action) -> names`, the places of the drawing that a legal action touches, in the order in
            which a player would touch them, each once; () for none. None: moves are made by the list only.
        task: `(s) -> text`, what the mover is to do, in a few words that follow "Your move:"; or None.
        ghost: `(s, action) -> polytrix.drawing.Picture or None`, what a legal action puts on the last place
            that it touches, as its mover knows it. The table shows it there before the move is made.
        notes: `(s, seat) -> lines`, what the seat knows and `text` does not show; or None.
        legend: how to read `text`, in a few sentences.
        secret: `(s, event, seat) -> bool`, whether an action or chance outcome is kept from a seat in a log; it
            depends only on what the seat knows. None: a seat is told its own actions only.
        clauses: by block of `actions`, the ids of the clauses on the game's page that matter most there.
        check: the rule that tests the invariants, see `rules.py`.
        invariants: what each of them says, in the order in which `check` numbers them from 1.
        data: files that users may replace with their own, see `data.py`.
        replaced: the contents of the replaced files, by name; see `with_data`.
        shipped: the description with no file replaced, if any is replaced here; set by `with_data`.
    """

    name: str
    title: str
    version: int
    seats: tuple[str, ...]
    options: Options
    fields: Sequence[Field | tuple[Any, ...]]
    actions: Layout
    observations: Layout
    max_legal: int
    setup: Callable[..., None]
    legal: Callable[..., int]
    apply: Callable[..., None]
    payoff: Callable[..., None]
    observe: Callable[..., None]
    format_action: Callable[[Any, int], str]
    text: Callable[[Any, int | None], str]
    draw: Callable[[Any, int | None], Any]
    draw_narrow: Callable[[Any, int | None], Any] | None = None
    symmetries: Sequence[Symmetry] = ({},)
    chance: Callable[..., int] = rules.chance
    format_chance: Callable[[Any, int], str] = number_as_text
    redeal: Callable[..., None] = rules.redeal
    check: Callable[..., int] = rules.check
    invariants: tuple[str, ...] = ()
    explain: Callable[[Any, int], str] | None = None
    tell: Callable[[Any, int, Any, int | None], list[str]] | None = None
    touch: Callable[[Any, int], tuple[str, ...]] | None = None
    objection: Callable[[Any, str], str] | None = None
    as_seen: Callable[[Any, int, int | None], int] | None = None
    task: Callable[[Any], str] | None = None
    ghost: Callable[[Any, int], Any] | None = None
    spectators: bool = False
    notes: Callable[[Any, int], list[str]] | None = None
    legend: str = ""
    secret: Callable[[Any, int, int], bool] | None = None
    clauses: Mapping[str, Sequence[str]] = field(default_factory=dict)
    data: tuple[DataFile, ...] = ()
    replaced: Mapping[str, Any] = field(default_factory=dict)
    shipped: Game | None = None
    potential: Callable[..., float] | None = None
    greedy: Callable[..., None] | None = None
    heuristics: tuple[str, ...] = ()
    habits: tuple[str, ...] = ()
    rate: Callable[..., None] | None = None
    behaviour: Layout = field(default_factory=Layout)
    tally: Callable[..., None] = rules.tally
    believe: Callable[..., None] | None = None
    hidden_action: Callable[..., int] | None = None
    set_hidden_action: Callable[..., None] | None = None
    difficulty: int = 0
    minutes: int = 0
    playout: int = 10
    max_chance: int = 256
    payoff_limit: Callable[[Mapping[str, Any]], float] = at_most_one
    variants: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.name != self.name.lower() or not self.name.isidentifier():
            raise ValueError(f"game name {self.name!r}: use lower case letters, digits and underscores")
        if (self.rate is None) != (not self.heuristics + self.habits):
            raise ValueError(
                f"{self.name}: give both heuristics and the rule rate that plays them, or neither; habits count"
            )
        if (self.hidden_action is None) != (self.set_hidden_action is None):
            raise ValueError(f"{self.name}: give both hidden_action and set_hidden_action, or neither")
        hidden = [each.name for each in self.fields if isinstance(each, Field) and each.seen is Seen.PRIVATE]
        if hidden and self.redeal is rules.redeal:
            raise ValueError(
                f"{self.name}: the field {hidden[0]!r} is private; define redeal, or searches see all"
            )
        if unknown := self.clauses.keys() - {block.name for block in self.actions.blocks}:
            raise ValueError(
                f"{self.name}: clauses name blocks of actions that do not exist: {sorted(unknown)}"
            )
        for option in self.options:
            if option.name == PLAYERS and not (
                isinstance(option, Choice) and set(option.values) <= set(range(1, self.max_players + 1))
            ):
                raise ValueError(
                    f"{self.name}: the option {PLAYERS!r} must be a Choice among numbers from 1 "
                    f"to {self.max_players}, the number of names in `seats`"
                )

    @classmethod
    def of(cls, package: str, /, **given: Any) -> Game:
        """The game that a package describes, each rule and table in one of its modules under its name here.

        Its modules are those of `MODULES` that it has. What counts are the functions that they define (`setup`,
        `text`), the tables of `TABLES` in capitals (`OPTIONS`), the classes of `CLASSES`, and the invariants.

        Args:
            package: its name, `__name__` in its `__init__.py`; the last part is the name of the game.
            **given: all else, and what is to be used instead of what the modules have.
        """
        functions = [each.name for each in fields(cls) if "Callable" in str(each.type)]
        found: dict[str, tuple[Any, str]] = {}
        for path in (f"{package}.{name}" for name in MODULES):
            if find_spec(path) is None:
                continue
            module = vars(import_module(path))
            here = {name: module[name] for name in (*CLASSES, *TABLES) if name in module}
            for name in functions:
                if isinstance(rule := module.get(name), FunctionType) and rule.__module__ == path:
                    here[name] = rule
            if (declared := invariants_in(module)).texts:
                here["invariants"] = declared
            for name, value in here.items():
                if found.setdefault(name, (value, path))[0] is not value:
                    raise ValueError(f"{found[name][1]} and {path} both define {name!r}; keep one")
        parts: dict[str, Any] = {"name": package.rpartition(".")[2], "version": 0}
        parts |= {name.lower(): value for name, (value, _) in found.items()}
        if "state" in parts:
            parts["fields"] = fields_of(parts.pop("state"))
        for name, layout in (("actions", "act"), ("observations", "obs"), ("behaviour", "behaviour")):
            if layout in parts:
                parts[name] = parts.pop(layout)()
        if "invariants" in parts:
            parts["invariants"], parts["check"] = parts["invariants"]
        parts |= given
        needed = {each.name for each in fields(cls) if each.default is each.default_factory is MISSING}
        if missing := sorted(needed - parts.keys()):
            raise ValueError(f"{package} defines no {', '.join(missing)} in {', '.join(MODULES)}")
        return cls(**parts)

    def __repr__(self) -> str:
        counts = self.player_counts
        players = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
        own = f", own data: {', '.join(self.replaced)}" if self.replaced else ""
        return (
            f"Game({self.id}: {players} players, {self.actions.size} actions, "
            f"observations of {self.observations.size} numbers{own})"
        )

    @property
    def id(self) -> str:
        """The registration id, for example `polytrix/quatrix-v0`."""
        return f"polytrix/{self.name}-v{self.version}"

    @cached_property
    def state(self) -> np.dtype[Any]:
        """The record that holds a game: the core's fields, the options, the game's own fields."""
        return state_dtype(self.options.dtype, self.fields)

    @property
    def max_players(self) -> int:
        """The maximum number of players, which sets the sizes of all arrays and spaces."""
        return len(self.seats)

    @property
    def hides(self) -> bool:
        """Whether a seat may not know everything of a position, so that there is something to redeal."""
        return self.redeal is not rules.redeal

    def shows(self, viewer: Viewer) -> bool:
        """Whether `text` and `draw` can show a position to a viewer."""
        return viewer != SPECTATOR or self.spectators or not self.hides

    def eyes(self, viewer: Viewer) -> Viewer:
        """With whose eyes they show it: where nothing is hidden, spectators may see everything."""
        return None if viewer == SPECTATOR and not (self.spectators or self.hides) else viewer

    @property
    def player_counts(self) -> tuple[int, ...]:
        """All numbers of players that the game supports."""
        for option in self.options:
            if option.name == PLAYERS and isinstance(option, Choice):
                return tuple(map(int, option.values))
        return (self.max_players,)

    @property
    def built_in_policies(self) -> dict[str, int]:
        """The numbers, by name, of the policies that run inside the compiled loop."""
        names = {"random": drivers.RANDOM}
        if self.greedy is not None:
            names["greedy"] = drivers.GREEDY
        return names | {name: drivers.HEURISTICS + i for i, name in enumerate(self.heuristics + self.habits)}

    @property
    def listed_policies(self) -> list[str]:
        """The names of those that lists and errors show: all but habits."""
        return [name for name in self.built_in_policies if name not in self.habits]

    def num_players(self, options: Mapping[str, Any]) -> int:
        """The number of players under these options (all of them, validated)."""
        return int(options.get(PLAYERS, self.max_players))

    def write_options(self, states: RecordArray | Record, options: Mapping[str, Any]) -> None:
        """Store validated options, and the number of players they imply, in one or many states."""
        self.options.write(states["options"], options)
        states["num_players"] = self.num_players(options)

    def opening(self, options: Mapping[str, Any]) -> RecordArray:
        """A new game with these options (all of them, validated), (1,), before its first chance event."""
        states = new_records(1, self.state)
        self.write_options(states, options)
        states["mover"] = CHANCE
        self.setup(states[0])
        return states

    def legal_ids(self, s: Record) -> list[int]:
        """The legal actions, ascending; none unless a seat is to move."""
        return ids_of(self.legal, s, self.max_legal)

    def parse_action(self, s: Record, text: str) -> int:
        """The legal action of exactly this name; `spelt` reads what people and models write.

        Raises:
            NotationError: no legal action has this name.
        """
        wanted, names = as_text(text), []
        for action in self.legal_ids(s):
            names.append(self.format_action(s, action))
            if names[-1] == wanted:
                return action
        raise not_named(wanted, names, self.objection(s, wanted) if self.objection else "")

    def payoffs(self, s: Record) -> list[float]:
        """The payoff of each seat that takes part, in a state in which the game is over."""
        out = np.zeros(self.max_players, np.float32)
        self.payoff(s, out)
        return [float(number) for number in out[: int(s.num_players)]]

    @property
    def replacements(self) -> dict[Callable[..., Any], Callable[..., Any]]:
        """The game's functions by the placeholder in `rules.py` that each replaces."""
        own = {rule: getattr(self, rule.__name__) for rule in rules.PLACEHOLDERS}
        return {rule: function for rule, function in own.items() if function is not None}

    # -- data files -------------------------------------------------------------------------

    def with_data(self, /, **files: Any) -> Game:
        """This game with some of its data files replaced.

        Its rules, notation, text and drawing are copies of this game's functions that read other
        tables; so it is as fast, and is compiled separately.

        Args:
            **files: by name a shipped file ("micro", see `DataFile.shipped`), the path of a JSON file, or the
                content of one: a dict or a list. Files that are not named stay as they are here.

        Returns:
            The same object for equal contents; the shipped game for the shipped contents.

        Raises:
            DataError: an unknown name, a file that cannot be read, or invalid content.
        """
        names = [file.name for file in self.data]
        for name in files:
            if name not in names:
                hint = did_you_mean(name, names)
                allowed = f"Data files: {', '.join(names)}." if names else f"{self.id} has none."
                raise DataError(f"unknown data file {name!r}. {allowed}{hint}")
        contents = {**self.replaced, **files}
        texts = [(file, file.text(contents[file.name])) for file in self.data if file.name in contents]
        changed = tuple((file, text) for file, text in texts if text != shipped_text(file))
        shipped = self.shipped or self
        return _with_contents(shipped, changed) if changed else shipped

    def refuse_paths(self, given: Mapping[str, Any]) -> None:
        """Check that text stands for shipped data files only: what comes from elsewhere may name no file.

        Raises:
            DataError: it names another one.
        """
        for file in self.data:
            name = given.get(file.name)
            if isinstance(name, str) and name not in file.shipped:
                raise DataError(f"{file.name} is {shown(name)}; shipped: {', '.join(file.shipped)}")

    def configured(
        self, given: Mapping[str, Any], arguments: Collection[str] = ()
    ) -> tuple[Game, dict[str, Value]]:
        """The game and the values of all its options, from the keyword arguments of an API.

        Args:
            given: options and data files by name.
            arguments: the API's own arguments, for suggestions in errors.

        Raises:
            OptionError: an unknown name, or a value that is not allowed.
            DataError: see `with_data`.
        """
        names = [file.name for file in self.data]
        game = self.with_data(**{name: value for name, value in given.items() if name in names})
        options = {name: value for name, value in given.items() if name not in names}
        return game, game.options.validate(options, names, arguments)

    @cached_property
    def data_marks(self) -> dict[str, str]:
        """A short hash of each replaced file's content, by name."""
        return {
            name: sha256(json.dumps(content).encode()).hexdigest()[:16]
            for name, content in self.replaced.items()
        }


@cache
def _with_contents(game: Game, texts: tuple[tuple[DataFile, str], ...]) -> Game:
    """A shipped game with the contents of some of its data files replaced."""
    replacements = [built(file, text) for file, text in texts]
    changes: dict[str, Any] = {}
    for replacement in replacements:
        if twice := changes.keys() & replacement.fields.keys():
            raise TypeError(f"two data files of {game.id} change {', '.join(sorted(twice))}")
        changes |= replacement.fields
    contents = {file.name: json.loads(text) for file, text in texts}
    changed = replace(game, **changes, replaced=contents, shipped=game)
    values = {each.name: getattr(changed, each.name) for each in fields(Game)}
    functions = {name: value for name, value in values.items() if callable(value)}
    tables = [pair for replacement in replacements for pair in replacement.tables]
    return replace(changed, **with_tables(functions, tables))
