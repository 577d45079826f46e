PYTHON ?= python3
BIN := .venv/bin
RUN_DIR ?= runs/quickstart
TABLE_DIR ?= runs/classroom
INSTALLED := .venv/installed

.PHONY: quickstart classroom-table test lint format install clean

quickstart: $(INSTALLED)  ## train two models on one task and show them beside the paper's
	$(BIN)/compgen-keras quickstart --run-dir $(RUN_DIR)

SCAN_TASKS := length_generalization length_generalization_hard length_generalization_hardest compose_different_concepts \
	switch_concept_order compose_new_operation add_operation_functionality

classroom-table: $(INSTALLED)  ## the table of docs/scan.md: two models on all seven SCAN tasks, about an hour and a half
	for task in $(SCAN_TASKS); do \
		test -e $(TABLE_DIR)/$$task || $(BIN)/compgen-keras quickstart --task scan/$$task --run-dir $(TABLE_DIR)/$$task || exit 1; \
	done
	$(BIN)/compgen-keras report $(addprefix $(TABLE_DIR)/,$(SCAN_TASKS)) --output $(TABLE_DIR)

test: lint  ## lint, then the tests on TensorFlow, then those of layers and models on JAX
	$(BIN)/python -m pytest -n 2 --dist worksteal
	KERAS_BACKEND=jax $(BIN)/python -m pytest -n 2 --dist worksteal tests -m backend

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
