# Two commands do everything, set-up included: `make demo` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DOCS_READY := $(VENV)/.docs-ready
EXTENSION := vscode-extension
DEMO := .cache/demo
AGENTS := $(VENV)/.agents
MODULES := $(EXTENSION)/node_modules/.package-lock.json

.PHONY: demo test lint bench format generated clean docs vsix editors opa mcp sarif shells actionlint pictures

# The package alone, in an environment of its own: the tools for developing it are not needed to look at it.
demo: $(DEMO)/.ready
	@scripts/demo.sh $(CURDIR)/$(DEMO)/bin

test: $(DOCS_READY) $(AGENTS) vsix editors opa mcp sarif shells actionlint
	$(BIN)/pytest -n auto
	cd $(EXTENSION) && npm test --silent
	node --test --test-reporter=spec tests/editor/*.test.mjs tests/docs/*.test.mjs

lint: $(AGENTS) $(MODULES)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	cd $(EXTENSION) && npm run --silent lint

bench: $(READY)
	$(BIN)/python -m pytest -p no:xdist tests/benchmarks -s

format: $(READY)
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

# Every file that is made from the code: pages of docs/, and the extension's settings.
generated: $(AGENTS)
	$(BIN)/python scripts/generated.py

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis site

# The documentation as a site: site/index.html. `.venv/bin/mkdocs serve` shows it while it is written.
docs: export NO_MKDOCS_2_WARNING = 1
docs: $(DOCS_READY)
	$(BIN)/mkdocs build --strict

# The extension, with the server in it: vscode-extension/plancheck.vsix.
vsix: $(READY) $(MODULES)
	$(BIN)/python scripts/bundle_server.py
	cd $(EXTENSION) && cp ../LICENSE . && npm run --silent build && npm run --silent package >/dev/null

# The pictures in docs/images and the page about timing, taken anew by the tests in a real VS Code.
pictures: vsix editors
	PLANCHECK_PICTURES=1 node --test --test-reporter=spec tests/editor/*.test.mjs

# A real VS Code for tests/editor, two real Neovims and an Emacs for tests/lsp.
editors:
	@scripts/set-up-editor.sh
	@scripts/set-up-neovim.sh
	@scripts/set-up-emacs.sh

# Servers of the Model Context Protocol for tests/catalogue.
mcp:
	@scripts/set-up-mcp.sh

# An opa for tests/rego.
opa:
	@scripts/set-up-opa.sh

# A linter of workflows for tests/install.
actionlint:
	@scripts/set-up-actionlint.sh

# Microsoft's validator of SARIF for tests/cli.
sarif:
	@scripts/set-up-sarif.sh

# A zsh and a fish for tests/cli.
shells:
	@scripts/set-up-shells.sh

$(MODULES): $(EXTENSION)/package-lock.json
	cd $(EXTENSION) && npm ci --no-audit --no-fund --loglevel=error
	touch $@

$(DEMO)/.ready: pyproject.toml requirements.lock
	@echo "Setting up: plancheck and what it needs, in $(DEMO)"
	@test -d $(DEMO) || $(PYTHON) -m venv $(DEMO)
	@$(DEMO)/bin/pip install --quiet --disable-pip-version-check --no-compile --constraint requirements.lock --editable .
	@touch $@

$(READY): pyproject.toml requirements.lock
	test -d $(VENV) || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check "pip>=25.1"
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint requirements.lock --editable . --group dev
	touch $@

$(DOCS_READY): $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint requirements.lock --group docs
	touch $@

# The libraries of docs/agents.md and of `plancheck mcp`: 150 MB that a demo does without.
$(AGENTS): $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint requirements.lock --group agents
	touch $@
