# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the tables of functions with those that the libraries define:

check_port_symbols.py ROOT COMPILER LIBRARY CHECKER COUNTERS

The last three are the archives of port/calls.inc, of port/check/calls.inc and of port/count/calls.inc."""
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
CHECK_ROWS = """
#define COHORT_CHECK_CALL(kind, result, name, parameters) row name ordinary
#include <cohort/machine/cpu/port/check/calls.inc>
"""
COUNT_ROWS = """
#define COHORT_COUNT_CALL(result, name, parameters) row name ordinary
#include <cohort/machine/cpu/port/count/calls.inc>
"""
# Functions without a row that no header for host code declares: the engine's assembly, debuggers, the linker,
# include/cudart and libcuda.so.1 refer to them.
INTERNAL = re.compile(r"cohort_(call_kernel|kernel_\w+|debug_report|make_context|context_start|switch\w*|sleef_is_missing|"
                      r"launch_world|nvtx_\w+|call_without_body|note_library_access|"
                      r"submit_library_call|used_device_memory)$")
HOST = ("port/host.hpp", "world_port.hpp", "trace_port.hpp", "library_version.hpp")


def rows_of(root: pathlib.Path, compiler: str, table: str) -> list[tuple[str, str]]:
    text = subprocess.run([compiler, "-x", "c++", "-E", "-P", f"-I{root / 'include'}", "-"], input=table, text=True,
                          capture_output=True, check=True).stdout
    return re.findall(r"\brow (\w+) (\w+)", text)


def functions_of(archive: str) -> set[str]:
    symbols = subprocess.run(["nm", "--defined-only", archive], text=True, capture_output=True, check=True).stdout
    return set(re.findall(r"^\w+ T (cohort_\w+)$", symbols, re.MULTILINE))


def compare_tool(tool: str, rows: list[tuple[str, str]], defined: set[str]) -> list[str]:
    names = {name for name, _ in rows}
    return ([f"port/{tool}/calls.inc lists {name}, which its library does not define" for name in sorted(names - defined)]
            + [f"a library defines {name}, which port/{tool}/calls.inc does not list" for name in sorted(defined - names)])


def main(root: pathlib.Path, compiler: str, library: str, checker: str, counters: str) -> int:
    rows = rows_of(root, compiler, ROWS)
    names = [name for name, _ in rows]
    defined = functions_of(library)
    light = {name + "_light" for name, entries in rows if entries == "light"}
    if not any(symbol.endswith("_light") for symbol in defined - {"cohort_switch_light"}):
        light = set()  # only x86-64 has light entries
    host = set()
    for header in HOST:
        host |= set(re.findall(r"\b(cohort_\w+)\(", (root / "include/cohort/machine/cpu" / header).read_text()))
    unsaved = {symbol for symbol in defined if symbol.endswith("_unsaved") and symbol.replace("_unsaved", "_light") in light}

    complaints = [f"port/calls.inc has two rows for {name}" for name in sorted(set(names)) if names.count(name) > 1]
    complaints += [f"port/calls.inc lists {name}, which the library does not define"
                   for name in sorted((set(names) | light) - defined)]
    complaints += [f"the library defines {name}, which neither port/calls.inc nor a header of the host's side has"
                   for name in sorted(defined - set(names) - light - unsaved - host) if not INTERNAL.match(name)]
    check_rows = rows_of(root, compiler, CHECK_ROWS)
    complaints += compare_tool("check", check_rows, functions_of(checker))
    count_rows = rows_of(root, compiler, COUNT_ROWS)
    complaints += compare_tool("count", count_rows, functions_of(counters))
    print("\n".join(complaints + [f"{len(names)} rows, {len(light)} light entries, {len(defined)} functions defined, "
                                  f"{len(check_rows)} rows of the checker, {len(count_rows)} of the counters"]))
    return 0 if not complaints and len(names) > 50 and len(check_rows) > 20 and count_rows else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), *sys.argv[2:]))
