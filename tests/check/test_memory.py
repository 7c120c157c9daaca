# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program that was compiled with --check=memory and compares its findings with the comments of its source.

In the source, `// outside: a 1 | PHRASE` above a kernel expects a finding at the line marked [a], found once, whose
memory contains PHRASE; `unwritten` is the other kind. A kernel without such a comment must have no finding. At the end
the program resets its device with 400 and 399 bytes that were not freed."""

import collections
import json
import os
import re
import subprocess
import sys


def expectations(path):
    """For each kernel, its set of (kind, line, count), and the list of (kind, line, phrase)."""
    result, following, kernel = {}, [], None
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        if found := re.match(r"// (outside|unwritten): (\w) (\d+) \| (.+)$", line):
            following.append(found.groups())
        if found := re.match(r"__global__ void (\w+)\(", line):
            kernel, following = result.setdefault(found[1], ([], following)), []
        if (found := re.search(r"// \[(\w)\]", line)) and kernel:
            kernel[0].append((found[1], number))
    wanted = {}
    for name, (marks, lines) in result.items():
        at = dict(marks)
        wanted[name] = ({(kind, at[mark], int(count)) for kind, mark, count, _ in lines},
                        [(kind, at[mark], phrase) for kind, mark, _, phrase in lines])
    return wanted


def main():
    program, source = sys.argv[1:3]
    problems, planted = [], expectations(source)
    for workers in ("1", "3"):
        # Guard pages are off, because they would end a launch at some of the accesses.
        environment = dict(os.environ, COHORT_CHECK="json", COHORT_WORKERS=workers, COHORT_GUARD="off")
        run = subprocess.run([program], capture_output=True, text=True, timeout=100, check=False, env=environment)
        if run.returncode != 0 or run.stdout:
            sys.exit(f"{workers} workers: status {run.returncode}, {run.stdout}{run.stderr}")
        found, leaks = collections.defaultdict(dict), []
        for line in run.stderr.splitlines():
            each = json.loads(line)
            if each["problem"] == "leak":
                leaks.append((each["bytes"], bool(re.match(r"memory.cu:\d+ \(main\)$", each["place"]))))
                continue
            number = int(re.match(r"[\w.]+:(\d+) ", each["access"]["place"])[1])
            found[each["kernel"]][each["problem"], number, each["count"]] = each["memory"]
        for kernel, (wanted, phrases) in planted.items():
            if set(found[kernel]) != wanted:
                problems.append(f"{workers} workers, {kernel}: found {found[kernel]}, expected {wanted}")
            memory = {key[:2]: text for key, text in found[kernel].items()}
            problems += [f"{workers} workers, {kernel}: {memory.get((kind, line))} lacks '{phrase}'"
                         for kind, line, phrase in phrases if phrase not in memory.get((kind, line), "")]
        problems += [f"{workers} workers: findings in {kernel}" for kernel in found if kernel not in planted]
        if sorted(leaks) != [(399, True), (400, True)]:
            problems.append(f"{workers} workers: leaks {leaks}")
    sys.exit("\n".join(problems) or 0)


main()
