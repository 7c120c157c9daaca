# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that docs/cuda-runtime.md lists exactly the calls that the headers declare. tests/names checks its list of what
is missing."""
import pathlib
import re
import sys


def declared_calls(root):
    declared = set()
    for header in (root / "include/cudart/cudart_detail/api").glob("*.h"):
        declared |= set(re.findall(r"^\w[\w ]*[ *]+(cuda\w+)\(", header.read_text(), re.MULTILINE))
    for header in (root / "include/cudart/cudart_detail/api").glob("*_templates.h"):
        declared |= set(re.findall(r"^inline cudaError_t (cuda\w+)\(", header.read_text(), re.MULTILINE))
    for header in [*(root / "include/cudart/cudart_detail/driver").glob("*.h"), root / "include/cudart/cudaProfiler.h"]:
        declared |= set(re.findall(r"^CUresult (cu\w+)\(", header.read_text(), re.MULTILINE))
    return declared


def wrong_existing(declared, text):
    listed = set(re.findall(r"`(cuda[A-Z]\w+)`", text.split("## What exists")[1].split("\n## ")[0]))
    driver = text.split("## The driver API")[1].split("The other `_v2` names")[0]
    listed |= set(re.findall(r"`(cu[A-Z]\w+)`", driver.split("| --- | --- |")[1]))
    listed |= {name for name in declared if name.startswith("cudaOccupancyMaxPotentialBlockSize")}
    yield from (f"{name} is declared but not in the lists of what exists" for name in sorted(declared - listed))
    yield from (f"{name} is in a list of what exists but not declared" for name in sorted(listed - declared))


def main(root: pathlib.Path) -> int:
    declared = declared_calls(root)
    text = (root / "docs/cuda-runtime.md").read_text()
    wrong = list(wrong_existing(declared, text))
    for sentence in wrong:
        print(f"docs/cuda-runtime.md: {sentence}")
    return 0 if not wrong and len(declared) > 100 else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
