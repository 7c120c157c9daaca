# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares random kernels between the ways in which they run, and with a model in plain C++.

Kernel N is the same in every run: `random_kernels.py --first N --count 1` repeats it. A difference is printed with a
reduced kernel; the exit status is then 1.
"""

import argparse
import concurrent.futures
import os
import subprocess
import sys
import tempfile
import time

import compare
import kernels
import modes
import reduce


# The modes that batches use in turn, one each: a kernel in a gang takes up to 1 s to compile.
TURNS = "stacks,force32,O0,force64,versions,force128,O0,force32.x86-64-v3"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cohortcc", default="cohortcc")
    parser.add_argument("--cxx", default="c++", help="compiler of the model")
    parser.add_argument("--nvcc", default="nvcc", help="compiler of the mode nvcc, which needs a GPU")
    parser.add_argument("--first", type=int, default=0, help="number of the first kernel")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--batch", type=int, default=32, help="kernels compiled together")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--modes", default="model,loops", help="comma-separated; the first one is the reference")
    parser.add_argument("--turns", default=TURNS, help="more modes, of which each batch takes one in turn; may be empty")
    parser.add_argument("--widths", default="32,64,128,256", help="widths of gangs that --modes may name")
    parser.add_argument("--cpus", default="x86-64-v3", help="CPUs beside native that --modes may name")
    parser.add_argument("--kinds", default=",".join(kernels.ALL_KINDS), help="kinds of kernels to run")
    parser.add_argument("--reduce", type=int, default=1, help="differences to reduce")
    parser.add_argument("--state", help="a file of the numbers done: a run that was stopped continues behind them")
    parser.add_argument("--seconds", type=float, help="begin no more kernels after this time")
    parser.add_argument("--background", metavar="LOG", help="run in the background and write to this file")
    parser.add_argument("--report", help="append each difference to this file too")
    return parser.parse_args()


def describe(difference, further, kernel, words):
    expected, got = difference.results
    others = "".join(f"  also {other.second.name}, block {other.shape}: {other.results[1]}\n" for other in further)
    return (f"kernel {difference.kernel.name} ({difference.kernel.kind}), block {difference.shape}: "
            f"{difference.first.name} and {difference.second.name} differ\n"
            f"  {difference.first.name}: {expected}\n  {difference.second.name}: {got}\n{others}{words}\n{kernel.source()}")


def first_words(difference, programs):
    """The first words of the two results that differ."""
    outputs = []
    for mode in (difference.first, difference.second):
        program, _ = programs.compile(mode, kernels.program([difference.kernel]))
        if program is None:
            return ""
        outputs.append(modes.run(mode, program, difference.kernel.name, difference.shape, "words")[1].splitlines())
    lines = [f"  {first}  |  {second}" for first, second in zip(*outputs) if first != second and not first.startswith("= ")]
    return "\n".join(lines[:6])


class State:
    """The numbers of the kernels that earlier runs have compared, in a file: a later run continues after them."""

    def __init__(self, path, settings):
        self.path, self.done, self.failed = path, set(), set()
        if not path:
            return
        if not os.path.exists(path):
            self.write(f"settings {settings}")
        with open(path, encoding="utf-8") as lines:
            for kind, rest in (line.rstrip("\n").split(" ", 1) for line in lines):
                if kind == "settings" and rest != settings:
                    sys.exit(f"{path} is the state of a run with other settings: {rest}")
                if kind == "done":
                    first, last = map(int, rest.split())
                    self.done.update(range(first, last + 1))
                if kind == "differs":
                    self.failed.add(rest)

    def write(self, line):
        if self.path:
            with open(self.path, "a", encoding="utf-8") as lines:
                lines.write(line + "\n")

    def finish(self, numbers, failed):
        self.done.update(numbers)
        for name in failed - self.failed:
            self.write(f"differs {name}")
        self.failed |= failed
        self.write(f"done {numbers[0]} {numbers[-1]}")


def start_in_background(log):
    """Runs this command in a session of its own, at low priority, and ends this process."""
    command = [argument for i, argument in enumerate(sys.argv) if "--background" not in (argument, sys.argv[i - 1])]
    with open(log, "a", encoding="utf-8") as output:
        child = subprocess.Popen([sys.executable, "-B", *command], stdout=output, stderr=output, stdin=subprocess.DEVNULL,
                                 start_new_session=True, preexec_fn=lambda: os.nice(10))
    print(f"process {child.pid} writes {log}")
    sys.exit(0)


def compare_batches(options, batches, programs, report_differences):
    """Compares several batches at a time until the time is over; returns the numbers compared."""
    limit = time.monotonic() + options.seconds if options.seconds is not None else None
    compared = []
    with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs // 2)) as pool:
        waiting, left = {}, list(reversed(batches))
        while left or waiting:
            while left and len(waiting) < max(1, options.jobs // 2) and (limit is None or time.monotonic() < limit):
                numbers, chosen = left.pop()
                comparison = compare.Comparison(programs, chosen)
                waiting[pool.submit(comparison.differences, [kernels.kernel(number) for number in numbers])] = numbers
            if not waiting:
                break
            for batch in concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED).done:
                numbers = waiting.pop(batch)
                report_differences(numbers, *batch.result())
                compared += numbers
    return compared


def main():
    options = arguments()
    if options.background:
        start_in_background(options.background)
    known = modes.all_modes(options.widths.split(","), [cpu for cpu in options.cpus.split(",") if cpu])
    modes_of_all, turns = ([known[name] for name in names.split(",") if name] for names in (options.modes, options.turns))
    kinds = options.kinds.split(",")
    numbers = [number for number in range(options.first, options.first + options.count) if kernels.kernel(number).kind in kinds]
    state = State(options.state, f"{options.first} {options.count} {options.batch} {options.modes} {options.turns} {options.kinds}")
    start, failed, crashed = time.monotonic(), {}, set()
    batches = []
    for at in range(0, len(numbers), options.batch):
        turn = at // options.batch % max(1, len(turns))
        batch = [number for number in numbers[at:at + options.batch] if number not in state.done]
        if batch:
            batches.append((batch, modes_of_all + turns[turn:turn + 1]))
    before = len(state.done)
    with tempfile.TemporaryDirectory(prefix="cohort-random-") as folder:
        programs = modes.Programs(options.cohortcc, options.cxx, options.nvcc, folder, options.jobs)

        def report_differences(numbers, differences, crashes):
            crashed.update(crashes)
            for difference in differences:
                if difference.kernel.name in failed:
                    continue
                failed[difference.kernel.name] = difference
                kernel = difference.kernel
                if len(failed) <= options.reduce:
                    kernel = reduce.reduced(difference, programs)
                words = first_words(difference, programs) if len(failed) <= options.reduce else ""
                further = [one for one in differences if one.kernel is difference.kernel and one is not difference]
                text = describe(difference, further, kernel, words)
                print(text, flush=True)
                if options.report:
                    with open(options.report, "a", encoding="utf-8") as report:
                        report.write(f"\n```\n{text}\n```\n")
            state.finish(numbers, {name for name in failed if int(name[1:]) in set(numbers)})
            if options.state:
                print(f"{len(state.done)} of {before + sum(len(batch) for batch, _ in batches)} kernels, {len(state.failed)} differ "
                      f"({time.monotonic() - start:.0f} s)", flush=True)

        compared = compare_batches(options, batches, programs, report_differences)
    seconds = time.monotonic() - start
    earlier = f" and {before} in earlier runs, of which {len(state.failed) - len(failed)} differ" if before else ""
    print(f"{len(compared)} kernels in the modes {options.modes} and in turn {options.turns}: {len(failed)} differ "
          f"({seconds:.0f} s){earlier}")
    if crashed:
        print(f"nvcc crashes at {len(crashed)} of them, which it leaves without a result: {' '.join(sorted(crashed))}")
    return 1 if failed or state.failed else 0


if __name__ == "__main__":
    sys.exit(main())
