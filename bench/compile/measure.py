#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures compile times of the sources in this folder with cohortcc and nvcc.

  measure.py [--cohortcc FILE] [--nvcc FILE] [--arch sm_90] [--repeats N] [--option WORD ...] [SOURCE ...] >FILE.json

Prints JSON: {"cpu", "compilers", "rows": [{"name", "unit", "default", "gangs_off", "nvcc", "most_memory", ...}, ...]}.
A time is the processor time of the compiler and its child processes in seconds, as the median of interleaved repeats.
The spread is the largest value of (max - min) / median. The memory is that of the largest process, in KiB. An
--option, such as --option=--cpu=x86-64-v3, is passed to cohortcc."""

import argparse
import json
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
KINDS = ("default", "gangs_off", "nvcc")


def measured(command):
    """The processor seconds of a command, and the KiB of its largest process."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"measure.py: {' '.join(command)}\n{errors}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def row_of(source, commands, repeats):
    with tempfile.TemporaryDirectory() as work:
        output = ["-c", str(source), "-o", os.path.join(work, "out.o")]
        # The times include those of grandchildren only if their parents have waited for them. Both compilers do so.
        runs = [{kind: measured([*command, *output]) for kind, command in commands.items()} for _ in range(repeats)]
    row = {"name": source.stem, "unit": "s"}
    spreads = []
    for kind in commands:
        times = [run[kind][0] for run in runs]
        row[kind] = round(statistics.median(times), 2)
        spreads.append((max(times) - min(times)) / statistics.median(times))
    row["most_memory"] = {kind: max(run[kind][1] for run in runs) for kind in commands}
    row["to_gangs_off"] = round(row["default"] / row["gangs_off"], 2)
    if "nvcc" in row:
        row["to_nvcc"] = round(row["default"] / row["nvcc"], 2)
    return row | {"repeats": repeats, "spread": round(max(spreads), 2)}


def version_of(command):
    text = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    return text.replace("\n", "; ")


def cccl_of(nvcc):
    """The option for Thrust's headers in nvcc's toolkit."""
    folder = pathlib.Path(shutil.which(nvcc) or nvcc).resolve().parent.parent / "include" / "cccl"
    return [f"--cccl={folder}"] if folder.is_dir() else []


def cpu_name():
    lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    return next((line.split(": ", 1)[1] for line in lines if line.startswith("model name")), platform.machine())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="*", type=pathlib.Path)
    parser.add_argument("--cohortcc", default=str(HERE.parent.parent / "build" / "bin" / "cohortcc"))
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--option", action="append", default=[])
    options = parser.parse_args()
    cohortcc = [options.cohortcc, *options.option, *cccl_of(options.nvcc)]
    commands = dict(zip(KINDS, (cohortcc, [*cohortcc, "--cohort-gangs=off"], [options.nvcc, f"-arch={options.arch}"])))
    if not shutil.which(options.nvcc):
        del commands["nvcc"]
    sources = options.sources or sorted(HERE.glob("*.cu"))
    rows = [row_of(source, commands, options.repeats) for source in sources]
    compilers = [version_of(command[0]) for kind, command in commands.items() if kind != "gangs_off"]
    print(json.dumps({"cpu": cpu_name(), "compilers": compilers, "options": options.option, "rows": rows}, indent=2))


if __name__ == "__main__":
    main()
