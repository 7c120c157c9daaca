# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Overruns of local arrays: each launch ends in time, in success or in a report.

usage: test_overruns.py COHORTCC FOLDER CASES LEVEL...

Compiles overruns.cu at each level, and once with -fsanitize=address. Runs CASES random cases at each level in the three
ways to run threads, each in a process of its own.
"""

import os
import random
import re
import subprocess
import sys

# COHORT_TIMEOUT is 0.3 s, and a thread that computes gets ten times that. The rest is for a busy machine: the report,
# the search for the thread in a second process, and the start of addr2line.
limit_seconds = 60

values = ["zero", "small", "ones", "stack", "memory", "code"]
ways = [("alone", "auto"), ("alone", "off"), ("barrier", "auto"), ("barrier", "off")]


def compile_program(cohortcc, folder, name, options):
    program = os.path.join(folder, name)
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "overruns.cu")
    subprocess.run([cohortcc, *options, source, "-o", program], check=True, timeout=600)
    return program


def run(program, arguments, gangs):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("COHORT_")}
    environment.update(COHORT_TIMEOUT="0.3", COHORT_GANGS=gangs)
    try:
        return subprocess.run(
            [program, *map(str, arguments)],
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=limit_seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None


def random_case(choices, number):
    """The arguments of a case: all ways, values and element sizes in turn, the rest at random."""
    wait, gangs = ways[number % len(ways)]
    first = choices.choice([0, 0, 0, choices.randrange(32)])
    count = choices.choice([choices.randint(1, 4), choices.randint(1, 64 - first)])
    thread = choices.choice([0, 31, 32, 37, 69])
    place = choices.choice(["kernel", "kernel", "callee"])
    bits = (64, 32)[number // len(ways) % 2]
    return gangs, [wait, place, bits, first, count, values[number // (2 * len(ways)) % len(values)], thread]


def fault_of(result):
    """Returns the fault in the result of a run whose array was overrun, or None."""
    if result is None:
        return f"it has not ended in {limit_seconds} s"
    if result.returncode != 0:
        return f"the process ended with {result.returncode}"
    error = result.stdout.split("\n")[0]
    if error == "cudaSuccess":
        return None if not result.stderr else "a report of a launch that succeeded"
    if not re.fullmatch(r"cudaError\w+", error):
        return "no error was printed"
    named = re.search(r"cohort: (failure|time-out|deadlock) in kernel overrun_kernel<", result.stderr)
    threads = re.search(r"threads? .*of block \(\d+,0,0\)|\d+ threads?: ", result.stderr)
    return None if named and threads else "the report does not name the kernel and its threads"


def check(program, gangs, case, find_fault, faults):
    result = run(program, case, gangs)
    fault = find_fault(result)
    if fault:
        text = "" if result is None else result.stdout + result.stderr
        faults.append(f"COHORT_GANGS={gangs} {os.path.basename(program)} {' '.join(map(str, case))}: {fault}\n{text}")
    return result


def check_correct(program, faults):
    """Without an overrun all values are right."""

    def fault(result):
        return None if result and result.stdout == "cudaSuccess\n0 wrong\n" else "the values are wrong"

    for wait, gangs in ways:
        for place in ["kernel", "callee"]:
            check(program, gangs, [wait, place, 64, 0, 0, "zero", 1000], fault, faults)


def check_level(cohortcc, folder, level, cases, faults):
    program = compile_program(cohortcc, folder, f"overruns{level}", [level])
    check_correct(program, faults)
    choices = random.Random(level)
    reported = overrun = 0
    for number in range(cases):
        gangs, case = random_case(choices, number)
        result = check(program, gangs, case, fault_of, faults)
        if result is not None and "cudaSuccess" not in result.stdout:
            reported += 1
            overrun += "a local array was overrun" in result.stderr and " overruns.cu:" in result.stderr
    print(f"{level}: {cases} cases, {reported} reports, {overrun} of them name the overrun and a line")
    if overrun * 5 < cases:
        faults.append(f"{level}: only {overrun} of {cases} cases are reported as overruns")


def check_with_sanitizer(cohortcc, folder, cases, faults):
    program = compile_program(cohortcc, folder, "overruns_asan", ["-O1", "-fsanitize=address"])

    def fault(result):
        if result is None:
            return "it has not ended"
        named = re.search("AddressSanitizer: (dynamic-)?stack-buffer-overflow", result.stderr)
        return None if named else "no report of AddressSanitizer"

    check_correct(program, faults)
    choices = random.Random("address")
    for number in range(cases):
        gangs, case = random_case(choices, number)
        case[3] = 0  # a redzone is hit where the overrun begins at the end of the array
        check(program, gangs, case, fault, faults)


def main():
    cohortcc, folder, cases, levels = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]
    os.makedirs(folder, exist_ok=True)
    faults = []
    for level in levels:
        check_level(cohortcc, folder, level, cases, faults)
    check_with_sanitizer(cohortcc, folder, max(cases // 10, 4), faults)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
