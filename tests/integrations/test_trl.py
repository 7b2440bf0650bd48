"""TRL's GRPO plays games by `rollouts` and learns from their payoffs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("trl", reason="needs the extra trl: make test-integrations")

import torch

from polytrix.llm import MODEL, Prompts
from polytrix.llm.models import as_prompt
from polytrix.llm.setup import Setup
from polytrix.llm.transformers import Answer, ChatModel
from polytrix.training.language.demonstrations import demonstrations
from polytrix.training.language.tiny_model import tiny_model
from tests.pages import ROOT, python_of

BRIEF = Prompts(rules=False, notation=False, legal_moves=False, memory=0)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """The names of the page, which has run for two steps with a tiny model that has learned to name moves."""
    setup = Setup("resistor", [MODEL] * 2, options={"deck": "micro"}, prompts=BRIEF)
    shown = [each for seed in range(40) for each in demonstrations(setup, "greedy", 0.2, seed)]
    torch.manual_seed(1)
    texts, answers = [as_prompt(each.chat) for each in shown], [each.answer for each in shown]
    model = tiny_model(texts, answers, vocabulary=400, layers=1, width=16, heads=2)
    optimizer = torch.optim.Adam(model.network.parameters(), lr=0.02)
    chats, spelled = model.tokens_of([each.chat for each in shown]), model.tokens_of_answers(answers)
    for step in range(320):
        optimizer.zero_grad()
        loss = -model.log_probabilities(chats[step % 4 :: 4], spelled[step % 4 :: 4]).mean()
        loss.backward()
        optimizer.step()
    code = python_of(ROOT / "docs" / "trl.md")
    for given, short in (
        ("max_steps=100", "max_steps=2, save_strategy='no'"),
        ("learning_rate=1e-5", "learning_rate=0.01"),
        ("per_device_train_batch_size=16", "per_device_train_batch_size=8"),
        ("num_generations=8", "num_generations=4"),
    ):
        assert code.count(given) == 1
        code = code.replace(given, short)
    names: dict[str, Any] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("page"))
        model.save(Path("runs/language-resistor/imitation"))
        exec(code, names)
        yield names


def test_the_page_learns_from_games(page: dict[str, Any]) -> None:
    trainer, model = page["trainer"], page["model"]
    assert trainer.state.global_step == 2
    first = ChatModel.load("runs/language-resistor/imitation").network.state_dict()
    now = model.network.state_dict()
    assert any(not torch.equal(first[name], now[name].cpu()) for name in first)
    rewards = [line["reward"] for line in trainer.state.log_history if "reward" in line]
    assert rewards and all(-1 <= reward <= 1 for reward in rewards)


def test_a_sample_is_a_turn_of_its_game(page: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Answer] = []
    answers = page["model"].answers

    def heard(*arguments: Any, **named: Any) -> list[Answer]:
        said: list[Answer] = answers(*arguments, **named)
        asked.extend(said)
        return said

    monkeypatch.setattr(page["model"], "answers", heard)
    samples = page["play"](["3", "3", "4"], page["trainer"])
    turns = [(each.prompt, each.tokens) for each in asked]
    assert all(turn in turns for turn in zip(samples["prompt_ids"], samples["completion_ids"], strict=True))
    assert len(samples["payoff"]) == 3 and {*samples["payoff"]} <= {-1.0, 0.0, 1.0}
