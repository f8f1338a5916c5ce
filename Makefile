# The interface of this repository: people and CI call these targets, nothing else. `make help` lists them.
# `check-*` and `lint` only look; `fmt`, `stubs` only write.

PYTHON ?= python3
FUZZ_SECONDS ?= 20

VENV := .venv
BIN := $(VENV)/bin
# One interpreter for every tool, so that cargo never rebuilds PyO3 because it saw another one.
export VIRTUAL_ENV := $(CURDIR)/$(VENV)
export PYO3_PYTHON := $(CURDIR)/$(BIN)/python

# What the extension is made of. Python files are not in it: the package is installed in place.
SOURCES := pyproject.toml Cargo.toml $(wildcard Cargo.lock) \
	$(shell find rust/core rust/python python/apus -name '*.rs' -o -name '*.toml')

# The stamp says when the extension was built, not that it is still there.
ifeq ($(wildcard python/apus/_native*.so),)
.PHONY: $(VENV)/.built
endif

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

.PHONY: help
help: ## list the targets
	@sed -nE 's/^([a-z][a-z-]*):[^#]*## (.*)/\1\t\2/p' $(MAKEFILE_LIST) | sort | expand -t 16

# --- build

.PHONY: build
build: $(VENV)/.built ## build the extension (release) into .venv, made if it is not there

$(BIN)/python:
	@$(PYTHON) -c 'import sys; v = sys.version_info; v < (3, 11) and sys.exit("apus needs Python 3.11 or newer, $(PYTHON) is %d.%d; choose one with: make PYTHON=python3.12" % v[:2])'
	@command -v cargo >/dev/null || { echo "apus needs cargo, which is not on PATH: https://rustup.rs" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# Before 25.1 pip did not know dependency groups.
$(VENV)/.tools: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --group dev
	@touch $@

$(VENV)/.built: $(VENV)/.tools $(SOURCES)
	$(BIN)/maturin develop --release
	@touch $@

.PHONY: wheel
wheel: $(VENV)/.tools ## build the binary wheel into dist/
	$(BIN)/maturin build --release --out dist

.PHONY: wheel-pure
wheel-pure: wheel ## build the wheel without the extension (py3-none-any) into dist/
	$(BIN)/python tools/pure_wheel.py "$$(ls -t dist/*-abi3-*.whl | head -n 1)"

# --- use

.PHONY: demo
demo: build ## project a real session to Anthropic and show what was repaired
	$(BIN)/apus project tests/data/pi-session.jsonl --to anthropic/claude-opus-4-6

# --- test

.PHONY: test
test: test-rust test-python ## run every test

.PHONY: test-rust
test-rust: ## test the Rust core
	cargo test --quiet --workspace --exclude apus-python
	cd rust/fuzz && cargo test --quiet

.PHONY: test-python
test-python: build ## test the package, both cores
	$(BIN)/python -m pytest --quiet
	APUS_CORE=pure $(BIN)/python -m pytest --quiet --ignore=tests/test_properties.py # which runs both cores by itself

.PHONY: coverage
coverage: build ## measure the branch coverage of the pure core
	APUS_CORE=pure $(BIN)/coverage run -m pytest --quiet
	$(BIN)/coverage report --include='python/apus/_pure/*'

.PHONY: fuzz
fuzz: ## run each fuzz target for FUZZ_SECONDS (20)
	rust/fuzz/run.sh $(FUZZ_SECONDS) $(FUZZ_TARGETS)

# --- bench

.PHONY: bench
bench: build ## time the package, native against pure (pytest-benchmark)
	$(BIN)/python -m pytest benches --quiet

.PHONY: bench-rust
bench-rust: ## time the Rust core
	cargo bench --package apus-core

# --- check

.PHONY: lint
lint: lint-rust lint-python ## check style and types of both languages

.PHONY: lint-rust
lint-rust: $(VENV)/.tools ## cargo fmt, clippy
	cargo fmt --all --check
	cd rust/fuzz && cargo fmt --check
	cargo clippy --quiet --workspace --all-targets -- --deny warnings
	cd rust/fuzz && cargo clippy --quiet --all-targets -- --deny warnings

.PHONY: lint-python
lint-python: build ## ruff, mypy, stubtest
	$(BIN)/ruff check --quiet
	$(BIN)/ruff format --check --quiet
	$(BIN)/mypy
	$(BIN)/stubtest --concise apus._native

.PHONY: fmt
fmt: $(VENV)/.tools ## format both languages, apply ruff's safe fixes
	cargo fmt --all
	cd rust/fuzz && cargo fmt
	$(BIN)/ruff check --fix --quiet --exit-zero
	$(BIN)/ruff format --quiet

.PHONY: stubs
stubs: $(VENV)/.tools ## write python/apus/_native.pyi from the Rust source
	tools/stubs.sh > $(VENV)/_native.pyi
	mv $(VENV)/_native.pyi python/apus/_native.pyi

.PHONY: check-stubs
check-stubs: $(VENV)/.tools ## compare python/apus/_native.pyi with the Rust source
	tools/stubs.sh | diff -u python/apus/_native.pyi -

# --- clean

# git clean -X never touches a tracked file. Inputs that fuzzing found stay.
.PHONY: clean
clean: ## delete what was built, the virtual environment included
	git clean -dfqX -- $(VENV) target dist rust/fuzz/target python tests benches tools '.*_cache' .hypothesis .coverage
