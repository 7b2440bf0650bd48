"""`python -m tests.mutation`: mutants of a part of the package, and which of them the tests notice.

What is done stays done: the same command goes on after Ctrl-C. After new tests, `--again` tries the mutants
that were missed once more. On two cores, run two parts at once.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatch
from functools import partial
from pathlib import Path

from tqdm import tqdm

from .campaign import BaselineError, draw, find, run
from .parts import ROOT, Part, parts
from .record import KILLED, STAGES, Record, Result, equivalents, summary

BUILD = ROOT / "build" / "mutation"
RESULTS = Path(__file__).with_name("results")
"""In the repository: campaigns take hours, and go on from a clone on another machine."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a campaign and print its summary; 0 if at least 97% of all mutants were killed or are equivalent."""
    all_parts = parts()
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--what", choices=all_parts, required=True)
    parser.add_argument("--count", type=int, default=200, help="how many mutants (200)")
    parser.add_argument("--seed", type=int, default=1, help="which ones are drawn (1)")
    parser.add_argument("--keys", type=Path, help="these mutants instead: a file of keys, one a line")
    parser.add_argument("--files", default="*", help="only files of this pattern, like '*/view.py'")
    parser.add_argument("--again", action="store_true", help="try those again that were missed before")
    parser.add_argument("--quick", action="store_true", help="leave out the slow tests, for a first look")
    parser.add_argument("--list", action="store_true", help="print the mutants and run nothing")
    given = parser.parse_args(arguments)

    part = all_parts[given.what]
    files = tuple(file for file in part.files if fnmatch(file, given.files))
    if given.keys:
        mutants = find(part, given.keys.read_text(encoding="utf-8").splitlines())
    else:
        mutants = draw(replace(part, files=files), given.count, given.seed)
    if given.list:
        print("\n".join(f"{mutant.line:4} {mutant.key}" for mutant in mutants))
        return 0
    name = given.keys.stem if given.keys else f"{given.what}-{given.seed}"
    record = Record(RESULTS / f"{name}.jsonl")
    equivalent = equivalents()
    if given.again:
        record.forget(key for key in missed(record) if key not in equivalent)
    stages = STAGES[:1] if given.quick else STAGES
    left = [
        mutant
        for mutant in mutants
        if mutant.key not in equivalent and not record.is_past(mutant.key, stages[-1])
    ]
    with tqdm(total=len(mutants), initial=len(mutants) - len(left), unit="mutant", smoothing=0.05) as bar:

        def show(result: Result) -> None:
            if result.verdict in KILLED or result.stage == stages[-1]:
                bar.update()
            if result.verdict not in KILLED:
                bar.write(f"missed by the {result.stage} tests, line {result.line}: {result.key}", sys.stderr)

        try:
            if left:
                tell = partial(bar.write, file=sys.stderr)
                run(part, left, record, BUILD, cache(), tell=tell, progress=show, stages=stages)
        except KeyboardInterrupt:
            bar.write("interrupted; the same command goes on", sys.stderr)
        except BaselineError as error:
            bar.close()
            raise SystemExit(str(error)) from None
    known = {key: Result(key, 0, "passed", "", "", 0.0) for key in equivalent} | record.results
    results = [known[mutant.key] for mutant in mutants if mutant.key in known]
    for result in results:
        if result.verdict not in KILLED and result.key not in equivalent:
            print(f"survived, line {result.line}: {result.key}")
    counts = summary(results, equivalent)
    print(f"{name}: " + ", ".join(f"{name} {count}" for name, count in counts.items()))
    return 0 if len(results) == len(mutants) and 100 * counts["survived"] <= 3 * len(mutants) else 1


def cache() -> Path:
    """The folder of compiled programs, asked in another process: this one must not import polytrix."""
    code = "from polytrix.core.compile.cache_directory import cache_directory; print(cache_directory())"
    path = os.pathsep.join(str(ROOT / folder) for folder in Part.path)
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return Path(done.stdout.strip()).resolve()


def missed(record: Record) -> list[str]:
    """The mutants that no test has noticed so far."""
    return [key for key, result in record.results.items() if result.verdict not in KILLED]


if __name__ == "__main__":
    raise SystemExit(main())
