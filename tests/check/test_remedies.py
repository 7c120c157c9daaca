# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program that was compiled with --check and compares the remedies of its races with the comments of its source.

In the source, `// remedy: a b block` above a kernel expects a finding between the lines marked [a] and [b], and the text
of TEXTS for `block`."""

import json
import os
import re
import subprocess
import sys

FLAG = "an atomic flag with __threadfence() on both sides"
TEXTS = {
    "warp": "__syncwarp() or the tile's sync() between them",
    "tile": "the tile's sync() or __syncthreads() between them",
    "block": "__syncthreads() between them",
    "block_and_streams": "__syncthreads() between them; between the launches, by one stream, or an event between the streams",
    "grid": f"the grid's sync() in a cooperative launch, two launches, or {FLAG}",
    "devices": "the multi-grid's sync() between them, or an atomic flag with __threadfence_system() on both sides",
    "atomic": "an atomic such as atomicAdd(), in place of the read and the write",
    "scope": "atomics of the scope of both threads: without the suffix _block",
}


def expectations(path):
    """{(kernel, line, line): remedy}"""
    result, following, marks, kernel = {}, [], {}, None

    def close(pairs):
        for a, b, remedy in pairs:
            result[kernel, *sorted((marks[a], marks[b]))] = TEXTS[remedy]

    wanted = []
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        if found := re.match(r"// remedy: (\w) (\w) (\w+)$", line):
            following.append(found.groups())
        if found := re.match(r"__global__ void (\w+)\(", line):
            close(wanted)
            kernel, wanted, following, marks = found[1], following, [], {}
        if found := re.search(r"// \[(\w)\]", line):
            marks[found[1]] = number
    close(wanted)
    return result


def main():
    program, source = sys.argv[1:3]
    environment = dict(os.environ, COHORT_CHECK="json")
    run = subprocess.run([program], capture_output=True, text=True, timeout=100, check=False, env=environment)
    if run.returncode != 0 or run.stdout != "no error\n":
        sys.exit(f"status {run.returncode}, {run.stdout}{run.stderr}")
    found = {}
    for line in run.stderr.splitlines():
        race = json.loads(line)
        lines = sorted(int(re.match(r"[\w.]+:(\d+) ", race[side]["place"])[1]) for side in ("first", "second"))
        found[race["kernel"], *lines] = race["remedy"]
    wanted = expectations(source)
    if found != wanted:
        wrong = {key: (found.get(key), wanted.get(key)) for key in found | wanted if found.get(key) != wanted.get(key)}
        sys.exit("\n".join(f"{key}: found {text[0]!r}, expected {text[1]!r}" for key, text in wrong.items()))


main()
