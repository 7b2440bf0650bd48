"""OpenSpiel's game, state and observer classes for polytrix games."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel

from polytrix.core.catalogue import all_games, find_exactly
from polytrix.core.errors import GameOverError, IllegalActionError, SnapshotError
from polytrix.core.game import Game
from polytrix.core.state import CHANCE, OVER, ByteArray, Record

from .rules import NOBODY, Rules, changes

_EVENT = "-?[0-9]{1,9}:[0-9]{1,9}"
_STATE = re.compile(
    f"history=((?:{_EVENT}(?:,{_EVENT})*)?)\nmove_number=[0-9]{{1,9}}\n__dict__=([A-Za-z0-9+/]*={{0,2}})"
)

CHANCE_RUN = 1_000
"""More chance events than ever follow one another, although openings deal words and roll until dice differ."""


def load_game(short_name: str, parameters: Mapping[str, Any]) -> PolytrixGame:
    """Load a game, also in a process that has not imported this module yet: what pickles call."""
    game: PolytrixGame = pyspiel.load_game(short_name, dict(parameters))
    return game


class PolytrixGame(pyspiel.Game):  # type: ignore[misc]
    """A game with fixed options. `register_game` creates one subclass per registered OpenSpiel game.

    Args:
        params: the game parameters given; the others take their defaults.
    """

    source: str
    """The game's id."""
    game_type: Any
    defaults: Mapping[str, Any]
    """All parameters with their defaults."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        parameters = {**self.defaults, **(params or {})}
        game = find_exactly(self.source, {})
        files = {file.name for file in game.data}
        given = {name: value for name, value in parameters.items() if name not in files or value}
        self.game, self.options = game.configured(given)
        self.rules = Rules(self.game, self.options)
        limit = float(game.payoff_limit(self.options))
        runs = int(self.options["max_decisions"]) + 1  # of chance events: before, between and after decisions
        information = pyspiel.GameInfo(
            num_distinct_actions=game.actions.size,
            max_chance_outcomes=game.max_chance,
            num_players=self.rules.players,
            min_utility=-limit,
            max_utility=limit,
            utility_sum=0.0,
            max_game_length=CHANCE_RUN * runs,  # OpenSpiel takes it for a bound of chance events too
        )
        super().__init__(self.game_type, information, parameters)

    def __reduce__(self) -> tuple[Any, ...]:
        return load_game, (self.game_type.short_name, self.get_parameters())

    def max_game_length(self) -> int:
        """The most decisions in a game. Bounds that count chance events are far above what happens."""
        return int(self.options["max_decisions"])

    def new_initial_state(self) -> PolytrixState:
        """The initial state, before any chance event."""
        return PolytrixState(self)

    def deserialize_state(self, text: str) -> PolytrixState:
        """Rebuild the state of `PolytrixState.serialize` from its history, without loading its pickle.

        `pyspiel.deserialize_game_and_state` and `pickle.loads` do load pickles: use them on trusted data only.

        Raises:
            SnapshotError: malformed text, a history that cannot be played, or one that does not lead to
                the saved position (a resampled state has no history).
        """
        events, held = parse(text)
        state = self.new_initial_state()
        try:
            for player, action in events:
                if player != state.current_player():
                    raise SnapshotError(f"the state's history has player {player} out of turn")
                state.apply_action(action)
        except (IllegalActionError, GameOverError) as error:
            raise SnapshotError(f"the state's history cannot be played: {error}") from None
        if state.position not in held:
            raise SnapshotError(
                "the state's history does not lead to it. If you wrote it yourself, from a state drawn "
                "anew, read it by pyspiel.deserialize_game_and_state"
            )
        return state

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer | None:
        """An observer, or None if only public or only private information is asked for (not separable here)."""
        if params:
            raise ValueError(f"observation parameters are {params}; allowed: none")
        recall = False
        if iig_obs_type is not None:
            whole = iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
            if not (iig_obs_type.public_info and whole):
                return None
            recall = iig_obs_type.perfect_recall
        return Observer(self.rules, recall)


class PolytrixState(pyspiel.State):  # type: ignore[misc]
    """A position and each seat's information state.

    OpenSpiel copies and pickles the attributes, so all of them are immutable.

    Attributes:
        position: the position as bytes; positions are equal if and only if their bytes are.
    """

    def __init__(self, game: PolytrixGame) -> None:
        super().__init__(game)
        rules = game.rules
        self.position: bytes = rules.opening
        self._mover = rules.opening_mover
        self._past, self._seen, self._news = rules.nothing_seen

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        rules: Rules = self.get_game().rules
        return rules

    @property
    def record(self) -> Record:
        """The position as a record of its own."""
        return self.rules.record(self.position)

    # -- the interface of pyspiel.State -----------------------------------------------------

    def current_player(self) -> int:
        """The seat to move, or OpenSpiel's id for chance or for a terminal state."""
        if self._mover >= 0:
            return self._mover
        return int(pyspiel.PlayerId.CHANCE if self._mover == CHANCE else pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        """Whether the game is over, by the rules or by `max_decisions`."""
        return self._mover == OVER

    def _legal_actions(self, player: int) -> list[int]:
        return self.rules.legal(self.position)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of the pending chance event with their probabilities."""
        return self.rules.chance(self.position)

    def _apply_action(self, action: int) -> None:
        rules, seat = self.rules, max(self._mover, NOBODY)
        self.position, self._mover = rules.after(self.position, action)
        self._news = (*self._news, (seat, action, self.position))

    def _action_to_string(self, player: int, action: int) -> str:
        rules = self.rules
        s = rules.record(self.position)
        chance = player == pyspiel.PlayerId.CHANCE
        return rules.game.format_chance(s, action) if chance else rules.game.format_action(s, action)

    def returns(self) -> list[float]:
        """The payoffs; all zero until the game is over."""
        rules = self.rules
        return rules.payoffs(self.position) if self._mover == OVER else [0.0] * rules.players

    def __str__(self) -> str:
        """The full position, hidden information included, and a digest that tells positions apart."""
        rules = self.rules
        mark = blake2b(self.position, digest_size=8).hexdigest()
        return f"{rules.game.text(rules.record(self.position), None)}\nposition {mark}"

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> PolytrixState:
        """Sample a state that `player` cannot tell from this one, using the game's `redeal`.

        The player keeps its own information state. Those of the other seats cannot be sampled with the
        position, and the true ones would leak hidden information, so they start at the current observation.
        For the same reason the new state has no history. ValueError unless `sampler` returns a number from 0
        to 1, as OpenSpiel's bots pass it.
        """
        self.rules.check_seat(player)
        chance = float(sampler())
        if not 0 <= chance <= 1:
            raise ValueError(f"the sampler gave {chance}; allowed: a number from 0 to 1")
        self.catch_up()
        game = self.get_game()
        rules = game.rules
        other = PolytrixState(game)
        other.position = rules.redealt(self.position, player, int(chance * 2**53))
        other._mover = self._mover
        other._news = ((NOBODY, 0, other.position),)
        other.catch_up()
        pasts = list(other._past)
        pasts[player] = self._past[player]
        other._past = tuple(pasts)
        return other

    # -- observations and information states ------------------------------------------------

    def catch_up(self) -> None:
        """Update every seat's information state with the events since the last update."""
        if not self._news:
            return
        rules = self.rules
        pasts = list(self._past)
        seen = np.frombuffer(self._seen, np.int8).reshape(rules.players, -1)
        for seat, action, position in self._news:
            if seat != NOBODY:
                pasts[seat] += f"\n> {rules.names[action]}"
            now = rules.views(position)
            for each in range(rules.players):
                if news := changes(rules.entries, seen[each], now[each]):
                    pasts[each] += f"\n{news}"
            seen = now
        self._past, self._seen, self._news = tuple(pasts), seen.tobytes(), ()

    def past(self, seat: int) -> str:
        """A seat's information state as text: changes of its observation, and its own actions after `>`."""
        self.rules.check_seat(seat)
        self.catch_up()
        return self._past[seat]

    def seen(self, seat: int) -> ByteArray:
        """A seat's current observation, (O,)."""
        self.rules.check_seat(seat)
        self.catch_up()
        shown: ByteArray = np.frombuffer(self._seen, np.int8).reshape(self.rules.players, -1)[seat]
        return shown


class Observer:
    """A seat's observation as a tensor with named parts and as text.

    Args:
        rules: the rules of the game.
        recall: observe the information state: the text holds the seat's whole history, and the tensor
            begins with a one-hot player. The rest of the tensor is always the current observation.
    """

    def __init__(self, rules: Rules, recall: bool) -> None:
        layout = rules.game.observations
        self.recall = recall
        self._entries = rules.entries
        self._seats = rules.game.seats
        own = rules.players if recall else 0
        self.tensor: npt.NDArray[np.float32] = np.zeros(own + layout.size, np.float32)
        self._shown = self.tensor[own:]
        self.dict = {"player": self.tensor[:own]} if recall else {}
        self.dict |= layout.view(self._shown)

    def set_from(self, state: PolytrixState, player: int) -> None:
        """Write `player`'s observation into `tensor`; ValueError for no such player."""
        self._shown[:] = state.seen(player)
        if self.recall:
            self.dict["player"][:] = 0
            self.dict["player"][player] = 1

    def string_from(self, state: PolytrixState, player: int) -> str:
        """`player`'s observation or information state as text."""
        if self.recall:
            return state.past(player)
        now = state.seen(player)
        return f"{self._seats[player]}: {changes(self._entries, np.zeros_like(now), now)}"


def parse(text: Any) -> tuple[list[tuple[int, int]], bytes]:
    """The history of a serialized state, and its pickle as raw bytes, which is not loaded.

    Returns:
        Player and action of each event, and the pickle, which contains the position verbatim.

    Raises:
        SnapshotError: the text was not written by `serialize`.
    """
    found = _STATE.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise SnapshotError("this is not a serialized state; give what state.serialize() returned")
    history, pickled = found.groups()
    try:
        held = base64.b64decode(pickled, validate=True)
    except binascii.Error:
        raise SnapshotError("the state's text is damaged") from None
    pairs = (event.split(":") for event in history.split(",") if event)
    return [(int(player), int(action)) for player, action in pairs], held


# -- registration -------------------------------------------------------------------------------------


def register_game(game: Game) -> None:
    """Register a game and its named settings with OpenSpiel as `polytrix_NAME` and `polytrix_NAME_SETTING`."""
    defaults: dict[str, Any] = {file.name: "" for file in game.data} | game.options.defaults
    for name, settings in {"": {}, **game.variants}.items():
        _register(game, "_".join(filter(None, ["polytrix", game.name, name])), {**defaults, **settings})


def _register(game: Game, short_name: str, parameters: Mapping[str, Any]) -> None:
    information = pyspiel.GameType.Information
    game_type = pyspiel.GameType(
        short_name=short_name,
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.IMPERFECT_INFORMATION if game.hides else information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(game.player_counts),
        min_num_players=min(game.player_counts),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=dict(parameters),
    )

    # Register a class: OpenSpiel's registry would free any other object after the interpreter has shut
    # down, which aborts the process.
    fields = {"source": game.id, "game_type": game_type, "defaults": parameters}
    pyspiel.register_game(game_type, type(PolytrixGame.__name__, (PolytrixGame,), fields))


for _game in all_games():
    register_game(_game)
