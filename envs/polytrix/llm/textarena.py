"""The games in TextArena.

>>> import textarena as ta
>>> import polytrix.llm.textarena  # registers the games
>>> env = ta.make("polytrix/resistor-v0")
>>> env.reset(num_players=2, seed=7)
>>> player_id, observation = env.get_observation()
>>> first = observation.rpartition("meaning\\n")[2].split()[0]
>>> env.step(f"I take the first move.\\nMOVE: {first}")[0]
False
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from polytrix.agents.resolve import PolicySpec
from polytrix.core.calls import seed_or_fresh, shown
from polytrix.core.catalogue import all_games, find
from polytrix.core.errors import GameOverError, MissingExtraError, PolicyError
from polytrix.core.game import Game
from polytrix.core.notation import as_text
from polytrix.core.transcript import Transcript

from .episode import MODEL, Episode, Failure
from .prompts import Prompts
from .setup import Setup

try:
    import textarena as ta
except ImportError:
    raise MissingExtraError("polytrix.llm.textarena", "textarena") from None

from textarena.envs.registration import register_with_versions


class TextArenaGame(ta.Env):  # type: ignore[misc]  # untyped where TextArena is not installed
    """A game by text as TextArena plays it.

    TextArena's players are the models, in the order of their seats. Agents in the other seats, if there are
    some, play by themselves. A player's first observation begins with the task and the rules (`PROMPT`); then
    each has what has happened, the position and the legal moves (`GAME_BOARD`), or why the last answer was
    refused (`GAME_ADMIN`).

    Args:
        game: the game or its name.
        seats: who plays each seat, see `Setup`; by default models in all of them.
        rotate, prompts, attempts, failure: see `Setup`. A turn that brings no legal move in `attempts`
            answers forfeits the game, which then ends for all.
        **options: options of the game. `players` follows from `reset` if only models play.

    Attributes:
        episode: the present game.
        seed: its seed.

    Raises:
        OptionError, PolicyError, ValueError: as `Setup`.
    """

    def __init__(
        self,
        game: Game | str,
        *,
        seats: Sequence[PolicySpec] | None = None,
        rotate: bool = True,
        prompts: Prompts | None = None,
        attempts: int = 3,
        failure: Failure = "forfeit",
        **options: Any,
    ) -> None:
        super().__init__()
        self.game = find(game)
        self._options, self._given_seats = options, seats
        self._arguments: dict[str, Any] = {
            "rotate": rotate,
            "prompts": prompts,
            "attempts": attempts,
            "failure": failure,
        }
        self._setup(None)  # raises at once
        self.episode: Episode | None = None
        self.state: Any = None

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Begin a game.

        Args:
            num_players: number of models.
            seed: of the game and of the agents' choices, on which nothing else has an influence; None: a fresh
                one.

        Raises:
            PolicyError, OptionError: another number of models plays here.
            ValueError: an invalid seed.
        """
        setup = self._setup(num_players)
        self.seed = seed_or_fresh(seed)
        self.episode = episode = setup.episode(self.seed)
        self._seats = list(episode.tasks)
        names = {player: self.game.seats[seat] for player, seat in enumerate(self._seats)}
        # The state gets no seed: with one it would seed Python's global generator.
        self.state = ta.MinimalMultiPlayerState(len(names), error_allowance=episode.attempts - 1)
        self.state.reset(game_state={}, role_mapping=dict(names), secret_roles=names)
        self._greeted: set[int] = set()
        if episode.over:
            self._end()
        else:
            self._ask()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Give the present player's answer to the game.

        Args:
            action: its last line is `MOVE: move`. The square brackets of `ActionFormattingWrapper` around it
                may stay, unless `Prompts.strict` forbids them.

        Returns:
            Whether the game is over, and infos: `player`, `seat`, and `error`, which says why the answer was
            refused, or is None.

        Raises:
            GameOverError: the game is over or has not begun.
        """
        episode, state = self._current(), self.state
        player, decided = state.current_player_id, len(episode.answered)
        error = episode.answer(as_text(action))
        state.add_observation(action, ta.ObservationType.PLAYER_ACTION, from_id=player, to_id=player)
        state.made_invalid_move = len(episode.answered) == decided  # it is asked again
        state.step_info = {"player": player, "seat": self._seats[player], "error": error}
        if episode.over:
            self._end()
        done, info = state.step()
        if not done:
            self._ask(again=len(episode.answered) == decided)
        return done, info

    def close(self) -> tuple[dict[int, float] | None, dict[int, dict[str, Any]]]:
        """The payoff of each player (None if the game is not over), and what is known about each.

        Raises:
            GameOverError: no game has begun.
        """
        self._current()
        rewards, infos = self.state.close()
        return rewards, infos

    def get_board_str(self) -> str:
        """The whole position as text, for spectators, with all hidden information."""
        return self._current().session.text()

    def transcript(self) -> Transcript:
        """The game so far, for replays.

        Raises:
            GameOverError: no game has begun.
        """
        return self._current().transcript()

    def _setup(self, models: int | None) -> Setup:
        """What games of so many models have in common; None: of as many as the arguments say."""
        options, declared = self._options, [option.name for option in self.game.options.declared]
        if models is not None and self._given_seats is None and "players" in declared:
            options = {"players": models, **options}
        players = self.game.num_players(self.game.configured(options)[1])
        seats = [MODEL] * players if self._given_seats is None else self._given_seats
        setup = Setup(self.game, seats, options=options, **self._arguments)
        if models is not None and models != setup.models:
            raise PolicyError(f"num_players is {shown(models)}; models play {setup.models} seats of this game")
        return setup

    def _current(self) -> Episode:
        if self.episode is None:
            raise GameOverError("no game has begun; call reset")
        return self.episode

    def _ask(self, again: bool = False) -> None:
        """Show the player who is to answer the task, if it is the first time, and what is new."""
        episode, state, kinds = self._current(), self.state, ta.ObservationType
        assert episode.seat is not None
        player = self._seats.index(episode.seat)
        messages = episode.messages()
        if player not in self._greeted:
            state.add_observation(messages[0]["content"], kinds.PROMPT, to_id=player)
            self._greeted.add(player)
        kind = kinds.GAME_ADMIN if again else kinds.GAME_BOARD
        state.add_observation(messages[-1]["content"], kind, to_id=player)
        state.current_player_id = player

    def _end(self) -> None:
        episode, session = self._current(), self._current().session
        if episode.forfeited is None:
            reason = session.result()
        else:
            reason = f"{self.game.seats[episode.forfeited]} has forfeited: {episode.answered[-1].errors[-1]}"
            self.state.game_info[self._seats.index(episode.forfeited)]["invalid_move"] = True
        rewards = {player: episode.rewards[seat] for player, seat in enumerate(self._seats)}
        self.state.set_game_outcome(rewards, reason)


class ChatWrapper(ta.ObservationWrapper):  # type: ignore[misc]
    """Observations as one text: the chat that `Episode.messages` would give a chat model.

    Unlike TextArena's `LLMObservationWrapper` it does not grow with the game, see `Prompts.memory`.
    """

    def observation(self, player_id: int, observation: Any) -> str:
        """The chat of the player who is to answer; "" once the game is over."""
        episode = self.env.episode
        chat = [] if episode is None or episode.over else episode.messages()
        return "\n\n".join(f"{WHO[each['role']]}{each['content']}" for each in chat)


WHO = {"system": "", "user": "[GAME] ", "assistant": "[YOU] "}


def register(game: Game | str) -> None:
    """Let `textarena.make` find a game: under its id, and with `-raw` added without any wrapper.

    The five games are registered when this module is imported.

    Raises:
        ValueError: it is registered already.
    """
    found = find(game)
    entry = "polytrix.llm.textarena:TextArenaGame"
    register_with_versions(found.id, entry, {"default": [ChatWrapper]}, game=found)


for each in all_games():
    register(each)
