"""TorchRL's environments beside the simulator and Gymnasium's; links of decisions, learning, the page."""

from __future__ import annotations

import re
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

pytest.importorskip("torchrl", reason="needs the extra torchrl: make test-integrations")

import torch
from tensordict import TensorDictBase
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import EnvBase, StepCounter, TransformedEnv
from torchrl.envs.utils import check_env_specs
from torchrl.modules import MaskedCategorical, ProbabilisticActor
from torchrl.objectives.value import GAE

import polytrix
from polytrix.api.torchrl import AllSeatsEnv, GroupedEnv, LinkDecisions, OneSeatEnv
from polytrix.core.errors import ClosedError, GameOverError, IllegalActionError, OptionError, PolicyError
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.learning.advantages import END, OPEN, estimate
from tests.every_game import every_game

from .examples import command_of, run_example, run_python_of

every_form = pytest.mark.parametrize("form", [OneSeatEnv, AllSeatsEnv, GroupedEnv])
ROWS, STEPS, SEED = 5, 100, 9


def played_by(env: EnvBase, steps: int = STEPS) -> TensorDictBase:
    """A rollout of random legal actions, (B, T), with resets of single rows."""
    torch.manual_seed(1)
    env.set_seed(SEED)
    return env.rollout(steps, break_when_any_done=False)


def observation_of(form: type[Any]) -> Any:
    """Under which key observations are."""
    return ("agents", "observation") if form is GroupedEnv else "observation"


# -- what all forms have in common -----------------------------------------------------------


@every_form
@every_game
def test_torchrls_own_checks(game: Game, form: type[Any]) -> None:
    check_env_specs(form(game, 3))
    check_env_specs(form(game, 3, max_decisions=8, shaping=1.0 if game.potential else 0.0))


@every_form
def test_observations_in_float32_are_the_same(form: type[Any]) -> None:
    played, floats = (played_by(form("resistor", 3, dtype=dtype), 10) for dtype in ("int8", "float32"))
    key = observation_of(form)
    assert floats[key].dtype == torch.float32 and played[key].dtype == torch.int8
    assert (played[key] == floats[key]).all()
    check_env_specs(form("resistor", 3, dtype="float32"))


@every_form
def test_a_row_plays_the_games_of_its_seed_in_a_batch_of_any_size(form: type[Any]) -> None:
    few, many = form("resistor", 2, max_decisions=9), form("resistor", 4, max_decisions=9)
    few.set_seed(12)
    many.set_seed(10)
    for _ in range(2):  # also the games after the first
        two, four = few.reset(), many.reset()
        for _ in range(4):
            assert (two == four[2:]).all()
            chosen = many.rand_action(four)
            two, four = few.step(chosen[2:].clone())["next"], many.step(chosen)["next"]


@every_form
def test_what_a_rollout_keeps_does_not_change(form: type[Any]) -> None:
    """No two steps share memory: neither observations and masks, nor what is before and after a step."""
    env = form("quatrix", 2)
    first = env.reset()
    steps, copies = [], []
    for _ in range(6):
        first = env.step(env.rand_action(first))
        steps.append(first)
        copies.append(first.clone())
        first = first["next"].select(*env.observation_spec.keys(True, True))
    for kept, copy in zip(steps, copies, strict=True):
        assert (kept == copy).all()
    seen = [each["next", observation_of(form)] for each in steps]
    assert len({each.data_ptr() for each in seen}) == len(seen)
    assert all((one != other).any() for one, other in zip(seen[1:], seen[:-1], strict=True))


@every_form
def test_some_rows_alone_begin_anew(form: type[Any]) -> None:
    env = form("resistor", 4, seed=1)
    begun = env.reset()
    now = env.step(env.rand_action(begun))["next"]
    chosen = torch.tensor([[True], [False], [True], [False]])
    again = env.reset(now.clone().set("_reset", chosen))
    kept = ~chosen[:, 0]
    names = env.observation_spec.keys(True, True)
    assert all((again[name][kept] == now[name][kept]).all() for name in names)
    seen = observation_of(form)
    assert (again[seen][~kept] != begun[seen][~kept]).any()


