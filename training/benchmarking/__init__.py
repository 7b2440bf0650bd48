"""The benchmark of algorithms: `benchmark.py`."""
