# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures compile times of small files with Cohort's headers and with NVIDIA's.

  compile_time.py [--nvcc NVCC] [--repeats N] [--arch sm_90]

Prints JSON: {"rows": [{"name", "unit", "ours", "theirs", "ratio", "repeats", "spread"}, ...]}.
A time is the processor time of nvcc and its child processes in seconds, as the median of interleaved repeats. The spread
is the larger of the two values of (max - min) / median. Rows named "alone" define _CG_LIMIT_INCLUDED_DEPENDENCIES:
both headers then leave out libcu++'s <cuda/atomic> and <cuda/std/type_traits>, which otherwise are most of the time.
The last row compiles an empty file: nvcc's own cost."""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile

LIMIT = "-D_CG_LIMIT_INCLUDED_DEPENDENCIES"
ALL = ["cooperative_groups.h", "cooperative_groups/memcpy_async.h", "cooperative_groups/reduce.h",
       "cooperative_groups/scan.h"]
FILES = [
    ("compile <cooperative_groups.h>", [], ALL[:1]),
    ("compile <cooperative_groups.h>, reduce.h, scan.h, memcpy_async.h", [], ALL),
    ("compile <cooperative_groups.h> alone", [LIMIT], ALL[:1]),
    ("compile <cooperative_groups.h>, reduce.h, scan.h, memcpy_async.h alone", [LIMIT], ALL),
    ("compile an empty file", [], []),
]


def processor_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def measured(nvcc, arch, repeats, compat, source, work, options):
    """Returns the times in seconds with Cohort's and with NVIDIA's headers, a list each."""
    common = [nvcc, "-std=c++17", f"-arch={arch}", *options, "-c", source, "-o", os.path.join(work, "out.o")]
    commands = [[*common, f"-I{compat}"], common]
    for command in commands:
        processor_seconds(command)  # an unmeasured run, which reads the files into the page cache
    pairs = [[processor_seconds(command) for command in commands] for _ in range(repeats)]
    return [list(column) for column in zip(*pairs)]


def row(name, ours, theirs):
    medians = [statistics.median(times) for times in (ours, theirs)]
    spread = max((max(times) - min(times)) / median for times, median in zip((ours, theirs), medians))
    return {"name": name, "unit": "s", "ours": round(medians[0], 3), "theirs": round(medians[1], 3),
            "ratio": round(medians[0] / medians[1], 3), "repeats": len(ours), "spread": round(spread, 3)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    compat = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "include", "compat")
    rows = []
    with tempfile.TemporaryDirectory() as work:
        for name, macros, headers in FILES:
            source = os.path.join(work, "file.cu")
            with open(source, "w", encoding="utf-8") as file:
                file.writelines(f"#include <{header}>\n" for header in headers)
            ours, theirs = measured(options.nvcc, options.arch, options.repeats, compat, source, work, macros)
            rows.append(row(name, ours, theirs))
    print(json.dumps({"rows": rows}, indent=2))


try:
    main()
except OSError as error:
    sys.exit(f"compile_time.py: {error}")
