# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Each target is a short call of CMake presets (CMakePresets.json) or of a script in tools/.
# JOBS limits the parallel jobs of a build, PREFIX is the folder that `make install` installs to.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local

ifeq ($(wildcard tools/bootstrap.sh),)
$(error this folder is no checkout of Cohort; run make there, or from here: make -C CHECKOUT)
endif

.PHONY: help build product demo test test-all test-long bench gpu docs format lint install install-library package clean
.DEFAULT_GOAL := help

help:
	@echo "make demo      compile a Cooperative Groups program for the CPU, run and verify it"
	@echo "make product   build all that make install installs, such as the checker and the puzzles, without tests"
	@echo "make build     build the libraries, cohortcc, the examples and the tests (preset release)"
	@echo "make test      build and run the tests; the engine's once more with AddressSanitizer"
	@echo "make test-all  the tests under every preset: release, dev, asan, ubsan, tsan, portable"
	@echo "make test-long the tests that are slow, or need root, a chroot or a network"
	@echo "make bench     run the benchmarks beside their peers and print the ratios"
	@echo "make gpu       run the conformance tests and the benchmarks on this machine's NVIDIA GPUs"
	@echo "make docs      build the documentation site in build/docs"
	@echo "make format    format the sources"
	@echo "make lint      check rules, format, spelling, scripts and workflows; run cppcheck and clang-tidy"
	@echo "make install   install to PREFIX ($(PREFIX)); DESTDIR is honoured"
	@echo "make install-library  the same without cohortcc and without clang: headers and library for plain C++"
	@echo "make package   make a Debian package and a Python wheel in build/packages"
	@echo "make clean     remove the build folders"

build:
	@tools/bootstrap.sh test
	@tools/build.sh release

product:
	@tools/bootstrap.sh demo
	@tools/build.sh release product

demo:
	@tools/bootstrap.sh demo
	@tools/demo.sh

test:
	@tools/bootstrap.sh test docs
	@tools/test.sh

test-all:
	@tools/bootstrap.sh test docs
	@tools/test.sh release dev asan ubsan tsan portable

test-long:
	@tools/bootstrap.sh test docs long
	@tools/test.sh long

bench:
	@tools/bootstrap.sh bench
	@tools/bench.sh

gpu:
	@tools/gpu.sh

docs:
	@tools/bootstrap.sh docs
	@python3 tools/site/build_site.py . build/docs

format:
	@tools/bootstrap.sh lint
	@tools/format.sh

lint:
	@tools/bootstrap.sh lint
	@tools/lint.sh

install: product
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)"

install-library:
	@tools/bootstrap.sh library
	@tools/build.sh library
	@DESTDIR="$(DESTDIR)" cmake --install build-library --prefix "$(PREFIX)"

package:
	@tools/bootstrap.sh demo package
	@tools/build.sh release product
	@tools/package.sh

clean:
	rm -rf build build-dev build-asan build-ubsan build-tsan build-portable build-library build-gpu

export JOBS
