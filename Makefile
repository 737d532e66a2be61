# Two commands for a new user: `make deal` and `make test`. Each sets up what it needs in .venv.
PYTHON ?= python3
SUBMISSION ?= submissions/nj-minibaccarat.toml
BIN := .venv/bin

.PHONY: deal test check clean

deal: .venv/deal
	$(BIN)/croupier deal $(SUBMISSION) --log build/table.jsonl --force

test: .venv/test
	$(BIN)/pytest

check: .venv/test
	$(BIN)/ruff format --check src tests bench
	$(BIN)/ruff check src tests bench
	$(BIN)/mypy
	$(BIN)/croupier law coverage

.venv/deal: requirements/run.txt pyproject.toml
	@echo "Setting up .venv"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/run.txt
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

.venv/test: requirements/dev.txt .venv/deal
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $@

clean:
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
