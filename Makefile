# `make demo` and `make test` set everything up by themselves.  `make help` lists the rest.

VENV ?= .venv
PY := $(VENV)/bin/python
# The turns to show; the many that were recorded lie in folders below and are for the tests.
HOSTS := claude_code openai_agents openinference litellm messages
TURNS := $(wildcard $(HOSTS:%=traces/%/*.json*))

.DEFAULT_GOAL := help
.PHONY: help demo demo-langgraph demo-litellm test unit test-hosts lint typecheck docs bench clean

help:
	@echo "make demo   set up, judge the shipped traces, print the verdicts"
	@echo "make demo-langgraph  a support desk in LangGraph whose e-mail tool times out, with a scripted model"
	@echo "make demo-litellm  a real LiteLLM proxy on loopback: what a client sees of a lie in each action"
	@echo "make test   set up, lint, check types, run all tests, those against the real hosts too"
	@echo "make unit   of these, the tests that need no host"
	@echo "make test-hosts  of these, the tests against the real hosts"
	@echo "make docs   write the check pages and the check table from the docstrings"
	@echo "make bench  quality and speed tables, for this detector and its peers"
	@echo "make clean  remove what these commands made"
	@echo
	@echo "PYTHON=...  which interpreter to set up with (3.11 or later)"
	@echo "VENV=...    where (default .venv)"

# An interpreter counts only if it runs: a version manager's shim may exist for a version that is
# not chosen.  ensurepip is missing where a distribution splits it off.
FIND_PYTHON = \
	for python in $(or $(PYTHON),python3 python3.13 python3.12 python3.11 python); do \
	  if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	    if "$$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then echo "$$python"; exit 0; fi; \
	    split="$$python"; \
	  fi; \
	done; \
	if [ -n "$$split" ]; then \
	  echo "$$split cannot make a virtual environment: its venv or ensurepip module is missing (on Debian and Ubuntu: apt install python3-venv)." >&2; \
	else \
	  echo "Python 3.11 or later is needed, and none that runs was found. Install one, or name it: make PYTHON=/path/to/python3" >&2; \
	fi; \
	exit 1

# An environment that already works is kept.
$(VENV)/.created:
	@set -e; \
	if ! "$(PY)" -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	  python=$$($(FIND_PYTHON)); \
	  echo "setting up $(VENV) with $$("$$python" --version)"; \
	  "$$python" -m venv --clear "$(VENV)"; \
	fi
	@touch $@

INSTALL = $(PY) -m pip install --quiet --disable-pip-version-check --editable
EXPLAIN = { echo "pip could not install: is a package index within reach?" >&2; exit 1; }

$(VENV)/.package: $(VENV)/.created pyproject.toml
	@$(INSTALL) . || $(EXPLAIN)
	@touch $@

$(VENV)/.test: $(VENV)/.created pyproject.toml
	@$(INSTALL) '.[dev]' || $(EXPLAIN)
	@touch $@ $(VENV)/.package

demo: $(VENV)/.package
	@$(PY) -m agent_polygraph check --fail-on never $(TURNS)

demo-langgraph: $(VENV)/.package
	@$(PY) -m tests.hosts --install --require langgraph/latest
	@.hosts/langgraph/latest/bin/python adapters/langgraph/example.py

demo-litellm: $(VENV)/.package
	@$(PY) -m tests.hosts --install --require litellm/latest
	@.hosts/litellm/latest/bin/python -m adapters.litellm.demo

lint: $(VENV)/.test
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .

typecheck: $(VENV)/.test
	$(PY) -m mypy --strict

unit: $(VENV)/.test
	$(PY) -m pytest --numprocesses auto

test-hosts: $(VENV)/.test
	$(PY) -m tests.hosts

test: lint typecheck unit test-hosts

docs: $(VENV)/.package
	$(PY) docs/generate.py

bench: $(VENV)/.package
	$(PY) -m bench

clean:
	rm -rf $(VENV) .hosts build dist bench/.envs .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
