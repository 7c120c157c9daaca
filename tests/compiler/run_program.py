# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the sources into one program with cohortcc and runs it, and again under each --run NAME=VALUE; the program
must print "passed"."""

import pathlib
import sys

import workplace

arguments = sys.argv[1:]
options = []
if "--" in arguments:
    at = arguments.index("--")
    arguments, options = arguments[:at], arguments[at + 1:]
parser = workplace.parser()
parser.add_argument("--run", action="append", default=[], help="a setting of the environment")
parser.add_argument("sources", nargs="+")
parsed = parser.parse_args(arguments)

with workplace.workplace(parsed.cohortcc) as place:
    sources = [pathlib.Path(source).resolve() for source in parsed.sources]
    compiled = place.compile(*options, *sources, "-o", "program")
    sys.stdout.write(compiled.stderr)
    if compiled.returncode != 0:
        sys.exit("cohortcc failed")
    if compiled.stderr:
        sys.exit("cohortcc printed warnings")
    if place.left_over():
        sys.exit(f"temporary files were left: {place.left_over()}")
    for setting in ["", *parsed.run]:
        run = place.run(["./program"], **dict([setting.split("=", 1)] if setting else []))
        sys.stdout.write(run.stdout + run.stderr)
        if run.returncode != 0 or not run.stdout.endswith("passed\n"):
            sys.exit(f"the program failed with status {run.returncode} {setting}")
