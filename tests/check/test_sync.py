# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program that was compiled with --check=sync and compares its findings with the comments of its source.

In the source, `// divergent: a b 2 | PHRASE` above a kernel expects a finding of this kind between the lines marked [a]
and [b], found twice, with PHRASE in its JSON. Other kinds may name one line. A kernel
without such a comment must have no finding."""

import collections
import json
import os
import re
import subprocess
import sys

KIND = re.compile(r"// (divergent|returned|copy without a wait|arrival without a wait|write of a constant|outlived pointer"
                  r"|product without a fence|write without a proxy fence|early accumulator): "
                  r"(\w)(?: (\w))? (\d+) \| (.+)$")


def expectations(path):
    """For each kernel, {(kind, lines, count): phrase}."""
    marks, kernels, following = {}, {}, []
    scopes, scope = {}, None
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        if found := KIND.match(line):
            following.append(found.groups())
        if found := re.match(r"__global__ void (\w+)\(", line):
            scope = found[1]
            kernels[scope], following = following, []
        if found := re.search(r"// \[(\w)\]", line):
            marks.setdefault((scope, found[1]), number)
            scopes[found[1]] = number

    def line_of(kernel, mark):
        # A mark that is not in the kernel is in a function that the kernel calls.
        return marks.get((kernel, mark)) or scopes[mark]

    return {kernel: {(kind, tuple(sorted(line_of(kernel, mark) for mark in (first, second) if mark)), int(count)): phrase
                     for kind, first, second, count, phrase in wanted} for kernel, wanted in kernels.items()}


def main():
    program, source = sys.argv[1:3]
    problems, planted = [], expectations(source)
    for workers in ("1", "3"):
        environment = dict(os.environ, COHORT_CHECK="json", COHORT_WORKERS=workers)
        run = subprocess.run([program], capture_output=True, text=True, timeout=100, check=False, env=environment)
        if run.returncode != 0 or run.stdout != "no error\n":
            sys.exit(f"{workers} workers: status {run.returncode}, {run.stdout}{run.stderr}")
        found = collections.defaultdict(dict)
        for text in run.stderr.splitlines():
            each = json.loads(text)
            lines = sorted(int(re.match(r"[\w.]+:(\d+) ", each[side]["place"])[1]) for side in ("first", "second")
                           if side in each)
            found[each["kernel"]][each["problem"], tuple(lines), each["count"]] = text
        for kernel, wanted in planted.items():
            if set(found[kernel]) != set(wanted):
                problems.append(f"{workers} workers, {kernel}: found {sorted(found[kernel])}, expected {sorted(wanted)}")
            problems += [f"{workers} workers, {kernel}: {found[kernel].get(key)} lacks '{phrase}'"
                         for key, phrase in wanted.items() if phrase not in found[kernel].get(key, "")]
        problems += [f"{workers} workers: findings in {kernel}" for kernel in found if kernel not in planted]
    sys.exit("\n".join(problems) or 0)


main()
