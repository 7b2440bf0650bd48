"""Does meaning emerge in Estimatrix Spectrum if hints are symbols without a meaning?

    python benchmarks/studies/estimatrix_meaning.py --minutes 10

Trains by self-play as `training/sb3_ppo.py` does, with `hints = symbols`: the opponents are past selves, and
one in twenty plays randomly. At every point of the curve all seats play the current policy. The figure is the
mutual information, in bits, between a hint and the colour that the Kvanter, an Estimator or the Negater then
sets, given the banned colour, which everybody sees. Small samples overestimate it, so the mean over shuffled
pairs is subtracted. For comparison the same is measured for greedy seats that use the lexicon. Writes
`estimatrix_meaning.json` and `estimatrix_meaning.png`.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # must be set before NumPy is imported

import numpy as np
import numpy.typing as npt
import tyro
from rich.console import Console

from polytrix.agents import Policy, resolve
from polytrix.api.sb3.network import policy_of
from polytrix.core.simulator import Simulator
from polytrix.games.estimatrix import GAME
from polytrix.games.estimatrix.state import COLOUR_COUNT, WORDS, Act, Phase

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
from report import write_report

from polytrix.training.sb3_ppo import Run, read_settings

REPORT = Path(__file__).with_suffix(".json")
ROLES = ("Kvanter", "Estimators", "Negater")
SEED = 1 << 41
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Arguments:
    """Arguments of the study."""

    minutes: float = 10.0
    """Minutes of training."""
    players: int = 4
    """Number of players."""
    points: int = 20
    """Points of the curve."""
    games: int = 2000
    """Games per point."""
    seed: int = 1
    """Random seed of the training."""
    out: Path = REPORT
    """File for the figures; the picture is written beside it."""


# -- information --------------------------------------------------------------------------------------


def information(counts: Numbers) -> float:
    """Mutual information in bits of rows and columns of a table of counts (plug-in estimate).

    >>> information(np.array([[5, 0], [0, 5]])), information(np.array([[5, 5], [5, 5]]))
    (1.0, 0.0)
    """
    joint = counts / counts.sum()
    independent = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    filled = joint > 0
    return float((joint[filled] * np.log2(joint[filled] / independent[filled])).sum())


def bits(ban: Numbers, hint: Numbers, colour: Numbers, rng: np.random.Generator, shuffles: int = 10) -> float:
    """Information in bits of a hint about a colour, given the ban, minus the mean over shuffled pairs."""
    total = 0.0
    for banned in range(COLOUR_COUNT):
        chosen = ban == banned
        if chosen.any():
            own, said = colour[chosen], hint[chosen]
            by_chance = [information(table(said, rng.permutation(own))) for _ in range(shuffles)]
            total += chosen.mean() * (information(table(said, own)) - float(np.mean(by_chance)))
    return total


def table(hint: Numbers, colour: Numbers) -> Numbers:
    """Number of each pair of hint and colour."""
    counts = np.bincount(COLOUR_COUNT * hint + colour, minlength=COLOUR_COUNT * WORDS)
    return counts.reshape(WORDS, COLOUR_COUNT)


# -- games --------------------------------------------------------------------------------------------


def answers(
    policy: Policy, games: int, players: int, hints: str
) -> dict[str, tuple[Numbers, Numbers, Numbers]]:
    """Ban, hint and colour of every die that is set, by role; all seats play `policy`."""
    sim = Simulator(GAME, games, {"players": players, "hints": hints}, seed=SEED)
    rng = np.random.default_rng(SEED)
    seen: dict[str, list[Numbers]] = {role: [] for role in ROLES}
    while len(live := np.flatnonzero(~sim.over)):
        actions = np.asarray(policy(sim.observation[live], sim.mask[live], rng), np.int64)
        states = sim.states[live]
        setting = (states["phase"] == Phase.DIE) & (actions != Act.WAIT)
        dice = np.stack(
            [states["banned"][setting], states["hint"][setting], actions[setting] - Act.SET], axis=1
        ).astype(np.int64)
        mover = states["mover"][setting]
        kvanter, negater = mover == states["kvanter"][setting], mover == states["negater"][setting]
        for role, chosen in zip(ROLES, (kvanter, ~kvanter & ~negater, negater), strict=True):
            seen[role].append(dice[chosen])
        sim.step(actions, live)
    rows = {role: np.concatenate(parts) for role, parts in seen.items()}
    return {role: (dice[:, 0], dice[:, 1], dice[:, 2]) for role, dice in rows.items()}


def told(policy: Policy, arguments: Arguments, hints: str) -> dict[str, float]:
    """Bits by role."""
    rng = np.random.default_rng(SEED)
    dice = answers(policy, arguments.games, arguments.players, hints)
    return {role: round(float(bits(*dice[role], rng)), 4) for role in ROLES}


# -- training -----------------------------------------------------------------------------------------


def learn(arguments: Arguments, folder: Path, console: Console) -> list[dict[str, float]]:
    """Train, and measure bits by role over the training."""
    settings = read_settings(["estimatrix"])
    settings = replace(
        settings, minutes=arguments.minutes, seed=arguments.seed, torch_threads=1, out=folder,
        weight_random=0.05, weight_greedy=0.0, weight_self=0.95,
        options={**settings.options, "players": arguments.players, "hints": "symbols"},
    )  # fmt: skip
    run = Run(settings)
    run.pool.append(("self-0", run.learner().layers))
    run.refill_pool()
    curve = []
    while True:
        if run.done * arguments.points >= len(curve):
            point = told(policy_of(run.model, GAME, "learner"), arguments, "symbols")
            curve.append({"steps": run.progress.steps, "minutes": round(run.progress.seconds / 60, 2), **point})
            console.print(f"{run.progress.steps / 1e6:6.2f}M decisions: {point}")
        if run.done >= 1.0:
            run.env.close()
            return curve
        began = time.monotonic()
        run.iterate()
        run.progress.seconds += time.monotonic() - began


def draw(curve: list[dict[str, float]], words: dict[str, float], arguments: Arguments, file: Path) -> None:
    """Plot the bits over the training, and those of greedy seats with the lexicon."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, panel = pyplot.subplots(figsize=(8, 4), layout="constrained")
    millions = [point["steps"] / 1e6 for point in curve]
    for i, role in enumerate(ROLES):
        panel.plot(millions, [point[role] for point in curve], "o-", markersize=3, color=f"C{i}", label=role)
        panel.axhline(words[role], color=f"C{i}", linestyle=":", label=f"{role}, greedy with the lexicon")
    panel.axhline(0, color="gray", linewidth=0.8)
    panel.set(
        xlabel="million decisions of the learner", ylabel="bits that a hint tells of the colour set",
        title=f"Estimatrix Spectrum, {arguments.players} players, hints without a meaning: self-play",
    )  # fmt: skip
    panel.legend(fontsize=8)
    panel.grid(alpha=0.3)
    figure.savefig(file, dpi=110)
    pyplot.close(figure)


def main() -> None:
    """Train, measure, write."""
    arguments = tyro.cli(Arguments, description=__doc__)
    console = Console(width=120)
    words = told(resolve("greedy", GAME), arguments, "lexicon")
    console.print(f"greedy seats with the lexicon: {words}")
    with tempfile.TemporaryDirectory() as folder:
        curve = learn(arguments, Path(folder), console)
    figures = {
        "players": arguments.players,
        "games_of_a_point": arguments.games,
        "greedy_with_lexicon": words,
        "curve": curve,
    }
    write_report(
        arguments.out, __file__, sys.argv[1:], figures, partial(draw, curve, words, arguments), console
    )


if __name__ == "__main__":
    main()
