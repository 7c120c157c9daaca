# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares port/calls.inc with the functions that the library defines:  check_port_symbols.py ROOT ARCHIVE COMPILER"""
import pathlib
import re
import subprocess
import sys

ROWS = """
#define COHORT_CALL(kind, gang, result, name, parameters, attributes) row name ordinary
#define COHORT_LIGHT_CALL(kind, gang, result, name, parameters, arguments) row name light
#define COHORT_GANG_CALL(kind, entries, result, name, parameters, attributes) row name entries
#define COHORT_RUNTIME_CALL(kind, result, name, parameters) row name ordinary
#include <cohort/machine/cpu/port/calls.inc>
"""
# Functions without a row that no header of the host's side has: the engine's assembly, debuggers, the linker and
# include/cudart refer to them.
INTERNAL = re.compile(r"cohort_(call_kernel|kernel_\w+|debug_report|make_context|context_start|switch\w*|sleef_is_missing|"
                      r"launch_world|nvtx_\w+)$")
HOST = ("port/host.hpp", "world_port.hpp", "trace_port.hpp", "library_version.hpp")


def main(root: pathlib.Path, archive: str, compiler: str) -> int:
    text = subprocess.run([compiler, "-x", "c++", "-E", "-P", f"-I{root / 'include'}", "-"], input=ROWS, text=True,
                          capture_output=True, check=True).stdout
    rows = re.findall(r"\brow (\w+) (\w+)", text)
    names = [name for name, _ in rows]
    symbols = subprocess.run(["nm", "--defined-only", archive], text=True, capture_output=True, check=True).stdout
    defined = set(re.findall(r"^\w+ T (cohort_\w+)$", symbols, re.MULTILINE))
    light = {name + "_light" for name, entries in rows if entries == "light"}
    if not any(symbol.endswith("_light") for symbol in defined - {"cohort_switch_light"}):
        light = set()  # not x86-64
    host = set()
    for header in HOST:
        host |= set(re.findall(r"\b(cohort_\w+)\(", (root / "include/cohort/machine/cpu" / header).read_text()))
    unsaved = {symbol for symbol in defined if symbol.endswith("_unsaved") and symbol.replace("_unsaved", "_light") in light}

    complaints = [f"port/calls.inc has two rows for {name}" for name in sorted(set(names)) if names.count(name) > 1]
    complaints += [f"port/calls.inc lists {name}, which the library does not define"
                   for name in sorted((set(names) | light) - defined)]
    complaints += [f"the library defines {name}, which neither port/calls.inc nor a header of the host's side has"
                   for name in sorted(defined - set(names) - light - unsaved - host) if not INTERNAL.match(name)]
    print("\n".join(complaints + [f"{len(names)} rows, {len(light)} light entries, {len(defined)} functions defined"]))
    return 0 if not complaints and len(names) > 50 else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]))
