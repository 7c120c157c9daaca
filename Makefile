# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Each target is a short call of CMake presets (CMakePresets.json) or of a script in tools/.
# JOBS limits the parallel jobs of a build, PREFIX is where `make install` puts things.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local

.PHONY: help build demo test test-all bench gpu format lint install clean
.DEFAULT_GOAL := help

help:
	@echo "make demo      compile a Cooperative Groups program for the CPU, run and verify it"
	@echo "make build     build the libraries, cohortcc, the examples and the tests (preset release)"
	@echo "make test      build and run all tests; the engine's once more with AddressSanitizer"
	@echo "make test-all  the tests under every preset: release, dev, asan, ubsan, tsan, portable"
	@echo "make bench     run the benchmarks beside their peers and print the ratios"
	@echo "make gpu       run the conformance tests and the benchmarks on the NVIDIA GPU that is there"
	@echo "make format    format the sources"
	@echo "make lint      look for what the compilers do not see"
	@echo "make install   install to PREFIX ($(PREFIX)); DESTDIR is honoured"
	@echo "make clean     remove the build folders"

build:
	@tools/bootstrap.sh test
	@tools/build.sh release

demo:
	@tools/bootstrap.sh demo
	@tools/demo.sh

test:
	@tools/bootstrap.sh test
	@tools/test.sh

test-all:
	@tools/bootstrap.sh test
	@tools/test.sh release dev asan ubsan tsan portable

bench:
	@tools/bootstrap.sh bench
	@tools/bench.sh

gpu:
	@tools/gpu.sh

format:
	@tools/bootstrap.sh lint
	@tools/format.sh

lint:
	@tools/bootstrap.sh lint
	@tools/lint.sh

install:
	@tools/bootstrap.sh demo
	@tools/build.sh release product
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)"

clean:
	rm -rf build build-dev build-asan build-ubsan build-tsan build-portable build-gpu

export JOBS
