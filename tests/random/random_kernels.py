# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares random kernels between the ways in which they run, and with a model in plain C++.

Kernel N is the same in every run: `random_kernels.py --first N --count 1` repeats it. A difference is printed with a
reduced kernel; the exit status is then 1.
"""

import argparse
import os
import sys
import tempfile
import time

import compare
import kernels
import modes
import reduce


# A kernel in a gang costs up to 1 s to compile: a batch has one of these modes.
TURNS = "stacks,force32,O0,force64,versions,force128,O0,force32.x86-64-v3"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cohortcc", default="cohortcc")
    parser.add_argument("--cxx", default="c++", help="compiler of the model")
    parser.add_argument("--nvcc", default="nvcc", help="compiler of the mode nvcc, which needs a GPU")
    parser.add_argument("--first", type=int, default=0, help="number of the first kernel")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--batch", type=int, default=25, help="kernels compiled together")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--modes", default="model,loops", help="comma-separated; the first one is the reference")
    parser.add_argument("--turns", default=TURNS, help="more modes, of which each batch takes one in turn; may be empty")
    parser.add_argument("--widths", default="32,64,128,256", help="widths of gangs that --modes may name")
    parser.add_argument("--cpus", default="x86-64-v3", help="CPUs beside native that --modes may name")
    parser.add_argument("--kinds", default=",".join(kernels.ALL_KINDS), help="kinds of kernels to run")
    parser.add_argument("--reduce", type=int, default=1, help="differences to reduce")
    parser.add_argument("--report", help="append each difference to this file too")
    return parser.parse_args()


def describe(difference, kernel, words):
    expected, got = difference.results
    return (f"kernel {difference.kernel.name} ({difference.kernel.kind}), block {difference.shape}: "
            f"{difference.first.name} and {difference.second.name} differ\n"
            f"  {difference.first.name}: {expected}\n  {difference.second.name}: {got}\n{words}\n{kernel.source()}")


def first_words(difference, programs):
    """The first words of the results that differ."""
    outputs = []
    for mode in (difference.first, difference.second):
        program, _ = programs.compile(mode, kernels.program([difference.kernel]))
        if program is None:
            return ""
        outputs.append(modes.run(mode, program, difference.kernel.name, difference.shape, "words")[1].splitlines())
    lines = [f"  {first}  |  {second}" for first, second in zip(*outputs) if first != second and not first.startswith("= ")]
    return "\n".join(lines[:6])


def main():
    options = arguments()
    known = modes.all_modes(options.widths.split(","), [cpu for cpu in options.cpus.split(",") if cpu])
    modes_of_all, turns = ([known[name] for name in names.split(",") if name] for names in (options.modes, options.turns))
    kinds = options.kinds.split(",")
    numbers = [number for number in range(options.first, options.first + options.count) if kernels.kernel(number).kind in kinds]
    start, failed = time.monotonic(), {}
    with tempfile.TemporaryDirectory(prefix="cohort-random-") as folder:
        programs = modes.Programs(options.cohortcc, options.cxx, options.nvcc, folder, options.jobs)
        for at in range(0, len(numbers), options.batch):
            turn = at // options.batch % max(1, len(turns))
            comparison = compare.Comparison(programs, modes_of_all + turns[turn:turn + 1])
            for difference in comparison.differences([kernels.kernel(number) for number in numbers[at:at + options.batch]]):
                if difference.kernel.name in failed:
                    continue
                failed[difference.kernel.name] = difference
                kernel = difference.kernel
                if len(failed) <= options.reduce:
                    kernel = reduce.reduced(difference, programs)
                text = describe(difference, kernel, first_words(difference, programs))
                print(text, flush=True)
                if options.report:
                    with open(options.report, "a", encoding="utf-8") as report:
                        report.write(f"\n```\n{text}\n```\n")
    seconds = time.monotonic() - start
    print(f"{len(numbers)} kernels in the modes {options.modes} and in turn {options.turns}: {len(failed)} differ ({seconds:.0f} s)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
