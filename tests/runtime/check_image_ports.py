# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that src/runtime/image lists each function of the engine that kernels may call."""
import pathlib
import re
import sys


def main(root: pathlib.Path) -> int:
    callable_ = set()
    for header in ("port.hpp", "world_port.hpp"):
        text = (root / "include/cohort/machine/cpu" / header).read_text()
        declared = re.findall(r"^COHORT_DEVICE (?!static)[^;{]*?\b(cohort_\w+)\(", text, re.MULTILINE)
        lowered = set(re.findall(r"^inline [\w* ]*\b(cohort_\w+)\(", text, re.MULTILINE))  # the plugin makes loads of them
        callable_ |= set(declared) - lowered
    for source in (root / "src/engine").rglob("*.[ch]pp"):
        callable_ |= set(re.findall(r"^[\w* ]+\b(cohort_gang_(?:wait|fail|refuse)\w*)\([^;]*\{", source.read_text(), re.MULTILINE))
    listed = set(re.findall(r"PORT\((\w+)\)", (root / "src/runtime/image/image_ports.cpp").read_text())) - {"name"}
    for name in sorted(callable_ - listed):
        print(f"kernels may call {name}, and src/runtime/image/image_ports.cpp does not list it")
    print(f"{len(callable_)} functions for kernels, {len(listed)} listed")
    return 0 if callable_ <= listed and len(callable_) > 50 else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
