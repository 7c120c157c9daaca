#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Starts the processes of a world on this machine's GPUs, which meet over a file:

  gpu_world.py PROCESSES PROGRAM [ARGUMENT...]

Prints the output of all processes in the order of their ranks. After LIMIT seconds (300), or 10 seconds after one of
them has failed, those that are left are killed. Exit status 1 if one failed."""

import os
import signal
import subprocess
import sys
import tempfile
import time


def run_world(command, processes, limit, variables=(), not_awaited=(), grace=None):
    """Runs one process for each rank. Returns the statuses, the output of all and the seconds. The status is None if the
    process was killed here: at the limit, `grace` seconds after another one failed, or because its rank is among
    `not_awaited` and all others had ended."""
    with tempfile.TemporaryDirectory() as folder:
        begin = time.monotonic()
        running, outputs = [], []
        for rank in range(processes):
            environment = {**os.environ, "COHORT_WORLD_FILE": f"{folder}/id", "COHORT_WORLD_RANK": str(rank),
                           "COHORT_WORLD_SIZE": str(processes), "NCCL_NVLS_ENABLE": "0", **dict(variables)}
            outputs.append(open(f"{folder}/{rank}", "w+", encoding="utf-8", errors="replace"))
            running.append(subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=outputs[rank],
                                            stderr=subprocess.STDOUT))
        end = begin + limit
        while time.monotonic() < end:
            statuses = [process.poll() for process in running]
            if all(status is not None or rank in not_awaited for rank, status in enumerate(statuses)):
                break
            if grace is not None and any(statuses):
                end, grace = min(end, time.monotonic() + grace), None
            time.sleep(0.02)
        statuses = [process.poll() for process in running]
        seconds = time.monotonic() - begin
        for process in running:
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                process.wait()
        text = ""
        for output in outputs:
            output.seek(0)
            text += output.read()
            output.close()
        return statuses, text, seconds


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    statuses, text, _ = run_world(sys.argv[2:], int(sys.argv[1]), float(os.environ.get("LIMIT", "300")), grace=10)
    print(text, end="")
    if any(status != 0 for status in statuses):
        print(f"gpu_world.py: the processes ended with {statuses}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
