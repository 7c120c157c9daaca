# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`cohort budget`, `cohort compare` and `cohort occupancy`, which read reports of COHORT_COUNT, `cohort sarif`, and
`cohort matrix`."""

import argparse
import json
import sys

import comparison
import gpus
import limits
import matrix
import occupancy
import sarif
from counts import checked, is_counts, lists_of, parse, read, read_shapes
from problem import Problem
from text_files import read_input, write_output


def compare_with_budget(options):
    found = limits.findings(limits.Budget(options.budget), read(options.report))
    print("\n".join(found) if found else f"{options.report} is within {options.budget}")
    return 1 if found else 0


def compare_reports(options):
    lines = comparison.differences(read(options.before), read(options.after))
    print("\n".join(lines) if lines else "the reports have equal numbers")
    return 0


def describe_occupancy(options):
    registers = occupancy.read_registers(options.registers) if options.registers else {}
    print("\n".join(occupancy.lines_about(options.gpu, read_shapes(options.report), registers)))
    return 0


def results_of(name, budget, locations):
    text = read_input(name, lambda _: "Write one file for each program", may_be_empty=True)
    if not is_counts(text):
        return sarif.results_of_reports(text, name, locations)
    if not budget:
        raise Problem(f"{name} is a report of COHORT_COUNT; --budget names the file with its limits")
    kernels = lists_of(parse(text, name), name, "accesses", checked)
    return sarif.results_of_counts(limits.excesses(limits.Budget(budget), kernels), locations)


def write_sarif(options):
    locations = sarif.Locations(options.source_root)
    results = [result for name in options.reports for result in results_of(name, options.budget, locations)]
    write_output(options.output, json.dumps(sarif.log_of(results), indent=1) + "\n")
    return 0


def run_matrix(options):
    command = options.command[1:] if options.command[:1] == ["--"] else options.command
    if not command:
        raise Problem("cohort matrix needs a command: cohort matrix --gpus t4,h100 -- ctest")
    return 0 if matrix.run_on_all(matrix.read_names(options.gpus), command) else 1


def main(arguments):
    parser = argparse.ArgumentParser(prog="cohort", description="Works on the reports of programs, and runs programs on many GPUs.")
    commands = parser.add_subparsers(required=True)
    budget = commands.add_parser("budget", help="exit status 1 if a kernel exceeds its limits",
                                 description="Exit status 1 if a kernel of REPORT exceeds a limit of BUDGET. " + limits.FORM + ".")
    budget.add_argument("report", metavar="REPORT")
    budget.add_argument("budget", metavar="BUDGET")
    budget.set_defaults(run=compare_with_budget)
    compare = commands.add_parser("compare", help="the numbers that differ between two reports",
                                  description="Prints the numbers that differ between two reports.")
    compare.add_argument("before", metavar="BEFORE")
    compare.add_argument("after", metavar="AFTER")
    compare.set_defaults(run=compare_reports)
    launches = commands.add_parser("occupancy", help="blocks of each launch that a GPU runs at once, and waves",
                                   description="Prints how many blocks of each launch a GPU runs at once, and its waves.")
    launches.add_argument("report", metavar="REPORT")
    launches.add_argument("--gpu", type=str.lower, choices=sorted(gpus.GPUS), default="h100", help="default: %(default)s")
    launches.add_argument("--registers", metavar="N|FILE",
                          help="registers of a thread, or what `nvcc -cubin -Xptxas -v` prints; unknown by default")
    launches.set_defaults(run=describe_occupancy)
    annotations = commands.add_parser("sarif", help="findings in the form that GitHub and editors show beside the source",
                                      description="Writes the findings of reports as one file of SARIF 2.1.0. The exit status "
                                      "is 0 with findings, too.")
    annotations.add_argument("reports", metavar="REPORT", nargs="+",
                             help="the stderr of a program that ran with COHORT_CHECK=json COHORT_REPORT=json, the file of an "
                             "order, or a report of COHORT_COUNT; - is stdin")
    annotations.add_argument("--budget", metavar="BUDGET", help="the limits for reports of COHORT_COUNT")
    annotations.add_argument("--source-root", metavar="DIR", default=".", help="the folder of the repository (default: this one)")
    annotations.add_argument("-o", dest="output", metavar="FILE", default="-", help="default: stdout")
    annotations.set_defaults(run=write_sarif)
    runs = commands.add_parser("matrix", help="runs a command once for each of several GPUs",
                               usage="cohort matrix --gpus NAME[,NAME...] -- COMMAND [ARGUMENT...]",
                               description="Runs COMMAND with COHORT_GPU set to each GPU. Exit status 1 if a run fails.")
    runs.add_argument("--gpus", metavar="NAME[,NAME...]", required=True, help=", ".join(gpus.GPUS))
    runs.add_argument("command", nargs=argparse.REMAINDER, metavar="COMMAND")
    runs.set_defaults(run=run_matrix)
    options = parser.parse_args(arguments)
    try:
        return options.run(options)
    except Problem as problem:
        print("cohort: " + " ".join(str(problem).splitlines()), file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