@every_form
def test_rollouts_are_the_same_within_a_transformed_environment(form: type[Any]) -> None:
    """There TorchRL's own way of resetting some rows is used."""
    alone = played_by(form("resistor", 4, max_decisions=15, shaping=0.5))
    inside = played_by(TransformedEnv(form("resistor", 4, max_decisions=15, shaping=0.5)))
    assert (alone == inside).all() and alone["next", "done"].sum() > 4


@every_form
def test_misuse_is_refused(form: type[Any]) -> None:
    env = form("quatrix", 2, seed=1)
    key = env.action_key
    with pytest.raises(GameOverError, match=r"call reset\(\) first"):
        env.step(env.rand_action())
    begun = env.reset()
    before = env.simulator.save()
    shape = env.full_action_spec[key].shape
    with pytest.raises(IllegalActionError, match=r"does not exist; quatrix has actions 0\.\.847"):
        env.step(begun.clone().set(key, torch.full(shape, 10_000)))
    with pytest.raises(TypeError, match="integers"):
        env.step(begun.clone().set(key, torch.zeros(shape)))
    assert env.simulator.save() == before
    with pytest.raises(OptionError, match="unknown option 'opponents'"):
        form("quatrix", 2, opponents="red")
    with pytest.raises(OptionError, match="dtype is 'float64'; allowed"):
        form("quatrix", 2, dtype="float64")
    with pytest.raises(ValueError, match="seed"):
        env.set_seed(-1)
    env.close()
    with pytest.raises(ClosedError):
        env.simulator.restart()


# -- one seat --------------------------------------------------------------------------------


@every_game
def test_one_seat_is_what_the_vector_environment_says(game: Game) -> None:
    """Same seeds and actions: same observations, masks, rewards and ends, and games that begin one by one."""
    arguments: dict[str, Any] = {"opponent": "random", "max_decisions": 60, "gamma": 0.9}
    arguments["shaping"] = 0.5 if game.potential else 0.0
    played = played_by(OneSeatEnv(game, ROWS, **arguments))
    envs = gym.make_vec(game.id, ROWS, autoreset_mode="Disabled", **arguments)
    observation, info = envs.reset(seed=SEED)
    ended = 0
    for step in range(STEPS):
        now = played[:, step]
        np.testing.assert_array_equal(now["observation"], observation)
        np.testing.assert_array_equal(now["action_mask"], info["action_mask"])
        np.testing.assert_array_equal(now["seat"], info["seat"])
        observation, reward, terminated, truncated, info = envs.step(now["action"].numpy())
        np.testing.assert_array_equal(now["next", "observation"], observation)
        np.testing.assert_array_equal(now["next", "action_mask"], info["action_mask"])
        np.testing.assert_array_equal(now["next", "reward"][:, 0], reward.astype(np.float32))
        np.testing.assert_array_equal(now["next", "truncated"][:, 0], truncated)
        done = terminated | truncated  # the payoff at a limit is final
        np.testing.assert_array_equal(now["next", "terminated"][:, 0], done)
        np.testing.assert_array_equal(now["next", "done"][:, 0], done)
        if done.any():
            observation, info = envs.reset(options={"reset_mask": done})
            ended += done.sum()
    assert ended >= ROWS


