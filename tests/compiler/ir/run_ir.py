#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tests of single passes with LLVM's lit:  run_ir.py --passes FILE --tools FOLDER --work FOLDER [test...]

Exit status 77 (skipped) where a tool of LLVM is missing."""

import argparse
import pathlib
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passes", type=pathlib.Path, required=True, help="the passes of the plugin, for opt")
    parser.add_argument("--tools", type=pathlib.Path, required=True, help="LLVM's folder of programs")
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("tests", nargs="*", type=pathlib.Path, default=[pathlib.Path(__file__).parent])
    arguments = parser.parse_args()
    lit = arguments.tools.parent / "build/utils/lit"
    missing = [str(path) for path in (arguments.tools / "opt", arguments.tools / "FileCheck", lit) if not path.exists()]
    if missing:
        print("skipped: apt-get install llvm-19 llvm-19-tools; missing are " + ", ".join(missing))
        return 77
    sys.path.insert(0, str(lit))
    from lit.main import main as run_lit
    parameters = {"passes": arguments.passes, "tools": arguments.tools, "work": arguments.work}
    words = [word for name, value in parameters.items() for word in ("--param", f"{name}={value.absolute()}")]
    sys.argv = ["lit", "-v", *words, *map(str, arguments.tests)]
    return run_lit()


if __name__ == "__main__":
    sys.exit(main())
