# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line of cohort-view, its input and its output file."""

import argparse
import contextlib
import os
import stat
import sys
import tempfile

import page
import report_text
import sources
import trace_events
from problem import Problem

LIMIT = 256 << 20  # bytes of input

DESCRIPTION = "Writes one HTML page about reports of Cohort, or about a trace of a program's launches."
EPILOG = """INPUT is what a program wrote to stderr, with COHORT_REPORT=json or COHORT_CHECK=json where more detail is
wanted, an order that COHORT_SCHEDULE=search:N has found, or the file of COHORT_TRACE. The page needs no network."""


def read_input(name):
    if name == "-" and sys.stdin is None:
        raise Problem("stdin is closed; pass the name of a file")
    try:
        with contextlib.nullcontext(sys.stdin.buffer) if name == "-" else open(name, "rb") as file:
            data = file.read(LIMIT + 1)
    except (OSError, ValueError) as error:
        raise Problem(f"{name} cannot be read: {getattr(error, 'strerror', error)}") from error
    if len(data) > LIMIT:
        remedy = ("Write a shorter trace, as COHORT_TRACE_SIZE=67108864 does; Perfetto opens this one"
                  if trace_events.is_trace(data[:4096].decode("utf-8-sig", "replace")) else
                  "Pass the part around the report, as `tail -c 10M` prints it")
        raise Problem(f"{name} has more than {LIMIT >> 20} MiB. {remedy}")
    if not data.strip():
        raise Problem(f"{name} is empty. A program prints its reports to stderr: `./program 2>report.txt`")
    return data.decode("utf-8-sig", "replace")


def write_output(name, text):
    """Replaces a regular file as one step: a reader finds the old page or the new one."""
    if name == "-":
        return print_page(text)
    try:
        mode = os.lstat(name).st_mode
    except (OSError, ValueError):
        mode = stat.S_IFREG
    if not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "a symbolic link" if stat.S_ISLNK(mode) else "no regular file"
        raise Problem(f"{name} is {kind}; -o needs the name of a file, or - for stdout")
    mask = os.umask(0)
    os.umask(mask)
    temporary = None
    try:
        descriptor, temporary = tempfile.mkstemp(prefix=".cohort-view-", dir=os.path.dirname(name) or ".")
        with open(descriptor, "wb") as file:
            file.write(text.encode("utf-8", "replace"))
            os.fchmod(file.fileno(), 0o666 & ~mask)
        os.replace(temporary, name)
    except (OSError, ValueError) as error:
        if temporary:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        raise Problem(f"{name} cannot be written: {getattr(error, 'strerror', error)}") from error


def print_page(text):
    if sys.stdout is None:
        raise Problem("stdout is closed; -o needs the name of a file")
    try:
        sys.stdout.buffer.write(text.encode("utf-8", "replace"))
        sys.stdout.buffer.flush()
    except OSError as error:
        sys.stdout = None  # or the interpreter writes the rest when it ends
        raise Problem(f"stdout cannot be written: {error.strerror}") from error


def content_of(text, name):
    if trace_events.is_trace(text):
        return {"reports": [], "trace": trace_events.read(text, name)}
    reports = report_text.read(text)
    if not reports:
        raise Problem(f"{name} holds no report of Cohort and no trace. Pass the stderr of a program whose launch failed, the "
                      "lines of COHORT_CHECK=json or COHORT_REPORT=json, the file of an order, or the file of COHORT_TRACE")
    return {"reports": reports, "trace": None}


def main(arguments):
    parser = argparse.ArgumentParser(prog="cohort-view", description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument("input", metavar="INPUT", help="a file, or - for stdin")
    parser.add_argument("-o", dest="output", metavar="PAGE", default="cohort-view.html",
                        help="the page, or - for stdout (default: %(default)s)")
    parser.add_argument("--source-root", metavar="DIR", default=".", help="folder of the source files (default: this one)")
    parser.add_argument("--no-source", action="store_true", help="leave source lines out of the page")
    options = parser.parse_args(arguments)
    try:
        content = content_of(read_input(options.input), options.input)
        content["sources"] = {} if options.no_source else sources.excerpts(content["reports"], options.source_root)
        write_output(options.output, page.build(content, options.input))
    except Problem as problem:
        print("cohort-view: " + " ".join(str(problem).splitlines()), file=sys.stderr)
        return 2
    return 0
