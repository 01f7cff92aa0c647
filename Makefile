# Everything that a maintainer or an operator runs; `make` lists it.
# Written for GNU make 3.81, which is what macOS has.
#
#   make test ARGS="-k othello"          passes arguments on (run, test, test-all and every tool)
#   make run PYTHON=/path/to/python3.13  chooses the Python of the virtualenv

VENV := .venv
# Python compiles what it imports, which is a third of what pip would compile.
PIP_INSTALL := $(VENV)/bin/python -m pip install --quiet --no-input --disable-pip-version-check --no-compile
PYTEST := $(VENV)/bin/python -m pytest --numprocesses=auto --maxprocesses=4 --dist=worksteal
PAGE_TOOLS := tests/page/node_modules
# Tests start many processes; without bytecode each would compile everything again.
unexport PYTHONDONTWRITEBYTECODE
PYTHONS := $(or $(PYTHON),python3.13 python3.12 python3.11 python3 python)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run test test-all test-page check format-check lint types layers words sizes docs bench strength attack faults mutation pictures film format clean rebuild

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

run: $(VENV)/run ## Start the bot and its web app
	@$(VENV)/bin/azumaya run $(ARGS)

test: $(VENV)/dev ## Run the tests, in minutes
	$(PYTEST) $(ARGS)

test-all: $(VENV)/dev test-page ## Run all tests: slow ones, the tools' tests, both databases, random examples
	$(PYTEST) -m "" --store=both --hypothesis-profile=random tests tools $(ARGS)

check: test format-check lint types layers words sizes docs test-page ## Check everything: format, lint, types, layers, words, sizes, docs, tests

format-check: $(VENV)/dev
	$(VENV)/bin/ruff format --check .

lint: $(VENV)/dev $(PAGE_TOOLS)/made
	$(VENV)/bin/ruff check .
	$(call on_page,$(PAGE_TOOLS)/eslint/bin/eslint.js --config tests/page/eslint.config.js bot/fronts/page tests/page)

types: $(VENV)/dev $(PAGE_TOOLS)/made
	$(VENV)/bin/mypy
	$(call on_page,$(PAGE_TOOLS)/typescript/bin/tsc --project tests/page)

test-page: $(PAGE_TOOLS)/made
	$(call on_page,--test --test-reporter=dot --disable-warning=MODULE_TYPELESS_PACKAGE_JSON 'tests/page/*.test.js')
	$(VENV)/bin/python -m pytest --quiet -m "" tests/bot/fronts/page/test_axe.py

# Runs Node, if npm could install what it needs.
on_page = @test ! -e $(PAGE_TOOLS)/made || $(VENV)/bin/node $(1)

layers: $(VENV)/dev
	$(VENV)/bin/lint-imports

words: $(VENV)/dev
	$(VENV)/bin/python -m pytest --quiet tools/test_words.py
	$(VENV)/bin/python -m tools.words

sizes: $(VENV)/dev
	$(VENV)/bin/python -m pytest --quiet tools/test_sizes.py
	$(VENV)/bin/python -m tools.sizes

docs: $(VENV)/dev ## Check the guides and build them in build/docs
	@$(VENV)/bin/python -m tools.guide
	$(VENV)/bin/python -m pytest --quiet tools/test_guide.py tools/test_gallery.py
	$(VENV)/bin/sphinx-build --quiet --fresh-env --write-all --fail-on-warning --keep-going docs build/docs

bench: $(VENV)/dev ## Measure pictures, moves and memory
	@$(VENV)/bin/python -m tools.bench $(ARGS)

strength: $(VENV)/dev ## Measure how strong the engines are, for hours
	@$(VENV)/bin/python -m tools.strength $(ARGS)

attack: $(VENV)/dev ## Attack a running bot: forged input, leaks, faults, kills (see SECURITY.md)
	@$(VENV)/bin/python -m tools.attack $(ARGS)

faults: $(VENV)/dev ## Crash the bot at every step, inject random faults, check the invariants
	@$(VENV)/bin/python -m tools.faults $(ARGS)

mutation: $(VENV)/dev ## Change the core in 200 places, one at a time, and count what the tests notice
	@$(VENV)/bin/python -m tools.mutation $(ARGS)

