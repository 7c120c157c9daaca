# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the table of entry points has each function of the driver API that the headers declare, and each form
whose stream 0 is that of the thread. test_entry_points.py ROOT"""

import pathlib
import re
import sys


def complaints(driver, profiler):
    table = (driver / "entry_points.h").read_text()
    rows = re.findall(r"COHORT_CU_ENTRY_POINT\((\w+), (\d+),[\s\\]*(\w+)\)", table)
    thread_rows = re.findall(r"COHORT_CU_THREAD_ENTRY_POINT\((\w+), (\d+), (\w+), (_pt[sd][sz])\)", table)
    headers = [*driver.glob("*.h"), profiler]
    declared = {name for header in headers for name in re.findall(r"^CUresult (cu\w+)\(", header.read_text(), re.MULTILINE)}
    renamed = re.findall(r"^#define (cu\w+) (cu\w+)(_pt[sd][sz])$", (driver / "per_thread.h").read_text(), re.MULTILINE)
    functions = {function for _, _, function in rows} | {"cuCtxCreate_v4"}  # users of the table name this one
    yield from (f"{name} is declared, but no row has it" for name in sorted(declared - functions))
    yield from (f"{name} is in a row, but not declared" for name in sorted(functions - declared))
    forms = {(function, ending) for _, _, function, ending in thread_rows}
    yield from (f"{name}{ending} has no row" for name, of, ending in renamed if (name, ending) not in forms)
    for name, _, function, *_ in rows + thread_rows:
        if re.sub(r"_v\d$", "", function) != name:
            yield f"{name} leads to {function}"
    if rows != sorted(rows, key=lambda row: (row[0], int(row[1]))) or len(rows) < 150 or len(thread_rows) < 40:
        yield "the rows are not sorted, or too few"


def main(root):
    cudart = root / "include/cudart"
    wrong = list(complaints(cudart / "cudart_detail/driver", cudart / "cudaProfiler.h"))
    for sentence in wrong:
        print(f"entry_points.h: {sentence}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
