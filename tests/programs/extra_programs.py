#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles and runs CUDA programs that are not part of the project, from the folder COHORT_EXTRA_PROGRAMS.

  five_identities   cg_demo.cu; `template <int T>` there does not match CUDA's own declaration and becomes `unsigned int`
  reduce_sum        reduce_sum_cooperative_groups.cu: compiles it unchanged, then compiles and runs it with fewer batches
  reduce_sum_full   reduce_sum_cooperative_groups.cu at full size: 6 GiB of memory, minutes. Only with COHORT_FULL_SIZE=1
  others            every other .cu file in the folder: compile, run, exit status 0

The exit status is 77 (skipped) without that folder or program.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

SKIPPED = 77
REDUCE_SUM = "reduce_sum_cooperative_groups.cu"
CG_DEMO = "cg_demo.cu"


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def fail(reason):
    print(f"FAILED: {reason}")
    sys.exit(1)


def source_of(name):
    folder = os.environ.get("COHORT_EXTRA_PROGRAMS", "")
    if not folder:
        skip("COHORT_EXTRA_PROGRAMS names no folder of further programs")
    path = pathlib.Path(folder) / name
    if not path.exists():
        skip(f"there is no {path}")
    return path


def build(options, source, name):
    program = options.work / name
    subprocess.run([options.cohortcc, "-O3", *options.flags, str(source), "-o", str(program)], check=True)
    return program


def output_of(program, *arguments):
    result = subprocess.run([str(program), *arguments], stdout=subprocess.PIPE, text=True, check=False)
    print(result.stdout)
    if result.returncode != 0:
        fail(f"{program.name} ended with status {result.returncode}")
    return result.stdout


def replaced(options, source, before, after):
    """Writes a copy of the source with one changed expression into the work folder, and returns its path."""
    text, count = re.subn(before, after, source.read_text(encoding="utf-8"))
    if count != 1:
        fail(f"{source.name}: '{before}' stands there {count} times, not once")
    copy = options.work / ("changed_" + source.name)
    copy.write_text(text, encoding="utf-8")
    return copy


def identities(thread, block=256):
    """The lines that the program prints for one thread: its ranks in tiles of the block, of a tile of 32, of a tile of 8."""
    rank = thread % block
    rows = [("warp32", 32, block, rank), ("warp16", 16, block, rank), ("warp8 ", 8, block, rank),
            ("tile8 ", 8, 32, rank % 32), ("tile4 ", 4, 8, rank % 8)]
    lines = [f"Target Thread GID: {thread}", f"warps and sub-warps for thread {thread}:"]
    for tag, size, parent, place in rows:
        lines.append(f"{tag} rank in tile {place % size:2d} size {size:2d}  meta_rank {place // size:2d} "
                     f"meta_size {parent // size:2d}  net_size {parent:3d}")
    return lines


def five_identities(options):
    source = source_of(CG_DEMO)
    program = build(options, replaced(options, source, r"template <int T>", "template <unsigned int T>"), "cg_demo")
    lines = output_of(program).splitlines()
    if lines != identities(1234567):
        fail("expected\n" + "\n".join(identities(1234567)))


def check_profile(output):
    """Checks that the three parts print a latency and a bandwidth each. The program itself checks the sums."""
    for title in ("Batched Reduce Sum V1", "Batched Reduce Sum V2", "Full Reduce Sum"):
        found = re.search(title + r"\nLatency: ([0-9.e+]+) ms\nEffective Bandwidth: ([0-9.e+-]+) GB/s\n", output)
        if not found:
            fail(f"no figures of '{title}'")
        if not float(found[1]) > 0 or not float(found[2]) > 0:
            fail(f"'{title}' took {found[1]} ms at {found[2]} GB/s")


def reduce_sum(options):
    source = source_of(REDUCE_SUM)
    build(options, source, "reduce_sum")
    fewer = replaced(options, source, r"batch_size\{2048\}", "batch_size{16}")
    check_profile(output_of(build(options, fewer, "reduce_sum_16")))


def reduce_sum_full(options):
    source = source_of(REDUCE_SUM)
    if os.environ.get("COHORT_FULL_SIZE") != "1":
        skip("it takes minutes and 6 GiB of memory; set COHORT_FULL_SIZE=1 to run it")
    check_profile(output_of(build(options, source, "reduce_sum")))


def others(options):
    folder = source_of(".")
    sources = [s for s in sorted(folder.glob("*.cu")) if s.name not in (REDUCE_SUM, CG_DEMO)]
    if not sources:
        skip(f"no further programs in {folder}")
    for source in sources:
        print(f"== {source.name}")
        output_of(build(options, source, "other_" + source.stem))


def main():
    tests = {f.__name__: f for f in (five_identities, reduce_sum, reduce_sum_full, others)}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("test", choices=tests)
    parser.add_argument("--cohortcc", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--flag", action="append", default=[], dest="flags", help="a flag for every call of cohortcc")
    options = parser.parse_args()
    options.work = options.work / options.test
    options.work.mkdir(parents=True, exist_ok=True)
    tests[options.test](options)
    print("passed")


main()
