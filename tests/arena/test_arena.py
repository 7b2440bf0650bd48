"""Tournaments: line-ups, duplicate deals, reproducible results, ratings."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

import polytrix
from polytrix.agents import begin_games, resolve, save_network
from polytrix.arena import Tournament, contestants, play_all, summarise
from polytrix.arena.play import play_tables, seat_by_seat
from polytrix.arena.records import Records, RecordsError
from polytrix.arena.tournament import BLOCK
from polytrix.core.errors import OptionError, PolicyError
from polytrix.core.game import Game
from tests.high import HIGH
from tests.networks import save, some_network
from tests.remembering import Elephant
from tests.toys import SECRET

pytestmark = pytest.mark.usefixtures("known_toys")

AGENTS = ("random", "greedy", "shy", "search:8")


def tournament(specs=AGENTS, deals: int = 30, game: Game = SECRET, **settings) -> Tournament:
    options = game.options.validate(settings.pop("options", {}))
    return Tournament(game, options, contestants(game, specs), deals, **settings)


def played(one: Tournament, path: Path | None = None, **settings) -> Records:
    with closing(Records(one.game, one.options, one.seed, path)) as records:
        play_all(one, records, **settings)
    return records


def first_legal(observation, mask, rng):
    return mask.argmax(axis=1)


# -- who plays whom -----------------------------------------------------------------------


def test_two_players_meet_each_other_once() -> None:
    one = tournament(("random", "greedy", "shy"))
    assert one.line_ups == [("random", "greedy"), ("random", "shy"), ("greedy", "shy")]
    assert one.num_games == 3 * 30 * 2


def test_more_players_sit_alone_among_others_both_ways() -> None:
    one = tournament(("random", "first=random"), game=HIGH, options={"players": 3})
    assert one.line_ups == [("random", "first"), ("first", "random")]
    assert one.num_games == 2 * 30 * 3


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"specs": ("random",)}, PolicyError, "at least two agents"),
        ({"specs": ("random", "random")}, PolicyError, "two agents are called random; name them yourself"),
        ({"tables": ["bold"]}, PolicyError, "table is 'bold'; allowed: one of the agents random, greedy"),
        ({"deals": 0}, OptionError, "deals is 0"),
        ({"seed": -1}, OptionError, "seed is -1"),
        ({"specs": ("random", "gredy")}, PolicyError, "neither a name nor an existing file"),
    ],
)
def test_tournaments_that_are_refused(settings, error, message) -> None:
    with pytest.raises(error, match=message):
        tournament(**settings)


def test_line_ups_may_have_fewer_deals_which_are_the_first_ones() -> None:
    few = BLOCK + 5
    one = tournament(("random", "greedy", "shy"), deals=3 * BLOCK, at_most={("greedy", "shy"): few})
    assert one.num_games == (2 * 3 * BLOCK + few) * 2
    records = played(one)
    result = summarise(one, records)
    deals = {(each["agent"], each["others"]): each["deals"] for each in result["meetings"]}
    assert deals["random", "greedy"] == deals["shy", "random"] == 3 * BLOCK
    assert deals["greedy", "shy"] == deals["shy", "greedy"] == few
    alone = tournament(("random", "greedy", "shy"), deals=few)
    there, here = (
        next(each for each in told["meetings"] if (each["agent"], each["others"]) == ("greedy", "shy"))
        for told in (result, summarise(alone, played(alone)))
    )
    assert there["payoff"] == here["payoff"] and there["wins"] == here["wins"]
    assert sum(agent["games"] for agent in result["agents"]) == 2 * one.num_games


# -- duplicate games ----------------------------------------------------------------------


def test_every_deal_is_the_same_from_every_seat() -> None:
    """Equal agents get, over all seats, the sum of what the deal gives to all seats."""
    greedy = resolve("greedy", SECRET)
    options, rng = SECRET.options.defaults, np.random.default_rng(0)
    first = play_tables(SECRET, options, (greedy, greedy), seat_by_seat(2), 7, 40, rng)
    assert first.payoffs.shape == (40, 2, 2)
    assert (first.payoffs[:, 0] == first.payoffs[:, 1]).all()
    assert (first.payoffs != 0).any()


def test_a_policy_outside_of_the_loop_is_dealt_the_same() -> None:
    """The first number is dealt before the first decision, so it is the same in both games."""
    seen: dict[str, list[np.ndarray]] = {"one": [], "rest": []}

    def spy(who: str):
        def policy(observation, mask, rng):
            seen[who].append(observation)
            return mask.argmax(axis=1)

        return policy

    options, rng = SECRET.options.defaults, np.random.default_rng(0)
    play_tables(SECRET, options, (spy("one"), spy("rest")), seat_by_seat(2), 7, 40, rng)
    assert (seen["one"][0] == seen["rest"][0]).all()


def test_each_agent_is_asked_in_its_own_seat_of_each_table() -> None:
    asked: dict[int, set[tuple[int, int]]] = {0: set(), 1: set(), 2: set()}

    def spy(number: int):
        def policy(observation, mask, rng, *, rows, seats):
            asked[number] |= set(zip((rows // 20).tolist(), seats.tolist(), strict=True))
            return mask.argmax(axis=1)

        return policy

    options, seating = HIGH.options.validate({"players": 3}), np.array([[2, 0, 1], [0, 0, 1]])
    agents = [spy(number) for number in asked]
    games = play_tables(HIGH, options, agents, seating, 7, 20, np.random.default_rng(0))
    assert games.payoffs.shape == (20, 2, 3)
    assert asked == {0: {(0, 1), (1, 0), (1, 1)}, 1: {(0, 2), (1, 2)}, 2: {(0, 0)}}


def test_the_one_agent_sits_in_the_seat_of_the_rotation() -> None:
    """An agent that always folds gets less than the others, in every seat."""
    options = HIGH.options.validate({"players": 3})

    def folding(observation, mask, rng):
        return np.full(len(mask), 2)

    agents, rng = (folding, resolve("random", HIGH)), np.random.default_rng(0)
    games = play_tables(HIGH, options, agents, seat_by_seat(3), 7, 20, rng)
    for rotation in range(3):
        by_seat = games.payoffs[:, rotation].mean(axis=0)
        assert by_seat[rotation] <= by_seat.min() + 1e-6 and by_seat[rotation] < -0.1
    assert np.allclose(games.payoffs.sum(axis=2), 0)


# -- behaviour ----------------------------------------------------------------------------


def test_agents_are_told_by_all_their_seats_and_meetings_by_one_side() -> None:
    one = tournament(("random", "greedy", "shy"), deals=BLOCK + 5, behaviour=True)
    result = summarise(one, played(one))
    by_agent = {agent["name"]: agent["behaviour"] for agent in result["agents"]}
    met = {(each["agent"], each["others"]): each["behaviour"] for each in result["meetings"]}
    for name, figures in by_agent.items():
        mine = [each for (agent, _), each in met.items() if agent == name]
        assert len(mine) == 2
        for figure, pair in figures.items():
            assert pair == [sum(each[figure][i] for each in mine) for i in range(2)]
        assert figures["number"][1] == 2 * 2 * (BLOCK + 5), "once in each game"
    assert by_agent["shy"]["calls"][0] == 0 < by_agent["greedy"]["calls"][0]


def test_games_that_were_kept_without_behaviour_do_not_count() -> None:
    one = tournament(("random", "greedy"), deals=2 * BLOCK, behaviour=True)
    records, mixed = played(one), Records(SECRET, one.options, one.seed)
    first, second = one.blocks()
    mixed.add(first, records[first]._replace(behaviour={}))
    mixed.add(second, records[second])
    random = next(each for each in summarise(one, mixed)["agents"] if each["name"] == "random")
    assert random["behaviour"] == {name: pairs[0] for name, pairs in records[second].behaviour.items()}
    other = Records(SECRET, one.options, one.seed)
    for block in (first, second):
        other.add(block, records[block]._replace(behaviour={"of another version": [[1, 2], [3, 4]]}))
    assert all(each["behaviour"] == {} for each in summarise(one, other)["agents"])


@pytest.mark.parametrize(
    ("game", "behaviour"), [(HIGH, True), (SECRET, False)], ids=["no figures", "not asked"]
)
def test_nothing_is_counted_of_a_game_without_figures_or_if_nobody_asks(
    game: Game, behaviour: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not behaviour:
        monkeypatch.delattr("polytrix.arena.play.behaviour_of")
    one = tournament(("random", "first=random"), game=game, deals=5, behaviour=behaviour)
    records = played(one)
    assert records[next(one.blocks())].behaviour == {}
    result = summarise(one, records)
    assert all(each["behaviour"] == {} for each in (*result["agents"], *result["meetings"]))


# -- the same results ---------------------------------------------------------------------


def test_a_tournament_is_the_same_each_time_and_on_several_threads() -> None:
    one = tournament()
    results = [summarise(one, played(one, threads=threads)) for threads in (1, 1, 3)]
    assert results[0] == results[1] == results[2]
    other = tournament(seed=1)
    assert results[0] != summarise(other, played(other))


def test_an_interrupted_tournament_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    one = tournament(deals=2 * BLOCK + 3)
    whole = summarise(one, played(one))
    path, ticks = tmp_path / "games.jsonl", []

    def interrupt(finished: int) -> None:
        ticks.append(finished)
        if sum(ticks) > one.num_games // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        played(one, path, tick=interrupt)
    with path.open("a") as file:
        file.write('{"one": "random", "re')  # killed while it wrote
    done = len(path.read_text().splitlines()) - 2
    assert 0 < done < len(list(one.blocks()))
    replayed = []
    records = played(one, path, tick=replayed.append)
    assert 0 < sum(replayed) < one.num_games
    assert summarise(one, records) == whole


def test_what_is_not_kept_is_played_anew(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    large, small = tournament(("random", "greedy", "shy")), tournament(("random", "greedy"))
    records = played(large, path)
    kept = summarise(small, records)
    records.keep_only(small.blocks())
    again = Records(SECRET, small.options, 0, path)
    assert summarise(small, again) == kept
    assert sum(block in again for block in large.blocks()) == len(list(small.blocks()))


def test_games_of_something_else_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    played(tournament(("random", "greedy"), deals=2), path)
    with pytest.raises(RecordsError, match="another options, seed"):
        Records(SECRET, SECRET.options.validate({"top": 4}), 1, path)
    path.write_text(path.read_text() + "{}\n")
    with pytest.raises(RecordsError, match="is damaged"):
        played(tournament(("random", "greedy"), deals=2), path)


# -- agents that remember -----------------------------------------------------------------


def test_at_one_table_each_game_and_seat_is_remembered_apart() -> None:
    """One object in all seats equals two objects, and games in a batch equal single games."""

    def payoffs(one, rest, first: int, deals: int) -> np.ndarray:
        options, rng = SECRET.options.defaults, np.random.default_rng(0)
        return play_tables(SECRET, options, (one, rest), seat_by_seat(2), first, deals, rng).payoffs

    class Forgetful(Elephant):
        def act(self, *given):
            begin_games(self, len(self.count))
            return super().act(*given)

    one, rest, forgetful = Elephant(SECRET), Elephant(SECRET), Forgetful(SECRET)
    whole = payoffs(one, one, 7, 30)
    assert (payoffs(one, rest, 7, 30) == whole).all()
    assert (np.concatenate([payoffs(one, one, 7 + i, 1) for i in range(30)]) == whole).all()
    assert (whole[:, 0] == whole[:, 1]).all()
    assert (payoffs(forgetful, forgetful, 7, 30) != whole).any()


ELEPHANT = Elephant(SECRET)


def test_agents_of_ones_own_may_remember_if_each_thread_has_one() -> None:
    made = contestants(SECRET, ("tests.remembering:Elephant",))[0]
    assert made.make() is not made.make()
    one = tournament(("mine=tests.remembering:Elephant", "random"), deals=2 * BLOCK)
    played(one, threads=2)
    with pytest.raises(PolicyError, match="ELEPHANT' remembers its games, and threads would share it"):
        contestants(SECRET, ("tests.arena.test_arena:ELEPHANT",))


# -- results ------------------------------------------------------------------------------


def test_a_table_is_the_anchor_and_meets_nobody_by_itself() -> None:
    one = tournament(("random", "greedy", "shy"), tables=["greedy"], deals=40)
    result = summarise(one, played(one))
    assert result["anchor"] == {"name": "greedy", "rating": 1000.0}
    assert {(m["agent"], m["others"]) for m in result["meetings"]} >= {("random", "greedy"), ("shy", "greedy")}


# -- contestants --------------------------------------------------------------------------


def test_names(tmp_path: Path) -> None:
    shape = (SECRET.observations.size, SECRET.actions.size)
    layers = [(np.zeros(shape), np.zeros(shape[1]))]
    folder = tmp_path / "secret-v0"
    save_network(folder / "policy.npz", SECRET, layers)
    save_network(tmp_path / "other.npz", SECRET, layers)
    files = (str(folder), str(tmp_path / "other.npz"), f"mine={folder / 'policy.npz'}")
    specs = ("random", *files, "deep=search:9")
    names = [one.name for one in contestants(SECRET, specs)]
    assert names == ["random", "secret-v0", "other", "mine", "deep"]


def test_a_callable_by_its_import_path() -> None:
    found, made = contestants(SECRET, ("tests.arena.test_arena:first_legal", "x=tests.arena.test_arena:Clever"))
    assert found.name == "first_legal" and found.make() is first_legal
    assert isinstance(made.make(), Clever) and made.make().game is SECRET


class Clever:
    """A policy that is made for a game."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def __call__(self, observation, mask, rng):
        return mask.argmax(axis=1)


@pytest.mark.parametrize("spec", ["nowhere:policy", "tests.arena.test_arena:nothing", "tests.high:SEATS", "a:"])
def test_import_paths_that_lead_nowhere(spec: str) -> None:
    with pytest.raises(PolicyError, match=r"cannot be (imported|called)"):
        resolve(spec, SECRET)


def test_a_search_that_has_got_beliefs_is_another_one(tmp_path: Path) -> None:
    game, file = polytrix.find("estimatrix"), tmp_path / "network.npz"
    network = some_network(game, beliefs=(5,))
    marks = set()
    for beliefs in (None, network.beliefs, some_network(game, beliefs=(5,), seed=2).beliefs):
        network.beliefs = beliefs
        save(file, network)
        marks.add(contestants(game, [f"search:5,network={file}"])[0].mark)
    assert len(marks) == 3
