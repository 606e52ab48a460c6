# SPDX-License-Identifier: Apache-2.0
# The two that matter: `make demo` and `make test`. Everything that is missing is installed first.
.PHONY: build demo test test-long test-slurm test-packages sanitizers apps bench bench-breadth bench-nodes bench-pairs bench-short bench-arrival bench-selection bench-simulation bench-scale bench-torus bench-efficiency bench-graphs bench-rails bench-sites bench-lanes bench-shared bench-choice bench-blind bench-warmup bench-waits bench-halo bench-discover bench-programs fuzz fuzz-parsers faults browser simgrid docs format lint install wheel test-wheel test-root uninstall clean help
.DEFAULT_GOAL := build

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
CALLS ?= 200000
SUITES ?= bookworm bullseye
COUNT ?= 200
RUFF = .deps/tools/bin/ruff
CXX_FILES = git ls-files --cached --others --exclude-standard '*.hpp' '*.cpp' '*.h' '*.c'

build: .setup                ## build the libraries, the tools and the tests
	@scripts/build release $(JOBS)

demo: .setup                 ## run LAMMPS natively and under Espalier, compare and show what Espalier did
	@scripts/build release $(JOBS) src/all bench/all
	@./espalier demo

test: .setup                 ## the whole test suite: release, address sanitizer, Python, README, installed package
	@scripts/test $(JOBS)

test-long: build             ## what `make test` draws small, whole: every MPI, stress, fuzz, faults, parsers; hours
	@THOROUGH_TESTS=1 .deps/tools/bin/pytest tests/apps tests/cli tests/lab tests/slurm
	@THOROUGH_TESTS=1 ctest --preset release -R '^(verify\.Mutations|fuzz|policy|arrival)'
	@$(MAKE) --no-print-directory sanitizers fuzz faults fuzz-parsers

test-slurm: build            ## every way in which Slurm starts ranks, under every MPI, on a Slurm of the tests' own: minutes
	@THOROUGH_TESTS=1 .deps/tools/bin/pytest tests/slurm

test-packages: build         ## build Debian's packages, and have other recipes read by whom they are for: about 20 minutes
	@scripts/setup packages
	@THOROUGH_TESTS=1 .deps/tools/bin/pytest tests/packaging

sanitizers: .setup           ## what touches memory or has threads, under the address, undefined-behaviour and thread sanitizers
	@scripts/build asan-long $(JOBS) && ctest --preset asan-long -j $(JOBS)
	@scripts/build tsan $(JOBS) && ctest --preset tsan -j $(JOBS)

apps: build                  ## install real programs, run each natively and under Espalier, and compare; PROGRAMS="lammps cp2k"
	@./espalier apps --install $(PROGRAMS)

bench: build                 ## native and own algorithms, interleaved, with spread
	@./espalier bench

bench-breadth: build         ## every collective on one machine, then on shaped links: about half an hour
	@./espalier breadth
	@./espalier lab compare breadth-rails

bench-nodes: build           ## inside a node: a hand-written limit, every MPI, Espalier; about half an hour
	@./espalier nodes

bench-pairs: build           ## real programs, two ranks on this machine, natively and under Espalier in pairs; about half an hour
	@./espalier pairs --install $(PROGRAMS)

bench-short: build           ## programs of few or short calls, two ranks on this machine, natively and under Espalier in pairs
	@./espalier short

bench-arrival: build         ## ranks that come late to collectives, on one machine and on shaped links: hours
	@./espalier arrival

bench-selection: build       ## what choosing at run time costs, by policy, where all times are known
	@./espalier selection

bench-scale: build           ## what Espalier itself costs one rank of up to 82,944
	@build/bin/espalier-bench-scale

bench-simulation: build      ## what was measured on machines that are not here, simulated; and what Espalier would take there: hours
	@./espalier simulations

bench-torus bench-efficiency bench-graphs bench-rails bench-sites bench-lanes bench-shared bench-choice bench-blind: bench-%: build  ## comparisons over shaped links; see docs
	@./espalier lab compare $*

bench-warmup: build          ## the first calls on fresh communicators over shaped links, natively and chosen as they run, in pairs; hours
	@./espalier lab warmup

bench-programs: build        ## real programs on networks, natively and chosen as they run
	@./espalier lab apps

bench-halo: build            ## exchanges of halos over several NICs: the MPI's, and each packer's
	@./espalier lab halos

bench-discover: build         ## networks of the lab found by measuring, next to what they are
	@./espalier lab discover

bench-waits: build           ## the links on which packets wait for others
	@./espalier lab waits

fuzz: build                  ## CALLS random collective calls (200000) against the native MPIs; FUZZ_SEED to repeat them
	@PYTHONPATH=tests/support .deps/tools/bin/python tests/apps/fuzz.py --calls $(CALLS)

fuzz-parsers:                ## feed every parser with random texts, for FUZZ_SECONDS each (60)
	@scripts/setup fuzz
	@scripts/fuzz $(FUZZ_SECONDS) $(JOBS)

faults: build                ## COUNT jobs (200) in which descriptors, memory, files, the clock or signals go wrong; FAULT_SEED to repeat them
	@PYTHONPATH=tests/support .deps/tools/bin/python tests/apps/inject_faults.py --count $(COUNT)

browser:                     ## install a headless browser, and look at the page of a run in it
	@scripts/setup browser
	@.deps/tools/bin/pytest tests/cli/test_story_in_browser.py

simgrid: .setup              ## compile SimGrid 4.1 for simulations, in place of the system's: 17 minutes of a processor
	@scripts/simgrid $(JOBS)

docs:                        ## the documentation as a site, in build/site: links that lead nowhere are errors
	@scripts/setup docs
	@scripts/docs

format: .setup               ## format all C++ and Python
	@$(CXX_FILES) | xargs clang-format -i
	@$(RUFF) check --quiet --fix && $(RUFF) format --quiet

lint: build                  ## clang-format, clang-tidy, ruff and mypy; changes nothing
	@scripts/lint $(JOBS)

install: .setup              ## install the libraries and the command into PREFIX (default /usr/local)
	@scripts/build release $(JOBS) src/all
	@scripts/command-packages
	@cmake --install build --prefix "$(abspath $(PREFIX))" >build/logs/install.log || (cat build/logs/install.log; exit 1)
	@echo "Installed: $(abspath $(PREFIX))/bin/espalier. To remove it: make uninstall PREFIX=$(PREFIX)"

wheel:                       ## a wheel for Linux with glibc 2.28 or later, and a source distribution: build/dist
	@scripts/setup wheel
	@scripts/wheel $(JOBS)

test-wheel: wheel            ## what the wheel needs and holds, and jobs from fresh environments under each MPI
	@.deps/tools/bin/pytest --durations=10 tests/wheel

test-root:                   ## what `make wheel` made, for a user without rights in bases of Debian: SUITES="bookworm bullseye"
	@scripts/setup wheel
	@for suite in $(SUITES); do scripts/try-clean-root $$suite || exit 1; done

uninstall:                   ## remove from PREFIX what `make install` put there, and nothing else
	@sh "$(abspath $(PREFIX))/share/espalier/uninstall"

clean:                       ## remove what was built; what was downloaded stays in .deps
	rm -rf build results

help:                        ## this list
	@sed -nE 's/^((bench-|fuzz-|test-)?[a-z]+)[a-z -]*:[^#]*## (.*)/make \1\t\3/p' Makefile | expand -t 19

.PHONY: .setup
.setup:
	@scripts/setup
