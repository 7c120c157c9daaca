# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A race that one order of the threads shows must be found in the engine's own order, too.

  test_orders.py SEEDS PROGRAM...
  test_orders.py SEEDS --compile COHORTCC SOURCE...

Runs each program in the engine's own order and under COHORT_SCHEDULE=seed:1 to seed:SEEDS. A program whose call with
`--list` prints names is run once for each of them. All kernels that race in one order must race in the engine's own
order, and the pair of lines must be one of the pairs that are found there, or share a line with one: a group of threads
is named by the line of its latest access."""

import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile


def run(command, seed):
    """Runs a program once and returns {kernel: {(place, place)}}, the races of each kernel."""
    environment = dict(os.environ, COHORT_CHECK="json", COHORT_WORKERS="1")
    environment |= {"COHORT_SCHEDULE": f"seed:{seed}"} if seed else {}
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, env=environment)
    if done.returncode < 0 or "cohort: COHORT" in done.stderr:
        sys.exit(f"{command}, seed {seed}: status {done.returncode}\n{done.stderr}")
    races = collections.defaultdict(set)
    for line in done.stderr.splitlines():
        found = json.loads(line) if line.startswith('{"check": "race"') else None
        if found:
            races[found["kernel"]].add(tuple(sorted(found[side]["place"] for side in ("first", "second"))))
    return races


def only_in_seeds(command, seeds):
    """Returns sentences about races that the engine's own order does not find, and the number of races that it finds.
    """
    own = run(command, 0)
    problems = {}
    for seed in range(1, seeds + 1):
        for kernel, pairs in run(command, seed).items():
            lines = {place for pair in own[kernel] for place in pair}
            for pair in pairs - own[kernel]:
                if not lines & set(pair):
                    problems.setdefault((kernel, pair), seed)
    return [f"{' '.join(command)}: seed {seed} shows a race in {kernel}: {pair}" for (kernel, pair), seed in problems.items()], \
        sum(len(pairs) for pairs in own.values())


def commands_of(program):
    """The cases of a program of planted defects, or the program."""
    done = subprocess.run([program, "--list"], capture_output=True, text=True, timeout=600, check=False)
    names = done.stdout.split()
    is_list = names and all(re.fullmatch(r"\w+", name) for name in names) and done.stdout.count("\n") == len(names)
    return [[program, name] for name in names] if is_list else [[program]]


def main():
    seeds, *programs = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        if programs[0] == "--compile":
            compiler, *sources = programs[1:]
            programs = [f"{folder}/{number}_{os.path.basename(source)[:-3]}" for number, source in enumerate(sources)]
            for source, program in zip(sources, programs):
                subprocess.run([compiler, "--check=race", source, "-o", program], check=True)
        commands = [command for program in programs for command in commands_of(program)]
        results = list(pool.map(lambda command: only_in_seeds(command, int(seeds)), commands))
    problems = [problem for found, _ in results for problem in found]
    print(f"{len(commands)} programs and cases, {sum(count for _, count in results)} races in the engine's own order")
    sys.exit("\n".join(problems) or 0)


main()