def test_opponents_are_those_of_the_other_interfaces() -> None:
    asked = []

    def first(observation: np.ndarray, mask: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        asked.append(len(observation))
        return mask.argmax(1)

    for opponent in ("greedy", first, {"random": 1.0, "greedy": 3.0}):
        played_by(OneSeatEnv("resistor", 4, opponent=opponent), 10)
    assert asked
    env = OneSeatEnv("estimatrix", 4, players=[3, 4], opponent=[first, "greedy", "random"], seat="rotate")
    assert played_by(env, 20)["seat"].max() > 1
    with pytest.raises(PolicyError, match=r"2 opponents are given; .* has 3 other seats"):
        OneSeatEnv("estimatrix", 4, players=[3, 4], opponent=[first, "greedy"])
    asked.clear()
    env.set_opponent("greedy")
    env.reset()
    env.rollout(5)
    assert not asked


def test_an_illegal_action_can_be_a_forfeit() -> None:
    env = OneSeatEnv("quatrix", 2, illegal_action="forfeit", seed=1)
    begun = env.reset()
    now = env.step(begun.set("action", (~begun["action_mask"]).int().argmax(1)))["next"]
    assert (now["reward"] == -1).all() and now["terminated"].all() and not now["action_mask"].any()


# -- all seats -------------------------------------------------------------------------------


@every_game
def test_all_seats_are_what_the_simulator_says(game: Game) -> None:
    """Same seeds and actions: the same bytes. They are what the seat beside them may see, and nothing else."""
    played = played_by(AllSeatsEnv(game, ROWS, max_decisions=60))
    seen = {"observation", "action_mask", "seat", "decisions", "rewards"}
    ends = {"done", "terminated", "truncated"}
    assert set(played.keys()) == seen | ends | {"action", "next"}
    assert set(played["next"].keys()) == seen | ends | {"reward"}
    sim = Simulator(game, ROWS, {"max_decisions": 60}, seed=SEED)
    rows, ended = np.arange(ROWS), 0
    for step in range(STEPS):
        before = played[:, step]
        np.testing.assert_array_equal(before["decisions"], sim.states["decisions"])
        seat = sim.mover.copy()
        sim.step(before["action"].numpy())
        for now, mover in ((before, seat), (before["next"], np.maximum(sim.mover, 0))):
            np.testing.assert_array_equal(now["seat"], mover)
        observation, mask = sim.view(np.maximum(sim.mover, 0))
        np.testing.assert_array_equal(before["next", "observation"], observation)
        np.testing.assert_array_equal(before["next", "action_mask"], mask)
        np.testing.assert_array_equal(before["next", "rewards"], sim.reward)
        np.testing.assert_array_equal(before["next", "reward"][:, 0], sim.reward[rows, seat])
        np.testing.assert_array_equal(before["next", "terminated"][:, 0], sim.over)
        np.testing.assert_array_equal(before["next", "truncated"][:, 0], sim.truncated)
        sim.restart(np.flatnonzero(sim.over))
        ended += int(before["next", "done"].sum())
        if step + 1 < STEPS:
            np.testing.assert_array_equal(played[:, step + 1]["observation"], sim.observation)
            np.testing.assert_array_equal(played[:, step + 1]["action_mask"], sim.mask)
    assert ended >= ROWS


def collected(env: EnvBase, steps: int, batches: int, **arguments: Any) -> list[TensorDictBase]:
    torch.manual_seed(1)
    frames = steps * env.batch_size[0]
    collector = Collector(
        env, env.rand_action, frames_per_batch=frames, total_frames=frames * batches, **arguments
    )
    return [batch.clone() for batch in collector]


def by_hand(batches: list[TensorDictBase]) -> list[dict[tuple[int, int], list[dict[str, Any]]]]:
    """What `LinkDecisions` must say, decision by decision; for each batch, by row and seat."""
    opened: dict[tuple[int, int], dict[str, Any]] = {}
    said = []
    for batch in batches:
        closed: dict[tuple[int, int], list[dict[str, Any]]] = {}
        for row in range(len(batch)):
            for now in batch[row]:
                if now["decisions"] == 0:
                    opened = {place: each for place, each in opened.items() if place[0] != row}
                place = (row, int(now["seat"]))
                if place in opened:
                    closed.setdefault(place, []).append(opened[place] | {"next": now["observation"]})
                opened[place] = {"observation": now["observation"], "action": now["action"], "reward": 0.0}
                for (other, seat), each in [*opened.items()]:
                    if other == row:
                        each["reward"] += float(now["next", "rewards"][seat])
                        if now["next", "terminated"]:
                            closed.setdefault((row, seat), []).append(opened.pop((row, seat)) | {"next": None})
        said.append(closed)
    return said


@pytest.mark.parametrize(
    ("game", "mixed"),
    [(game, False) for game in polytrix.all_games()] + [(polytrix.find("estimatrix"), True)],
)
def test_each_decision_is_linked_to_the_next_one_of_its_seat(game: Game, mixed: bool) -> None:
    options: dict[str, Any] = {"max_decisions": [15, 40], "shaping": 0.5 if game.potential else 0.0}
    if mixed:
        options["players"] = [3, 4]
    env = AllSeatsEnv(game, ROWS, gamma=0.9, seed=SEED, **options)
    batches = collected(env, 12, 6)
    linking, ended = LinkDecisions(), 0
    for batch, expected in zip(batches, by_hand(batches), strict=True):
        linked = linking(batch)
        places = sorted(expected)
        assert len(linked) == sum(map(len, expected.values()))
        number = 0
        for place in places:
            for count, each in enumerate(expected[place], 1):
                now = linked[number]
                number += 1
                assert now["seat"] == place[1]
                assert (now["observation"] == each["observation"]).all() and now["action"] == each["action"]
                np.testing.assert_allclose(now["next", "reward"], each["reward"], rtol=1e-5, atol=1e-6)
                over, last = each["next"] is None, count == len(expected[place])
                after = torch.zeros_like(now["observation"]) if over else each["next"]
                assert (now["next", "observation"] == after).all()
                assert over or now["next", "seat"] == place[1]
                flags = [bool(now["next", flag]) for flag in ("done", "terminated", "truncated")]
                assert flags == [over or last, over, last and not over]
                ended += over
    assert ended


def test_a_post_processor_in_the_collector_does_the_same() -> None:
    arguments: dict[str, Any] = {"max_decisions": 15, "seed": 3}
    batches = collected(AllSeatsEnv("resistor", 4, **arguments), 10, 3)
    linking = LinkDecisions()
    expected = [linking(batch).clone() for batch in batches]
    same = collected(
        AllSeatsEnv("resistor", 4, **arguments), 10, 3, postproc=LinkDecisions(), return_same_td=True
    )
    for one, other in zip(expected, same, strict=True):
        assert (one == other).all() and "rewards" not in one.keys()  # noqa: SIM118


def test_shaping_runs_from_a_seats_decision_to_its_next_one() -> None:
    batch = collected(AllSeatsEnv("quatrix", 1, seed=1, max_decisions=20, shaping=0.5, gamma=0.9), 60, 1)[0]
    linked = LinkDecisions()(batch)
    simulator = Simulator(polytrix.find("quatrix"), 1, {"max_decisions": 20}, seed=1)
    potential = np.zeros(60)
    for step, action in enumerate(batch["action"][0]):
        potential[step] = simulator.potential()[0, simulator.mover[0]]
        simulator.step(action.numpy()[None])
        simulator.restart(np.flatnonzero(simulator.over))
    for seat in range(2):
        own, mine = (each["seat"].reshape(-1).numpy() == seat for each in (batch, linked))
        before = potential[own]
        paid = linked["next", "reward"][mine, 0].numpy()
        over = linked["next", "terminated"][mine, 0].numpy()
        after = np.where(over, 0.0, np.append(before[1:], 0.0)[: len(over)])
        np.testing.assert_allclose(paid, 0.5 * (0.9 * after - before[: len(over)]), atol=1e-6)
        assert over.sum() == 3  # by the limit, where quatrix has no winner


def test_a_limit_of_the_collector_abandons_games() -> None:
    """A game that TorchRL cuts off has no payoff: its open decisions are linked to nothing."""
    env = TransformedEnv(AllSeatsEnv("quatrix", 2, seed=1), StepCounter(7))
    batch = collected(env, 21, 1)[0]
    linked = LinkDecisions()(batch)
    assert batch["next", "done"].sum() == 6 and not linked["next", "terminated"].any()
    assert len(linked) == 2 * 3 * (7 - 2)


def test_advantages_by_gae_are_those_along_each_seats_decisions() -> None:
    env = AllSeatsEnv("resistor", 4, seed=2, max_decisions=12)
    linked = LinkDecisions()(collected(env, 40, 1)[0])
    net = nn.Linear(env.game.observations.size, 1)
    module = TensorDictModule(lambda seen: net(seen.float()), in_keys=["observation"], out_keys=["state_value"])
    with torch.no_grad():
        GAE(gamma=0.9, lmbda=0.8, value_network=module)(linked)
        after = net(linked["next", "observation"].float())[:, 0].numpy()
    value, reward = (linked[name].numpy()[:, 0] for name in ("state_value", ("next", "reward")))
    done, over = (linked["next", flag].numpy()[:, 0] for flag in ("done", "terminated"))
    following = np.where(done, END, np.arange(len(value)) + 1)
    bootstrapped = reward + np.where(done & ~over, np.float32(0.9) * after, np.float32(0))
    expected = estimate(following, bootstrapped, value, np.float32(0.9), np.float32(0.8))
    np.testing.assert_allclose(linked["advantage"][:, 0], expected, rtol=1e-4, atol=1e-5)
    assert OPEN not in following and over.sum() > 4


def test_a_batch_of_another_shape_is_refused() -> None:
    linking = LinkDecisions()
    batch = played_by(AllSeatsEnv("quatrix", 4), 5)
    linking(batch)
    with pytest.raises(ValueError, match=r"has shape \(3, 5\); allowed: \(4, steps\)"):
        linking(batch[:3])
    with pytest.raises(ValueError, match=r"has shape \(20,\); allowed"):
        LinkDecisions()(batch.reshape(-1))


# -- groups ----------------------------------------------------------------------------------


@every_game
def test_each_agent_of_a_group_sees_what_its_seat_may_see(game: Game) -> None:
    shaping = 0.5 if game.potential else 0.0
    env = GroupedEnv(game, ROWS, max_decisions=60, shaping=shaping, gamma=0.9)
    played = played_by(env)
    agents = len(env.group_map["agents"])
    assert set(played.keys()) == {"agents", "next", "done", "terminated", "truncated"}
    assert set(played["agents"].keys()) == {"observation", "action_mask", "action"}
    sim = Simulator(game, ROWS, {"max_decisions": 60}, seed=SEED)
    for step in range(STEPS):
        now = played[:, step]
        for seat in range(agents):
            observation, mask = sim.view(seat)
            mask[sim.mover != seat, 0] = 1  # it waits
            np.testing.assert_array_equal(now["agents", "observation"][:, seat], observation)
            np.testing.assert_array_equal(now["agents", "action_mask"][:, seat], mask)
        before = sim.potential() if shaping else 0.0
        sim.step(now["agents", "action"].numpy()[np.arange(ROWS), sim.mover])
        paid = sim.reward + (shaping * (0.9 * sim.potential() - before) if shaping else 0.0)
        np.testing.assert_allclose(now["next", "agents", "reward"][..., 0], paid[:, :agents], atol=1e-6)
        np.testing.assert_array_equal(now["next", "terminated"][:, 0], sim.over)
        sim.restart(np.flatnonzero(sim.over))


def test_groups_have_equally_many_agents() -> None:
    assert GroupedEnv("estimatrix", 2, players=4).group_map["agents"][-1] == "player_3"
    with pytest.raises(OptionError, match=r"the games have \[3, 4\] players; allowed: the same number"):
        GroupedEnv("estimatrix", 2, players=[3, 4])


# -- learning --------------------------------------------------------------------------------


def actor_of(env: EnvBase) -> ProbabilisticActor:
    net = nn.Linear(env.game.observations.size, env.game.actions.size)
    return ProbabilisticActor(
        TensorDictModule(lambda seen: net(seen.float()), in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )


@pytest.mark.parametrize("form", [OneSeatEnv, AllSeatsEnv])
def test_a_masked_policy_plays_in_a_collector_without_an_illegal_action(form: type[Any]) -> None:
    """The environment raises at the first one."""
    env = form("resistor", 8, max_decisions=15)
    ended = 0
    for batch in Collector(env, actor_of(env), frames_per_batch=80, total_frames=400):
        assert (batch["action_mask"].gather(-1, batch["action"][..., None])).all()
        ended += int(batch["next", "done"].sum())
    assert ended > 8


# -- the page and the example ------------------------------------------------------------------


def test_the_page_runs() -> None:
    names = run_python_of("torchrl.md")
    played: Any = names["played"]
    assert bool(played["action_mask"].gather(-1, played["action"][..., None]).all())
    batch: Any = names["batch"]
    assert batch.ndim == 1 and batch["next", "terminated"].any()


@pytest.mark.slow
def test_the_example_learns() -> None:
    """A minute and a half of what the page calls for 40."""
    output = run_example("torchrl_resistor.py", "--cpu-minutes", "1.5", "--games", "500")
    before, after = map(float, re.findall(r"wins against greedy (?:before|after): (\d+\.\d)%", output))
    assert command_of("torchrl.md", "torchrl_resistor.py") == []
    assert after >= before + 5
