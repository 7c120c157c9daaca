# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs that are compiled with --count, and reads their reports."""

import json
import os
import pathlib
import re
import subprocess
import tempfile

NUMBERS = ("sectors", "ideal_sectors", "tag_requests", "wavefronts", "ideal_wavefronts")


def report_of(program, **settings):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "report.json")
        environment = {**os.environ, "COHORT_COUNT": str(path), **settings}
        run = subprocess.run([program], env=environment, text=True, capture_output=True, check=False)
        if run.returncode != 0:
            raise AssertionError(f"{program} returned {run.returncode}: {run.stdout}{run.stderr}")
        return json.loads(path.read_text())


def short_name(kernel):
    """"load_apart<2>" of "void load_apart<2>(float const*)"."""
    return re.sub(r"^void |\(.*$", "", kernel)


def accesses_by_kernel(report):
    return {short_name(kernel["kernel"]): kernel["accesses"] for kernel in report["kernels"]}


def sums(accesses, names=NUMBERS):
    """The sum of each number over the rows that have it."""
    result = {}
    for access in accesses:
        for name in names:
            if name in access:
                result[name] = result.get(name, 0) + access[name]
    return result
