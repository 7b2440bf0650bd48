"""The algorithms of the benchmark: each module has a function `train`, see `trials/trial.py`."""
