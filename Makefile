# `make help` lists the targets. scripts/bootstrap installs or names missing tools.
.DEFAULT_GOAL := build
.PHONY: help build demo test test-swift test-end-to-end fuzz bench lint format clean install bootstrap bootstrap-tests

PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 300
# The maximum number of Swift tests that run at once. Without it, all tests start together and each takes minutes.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 16
PYTHON := .venv/bin/python
# Without the bytecode cache, pytest takes longer to load the tests than to run a few of them.
PYTEST := PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX='$(CURDIR)/.build/pycache' \
    $(PYTHON) -m pytest -c Tests/EndToEnd/pytest.ini --rootdir .
# Most tests wait more than they compute, so they run in parallel. For a few tests, starting workers takes longer.
WORKERS ?= $(if $(filter -k%,$(ARGS)),0,4)
SIDE_BY_SIDE := -n $(WORKERS) --dist loadgroup
END_TO_END := -m "not long" Tests/EndToEnd Tests/Hostile clients Tests/interop/test_libraries.py
BINARY := .build/release/larder
# The release build and the debug build, which the tests use, have separate folders. --disable-local-rpath keeps the
# loader from using libraries next to the binary. Only a release build runs scripts/build-options.
STATIC := -c release --static-swift-stdlib --disable-local-rpath --product larder
RELEASE := $(STATIC) $$(scripts/build-options)
SWIFT_SOURCES := Sources Tests Package.swift
PYTHON_SOURCES := $(wildcard scripts clients examples Tests/EndToEnd Tests/Hostile Tests/Mutants Tests/OpenAPI Tests/interop Benchmarks)
SHELL_SOURCES := scripts/bootstrap scripts/build-options .ci/run Benchmarks/redaction/run Tests/Fuzz/run
SHELL_SOURCES += clients/shell/larder.sh clients/shell/larder-json.sh scripts/stage scripts/deb scripts/test
SHELL_SOURCES += examples/picker/larder-pick examples/ci/ci

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-17s%s\n", $$1, $$2}' $(MAKEFILE_LIST)

