# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that docs/cuda-runtime.md lists exactly the calls that the headers declare."""
import pathlib
import re
import sys


def main(root: pathlib.Path) -> int:
    declared = set()
    for header in (root / "include/cudart/cudart_detail/api").glob("*.h"):
        declared |= set(re.findall(r"^\w[\w ]*[ *]+(cuda\w+)\(", header.read_text(), re.MULTILINE))
    for header in (root / "include/cudart/cudart_detail/api").glob("*_templates.h"):
        declared |= set(re.findall(r"^inline cudaError_t (cuda\w+)\(", header.read_text(), re.MULTILINE))
    for header in (root / "include/cudart/cudart_detail/driver").glob("*.h"):
        declared |= set(re.findall(r"^CUresult (cu\w+)\(", header.read_text(), re.MULTILINE))
    text = (root / "docs/cuda-runtime.md").read_text()
    listed = set(re.findall(r"`(cuda[A-Z]\w+)`", text.split("## What exists")[1].split("\nMissing: ")[0]))
    driver = text.split("## The driver API")[1].split("The `_v2` names")[0]
    listed |= set(re.findall(r"`(cu[A-Z]\w+)`", driver.split("| --- | --- |")[1]))
    listed -= {"cudaStreamPerThread"}
    listed |= {name for name in declared if name.startswith("cudaOccupancyMaxPotentialBlockSize")}
    for name in sorted(declared - listed):
        print(f"{name} is declared but not in docs/cuda-runtime.md")
    for name in sorted(listed - declared):
        print(f"{name} is in docs/cuda-runtime.md but not declared")
    return 0 if declared == listed and len(declared) > 100 else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
