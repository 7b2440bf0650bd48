"""Every check catches its defect, planted in a small game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import as_argument, forget_programs, programs
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import Seen
from polytrix.testing import (
    PlayReport,
    check_all,
    check_apis_equal,
    check_determinism,
    check_no_leak,
    check_perft,
    check_public,
    check_random_play,
    check_replay,
    check_snapshots,
    option_combinations,
    perft,
)
from tests import toys
from tests.toys import SECRET, broken

Register = Callable[[Game], Game]


def test_the_game_without_defect_passes_all_checks(register: Register) -> None:
    check_all(register(SECRET), [{}, {"top": 4, "doubling": False, "max_decisions": 7}])


def test_check_all_needs_a_registered_game() -> None:
    with pytest.raises(AssertionError, match="not registered"):
        check_all(SECRET)


def test_option_combinations() -> None:
    assert option_combinations(SECRET) == [
        {"top": 4, "doubling": False},
        {"top": 4, "doubling": True},
        {"top": 6, "doubling": False},
        {"top": 6, "doubling": True},
        {"max_decisions": 12},
    ]


# -- leaks --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("defect", "found"),
    [
        ({"observe": toys.leaking_observe}, r"the observation tells .* shown\[5\]"),
        ({"observe": toys.future_observe}, r"the observation tells .* called\[0\]"),
        ({"legal": toys.leaking_legal}, r"the mask tells .* call\[0\]"),
        ({"text": toys.leaking_text}, r"the text tells"),
        ({"text": toys.text_leaking_to_spectators, "spectators": True}, r"the text for spectators tells"),
        ({"notes": toys.leaking_notes}, r"the text in words tells"),
        ({"explain": toys.leaking_explain}, r"the list of moves tells"),
        ({"touch": toys.leaking_touch}, r"the list of places tells"),
        ({"touch": lambda s, action: (), "ghost": toys.leaking_ghost}, r"the list of places tells"),
        ({"tell": toys.leaking_tell}, r"what is told of .* tells"),
        ({"secret": toys.hidden_event, "tell": toys.telling_event}, r"of another event that looks the same"),
        ({"tell": toys.telling_deal}, r"opening, seat 1: what is told of number \d tells"),
        ({"secret": toys.open_secret}, r"opening, seat 1: what is told of number \d tells"),
        ({"secret": toys.telling_secret}, r"what is told of (\+|x)\d tells"),
        ({"draw": toys.leaking_picture}, r"the picture tells"),
        ({"redeal": toys.mover_changing_redeal}, r"redeal changed the mover"),
        ({"redeal": toys.invalid_redeal}, r"numbers"),
    ],
)
def test_a_leak_is_found(defect: dict[str, Any], found: str) -> None:
    with pytest.raises(AssertionError, match=found):
        check_no_leak(broken("leaking", **defect), mode=Mode.PLAIN)


def test_a_leaking_order_of_legal_actions_is_found() -> None:
    game = broken("ordering", legal=toys.leaking_order)
    with pytest.raises(AssertionError, match=r"the legal actions are .* after redeal"):
        check_no_leak(game, games=20, mode=Mode.PLAIN)  # the first twin that shows it, before its order does


def test_a_leak_is_found_in_compiled_code() -> None:
    with pytest.raises(AssertionError, match="the observation tells"):
        check_no_leak(broken("leaking", observe=toys.leaking_observe))


def test_secrets_are_counted_so_that_an_idle_redeal_shows() -> None:
    assert check_no_leak(SECRET, mode=Mode.PLAIN) > 0
    assert check_no_leak(broken("idle", redeal=toys.idle_redeal), mode=Mode.PLAIN) == 0


# -- what is public -----------------------------------------------------------------------


@pytest.mark.parametrize("seen", [Seen.PUBLIC, Seen.PRIVATE])
def test_something_public_that_is_not_seen_is_found(seen: Seen) -> None:
    name = "caller" if seen is Seen.PUBLIC else "secret"
    fields = [replace(field, seen=seen) if field.name == name else field for field in toys.FIELDS]
    observe = toys.blind_observe if seen is Seen.PRIVATE else toys.observe
    game = broken("blind", fields=fields, observe=observe)
    with pytest.raises(AssertionError, match=f"sees the same whether {name}.* or "):
        check_public(game, mode=Mode.PLAIN)


def test_changes_are_counted_so_that_invariants_which_allow_none_show() -> None:
    changed = check_public(SECRET, mode=Mode.PLAIN)
    assert set(changed) == {"mover", "num_players", "secret", "pile"}
    assert min(changed["secret"], changed["pile"]) > 50 and changed["num_players"] == 0


# -- equality -----------------------------------------------------------------------------


def test_an_overflow_in_plain_python_is_found() -> None:
    game = broken("loud", observe=toys.loud_wrap_observe)
    with pytest.raises(AssertionError, match=r"toys\.py:\d+ \(.*out\[PILE\] \* 20.*\): overflow"):
        check_apis_equal(game, decisions=12, modes=(Mode.PLAIN,))


def test_a_silent_wrap_around_in_plain_python_is_found() -> None:
    game = broken("silent", observe=toys.silent_wrap_observe)
    with pytest.raises(AssertionError, match=r"compiled and plain mode: .* observation pile\[0\]"):
        check_apis_equal(game, decisions=12, modes=(Mode.PLAIN,))


def test_a_wrap_around_in_the_greedy_opponent_is_found() -> None:
    game = broken("greedy", greedy=toys.wrapping_greedy)
    with pytest.raises(AssertionError, match="against greedy, compiled and plain mode"):
        check_apis_equal(game, decisions=24, modes=(Mode.PLAIN,))


def test_a_rule_that_draws_from_numpy_is_found() -> None:
    with pytest.raises(AssertionError, match=r"global generator|two different states"):
        check_determinism(broken("drawing", apply=toys.drawing_apply), mode=Mode.PLAIN)


def test_something_left_from_the_last_game_is_found() -> None:
    with pytest.raises(AssertionError, match="setup leaves something"):
        check_determinism(broken("forgetful", setup=toys.forgetful_setup), mode=Mode.PLAIN)


def test_an_api_with_wrong_observations_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from polytrix.api.aec import AECGame

    observe = AECGame.observe

    def late(self: AECGame, agent: str) -> Any:
        shown = observe(self, agent)
        shown["observation"][toys.PILE] = max(0, shown["observation"][toys.PILE] - 1)
        return shown

    monkeypatch.setattr(AECGame, "observe", late)
    with pytest.raises(AssertionError, match=r"simulator and AEC environment: .* observation pile\[0\]"):
        check_apis_equal(SECRET, decisions=12, modes=())


def test_a_simulator_that_depends_on_its_threads_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    run_step = Simulator._run_step

    def later_shares_are_early(self: Simulator, thread: int, rows: Any, actions: Any) -> None:
        if self.num_threads > 1 and rows[0] != 0:  # whichever thread takes the share
            self._generators["counter"] += 1
            self.states["generator"]["counter"][rows] += 1
        run_step(self, thread, rows, actions)

    monkeypatch.setattr(Simulator, "_run_step", later_shares_are_early)
    with pytest.raises(AssertionError, match="one thread and three"):
        check_apis_equal(SECRET, decisions=12, modes=())


# -- bounds and invariants ----------------------------------------------------------------


def test_an_index_out_of_bounds_is_found_with_the_unchecked_program_in_the_cache(empty_cache: Path) -> None:
    game = broken("overrunning", observe=toys.overrunning_observe)
    states = Simulator(game, 1, seed=1, mode=Mode.PLAIN).copies().states
    states["pile"] = len(toys.SMALL_TABLE)

    def view(mode: Mode) -> None:
        row, observation, mask = np.zeros(1, np.int64), np.zeros((1, 15), np.int8), np.zeros((1, 4), np.int8)
        programs(game, mode).view(as_argument(states, mode), row, row, observation, mask, np.zeros(4, np.int16))

    view(Mode.COMPILED)  # reads past the end of the table, unnoticed
    assert list(empty_cache.glob("view-compiled-*"))
    forget_programs()  # as in a new process: programs are loaded from files
    with pytest.raises(IndexError, match="index"):
        view(Mode.CHECKED)
    with pytest.raises(IndexError, match=r"game of seed \d+, decision \d+: index"):
        check_random_play(game, decisions=50, mode=Mode.PLAIN)


@pytest.mark.parametrize(
    ("defect", "found"),
    [
        ({"legal": toys.descending_legal}, "do not ascend"),
        ({"payoff": toys.generous_payoff}, "do not sum to zero"),
        ({"observe": toys.big_observe}, r"my_turn\[0\] is 2; its block allows 0..1"),
        ({"observe": toys.big_first_observe}, r"number\[0\] is 2; its block allows 0..1"),
        ({"observe": toys.small_last_observe}, r"shown\[5\] is -1; its block allows 0..1"),
        ({"apply": toys.shrinking_apply}, "the pile never shrinks"),
        ({"check": toys.careless_check}, "check returns 5; there are 4 invariants"),
        ({"apply": toys.lost_apply}, "the mover is 2; there are 2 players"),
        ({"chance": toys.hopeless_chance}, "chance is to move and has 0 outcomes"),
        ({"legal": toys.unknown_legal}, r"legal actions \[0, 1, 2, 4\]; the game has 0..3"),
        ({"format_action": toys.ambiguous_format}, "names actions 0 and 1"),
        ({"text": toys.writing_text}, "changed the state"),
        ({"max_legal": 5, "legal": toys.empty_legal}, "0 legal actions"),
        ({"max_legal": 3}, "4 legal actions; allowed: 1 to max_legal, 3"),
    ],
)
def test_a_broken_rule_of_rules_is_found(defect: dict[str, Any], found: str) -> None:
    with pytest.raises(AssertionError, match=found):
        check_random_play(broken("invalid", **defect), decisions=1500, mode=Mode.PLAIN)


@pytest.mark.parametrize("policy", ["random", "greedy", "mixed"])
def test_the_seed_in_an_error_leads_there(policy: str) -> None:
    game = broken("shrinking", apply=toys.shrinking_apply)
    with pytest.raises(AssertionError) as found:
        check_random_play(game, seed=100, policy=policy, mode=Mode.PLAIN)
    seed = int(str(found.value).split("game of seed ")[1].split(",")[0])
    with pytest.raises(AssertionError) as again:
        check_random_play(game, seed=seed, games=1, policy=policy, mode=Mode.PLAIN)
    assert str(again.value) == str(found.value)


def test_the_same_is_seen_compiled_and_not() -> None:
    reports = [check_random_play(SECRET, decisions=3000, policy="mixed", mode=mode) for mode in Mode]
    assert reports[0] == reports[1] == reports[2]


def test_whole_games_are_counted() -> None:
    report = check_random_play(SECRET, {"max_decisions": 9}, decisions=0, whole_games=200, mode=Mode.PLAIN)
    assert report.games >= 200 and report.truncated > 0 and report.terminated > 0
    games = report.games
    report = PlayReport.total([report, report])
    assert report.games == 2 * games


def test_a_greedy_run_needs_a_greedy_opponent() -> None:
    with pytest.raises(ValueError, match="policy is 'greedy'"):
        check_random_play(broken("simple", greedy=None), policy="greedy", mode=Mode.PLAIN)


# -- perft and snapshots ------------------------------------------------------------------


def test_perft_of_the_small_game_by_hand() -> None:
    # Two numbers of 4, then +1, +2, +3 without doubling, then again.
    options = {"top": 4, "doubling": False}
    assert perft(SECRET, 4, options, mode=Mode.PLAIN) == [1, 4, 16, 48, 144]
    # At a pile of 5 and 6 the third move may also be a call: 4 * 4 * (27 + 3).
    assert perft(SECRET, 5, options, mode=Mode.PLAIN)[5] == 16 * (27 + 2 + 1)


def test_wrong_counts_are_found() -> None:
    check_perft(SECRET, [1, 4, 16], {"top": 4}, mode=Mode.PLAIN)
    with pytest.raises(AssertionError, match=r"perft is \[1, 4, 16\]; expected \[1, 4, 15\]"):
        check_perft(SECRET, [1, 4, 15], {"top": 4}, mode=Mode.PLAIN)


def test_perft_from_a_seeded_position() -> None:
    counts = perft(SECRET, 2, seed=4, decisions=1, mode=Mode.PLAIN)
    sim = Simulator(SECRET, 1, seed=4, mode=Mode.PLAIN)
    sim.step(sim.random_actions())
    adds = np.count_nonzero(sim.legal_ids[0, : sim.num_legal[0]] != toys.CALL)
    assert counts == [1, sim.num_legal[0], 2 * adds]
    with pytest.raises(ValueError, match="no seed"):
        perft(SECRET, 2, decisions=1, mode=Mode.PLAIN)
    with pytest.raises(ValueError, match="is over after"):
        perft(SECRET, 2, seed=4, decisions=50, mode=Mode.PLAIN)


def test_a_lossy_snapshot_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    load = Simulator.load

    def lossy(self: Simulator, data: bytes, rows: Any = None) -> None:
        load(self, data, rows)
        self.states["generator"]["counter"] = 0

    monkeypatch.setattr(Simulator, "load", lossy)
    with pytest.raises(AssertionError, match="the loaded games differ"):
        check_snapshots(SECRET, mode=Mode.PLAIN)


def test_notation_that_does_not_replay_is_found(register: Register) -> None:
    game = register(broken("silent", format_action=toys.ambiguous_format))
    with pytest.raises(AssertionError, match="the transcript in notation alone is read back differently"):
        check_replay(game, seed=5, mode=Mode.PLAIN)


def test_a_snapshot_without_checksum_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from polytrix.core import snapshot

    class Blind:
        def hexdigest(self) -> str:
            return "0" * 64

    monkeypatch.setattr(snapshot.hashlib, "sha256", lambda data: Blind())
    with pytest.raises(AssertionError, match="was loaded"):
        check_snapshots(SECRET, mode=Mode.PLAIN)
