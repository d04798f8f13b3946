# The front door. CMake presets do the work; a target here is one sentence of what people want.
# Variables: PREFIX, DESTDIR, JOBS, DIR, CORPUS_ARGS, FUZZ_SECONDS, BENCH_ARGS, DEMO_ARGS, CTEST_ARGS, LINT_BASE, CONFIGURE_ARGS
# (for CMake, for example CONFIGURE_ARGS=-DFILIGREE_BUILD_TESTS=OFF).

PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 20
BENCH_ARGS ?=
DEMO_ARGS ?=
CTEST_ARGS ?=
DIR ?=
CORPUS_ARGS ?=
CONFIGURE_ARGS ?=

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help deps build test python test-python wheel demo bench bench-capi bench-peers bench-python bench-scale docs corpus suites asan tsan fuzz format lint install uninstall clean
MAKEFLAGS += --no-print-directory

configure = cmake --preset $(1) $(CONFIGURE_ARGS)
compile = cmake --build --preset $(1) --parallel $(JOBS) $(if $(2),--target $(2))
# Last in its recipe, so that the run ends in ctest's own summary.
run_tests = ctest --test-dir build/$(1) --output-on-failure --parallel $(JOBS) $(CTEST_ARGS)
cxx_files = git ls-files -z -- '*.cpp' '*.hpp' '*.h' '*.c'
need = command -v $(1) >/dev/null || { echo "make $@ needs $(1): apt-get install $(2)" >&2; exit 1; }

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

deps: ## Install the Debian packages that are missing (root or sudo; FILIGREE_SKIP_DEPS=1 only warns)
	@scripts/install-deps

build: deps ## Build the library and the command into build/release
	$(call configure,release)
	$(call compile,release,filigree_products)

test: deps ## Build everything and run every test
	$(call configure,release)
	$(call compile,release)
	$(call run_tests,release)

python: deps ## Build the Python package into build/release/python
	$(call configure,release) -DFILIGREE_BUILD_PYTHON=ON
	$(call compile,release,filigree_python)
	@echo 'python: PYTHONPATH=build/release/python python3 -c "import filigree"'

test-python: python ## Test the Python package, with the tests of h5py too
	FILIGREE_REPEAT=50 ctest --test-dir build/release --output-on-failure --parallel $(JOBS) -R '^python_'
	@/usr/bin/python3 -c 'import pytest' || { echo 'make $@ needs pytest: apt-get install python3-pytest' >&2; exit 1; }
	scripts/run-h5py-tests

wheel: ## Build a wheel with all that it needs into build/wheel (fetches scikit-build-core; uses auditwheel if installed)
	rm -rf build/wheel
	python3 -m pip wheel --no-deps --wheel-dir build/wheel .
	@if command -v auditwheel >/dev/null; then auditwheel show build/wheel/*.whl; fi

demo: deps ## Store the stream of a light source, compare with HDF5, paint pictures (DEMO_ARGS=...)
	$(call configure,release)
	$(call compile,release,filigree_products filigree_examples)
	@scripts/demo build/release/bin $(DEMO_ARGS)

bench: deps ## Measure against HDF5 in the same run: table, JSON and charts in build/bench (BENCH_ARGS=...)
	$(call configure,bench)
	$(call compile,bench,filigree_benchmarks)
	build/release/bin/filigree_bench --json build/bench/results.json --svg build/bench $(BENCH_ARGS)

bench-capi: BENCH_ARGS = --only capi
bench-capi: bench ## Measure only what calls of the H5 C API cost

bench-peers: deps ## Sparse data beside h5py, scipy, zarr and anndata, as far as they are installed
	$(call configure,bench)
	$(call compile,bench,filigree_benchmarks)
	scripts/bench-peers --json build/bench/peers.json

bench-python: python ## The Python package beside h5py, and anndata and dask if they are installed
	/usr/bin/python3 scripts/bench-python $(BENCH_ARGS)

bench-scale: deps ## Measure how costs grow with elements, chunks, links, threads and distance
	$(call configure,bench)
	$(call compile,bench,filigree_benchmarks)
	build/release/bin/filigree_bench --scale --json build/bench/scale.json --svg build/bench

docs: ## Build the documentation as a site into build/docs (needs mkdocs and doxygen)
	@$(call need,mkdocs,mkdocs)
	@$(call need,doxygen,doxygen)
	/usr/bin/python3 scripts/build-docs build/docs
	python3 scripts/check-links --site build/docs
	@echo 'docs: build/docs/index.html'

corpus: ## Compare the command, and Debian's tools and h5py on both libraries, on every file below a folder (DIR=...)
	@[[ -d '$(DIR)' ]] || { echo 'make corpus needs a folder of HDF5 files: make corpus DIR=...' >&2; exit 1; }
	$(call configure,release)
	$(call compile,release,filigree_products values_driver)
	/usr/bin/python3 tests/corpus/compare_listing.py '$(DIR)' build/release/bin/filigree
	/usr/bin/python3 tests/corpus/compare_values.py build/release/bin '$(DIR)'
	cmake --install build/release --prefix "$$PWD/build/corpus/prefix" >/dev/null
	/usr/bin/python3 tests/corpus/compare_tools.py build/corpus/prefix '$(DIR)' $(CORPUS_ARGS)

suites: ## Run the tests of h5py, PyTables, netCDF4 and others with HDF5 and with Filigree (installs packages; PREFIX=...)
	@[[ -d '$(PREFIX)' ]] || { echo 'make suites needs an installation: make install PREFIX=..., then make suites PREFIX=...' >&2; exit 1; }
	scripts/run-suites --install '$(PREFIX)'

asan: deps ## Run the tests under the address and undefined-behaviour sanitizers
	$(call configure,asan)
	$(call compile,asan)
	$(call run_tests,asan)

tsan: deps ## Run the tests under the thread sanitizer
	$(call configure,tsan)
	$(call compile,tsan)
	$(call run_tests,tsan)

fuzz: deps ## Run every fuzzer for FUZZ_SECONDS each, 20 by default (needs clang)
	@$(call need,clang++,clang)
	$(call configure,fuzz)
	$(call compile,fuzz,filigree_fuzzers)
	@scripts/run-fuzzers build/fuzz $(FUZZ_SECONDS)

format: ## Format all C++ sources
	@$(call need,clang-format,clang-format)
	$(cxx_files) | xargs -0 -r clang-format -i

lint: ## Check the format, the layers and the locks, and clang-tidy the files changed since LINT_BASE
	@$(call need,clang-format,clang-format)
	$(cxx_files) | xargs -0 -r clang-format --dry-run --Werror
	python3 tests/check_layers.py
	JOBS=$(JOBS) scripts/check-locks
	$(call configure,release)
	@LINT_BASE='$(LINT_BASE)' scripts/tidy-changed build/release

install: build ## Install headers, library, command, CMake and pkg-config files (PREFIX=/usr/local, DESTDIR=)
	DESTDIR='$(DESTDIR)' cmake --install build/release --prefix "$$(realpath -m -- '$(PREFIX)')"

uninstall: ## Remove what make install has copied to PREFIX (below DESTDIR)
	@scripts/uninstall '$(DESTDIR)$(PREFIX)'

clean: ## Remove everything that was built
	rm -rf build demo
