# One command each, from a clean clone. `make` alone lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help env demo smoke test bench chaos compose-test check sizes format protos protos-check protos-golden docs

# Everything runs in .venv, whatever environment the caller is in.
unexport VIRTUAL_ENV PYTHONPATH PYTHONHOME PYTHONSTARTUP
export VENV := .venv
bin := .venv/bin

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

env: ## Make .venv with the pinned packages (every command below does it first)
	@scripts/env

demo: env ## Run the suite with a sample student and say what to click
	@$(bin)/smartmate demo

smoke: env ## Run the whole story by itself: import, proposal, message, confirmation, week
	@$(bin)/smartmate smoke

test: env ## Run every test: unit, integration, contract, e2e
	@scripts/system-packages chromium fonts-noto-cjk
	@scripts/test

chaos: env ## Break parts at random while students work; SEED=7 SECONDS=120 SCENARIO=everything
	@$(bin)/python scripts/contained.py $(bin)/python -m tests.chaos \
	  $(if $(SEED),--seed $(SEED)) $(if $(SECONDS),--seconds $(SECONDS)) \
	  $(if $(SCENARIO),--scenario $(SCENARIO))

bench: env ## Take the figures beside their floors, or one of them: ONLY=apply
	@scripts/peers
	@$(bin)/python scripts/contained.py $(bin)/python -m bench $(ONLY)

compose-test: env ## Build the image and run the tests against docker-compose.yml's containers
	@scripts/system-packages chromium fonts-noto-cjk
	@scripts/compose-test

check: env ## Lint, format, types, import contracts, protos, contract tests, sizes
	$(bin)/ruff check .
	$(bin)/ruff format --check .
	$(bin)/mypy
	$(bin)/lint-imports
	@scripts/protos-check
	$(bin)/pytest -q tests/contract
	@$(bin)/python -m tests.contract.sizes

format: env ## Format the code and sort its imports
	$(bin)/ruff check --fix-only --select I .
	$(bin)/ruff format .

sizes: env ## Show how long files and functions are
	@$(bin)/python -m tests.contract.sizes

protos: env ## Generate libs/contracts from protos/
	@scripts/protos

protos-check: env ## Compare libs/contracts with protos/
	@scripts/protos-check

protos-golden: env ## Record the contracts as they are; refuses a breaking change
	@$(bin)/python -m tests.contract.golden

docs: env ## Generate docs/events.md, settings.md, metrics.md, tools.md and decisions.md
	@$(bin)/python -m scripts.events_doc
	@$(bin)/python -m scripts.settings_doc
	@$(bin)/python -m scripts.metrics_doc
	@$(bin)/python -m scripts.tools_doc
	@$(bin)/python -m scripts.decision_table_doc
