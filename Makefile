# Two commands do everything, set-up included: `make demo` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
EXTENSION := vscode-extension
MODULES := $(EXTENSION)/node_modules/.package-lock.json

.PHONY: demo test lint bench format clean vsix editors opa mcp sarif pictures

demo: $(READY)
	@$(BIN)/plancheck check --fail-on never examples

test: $(READY) vsix editors opa mcp sarif
	$(BIN)/pytest -n auto
	cd $(EXTENSION) && npm test --silent
	node --test --test-reporter=spec tests/editor/*.test.mjs

lint: $(READY) $(MODULES)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	cd $(EXTENSION) && npm run --silent lint

bench: $(READY)
	$(BIN)/python -m pytest -p no:xdist tests/benchmarks -s

format: $(READY)
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis

# The extension, with the server in it: vscode-extension/plancheck.vsix.
vsix: $(READY) $(MODULES)
	$(BIN)/python scripts/bundle_server.py
	cd $(EXTENSION) && cp ../LICENSE . && npm run --silent build && npm run --silent package >/dev/null

# The pictures in docs/images and the page about timing, taken anew by the tests in a real VS Code.
pictures: vsix editors
	PLANCHECK_PICTURES=1 node --test --test-reporter=spec tests/editor/*.test.mjs

# A real VS Code for tests/editor and a real Neovim for tests/lsp.
editors:
	@scripts/set-up-editor.sh

# Servers of the Model Context Protocol for tests/catalogue.
mcp:
	@scripts/set-up-mcp.sh

# An opa for tests/rego.
opa:
	@scripts/set-up-opa.sh

# Microsoft's validator of SARIF for tests/cli.
sarif:
	@scripts/set-up-sarif.sh

$(MODULES): $(EXTENSION)/package-lock.json
	cd $(EXTENSION) && npm ci --no-audit --no-fund --loglevel=error
	touch $@

$(READY): pyproject.toml requirements.lock
	test -d $(VENV) || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint requirements.lock --editable . \
	  $$($(PYTHON) scripts/dependency_group.py dev)
	touch $@
