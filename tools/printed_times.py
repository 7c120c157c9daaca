#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The times that a user reads, and the times that a machine takes:

    tools/printed_times.py ROOT NAME            prints the minutes of NAME in tools/printed_times.txt
    tools/printed_times.py ROOT NAME --measure  runs its command in a fresh clone, without a compiler cache

The measurement passes an environment with PATH and HOME alone. It prints both times, and fails where one is more than
twice the other; with --warn it prints a warning of a GitHub workflow instead."""

import argparse
import os
import pathlib
import resource
import shlex
import subprocess
import sys
import tempfile
import time

CACHES = ("/usr/lib/ccache", "/usr/lib64/ccache")  # in these folders, a compiler's name starts ccache


def rows(root):
    lines = (root / "tools/printed_times.txt").read_text().splitlines()
    words = [line.split(maxsplit=2) for line in lines if line and not line.startswith("#")]
    return {name: (int(minutes), shlex.split(command)) for name, minutes, command in words}


def measured_minutes(root, command):
    path = [folder for folder in os.environ["PATH"].split(":") if folder not in CACHES]
    with tempfile.TemporaryDirectory() as folder:
        clone = pathlib.Path(folder) / "clone"
        subprocess.run(["git", "clone", "-q", root, clone], check=True)
        environment = {"PATH": ":".join(path), "HOME": folder, "CCACHE_DISABLE": "1"}
        begin = time.monotonic()
        subprocess.run(command, cwd=clone, env=environment, check=True, stdin=subprocess.DEVNULL)
        return (time.monotonic() - begin) / 60


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("name")
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--warn", action="store_true")
    options = parser.parse_args()
    known = rows(options.root)
    if options.name not in known:
        parser.error(f"there is no row '{options.name}' in tools/printed_times.txt; there are: {', '.join(known)}")
    printed, command = known[options.name]
    if not options.measure:
        print(printed)
        return 0
    minutes = measured_minutes(options.root.resolve(), command)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = (used.ru_utime + used.ru_stime) / 60
    sentence = f"{shlex.join(command)}: {minutes:.1f} minutes ({processor:.1f} of processor time), printed are {printed}"
    print(sentence)
    if printed / 2 <= minutes <= printed * 2:
        return 0
    if options.warn:
        print(f"::warning file=tools/printed_times.txt::{sentence}")
        return 0
    print(f"printed_times: {sentence}; correct tools/printed_times.txt and README.md", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
