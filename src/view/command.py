# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line of cohort-view, its input and its output file."""

import argparse
import os
import sys

# Beside this folder, in the installation as in the sources.
sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "reports"))

import counters
import page
import report_text
import sources
import trace_events
from counts import is_counts
from problem import Problem
from text_files import read_input, write_output

DESCRIPTION = "Writes one HTML page about reports or counts of Cohort, or about a trace of a program's launches."
EPILOG = """INPUT is what a program wrote to stderr, with COHORT_REPORT=json or COHORT_CHECK=json where more detail is
wanted, an order that COHORT_SCHEDULE=search:N has found, or the file of COHORT_COUNT or COHORT_TRACE. The page needs no
network."""


def remedy_of_large(beginning):
    if trace_events.is_trace(beginning):
        return "Write a shorter trace, as COHORT_TRACE_SIZE=67108864 does; Perfetto opens this one"
    return "Pass the part around the report, as `tail -c 10M` prints it"


def counts_of(text, options):
    before = read_input(options.before, remedy_of_large) if options.before else None
    root = None if options.no_source else options.source_root
    return counters.read(text, options.input, root, before, options.before)


def content_of(text, options):
    content = {"reports": [], "trace": None, "counts": None, "sources": {}}
    if is_counts(text):
        content["counts"] = counts_of(text, options)
    elif options.before:
        raise Problem(f"{options.input} is no report of COHORT_COUNT, and --before compares two of them")
    elif trace_events.is_trace(text):
        content["trace"] = trace_events.read(text, options.input)
    else:
        content["reports"] = report_text.read(text)
        if not content["reports"]:
            raise Problem(f"{options.input} holds no report of Cohort and no trace. Pass the stderr of a program whose launch "
                          "failed, the lines of COHORT_CHECK=json or COHORT_REPORT=json, the file of an order, or that of "
                          "COHORT_COUNT or COHORT_TRACE")
        if not options.no_source:
            content["sources"] = sources.excerpts(content["reports"], options.source_root)
    return content


def main(arguments):
    parser = argparse.ArgumentParser(prog="cohort-view", description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument("input", metavar="INPUT", help="a file, or - for stdin")
    parser.add_argument("-o", dest="output", metavar="PAGE", default="cohort-view.html",
                        help="the page, or - for stdout (default: %(default)s)")
    parser.add_argument("--source-root", metavar="DIR", default=".", help="folder of the source files (default: this one)")
    parser.add_argument("--no-source", action="store_true", help="leave source lines out of the page")
    parser.add_argument("--before", metavar="REPORT", help="an older report of COHORT_COUNT, to show its numbers beside the new ones")
    options = parser.parse_args(arguments)
    try:
        content = content_of(read_input(options.input, remedy_of_large), options)
        write_output(options.output, page.build(content, options.input))
    except Problem as problem:
        print("cohort-view: " + " ".join(str(problem).splitlines()), file=sys.stderr)
        return 2
    return 0
