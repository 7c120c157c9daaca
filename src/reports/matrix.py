# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`cohort matrix`: one command, run once for each of several GPUs that the virtual device stands for."""

import os
import signal
import subprocess
import time

from problem import Problem
from gpus import GPUS

VARIABLE = "COHORT_GPU"


def read_names(text):
    """The GPUs of a list with commas, each once."""
    names = text.lower().split(",")
    unknown = [name for name in names if name not in GPUS]
    if unknown:
        raise Problem(f"--gpus: '{unknown[0]}' is not known. The GPUs are " + ", ".join(GPUS))
    if twice := [name for name in names if names.count(name) > 1]:
        raise Problem(f"--gpus names {twice[0]} twice")
    return names


def run(name, command):
    """The result of the command as a phrase, "passed" for exit status 0, and its seconds."""
    start = time.monotonic()
    try:
        status = subprocess.run(command, env={**os.environ, VARIABLE: name}, check=False).returncode
    except OSError as error:
        raise Problem(f"{command[0]} cannot be started: {error.strerror}") from error
    seconds = time.monotonic() - start
    if status < 0:
        try:
            return f"ended by {signal.Signals(-status).name}", seconds
        except ValueError:
            return f"ended by signal {-status}", seconds
    return f"exit status {status}" if status else "passed", seconds


def run_on_all(names, command):
    """Runs the command on each GPU and prints a table. Returns whether all runs passed."""
    rows = [("GPU", "capability", "multiprocessors", "result", "seconds")]
    for name in names:
        gpu = GPUS[name]
        print(f"cohort matrix: {VARIABLE}={name}: {gpu.product}", flush=True)
        result, seconds = run(name, command)
        rows.append((name, f"{gpu.capability // 10}.{gpu.capability % 10}", str(gpu.multiprocessors), result, f"{seconds:.1f}"))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    print()
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    return all(row[3] == "passed" for row in rows[1:])
