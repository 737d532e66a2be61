# Two commands for a new user: `make deal` and `make test`. Each sets up what it needs in .venv.
PYTHON ?= python3
PIT ?= submissions/nj-minibaccarat.toml submissions/nj-punto-banco.toml submissions/ma-ez.toml
# When notice of their elections was given: for a pit that is shown, long ago.
NOTIFIED ?= 2026-01-01T12:00Z
SUBMISSION ?= submissions/nj-minibaccarat.toml
# Processes that share the tests: tests/conftest.py says how many, unless a number is given.
WORKERS ?= logical
BIN := .venv/bin
PYTEST := $(BIN)/pytest --numprocesses $(WORKERS) --dist worksteal

# Without compiled tests each process would compile all of them anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: deal table quick touched test compiled check audit docs diagram pictures release clean

deal: .venv/deal
	$(BIN)/croupier deal $(SUBMISSION) --log build/table.jsonl --transcript build/transcript.txt --force

# A pit of three tables that the autopilot deals, at 127.0.0.1: see docs/service.md.
table: .venv/serve
	$(BIN)/croupier serve $(PIT) --pit 1 --notified $(NOTIFIED) --cards autopilot --store build/pit.sqlite

.venv/serve: requirements/serve.txt .venv/deal
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/serve.txt
	@touch $@

# Every test but those marked slow: for whoever is at work on the code.
quick: .venv/test
	$(PYTEST) -m "not slow"

# The tests that call the functions that differ from those of main.
touched: build/touched
	$(BIN)/python tests/touched.py

build/touched: .venv/test
	$(BIN)/python tests/touched.py --record --numprocesses $(WORKERS) --dist worksteal

test: .venv/test
	$(PYTEST)

# One process compiles the tests, which each that shares them would compile anew; `make test` tells of faults.
compiled: .venv/test
	-@$(BIN)/python tests/compiled.py > /dev/null

check: .venv/test
	$(BIN)/ruff format --check src tests bench docs
	$(BIN)/ruff check src tests bench docs
	$(BIN)/mypy
	$(BIN)/croupier law coverage
	$(BIN)/python tests/dependencies.py

# Ask a vulnerability service about the locked packages, and record its answer with the day. It needs a network.
audit: .venv/test
	$(BIN)/python tests/dependencies.py --ask

# The documentation site, in build/site. A warning, such as a broken link, is an error.
docs: .venv/test
	$(BIN)/sphinx-build -W --keep-going -q -b html docs build/site
	@echo "Open build/site/index.html"

# The diagram of the packages in docs/architecture.md, from their imports.
diagram: .venv/test
	PYTHONPATH=tests $(BIN)/python -m support.packages_diagram

# The pictures of the site, made anew: look at them before they are kept.
pictures: .venv/test
	$(BIN)/python docs/_site/pictures.py

# The files of a release, in build/release: built twice, compared, and listed with their hashes.
release: .venv/test
	$(BIN)/python tests/release.py

.venv/deal: requirements/run.txt pyproject.toml
	@echo "Setting up .venv"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/run.txt
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

# Modules are compiled when they are first imported: most never are.
.venv/test: requirements/dev.txt .venv/deal
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r requirements/dev.txt
	@touch $@

# Generators of clients, for the tests that play a round by them.
build/clients: tests/clients/requirements.txt tests/clients/package-lock.json
	@rm -rf $@ && $(PYTHON) -m venv $@ && cp tests/clients/package*.json $@
	@$@/bin/pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r tests/clients/requirements.txt
	@npm ci --silent --no-audit --no-fund --prefix $@

# What the container file of docs/examples/operations installs.
build/wheels: requirements/serve.txt .venv/deal
	@rm -rf $@ && $(BIN)/pip download --quiet --disable-pip-version-check --require-hashes -d $@ -r requirements/serve.txt
	@$(BIN)/pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation -w $@ .

clean:
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
