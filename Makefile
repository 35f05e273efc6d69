# make demo | test | check | docs | bench | wheel | clean. Needs Python 3.11 or newer and a package registry.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
# what pytest is given besides; PARALLEL= (empty) runs it in one process
PYTEST_ARGS ?=
PARALLEL    ?= -n 2
LANG_OF_DEMO ?= both
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.DEFAULT_GOAL := help
.PHONY: help demo test check lint types imports format docs bench wheel clean

help:
	@echo "make demo    play a short dialogue in zh and en through a real memory"
	@echo "make test    the whole test suite"
	@echo "make check   lint, format, types, import directions"
	@echo "make docs    write docs/vocabulary.md and docs/vocabulary.zh-CN.md from the YAML that ships"
	@echo "make bench   the speed benchmark (NAME=… for another)"
	@echo "make wheel   build the wheel into dist/"

demo: $(VENV)/.run
	@$(BIN)/forms-dynamics demo --lang $(LANG_OF_DEMO)

test: $(VENV)/.dev
	$(BIN)/python -m pytest $(PARALLEL) $(PYTEST_ARGS)

check: lint types imports

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

imports: $(VENV)/.dev
	$(BIN)/lint-imports

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/.run
	@$(BIN)/python docs/vocabulary_pages.py docs

NAME ?= speed
bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks $(NAME)

wheel: $(VENV)/.dev
	$(BIN)/python -m build --wheel

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis

# Installing happens once, and again when pyproject.toml changes.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "$(PYTHON) is missing or older than 3.11; name another: make PYTHON=python3.12 …" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.run: pyproject.toml | $(BIN)/python
	@echo "installing what is needed, once"
	@$(PIP) install --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	@echo "installing what development needs, once"
	@$(PIP) install --editable ".[dev]"
	@touch $(VENV)/.run $@
