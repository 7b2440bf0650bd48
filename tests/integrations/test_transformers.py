"""Language models of Transformers: they play by text, and learn by imitation and policy gradient."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("transformers", reason="needs the extra transformers: make test-integrations")

import torch

from polytrix.core.errors import PolicyError
from polytrix.core.transcript import Transcript
from polytrix.llm import MODEL, Message, Prompts, Rollout, Turn, rollouts
from polytrix.llm.models import as_prompt
from polytrix.llm.setup import Setup
from polytrix.llm.transformers import Answer, ChatModel
from polytrix.training.language.demonstrations import Demonstration, demonstrations
from polytrix.training.language.learning import clipped_loss, minibatches, returns_of
from polytrix.training.language.tiny_model import tiny_model
from polytrix.training.language_model import LanguageRun, Learner, read_settings, train
from tests.cli.running import refused, run

from .examples import run_python_of

GAMES: dict[str, dict[str, Any]] = {
    "quatrix": {"max_decisions": 30},
    "resistor": {},
    "pressure_matrix": {},
    "estimatrix": {"players": 3},
    "pixel_tactics": {"max_decisions": 60},
}
SHORT = Prompts(rules=False, notation=False, legal_moves=False, memory=0)
BRIEF = [
    *("resistor", "--options.deck", "micro", "--layers", "1", "--width", "16", "--heads", "2"),
    *("--vocabulary", "400", "--positions", "600", "--games", "24", "--games-at-once", "12"),
    *("--batch-size", "16", "--learning-rate", "0.01", "--answer-tokens", "5"),
    *("--final-games", "4"),
]


def examples(game: str, seeds: range = range(2)) -> list[Demonstration]:
    options = GAMES[game] if game != "resistor" else {"deck": "micro"}
    setup = Setup(game, [MODEL] * options.get("players", 2), options=options, prompts=SHORT)
    return [each for seed in seeds for each in demonstrations(setup, "greedy", 0.2, seed)]


def tiny(shown: list[Demonstration]) -> ChatModel:
    torch.manual_seed(1)
    texts, answers = [as_prompt(each.chat) for each in shown], [each.answer for each in shown]
    return tiny_model(texts, answers, vocabulary=400, layers=1, width=16, heads=2)


@pytest.fixture(scope="module")
def model() -> ChatModel:
    made = tiny(examples("resistor", range(8)))
    made.longest_answer = 5
    return made


def settings_in(folder: Path, *more: str) -> Any:
    return read_settings([*BRIEF, "--out", str(folder), *more])


# -- texts and tokens -----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_tokens_give_back_every_text(game: str) -> None:
    shown = examples(game)
    made = tiny(shown[::2])
    for each, tokens in zip(shown, made.tokens_of([each.chat for each in shown]), strict=True):
        assert made.tokenizer.decode(tokens) == as_prompt(each.chat) + "\n\n"
        assert len(tokens) < len(as_prompt(each.chat)) / 3
    for each, tokens in zip(shown, made.tokens_of_answers([each.answer for each in shown]), strict=True):
        assert made.tokenizer.decode(tokens, skip_special_tokens=True) == each.answer
        assert tokens[-1] == made.tokenizer.eos_token_id


def test_teachers_answers_are_legal_and_their_games_vary() -> None:
    setup = Setup("resistor", [MODEL] * 2, prompts=SHORT)
    for seed in range(2):
        episode = setup.episode(seed)
        for shown in demonstrations(setup, "greedy", 0.0, seed):
            assert shown.chat == episode.messages()
            assert episode.answer(shown.answer) is None
        assert episode.over
    still, varied = (list(demonstrations(setup, "greedy", share, 1)) for share in (0.0, 0.5))
    assert still[0] == varied[0] and still != varied


def test_a_chat_as_one_text_has_the_same_tokens(model: ChatModel) -> None:
    for shown in examples("resistor", range(3)):
        chats: list[list[Message]] = [shown.chat, [{"role": "user", "content": as_prompt(shown.chat)}]]
        assert len({tuple(tokens) for tokens in model.tokens_of(chats)}) == 1


# -- answers and how probable they are --------------------------------------------------------------------


def test_answers_are_as_probable_as_they_were_when_sampled(model: ChatModel) -> None:
    chats = [each.chat for each in examples("resistor", range(4))]
    torch.manual_seed(3)
    said = model.answers(chats, temperature=1.0)
    assert len({len(each.prompt) for each in said}) > 1  # padded
    assert all(model.tokenizer.decode(each.tokens, skip_special_tokens=True) == each for each in said)
    for number in (None, 0, -1):
        some = said if number is None else [said[number]]
        found = model.log_probabilities([each.prompt for each in some], [each.tokens for each in some])
        expected = torch.tensor([each.log_probability for each in some])
        assert torch.allclose(found, expected, atol=1e-3)


def test_the_most_probable_answer_does_not_depend_on_the_batch(model: ChatModel) -> None:
    chats = [each.chat for each in examples("resistor", range(3))]
    said, replies = model.answers(chats), [model(chat) for chat in chats]
    assert said == [reply.text for reply in replies]
    ended = [model.tokenizer.eos_token_id in each.tokens for each in said]
    assert [reply.cut for reply in replies] == [not end for end in ended]


def test_rollouts_keep_the_answers_with_their_tokens(model: ChatModel) -> None:
    found = list(rollouts("resistor", model.answers, 3, batch=2, prompts=SHORT, attempts=1, seed=5))
    for rollout in found:
        for turn in rollout.turns:
            assert isinstance(turn.answer, Answer)
            assert turn.answer.prompt == model.tokens_of([turn.prompt])[0]
    assert all(rollout.forfeited for rollout in found)  # it knows nothing yet


# -- learning -----------------------------------------------------------------------------------------------


def test_imitation_lowers_the_loss(tmp_path: Path) -> None:
    learning = Learner(settings_in(tmp_path, "--positions", "4000"))
    losses = [learning.imitate()["train/loss"] for _ in range(5)]
    assert losses[-1] < 0.5 * losses[0]


def rollout_of(answers: list[Answer], rewards: list[float]) -> Rollout:
    """A game of one question for each answer."""
    turns = tuple(Turn((), said, None, reward) for said, reward in zip(answers, rewards, strict=True))
    return Rollout(0, 0, (), turns, sum(rewards), False, Transcript("", {}, 0))


def test_the_policy_gradient_makes_rewarded_answers_more_probable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learning = Learner(settings_in(tmp_path, "--gamma", "0", "--policy-learning-rate", "0.01"))
    chats = [each.chat for each in examples("resistor", range(4))]
    learning.model.longest_answer = 3
    said = learning.model.answers(chats, temperature=1.0)
    rewards = [1.0 if number % 2 else -1.0 for number in range(len(said))]
    monkeypatch.setattr(learning, "play", lambda *_, **__: [rollout_of(said, rewards)])
    assert learning.reinforce() == {"rollout/payoff": pytest.approx(sum(rewards))}
    now = learning.model.log_probabilities([each.prompt for each in said], [each.tokens for each in said])
    change = (now - torch.tensor([each.log_probability for each in said])).detach()
    worth = torch.tensor(rewards)
    assert change[worth > 0].mean() > change[worth < 0].mean() + 0.1


def test_minibatches_have_every_prompt_once_and_pad_little() -> None:
    prompts = [[0] * length for length in (5, 1, 9, 2, 8, 1, 7)]
    parts = list(minibatches(prompts, 3, np.random.default_rng(1)))
    assert sorted(each for part in parts for each in part) == list(range(7))
    assert sorted(sorted(len(prompts[each]) for each in part) for part in parts) == [[1, 1, 2], [5, 7, 8], [9]]


def test_what_followed_an_answer_is_discounted() -> None:
    said = [Answer("x", [1], [2], -1.0)] * 3
    assert returns_of(rollout_of(said, [0.0, 0.5, -1.0]), 0.5) == [0.0, 0.0, -1.0]
    assert returns_of(rollout_of(said, [0.0, 0.0, 1.0]), 0.5) == [0.25, 0.5, 1.0]


def test_the_loss_is_clipped() -> None:
    now = torch.tensor([0.5, -0.5, 0.5, -0.5], requires_grad=True)
    clipped_loss(now, torch.zeros(4), torch.tensor([1.0, 1.0, -1.0, -1.0]), 0.2).backward()  # type: ignore[no-untyped-call]
    assert now.grad is not None
    assert [bool(each) for each in now.grad] == [False, True, True, False]


# -- runs ---------------------------------------------------------------------------------------------------


class Killed(Exception):  # noqa: N818  # no error
    """The process ends here."""


def outcome(folder: Path) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
    """The weights of a finished run, and what was measured."""
    record = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    weights = ChatModel.load(folder / "policy_gradient").network.state_dict()
    return weights, {name: record[name] for name in ("results", "curve", "positions", "games")}


def test_a_killed_run_goes_on_exactly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    train(settings_in(tmp_path / "whole"))
    killed = settings_in(tmp_path / "killed", "--checkpoint-seconds", "0")
    for stage, times in (("imitate", 1), ("reinforce", 1)):
        step, left = getattr(Learner, stage), times

        def until(self: Learner, step: Any = step) -> dict[str, float]:
            nonlocal left
            left -= 1
            if left < 0:
                raise Killed
            done: dict[str, float] = step(self)
            return done

        with monkeypatch.context() as patch:
            patch.setattr(Learner, stage, until)
            with pytest.raises(Killed):
                train(killed)
    train(killed)
    (one, told), (other, told_too) = outcome(tmp_path / "whole"), outcome(tmp_path / "killed")
    assert told == told_too
    assert one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)
    assert "policy gradient" in (tmp_path / "whole" / "card.md").read_text(encoding="utf-8")
    assert (tmp_path / "whole" / "curve.png").stat().st_size > 5_000

    with pytest.raises(SystemExit, match=r"other settings \(gamma\)"):
        LanguageRun(replace(killed, gamma=0.5))


def test_the_page_runs(tmp_path: Path, model: ChatModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    model.save(tmp_path / "runs" / "language-resistor" / "policy_gradient")
    names = run_python_of("transformers.md")
    loaded = names["model"]
    assert isinstance(loaded, ChatModel) and any(each.grad is not None for each in loaded.network.parameters())


def test_the_arena_plays_with_a_saved_model(tmp_path: Path, model: ChatModel) -> None:
    model.save(tmp_path / "mine")
    out = tmp_path / "rated.json"
    run(
        *("arena", "resistor", "greedy", f"hf:{tmp_path / 'mine'}", "-o", "deck=micro", "--model-deals", "1"),
        *("--no-rules", "--no-list-moves", "--memory", "0", "--attempts", "1", "--json", str(out)),
    )
    figures = json.loads(out.read_text(encoding="utf-8"))["language_models"]["models"]["mine"]
    assert figures["answers"] == figures["decisions"] == figures["forfeits"] > 0
    assert 30 * figures["answers"] < figures["prompt_tokens"] < 120 * figures["answers"]


# -- what cannot be used ------------------------------------------------------------------------------------


def test_a_damaged_model_is_refused(tmp_path: Path, model: ChatModel) -> None:
    with pytest.raises(PolicyError, match=r"has no model; expected a folder with config\.json"):
        ChatModel.load(tmp_path)
    model.save(tmp_path)
    assert ChatModel.load(tmp_path).mark == ChatModel.load(tmp_path).mark
    weights = tmp_path / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    with pytest.raises(PolicyError, match="cannot be read"):
        ChatModel.load(tmp_path)
    weights.unlink()
    (tmp_path / "pytest.bin").write_bytes(b"\x80\x04.")  # a pickle could run code
    with pytest.raises(PolicyError, match=r"expected a folder with config\.json, \*\.safetensors"):
        ChatModel.load(tmp_path)


def test_a_model_without_a_chat_template_is_refused(tmp_path: Path, model: ChatModel) -> None:
    model.save(tmp_path)
    (tmp_path / "chat_template.jinja").unlink()
    with pytest.raises(PolicyError, match="has no chat template"):
        ChatModel.load(tmp_path)


def test_settings_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    for more, problem in (
        (("--opponents", "greedi"), "greedi"),
        (("--heads", "3"), "--heads is 3"),
        (("--model", str(tmp_path / "none")), "--model: .* has no model"),
        (("--batch-size", "0"), "--batch-size is 0"),
    ):
        with pytest.raises(SystemExit, match=problem):
            train(settings_in(tmp_path / "run", *more))


def test_the_command_says_what_is_wrong(tmp_path: Path) -> None:
    assert "has no model" in refused("arena", "resistor", "greedy", f"hf:{tmp_path}")