pictures: $(VENV)/dev ## Draw the pictures of the README and the guides (needs Chromium and an emoji font)
	$(VENV)/bin/python -m tools.gallery
	$(VENV)/bin/python -m tools.film --scale 2 --readme

film: $(VENV)/dev ## Take screenshots of two new users on all fronts (needs Chromium)
	@$(VENV)/bin/python -m tools.film $(ARGS)

format: $(VENV)/dev ## Format the code, and fix what ruff can fix
	$(VENV)/bin/ruff check --fix-only .
	$(VENV)/bin/ruff format .

clean: ## Remove the virtualenv and the caches; games and config.toml stay
	rm -rf $(VENV) $(PAGE_TOOLS) build *.egg-info .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	rm -f docs/players/*/game-* docs/players/*/index.md
	find bot games renderers tests tools -name __pycache__ -prune -exec rm -rf {} +

# Below, each file is a stamp: up to date while it is newer than what it was made from.

$(VENV)/build: $(VENV)/made-in constraints/build.txt
	@$(PIP_INSTALL) --constraint constraints/build.txt --upgrade pip setuptools
	@touch $@

$(VENV)/run: $(VENV)/build pyproject.toml constraints/run.txt
	@echo "Installing what the bot needs (once; half a minute) ..."
	@$(PIP_INSTALL) --constraint constraints/run.txt --no-build-isolation \
	    --only-binary cffi,cryptography,isal,numba,llvmlite,numpy --editable '.[fast,push]' 2> $(VENV)/fast.log || { \
	$(PIP_INSTALL) --constraint constraints/run.txt --no-build-isolation --editable . && \
	echo "Extras could not be installed: the computer opponent is weaker, pictures are slower, closed pages are not notified ($(VENV)/fast.log)."; }
	@touch $@

# Includes what the bot needs: two installations take longer than one.
$(VENV)/dev: $(VENV)/build pyproject.toml constraints/dev.txt
	@echo "Installing what the tests and checks need (once; a minute) ..."
	@$(PIP_INSTALL) --constraint constraints/dev.txt --no-build-isolation --editable '.[dev]'
	@touch $@

# What checks the page's JavaScript comes from npm; Node itself is a package of the virtualenv.
$(PAGE_TOOLS)/made: tests/page/package.json tests/page/package-lock.json | $(VENV)/dev
	@echo "Installing what checks the page's JavaScript (once) ..."
	@cd tests/page && log="$(CURDIR)/$(VENV)/npm.log" && \
	if PATH="$(CURDIR)/$(VENV)/bin:$$PATH" npm ci --ignore-scripts --no-audit --no-fund --loglevel=error > "$$log" 2>&1; then \
	    touch node_modules/made; \
	else \
	    echo "npm could not install it: the page's JavaScript is not checked ($(VENV)/npm.log)." >&2; \
	    test -z "$$CI" || { cat "$$log" >&2; exit 1; }; \
	fi

# A virtualenv belongs to one folder and one Python. It is rebuilt when the clone has moved or its
# Python is gone.
ifneq "$(shell test -x $(VENV)/bin/python && cat $(VENV)/made-in 2>/dev/null)" "$(shell pwd -P)"
$(VENV)/made-in: rebuild
else ifneq "$(PYTHON)" ""
ifneq "$(shell $(PYTHON) -V 2>&1)" "$(shell $(VENV)/bin/python -V)"
$(VENV)/made-in: rebuild
endif
endif

$(VENV)/made-in:
	@without_venv=; \
	for python in $(PYTHONS); do \
	    "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
	    without_venv=$$python; \
	    "$$python" -c 'import ensurepip, venv' 2>/dev/null || continue; \
	    echo "Creating a virtualenv in $(VENV) with $$("$$python" -V) ..."; \
	    "$$python" -m venv --clear $(VENV) || exit 1; \
	    pwd -P > $@; \
	    exit 0; \
	done; \
	if test -n "$$without_venv"; then \
	    echo "$$without_venv cannot create virtualenvs. On Debian: apt install python3-venv"; \
	else \
	    echo "Azumaya needs Python 3.11 or newer$(if $(PYTHON),; $(PYTHON) is not). On Debian: apt install python3 python3-venv"; \
	fi >&2; \
	exit 1
