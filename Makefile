PYTHON ?= python3
BIN := .venv/bin
RUN_DIR ?= runs/quickstart
INSTALLED := .venv/installed

.PHONY: quickstart test lint format install clean

quickstart: $(INSTALLED)  ## train two models on one task and show them beside the paper's
	$(BIN)/compgen-keras quickstart --run-dir $(RUN_DIR)

test: lint  ## lint, then the tests on TensorFlow, then those of layers and models on JAX
	$(BIN)/python -m pytest
	KERAS_BACKEND=jax $(BIN)/python -m pytest tests -m backend

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(INSTALLED)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

install: $(INSTALLED)

$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable ".[test]"
	touch $@

clean:
	rm -rf .venv
