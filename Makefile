# `make help` lists what there is.

PYTHON ?= python3
CACHE ?= $(HOME)/.cache/custom-skills-e2e
HOST ?= claude
NAME = # which tests; not from the environment, where it may be the name of the machine

.PHONY: help demo install uninstall install-gemini uninstall-gemini install-opencode \
	uninstall-opencode test e2e bench recall lint sync check-sync check

help: ## show this list
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 20

demo: ## replay a recorded session through the plugins and show what each hook says
	@$(PYTHON) tools/demo.py --host $(HOST)

install: ## switch the bundle on in your Claude Code settings
	@$(PYTHON) tools/install.py

uninstall: ## take it out of your Claude Code settings again
	@$(PYTHON) tools/install.py --remove

install-gemini: ## link ecc-hooks into Gemini CLI as an extension
	@$(PYTHON) tools/install_gemini.py

uninstall-gemini: ## take it out of Gemini CLI again
	@$(PYTHON) tools/install_gemini.py --remove

install-opencode: ## put ecc-hooks into OpenCode, for you or for one project (PROJECT=folder)
	@$(PYTHON) tools/install_opencode.py --project "$(PROJECT)"

uninstall-opencode: ## take it out of OpenCode again
	@$(PYTHON) tools/install_opencode.py --project "$(PROJECT)" --remove

test: ## run the tests, or some: NAME=test_redact, NAME="test_library test_sync"
	@$(PYTHON) tests/run.py $(NAME)

e2e: ## run the tests in the real clients, or some by NAME (clients go into CACHE)
	@$(PYTHON) tests/e2e/clients.py --cache "$(CACHE)"
	@CUSTOM_SKILLS_E2E="$(CACHE)" $(PYTHON) tests/run.py e2e $(NAME)

bench: ## print what an event costs, as ratios to the bare interpreter
	@$(PYTHON) tools/bench.py

recall: ## print how often a prompt brings up the right memory
	@$(PYTHON) tools/recall_bench.py

lint: ## ruff and mypy, pinned, from CACHE
	@$(PYTHON) tools/lint.py --cache "$(CACHE)"

sync: ## copy the shared files from plugins/ecc-hooks into the other plugins
	@$(PYTHON) tools/opencode_facts.py
	@$(PYTHON) tools/sync.py

check-sync: ## fail where a copy differs from plugins/ecc-hooks
	@$(PYTHON) tools/opencode_facts.py --check
	@$(PYTHON) tools/sync.py --check

check: check-sync lint ## all static checks
