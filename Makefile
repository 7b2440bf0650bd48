# Everything works on a fresh machine with Python 3.10 to 3.13 and make; on Windows, in Git Bash.
# The first call of a target makes the virtual environment .venv; later calls reuse it.

VENV := .venv
ifeq ($(OS),Windows_NT)
PYTHON ?= python
BIN := $(VENV)/Scripts
else
PYTHON ?= python3
BIN := $(VENV)/bin
endif
READY := $(VENV)/ready
# Tests start many processes, which are faster if Python keeps the bytecode of what they import.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help train test test-all pytest test-matrix test-integrations lint bench docs release clean

help:
	@echo "make train              set up everything, train a PPO agent on Quatrix (five minutes), show how strong it is"
	@echo "make test               set up everything, run ruff, mypy and the tests"
	@echo "make test-all           the same with larger samples, every page, the site and the wheel (before a release)"
	@echo "make test-matrix        all tests with the oldest and newest versions, on Python 3.10 and 3.13 (an hour)"
	@echo "make test-integrations  RLlib, TorchRL, ...: page, example and checks of each in its own environment"
	@echo "make lint               ruff and mypy only"
	@echo "make bench              decisions per second of every API, on this machine"
	@echo "make docs               the documentation site, in build/docs"
	@echo "make release            wheel and sdist in dist/, tried on Python 3.10 to 3.13, and the README as printed (an hour)"
	@echo "make clean              remove what these targets made (trained runs stay)"

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -c constraints.txt torch
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[dev]'
	touch $(READY)

train: $(READY)
	$(BIN)/python training/fast_ppo.py quatrix --minutes 5

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: $(READY)
	$(MAKE) --jobs 2 lint pytest

test-all: lint
	$(BIN)/python -m pytest -n 2

pytest: $(READY)
	$(BIN)/python -m pytest -n 2 -m "not slow"

test-matrix: $(READY)
	$(BIN)/nox --session tests

test-integrations: $(READY)
	$(BIN)/nox --session integrations

bench: $(READY)
	$(BIN)/polytrix bench

docs: $(READY)
	$(BIN)/sphinx-build -q -W --keep-going docs build/docs
	@echo "open build/docs/index.html"

release: $(READY)
	$(BIN)/nox --session wheel smoke smoke_extras readme

clean:
	rm -rf $(VENV) .nox build dist docs/games docs/record envs/*.egg-info
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis
