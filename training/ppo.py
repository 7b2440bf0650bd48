"""The old name of `sb3_ppo.py`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from sb3_ppo import Run, Settings, make_model, read_settings
from shared import runs

__all__ = ["Run", "Settings", "make_model", "read_settings"]

print("training/ppo.py is now called training/sb3_ppo.py", file=sys.stderr)

if __name__ == "__main__":
    runs.carry_out(lambda: Run(read_settings(sys.argv[1:])))
