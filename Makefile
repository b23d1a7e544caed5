# `make help` lists the targets. What the machine needs is installed, or named, by scripts/bootstrap.
.DEFAULT_GOAL := build
.PHONY: help build demo test test-swift test-end-to-end fuzz bench lint format clean install bootstrap bootstrap-tests

PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 300
# So many Swift tests run at once: when all do, each stands still for minutes between two of its steps.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 16
PYTHON := .venv/bin/python
# Without its cache pytest takes longer to read the tests than to run a few of them.
PYTEST := PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX='$(CURDIR)/.build/pycache' \
    $(PYTHON) -m pytest -c Tests/EndToEnd/pytest.ini --rootdir .
# Most tests wait more than they compute. The start of several processes costs more than a few tests take.
WORKERS ?= $(if $(filter -k%,$(ARGS)),0,4)
SIDE_BY_SIDE := -n $(WORKERS) --dist loadgroup
END_TO_END := -m "not long" Tests/EndToEnd Tests/Hostile clients Tests/interop/test_libraries.py
BINARY := .build/release/larder
# The product's debug and release builds live side by side; the tests' build is the debug one. Without a local RUNPATH the
# loader does not take a library for the system's that somebody has put beside the binary. The script's options are found
# out by the shell, when a release build is made.
STATIC := -c release --static-swift-stdlib --disable-local-rpath --product larder
RELEASE := $(STATIC) $$(scripts/build-options)
SWIFT_SOURCES := Sources Tests Package.swift
PYTHON_SOURCES := $(wildcard scripts clients examples Tests/EndToEnd Tests/Hostile Tests/Mutants Tests/interop Benchmarks)
SHELL_SOURCES := scripts/bootstrap scripts/build-options .ci/run Benchmarks/redact Tests/Fuzz/run
SHELL_SOURCES += clients/shell/larder.sh clients/shell/larder-json.sh scripts/stage scripts/deb scripts/test
SHELL_SOURCES += examples/picker/larder-pick examples/nightly/larder-nightly examples/ci/ci

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-17s%s\n", $$1, $$2}' $(MAKEFILE_LIST)

bootstrap:
	@scripts/bootstrap

bootstrap-tests:
	@scripts/bootstrap --tests

.PHONY: bootstrap-interop interop
bootstrap-interop:
	@scripts/bootstrap --interop

build: bootstrap ## the release binary, .build/release/larder
	swift build $(RELEASE)

demo: build ## a short show from recorded answers, without network
	@python3 scripts/demo

test: bootstrap-tests ## everything: Swift tests, then the tests of the binary and of the clients
	@scripts/test

test-swift: bootstrap ## the Swift tests alone
	swift test --parallel

test-end-to-end: bootstrap-tests ## the tests of the built binary and of the clients alone; ARGS= goes to pytest
	$(PYTEST) $(SIDE_BY_SIDE) $(END_TO_END) $(ARGS)

.PHONY: try
try: bootstrap-tests ## a debug build, and the tests of it that ARGS= chooses: make try ARGS="-k batch"
	swift build --product larder
	LARDER_BIN=.build/debug/larder $(PYTEST) $(SIDE_BY_SIDE) $(END_TO_END) $(ARGS)

interop: bootstrap-interop build ## clients and servers that others wrote, editors among them; ARGS= goes to pytest
	$(PYTEST) Tests/interop $(ARGS)

.PHONY: hostile
hostile: bootstrap-tests build ## all attacks on the binary, also those that take long; ARGS= goes to pytest
	$(PYTEST) $(SIDE_BY_SIDE) Tests/Hostile $(ARGS)

.PHONY: mutate
mutate: bootstrap-tests ## the kept mutants, small changes of meaning that the tests must find; ARGS= is passed on
	$(PYTHON) Tests/Mutants/run $(ARGS)

fuzz: bootstrap ## looks for inputs that break a parser or a decoder; FUZZ_SECONDS=300 or FUZZ_RUNS=... for each of four
	@Tests/Fuzz/run $(if $(FUZZ_RUNS),--runs $(FUZZ_RUNS),$(FUZZ_SECONDS))

bench: build ## the benchmark's table
	@Benchmarks/run

.PHONY: counts
counts: ## counts what a request costs; fails over a threshold
	@scripts/bootstrap --counts
	@$(MAKE) --no-print-directory build
	@Benchmarks/counts --check

.PHONY: bench-check
bench-check: counts ## `make counts`, and what hits cost while something hangs; fails over a threshold
	@Benchmarks/stalls --check

.PHONY: soak
soak: build ## millions of mixed requests through one process, whose memory must stay flat; ARGS= is passed on
	@Benchmarks/soak $(ARGS)

lint: bootstrap ## the style of Swift, the syntax of Python and bash
	swift format lint --strict --recursive $(SWIFT_SOURCES)
	@python3 scripts/lint-python $(PYTHON_SOURCES)
	@for file in $(SHELL_SOURCES); do bash -n $$file || exit 1; done
	@if command -v shellcheck >/dev/null; then shellcheck -x $(SHELL_SOURCES); fi

format: ## rewrites the Swift sources in the project's style
	swift format --in-place --recursive $(SWIFT_SOURCES)

# For other machines than this one: with SQLite in it, and for older systems.
.PHONY: portable
portable: bootstrap
	swift build $(STATIC) $$(scripts/build-options --portable) --scratch-path .build/portable

.PHONY: wheel
wheel: portable ## a wheel of the Python client with the binary in it, in dist/
	@python3 scripts/wheel .build/portable/release/larder

.PHONY: tarball deb
tarball: portable ## an archive for other machines, in dist/
	@python3 scripts/tarball .build/portable/release/larder

deb: build ## a Debian package, in dist/
	@scripts/deb $(BINARY)

.PHONY: vsix
vsix: ## the extension for VS Code, in dist/
	@python3 scripts/vsix

.PHONY: release
release: ## checks, version, changelog, packages, commit, tag: VERSION=1.2.3; ARGS=--no-checks, --no-packages
	@scripts/release "$(VERSION)" $(ARGS)

clean: ## removes what was built
	rm -rf .build .venv dist
	find $(PYTHON_SOURCES) -name __pycache__ -type d -exec rm -rf {} +

install: build ## the binary, its man page, completions and catalogs below PREFIX (/usr/local)
	@scripts/stage $(DESTDIR)$(PREFIX) $(BINARY)
