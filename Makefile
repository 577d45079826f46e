PYTHON ?= python3
BIN := .venv/bin
RUN_DIR ?= runs/quickstart
TABLE_DIR ?= runs/classroom
INSTALLED := .venv/installed
COURSE_INSTALLED := .venv/course-installed

.PHONY: quickstart classroom-table test lint site notebooks lessons format install clean

quickstart: $(INSTALLED)  ## train two models on one task and show them beside the paper's
	$(BIN)/compgen-keras quickstart --run-dir $(RUN_DIR)

SCAN_TASKS := length_generalization length_generalization_hard length_generalization_hardest compose_different_concepts \
	switch_concept_order compose_new_operation add_operation_functionality

classroom-table: $(INSTALLED)  ## the table of docs/scan.md: two models on all seven SCAN tasks, about an hour and a half
	for task in $(SCAN_TASKS); do \
		test -e $(TABLE_DIR)/$$task || $(BIN)/compgen-keras quickstart --task scan/$$task --run-dir $(TABLE_DIR)/$$task || exit 1; \
	done
	$(BIN)/compgen-keras report $(addprefix $(TABLE_DIR)/,$(SCAN_TASKS)) --output $(TABLE_DIR)

test: lint site  ## lint, build the site, then the tests on TensorFlow, then those of layers and models on JAX
	$(BIN)/python -m pytest -n 2 --dist worksteal
	KERAS_BACKEND=jax $(BIN)/python -m pytest -n 2 --dist worksteal tests -m backend

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

site: $(COURSE_INSTALLED)  ## the documentation, warnings as errors
	$(BIN)/sphinx-build -q --fail-on-warning --keep-going -b html docs build/site
	@echo "the site is build/site/index.html"

notebooks: $(COURSE_INSTALLED)  ## the lessons as notebooks, not run
	$(BIN)/python tutorials/notebooks.py build/notebooks

lessons: $(COURSE_INSTALLED)  ## run the lessons whose code has changed, in full, for the site: an hour and a half for all
	$(BIN)/python tutorials/notebooks.py docs/lessons --execute

format: $(INSTALLED)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

install: $(INSTALLED)

$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable ".[test]"
	touch $@

$(COURSE_INSTALLED): $(INSTALLED)
	$(BIN)/python -m pip install --quiet --editable ".[classroom,docs]"
	touch $@

clean:
	rm -rf .venv