# The build folder contains absolute paths. After the checkout was moved or copied, it must be made again.
# Without .build/place, after a plain `swift build`, the files of SwiftPM show where it was made.
.PHONY: place
place:
	@if [ -f .build/place ]; then [ "$$(cat .build/place)" = "$$(pwd -P)" ]; \
	else ! cat .build/*.yaml 2>/dev/null | grep -q . || grep -qF "\"$$(pwd -P)/.build/" .build/*.yaml; fi || { \
	    echo 'make: this checkout was built in another folder: removing .build' >&2; rm -rf .build; \
	}
	@mkdir -p .build && printf '%s\n' "$$(pwd -P)" >.build/place

bootstrap: place
	@scripts/bootstrap

bootstrap-tests: place
	@scripts/bootstrap --tests

.PHONY: bootstrap-interop interop
bootstrap-interop:
	@scripts/bootstrap --interop

build: bootstrap ## build the release binary, .build/release/larder
	swift build $(RELEASE)

demo: build ## show larder at work with recorded responses, without a network
	@python3 scripts/demo

test: bootstrap-tests ## run all tests: the Swift tests, then the tests of the binary and of the clients
	@scripts/test

test-swift: bootstrap ## run only the Swift tests
	swift test --parallel

test-end-to-end: bootstrap-tests ## run only the tests of the built binary and of the clients; ARGS= is passed to pytest
	$(PYTEST) $(SIDE_BY_SIDE) $(END_TO_END) $(ARGS)

.PHONY: try
try: bootstrap-tests ## make a debug build and run the tests that ARGS= selects: make try ARGS="-k batch"
	swift build --product larder
	LARDER_BIN=.build/debug/larder $(PYTEST) $(SIDE_BY_SIDE) $(END_TO_END) $(ARGS)

.PHONY: bootstrap-hosts
bootstrap-hosts: ## install frameworks that use MCP servers from PyPI, for Tests/interop/hosts; ARGS= is their names
	@Tests/interop/hosts/bootstrap $(ARGS)

interop: bootstrap-interop build ## test with third-party clients, servers and editors; ARGS= is passed to pytest
	$(PYTEST) -m "not long" Tests/interop $(ARGS)

.PHONY: hostile
hostile: bootstrap-tests build ## run all attacks on the binary, including slow ones; ARGS= is passed to pytest
	$(PYTEST) $(SIDE_BY_SIDE) Tests/Hostile $(ARGS)

.PHONY: mutate
mutate: bootstrap-tests ## check that the tests detect the kept mutants, small faults in the code; ARGS= is passed on
	$(PYTHON) Tests/Mutants/run $(ARGS)

fuzz: bootstrap ## fuzz the four parsers and decoders; FUZZ_SECONDS=300 or FUZZ_RUNS=... applies to each
	@Tests/Fuzz/run $(if $(FUZZ_RUNS),--runs $(FUZZ_RUNS),$(FUZZ_SECONDS))

bench: build ## run the benchmarks and print their table
	@Benchmarks/run

.PHONY: counts
counts: ## count instructions, allocations and locks per request; fail above a threshold
	@scripts/bootstrap --counts
	@$(MAKE) --no-print-directory build
	@Benchmarks/counts --check

.PHONY: bench-check
bench-check: counts ## run `make counts`, and measure cache hits while something hangs; fail above a threshold
	@Benchmarks/stalls --check

.PHONY: soak
soak: build ## send millions of mixed requests to one process and check its memory; ARGS= is passed on
	@Benchmarks/soak $(ARGS)

lint: bootstrap ## check the style of Swift, the syntax of Python and bash, and the words of texts
	swift format lint --strict --recursive $(SWIFT_SOURCES)
	@python3 scripts/lint-python $(PYTHON_SOURCES)
	@python3 scripts/lint-words
	@for file in $(SHELL_SOURCES); do bash -n $$file || exit 1; done
	@if command -v shellcheck >/dev/null; then shellcheck -x $(SHELL_SOURCES); fi

format: ## format the Swift sources
	swift format --in-place --recursive $(SWIFT_SOURCES)

# `portable` makes a binary for other machines and older systems. SQLite is linked statically.
.PHONY: portable
portable: bootstrap
	swift build $(STATIC) $$(scripts/build-options --portable) --scratch-path .build/portable

.PHONY: wheel
wheel: portable ## make a wheel of the Python client with the binary, in dist/
	@python3 scripts/wheel .build/portable/release/larder

.PHONY: tarball deb
tarball: portable ## make an archive for other machines, in dist/
	@python3 scripts/tarball .build/portable/release/larder

deb: portable ## make a Debian package, in dist/
	@scripts/deb .build/portable/release/larder

.PHONY: bundle
bundle: ## make an MCP bundle with a binary for other machines, in dist/: make bundle ARGS="--catalog github"
	$(if $(strip $(ARGS)),,$(error ARGS is empty: name the catalog of the bundle, as in ARGS="--catalog github"))
	@$(MAKE) --no-print-directory portable
	@mkdir -p dist
	@# Without HOME, Larder would find the catalog in the maker's home folder.
	env -i PATH="$$PATH" HOME='$(CURDIR)/.build/portable' .build/portable/release/larder mcp bundle $(ARGS) \
	    dist/larder-$$(uname -s)-$$(uname -m).mcpb

.PHONY: vsix
vsix: ## package the extension for VS Code, in dist/
	@python3 scripts/vsix

.PHONY: release
release: ## release VERSION=1.2.3: check, set the version, package, commit, tag; ARGS=--no-checks, --no-packages
	@scripts/release "$(VERSION)" $(ARGS)

clean: ## remove all build products
	rm -rf .build .venv dist
	find $(PYTHON_SOURCES) -name __pycache__ -type d -exec rm -rf {} +

install: build ## install the binary, man page, completions and catalogs below PREFIX (/usr/local)
	@scripts/stage $(DESTDIR)$(PREFIX) $(BINARY)

.PHONY: uninstall
uninstall: ## remove the files that `make install` installs below PREFIX
	@scripts/stage --remove $(DESTDIR)$(PREFIX)
