# What people and machines do with the house; `make` alone lists it.
# Keeps to what GNU make 3.81 knows, which is what macOS has.
#
#   make test ARGS="-k othello"          passes arguments on (run, test, bench, bench-strength, attack, faults, mutation, film)
#   make run PYTHON=/path/to/python3.13  names the Python to make the environment with

VENV := .venv
PIP_INSTALL := $(VENV)/bin/python -m pip install --quiet --no-input --disable-pip-version-check
PAGE_TOOLS := tests/page/node_modules
# Many processes are started; each would compile all of it anew.
unexport PYTHONDONTWRITEBYTECODE
PYTHONS := $(PYTHON) python3.13 python3.12 python3.11 python3 python

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run test test-all test-page test-python check format-check lint types layers docs bench bench-strength attack faults mutation pictures film format clean anew

help: ## List what there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

run: $(VENV)/run ## Start the bot and its web table
	@$(VENV)/bin/azumaya run $(ARGS)

test: test-page test-python ## Run all tests

test-all: STORE := --store=both
test-all: test ## Run all tests, those that need a database on both: SQLite and PostgreSQL

test-page: $(PAGE_TOOLS)/made
	$(VENV)/bin/node --test --test-reporter=dot --disable-warning=MODULE_TYPELESS_PACKAGE_JSON 'tests/page/*.test.js'

test-python: $(VENV)/dev
	$(VENV)/bin/python -m pytest $(STORE) --numprocesses=auto --maxprocesses=4 --dist=worksteal $(ARGS)

check: format-check lint types layers docs test ## Check everything: format, lint, types, layers, guides, tests

format-check: $(VENV)/dev
	$(VENV)/bin/ruff format --check .

lint: $(VENV)/dev $(PAGE_TOOLS)/made
	$(VENV)/bin/ruff check .
	$(VENV)/bin/node $(PAGE_TOOLS)/eslint/bin/eslint.js --config tests/page/eslint.config.js bot/fronts/page tests/page

types: $(VENV)/dev $(PAGE_TOOLS)/made
	$(VENV)/bin/mypy
	$(VENV)/bin/node $(PAGE_TOOLS)/typescript/bin/tsc --project tests/page

layers: $(VENV)/dev
	$(VENV)/bin/lint-imports

docs: $(VENV)/dev ## Build the guides for players, hosts and developers in build/docs
	@$(VENV)/bin/python -m tools.guide
	$(VENV)/bin/sphinx-build --quiet --fresh-env --write-all --fail-on-warning --keep-going docs build/docs

bench: $(VENV)/dev ## Measure pictures, moves and memory
	@$(VENV)/bin/python -m tools.bench $(ARGS)

attack: $(VENV)/dev ## Attack the running house: forged input, leaks, faults, kills (see SECURITY.md)
	@$(VENV)/bin/python -m tools.attack $(ARGS)

bench-strength: $(VENV)/dev ## Play the tables of strength of the computer opponents, for hours
	@$(VENV)/bin/python -m tools.strength $(ARGS)

faults: $(VENV)/dev ## Die at every single step of an evening, break processes at random, see what holds
	@$(VENV)/bin/python -m tools.faults $(ARGS)

mutation: $(VENV)/dev ## Change the core in 200 places, one at a time, and count what the tests notice
	@$(VENV)/bin/python -m tools.mutation $(ARGS)

pictures: $(VENV)/dev ## Draw the README's pictures anew (that of the page needs Chromium)
	$(VENV)/bin/python -m tools.gallery
	$(VENV)/bin/python -m tools.photograph

film: $(VENV)/dev ## Screenshots of an evening of two new users, and what a match costs them
	@$(VENV)/bin/python -m tools.film $(ARGS)

format: $(VENV)/dev ## Format the code, and mend what ruff can mend by itself
	$(VENV)/bin/ruff check --fix-only .
	$(VENV)/bin/ruff format .

clean: ## Remove the environment and the caches; matches and config.toml stay
	rm -rf $(VENV) $(PAGE_TOOLS) build *.egg-info .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	rm -f docs/players/*/game-* docs/players/*/index.md
	find bot games renderers tests tools -name __pycache__ -prune -exec rm -rf {} +

# Below, each file is a stamp: newer than what it was made from means nothing to do.

$(VENV)/build: $(VENV)/made-in constraints/build.txt
	@$(PIP_INSTALL) --constraint constraints/build.txt setuptools
	@touch $@

$(VENV)/run: $(VENV)/build pyproject.toml constraints/run.txt
	@echo "Installing what the bot needs (only once, which takes a minute or more) ..."
	@$(PIP_INSTALL) --constraint constraints/run.txt --no-build-isolation --editable .
	@$(PIP_INSTALL) --constraint constraints/run.txt --only-binary :all: --no-deps numba llvmlite numpy || \
	    echo "The computer opponent does without numba here, and is weaker."
	@touch $@

# All that the bot needs as well: one after the other takes longer. Most of it is never imported, and
# the rest is compiled when it is.
$(VENV)/dev: $(VENV)/build pyproject.toml constraints/dev.txt
	@echo "Installing what the tests and checks need (only once) ..."
	@$(PIP_INSTALL) --no-compile --constraint constraints/dev.txt --no-build-isolation --editable '.[dev]'
	@touch $@

# What checks the page's JavaScript. Node itself is a package of the environment.
$(PAGE_TOOLS)/made: tests/page/package.json tests/page/package-lock.json | $(VENV)/dev
	@echo "Installing what checks the page's JavaScript (only once) ..."
	@cd tests/page && PATH="$(CURDIR)/$(VENV)/bin:$$PATH" npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# An environment is good for one place and one Python. Where the clone has moved or that Python
# has gone, all of it is made anew.
ifneq "$(shell test -x $(VENV)/bin/python && cat $(VENV)/made-in 2>/dev/null)" "$(shell pwd -P)"
$(VENV)/made-in: anew
endif

$(VENV)/made-in:
	@venvless=; \
	for python in $(PYTHONS); do \
	    "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
	    venvless=$$python; \
	    "$$python" -c 'import ensurepip, venv' 2>/dev/null || continue; \
	    echo "Making the environment in $(VENV) with $$("$$python" -V) ..."; \
	    "$$python" -m venv --clear $(VENV) || exit 1; \
	    pwd -P > $@; \
	    exit 0; \
	done; \
	if test -n "$$venvless"; then \
	    echo "$$venvless cannot make environments; Debian has that in: apt install python3-venv"; \
	else \
	    echo "Azumaya needs Python 3.11 or newer, and found none; Debian: apt install python3 python3-venv"; \
	fi >&2; \
	exit 1
