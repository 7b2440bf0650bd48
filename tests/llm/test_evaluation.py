"""One command rates a language model, and its report says what the model's server has seen."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polytrix
from polytrix.arena import Tournament, contestants
from polytrix.arena.records import Records
from polytrix.core.transcript import Transcript
from polytrix.llm.evaluation import Evaluation, Terms, language_model
from polytrix.llm.models import ModelError, Reply
from polytrix.llm.prompts import Message
from tests.cli.running import refused, run
from tests.commands import with_sources
from tests.every_game import GAMES
from tests.llm.server import ScriptedServer, serving
from tests.pages import ROOT, commands

UNSTEADY = {"malformed": 0.06, "illegal": 0.04, "busy": 0.02, "broken": 0.01, "cut": 0.01}


def command(game: str, server: ScriptedServer, out: Path, *more: str) -> list[str]:
    options = ["-o", "players=3"] if game == "estimatrix" else []
    return [
        *("arena", game, "random", "greedy", "llm:scripted", *options, "--deals", "4", "--model-deals", "1"),
        *("--base-url", server.url, "--json", str(out), "--table", "greedy", *more),
    ]


def games_in(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(file.read_text()) for file in sorted(folder.iterdir())]


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


@pytest.mark.parametrize("game", ["resistor", "estimatrix"])
def test_the_report_says_what_the_server_has_done(game: str, tmp_path: Path) -> None:
    out = tmp_path / "result.json"
    with serving(seed=3, shares=UNSTEADY) as server:
        printed = run(*command(game, server, out, "--price", "2", "8")).stdout
        result = json.loads(out.read_text())
        figures, done = result["language_models"]["models"]["scripted"], server.done
        assert figures["answers"] == server.answered > 15
        assert figures["decisions"] == done["move"] and figures["failed"] == figures["forfeits"] == 0
        assert (figures["malformed"], figures["illegal"]) == (done["malformed"], done["illegal"])
        assert (
            figures["requests"]
            == len(server.requests)
            == server.answered + sum(done[kind] for kind in ("busy", "broken", "cut"))
        )
        assert figures["prompt_tokens"] == server.tokens["prompt_tokens"]
        assert figures["completion_tokens"] == server.tokens["completion_tokens"]
        dollars = (2 * figures["prompt_tokens"] + 8 * figures["completion_tokens"]) / 1e6
        assert figures["cost"] == pytest.approx(dollars) and f"${dollars:.2f}" in printed
        assert server.most_at_once <= 8
        assert {body["model"] for body in server.requests} == {"scripted"} and server.keys == {"Bearer none"}

        games = games_in(tmp_path / "result.games")
        assert len(games) == figures["games"] == result["players"]
        rewards = []
        for kept in games:
            seat = kept["players"].index("scripted")
            assert kept["players"].count("scripted") == 1
            assert Transcript.from_text(json.dumps(kept)).payoffs() == tuple(kept["language_models"]["rewards"])
            rewards.append(kept["language_models"]["rewards"][seat])
        agent = next(each for each in result["agents"] if each["name"] == "scripted")
        assert agent["payoff"] == pytest.approx(np.mean(rewards)) and agent["games"] == len(games)

        before = len(server.requests)
        run(*command(game, server, out, "--price", "2", "8"))
        assert len(server.requests) == before and json.loads(out.read_text()) == result


def test_one_command_rates_a_model_in_all_games(tmp_path: Path) -> None:
    arguments = [
        *("arena", "all", "random", "greedy", "scripted=llm:any", "-o", "max_decisions=24", "-o", "players=3"),
        *("--deals", "2", "--model-deals", "1", "--table", "greedy", "--json", str(tmp_path / "all.json")),
    ]
    with serving(seed=5, shares=UNSTEADY) as server:
        given = [*arguments, "--base-url", server.url]
        printed = run(*given).stdout
        asked = len(server.requests)
        together = json.loads((tmp_path / "all.json").read_text())
        figures = together["language_models"]["models"]["scripted"]
        assert figures["requests"] == asked and figures["answers"] == server.answered
        assert (figures["malformed"], figures["illegal"]) == (server.done["malformed"], server.done["illegal"])
        assert run(*given).stdout == printed and len(server.requests) == asked
        assert json.loads((tmp_path / "all.json").read_text()) == together
    assert together["files"] == {game: f"all_{game}.json" for game in GAMES} and "ratings, all games" in printed
    single = [json.loads((tmp_path / together["files"][game]).read_text()) for game in GAMES]
    players = {game: result["players"] for game, result in zip(GAMES, single, strict=True)}
    assert players == dict.fromkeys(GAMES, 2) | {"estimatrix": 3, "pressure_matrix": 3}
    for counted in ("games", "decisions", "answers", "malformed", "illegal", "requests", "prompt_tokens"):
        of_games = [result["language_models"]["models"]["scripted"][counted] for result in single]
        assert sum(of_games) == figures[counted] and min(of_games) >= 0
    for agent in together["agents"]:
        rows = [one for result in single for one in result["agents"] if one["name"] == agent["name"]]
        ratings = [one["rating"] for one in rows]
        assert [agent["ratings"][game] for game in GAMES] == ratings
        assert agent["rating"] == pytest.approx(np.mean(ratings))
    estimatrix = single[GAMES.index("estimatrix")]
    hints = {agent["name"]: agent["behaviour"]["repeats"][1] for agent in estimatrix["agents"]}
    assert 0 < hints["scripted"] < hints["random"], "a deal of games and two"


class Mute(ScriptedServer):
    """Never names a legal move."""

    def next_kind(self, chat: list[dict[str, str]]) -> str:
        return "illegal"


def test_a_model_that_says_nothing_legal_forfeits_or_plays_at_random(tmp_path: Path) -> None:
    with serving(kind=Mute) as server:
        for failure in ("forfeit", "random"):
            out = tmp_path / f"{failure}.json"
            run(*command("resistor", server, out, "--on-failure", failure, "--attempts", "2"))
            figures = json.loads(out.read_text())["language_models"]["models"]["scripted"]
            assert figures["illegal"] == figures["answers"] == 2 * figures["failed"]
            assert figures["failed"] == figures["decisions"]
            assert figures["forfeits"] == (2 if failure == "forfeit" else 0)
            games = games_in(tmp_path / f"{failure}.games")
            for game in games:
                seat = game["players"].index("scripted")
                about = game["language_models"]
                assert about["forfeited"] == (seat if failure == "forfeit" else None)
                if failure == "forfeit":
                    assert about["rewards"][seat] == -1.0 and about["rewards"][1 - seat] == 1.0
                    assert game["payoffs"] is None


def test_games_are_played_side_by_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "in_pairs.py").write_text(
        "import threading\n"
        "both = threading.Barrier(2)\n"
        "def answer(prompt):\n"
        "    both.wait(60)  # fails if nobody else asks meanwhile\n"
        "    return 'nothing'\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    run(
        *("arena", "quatrix", "greedy", "ask:in_pairs:answer", "--table", "greedy", "--model-deals", "1"),
        *("--attempts", "1", "--on-failure", "forfeit", "--deals", "4", "--json", str(tmp_path / "out.json")),
    )
    assert len(games_in(tmp_path / "out.games")) == 2


def test_nothing_is_asked_twice_after_a_kill(tmp_path: Path) -> None:
    """The server kills the client instead of answering; each answer that was sent is asked for once only."""
    out, processes = tmp_path / "result.json", list[subprocess.Popen[bytes]]()
    kills = [7, 40]

    def maybe_kill(answered: int) -> None:
        if kills and answered >= kills[0]:
            kills.pop(0)
            os.kill(processes[-1].pid, signal.SIGKILL)
            processes[-1].wait()

    with serving(seed=5, before=maybe_kill, shares={"malformed": 0.1}) as server:
        arguments = command("resistor", server, out, "--concurrency", "1")
        codes = []
        for _ in range(3):
            whole = [sys.executable, "-m", "polytrix.cli", *arguments]
            processes.append(subprocess.Popen(whole, env=with_sources()))
            codes.append(processes[-1].wait())
        assert codes == [-signal.SIGKILL, -signal.SIGKILL, 0] and not kills
        figures = json.loads(out.read_text())["language_models"]["models"]["scripted"]
        lost = 2  # the answers that the kills have cost were never sent
        assert figures["answers"] == server.answered - lost == figures["requests"]
        chats = [json.dumps(body["messages"]) for body in server.requests]
        assert len(chats) - len(set(chats)) <= lost + 1  # the first question of a deal's games may be the same
        assert not list((tmp_path / "result.games").glob("*.answers.jsonl"))


def test_a_server_that_fails_stops_the_evaluation_and_nothing_is_lost(tmp_path: Path) -> None:
    out = tmp_path / "result.json"
    with serving(seed=5) as server:
        arguments = command("resistor", server, out, "--retries", "0", "--concurrency", "2")
        server.before = lambda answered: server.shares.update(broken=float(answered >= 20))
        assert "llm:scripted does not answer: 500 Internal Server Error" in refused(*arguments)
        assert not out.exists()
        server.before = lambda answered: None
        server.shares.clear()
        run(*arguments)
        figures = json.loads(out.read_text())["language_models"]["models"]["scripted"]
        assert figures["answers"] == server.answered


class Strict(ScriptedServer):
    """Refuses chats that many servers refuse: empty messages, and unreadable text."""

    def next_kind(self, chat: list[dict[str, str]]) -> str:
        assert all(each["content"].strip() for each in chat)
        json.dumps(chat, ensure_ascii=False).encode()
        return super().next_kind(chat)


def test_after_a_failure_the_same_evaluation_can_go_on() -> None:
    class Recovering:
        name = mark = "recovering"
        asked = 0

        def __call__(self, messages: Sequence[Message]) -> Reply:
            self.asked += 1
            if self.asked == 1:
                raise ModelError("not yet")
            return Reply("nothing")

    game, model, terms = polytrix.find("resistor"), Recovering(), Terms(attempts=1)
    agents = [language_model(model.name, model, terms), *contestants(game, ["random"])]
    tournament = Tournament(game, game.options.defaults, agents, 1)
    evaluation = Evaluation(tournament, {model.name: model}, terms, concurrency=1)
    records = Records(game, game.options.defaults, 0)
    with pytest.raises(ModelError):
        evaluation.play(records)
    evaluation.play(records)
    assert len(evaluation.games) == 2


@pytest.mark.parametrize(
    "message",
    [{"content": "", "reasoning_content": "hm"}, {"content": None}, {"content": "\ud800\nMOVE: \udfff"}],
    ids=ascii,
)
def test_whatever_a_model_says_is_kept_and_read_again(message: dict[str, Any], tmp_path: Path) -> None:
    with serving(kind=Strict, message=message) as server:
        arguments = command("resistor", server, tmp_path / "result.json", "--retries", "0")
        server.before = lambda answered: server.shares.update(broken=float(answered == 4))
        assert "500 Internal Server Error" in refused(*arguments, "--concurrency", "1")
        server.before = lambda answered: server.shares.clear()
        run(*arguments)
        result, asked = json.loads((tmp_path / "result.json").read_text()), len(server.requests)
        figures = result["language_models"]["models"]["scripted"]
        assert figures["answers"] == server.answered == 3 * figures["failed"] and figures["forfeits"] == 2
        run(*arguments)
        assert json.loads((tmp_path / "result.json").read_text()) == result and len(server.requests) == asked


def test_answers_that_are_cut_off_are_counted_apart(tmp_path: Path) -> None:
    with serving(finish="length") as server:
        printed = run(*command("resistor", server, tmp_path / "result.json", "--attempts", "2")).stdout
        retold = [body["messages"][-1]["content"] for body in server.requests]
    figures = json.loads((tmp_path / "result.json").read_text())["language_models"]["models"]["scripted"]
    assert figures["cut"] == figures["answers"] == 4 and figures["malformed"] == figures["illegal"] == 0
    assert "answers cut off" in printed
    assert sum("the limit of tokens has cut it off" in question for question in retold) == 2


def test_a_model_without_a_system_role_gets_the_task_in_its_first_question(tmp_path: Path) -> None:
    with serving(seed=5) as server:
        run(*command("resistor", server, tmp_path / "result.json", "--no-system-role"))
    for body in server.requests:
        roles = [each["role"] for each in body["messages"]]
        assert roles == ["user", *["assistant", "user"] * (len(roles) // 2)]
        first = body["messages"][0]["content"]
        assert first.startswith("You play RESISTOR") and "Which move do you make?" in first


def test_damaged_files_are_told(tmp_path: Path) -> None:
    with serving(seed=5) as server:
        arguments = command("resistor", server, tmp_path / "result.json")
        run(*arguments)
        file = min((tmp_path / "result.games").iterdir())
        game, asked = file.read_text(), len(server.requests)
        for damage in ("[" * 100_000, game.replace('"cost": null', '"cost": "free"')):
            file.write_text(damage)
            assert "is damaged" in refused(*arguments)
        file.unlink()
        file.with_suffix(".answers.jsonl").write_text("[" * 100_000 + "\n")
        (tmp_path / "result.games.jsonl").unlink()
        assert "is damaged" in refused(*arguments)
        assert len(server.requests) == asked


def test_after_a_failure_nothing_more_is_asked(tmp_path: Path) -> None:
    with serving(shares={"broken": 1.0}) as server:
        arguments = command("resistor", server, tmp_path / "result.json", "--retries", "0")
        refused(*arguments, "--model-deals", "3", "--concurrency", "1")
        assert len(server.requests) == 1


def test_settings_reach_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    with serving(kind=Mute) as server:
        more = [
            "--temperature",
            "0.3",
            "--max-tokens",
            "77",
            "--no-rules",
            "--no-list-moves",
            "--attempts",
            "1",
            "--memory",
            "0",
        ]
        run(*command("resistor", server, tmp_path / "result.json", *more))
        body = server.requests[-1]
        assert (body["temperature"], body["max_completion_tokens"]) == (0.3, 77)
        assert server.keys == {"Bearer secret"} and len(body["messages"]) == 2
        assert "Legal moves" not in body["messages"][1]["content"]
        assert len(body["messages"][0]["content"]) < 600  # the task without rules and notation
        terms = json.loads((tmp_path / "result.json").read_text())["language_models"]["terms"]
        assert terms["prompts"]["legal_moves"] is False and terms["attempts"] == 1
    assert "secret" not in "".join(file.read_text() for file in tmp_path.rglob("*.json*"))


def test_a_model_of_transformers_needs_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    monkeypatch.delitem(sys.modules, "polytrix.llm.transformers", raising=False)
    assert "pip install 'polytrix[transformers]'" in refused("arena", "resistor", "greedy", f"hf:{tmp_path}")


def test_the_page_leads_to_a_rated_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first commands of docs/text.md, with fewer games and a server of our own."""
    given = [line.split() for line in commands(ROOT / "docs" / "text.md")[:4]]
    install, export, arena, replay = given
    assert install[:2] == ["pip", "install"] and export == ["export", "OPENAI_API_KEY=sk-..."]
    monkeypatch.chdir(tmp_path)
    with serving() as server:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-...")
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        run(*arena[1:], "--deals", "2", "--model-deals", "1")
    model = arena[-5].removeprefix("llm:")
    rated = json.loads((tmp_path / "rated.json").read_text())
    assert model in {agent["name"] for agent in rated["agents"]}
    files = [str(file) for file in tmp_path.glob(replay[2])]
    assert len(files) == 1 and f"{model} says:" in run("replay", *files).stdout
    run("replay", *files, *replay[3:])
    assert Path("game.html").exists()


@pytest.mark.parametrize(
    ("agents", "problem"),
    [
        (["greedy", "llm:"], "'llm:' names no model; write llm:MODEL"),
        (
            ["greedy", "llm:gpt"],
            "llm:gpt needs a key in the environment variable OPENAI_API_KEY, or the address",
        ),
        (["greedy", "ask:math"], "ask:math cannot be imported"),
        (["greedy", "ask:math:pi"], "ask:math:pi is 3.14159"),
        (["greedy", "a=ask:math:cos", "a=greedy"], "two agents are called a"),
    ],
)
def test_bad_input_is_refused(agents: list[str], problem: str) -> None:
    assert problem in refused("arena", "resistor", *agents)
