# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The magic %%cuda of IPython and Jupyter: compiles a cell with cohortcc, runs it and shows its output, its reports, and
the page of cohort-view about them. `%load_ext cohortcc` registers it."""

import argparse
import codecs
import contextlib
import ctypes
import html
import os
import pathlib
import selectors
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from IPython.core.error import UsageError
from IPython.display import display

import cohortcc

MOST_REPORT_BYTES = 16 << 20  # bytes of stderr that the page of reports reads
PAGE_HEIGHT = 480  # height of the page in pixels
SOURCE = "cell.cu"  # the name of a cell in messages and reports
DESCRIPTION = """Compiles the cell with cohortcc and runs the program. Options that are not listed here go to cohortcc, as
--check, -O0, -g or -DN=3 do, and so do names of further files. Line numbers count from the line of %%cuda, which is 1.
{name} and $name in the line are Python variables."""

kept_folders = []  # folders with libraries that this process has loaded


class CellFailed(Exception):
    """The cell's program was not compiled or failed. The cell shows this sentence without a traceback of Python."""

    def _render_traceback_(self):
        return [str(self)]


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise UsageError(f"%%cuda: {message}")


def new_parser():
    parser = Parser(prog="%%cuda", description=DESCRIPTION, add_help=False, allow_abbrev=False,
                    usage="%%%%cuda [option...] [option or file of cohortcc...]")
    parser.add_argument("--help", action="store_true", help="print this")
    parser.add_argument("--args", default="", metavar="'A B'", help="the arguments of the program")
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE",
                        help="sets a variable of the program, such as COHORT_DEVICES=4; may be repeated")
    parser.add_argument("--stdin", metavar="FILE", help="the program's standard input; without it there is none")
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="ends the program after this time")
    parser.add_argument("--out", metavar="NAME", help="assigns the program's output to a Python variable instead of printing it")
    parser.add_argument("--trace", action="store_true", help="shows a timeline of the launches")
    parser.add_argument("--no-page", action="store_true", help="shows reports as text only")
    parser.add_argument("--save", metavar="FILE", help="writes the source to a file too")
    parser.add_argument("--load", metavar="NAME",
                        help='makes a shared library instead of a program, and assigns it to a Python variable for ctypes; '
                             'functions for Python are extern "C"')
    return parser


def read_options(line):
    try:
        options, rest = new_parser().parse_known_args(shlex.split(line))
        options.args = shlex.split(options.args)
    except ValueError as error:  # raised by shlex
        raise UsageError(f"%%cuda: {error}") from error
    options.cohortcc = [word for word in rest if word != "--"]
    for variable in options.env:
        if not variable.partition("=")[0].isidentifier() or "=" not in variable:
            raise UsageError(f"%%cuda: --env needs NAME=VALUE, not '{variable}'")
    for name in (options.out, options.load):
        if name is not None and not name.isidentifier():
            raise UsageError(f"%%cuda: '{name}' is no name of a Python variable")
    if "-o" in options.cohortcc:
        raise UsageError("%%cuda: a cell's program has no name, so there is no -o; --save FILE keeps the source")
    if options.load and (options.args or options.stdin or options.timeout or options.out or options.trace or options.env):
        raise UsageError("%%cuda: --load runs no program, so only --save and options of cohortcc go with it")
    return options


def end_with_us(command):
    """A command that the system kills if this process ends first, as when Jupyter restarts a kernel."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "KILL", *command] if setpriv else command


@contextlib.contextmanager
def started(command, **options):
    """Starts a process in a session of its own. When the block ends, all processes of the session are killed, even
    after an interrupt."""
    process = subprocess.Popen(end_with_us([str(word) for word in command]), start_new_session=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        process.stderr.close()


class Text:
    """Decodes a stream and writes it as it arrives. With `remove`, it writes whole lines, without this text."""

    def __init__(self, write, remove=""):
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.write, self.remove, self.line = write, remove, ""

    def add(self, data, final=False):
        text = self.decoder.decode(data, final)
        if self.remove:
            text = self.line + text
            end = len(text) if final else text.rfind("\n") + 1
            self.line, text = text[end:], text[:end].replace(self.remove, "")
        if text:
            self.write(text)


def copy_output(process, streams, timeout):
    """Copies the process's output to `streams`, a Text for each pipe, until it ends; False where the time is over first."""
    end = time.monotonic() + timeout if timeout is not None else None
    with selectors.DefaultSelector() as selector:
        for pipe in streams:
            selector.register(pipe, selectors.EVENT_READ)
        while selector.get_map():
            left = None if end is None else end - time.monotonic()
            if left is not None and left <= 0:
                return False
            for key, _ in selector.select(left):
                data = os.read(key.fd, 1 << 16)
                streams[key.fileobj].add(data, final=not data)
                if not data:
                    selector.unregister(key.fileobj)
    try:
        process.wait(None if end is None else max(0.0, end - time.monotonic()))
    except subprocess.TimeoutExpired:
        return False
    return True


def compile_cell(options, folder):
    """The program or library of the cell in `folder`."""
    output = folder / ("cell.so" if options.load else "cell")
    library = ["-shared", "-Xcompiler", "-fPIC"] if options.load else []
    command = [cohortcc.prefix / "bin" / "cohortcc", "-I", os.getcwd(), *library, *options.cohortcc, folder / SOURCE, "-o", output]
    remove = f"{folder}/"
    with started(command, stdin=subprocess.DEVNULL) as process:
        copy_output(process, {process.stdout: Text(sys.stdout.write, remove), process.stderr: Text(sys.stderr.write, remove)}, None)
        status = process.returncode
    if status != 0:
        raise CellFailed("%%cuda: the cell was not compiled")
    return output


def how_it_ended(status):
    if status >= 0:
        return f"the program ended with the exit status {status}"
    try:
        return f"the program was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"the program was ended by signal {-status}"


def run_program(program, options, folder):
    """(what went wrong or None, stdout, stderr) of the program. It writes them as they arrive."""
    output, report = [], []

    def write_error(text):
        sys.stderr.write(text)
        if sum(map(len, report)) < MOST_REPORT_BYTES:
            report.append(text)

    environment = dict(os.environ, **dict(variable.split("=", 1) for variable in options.env))
    if options.trace:
        environment["COHORT_TRACE"] = str(folder / "trace.json")
    with contextlib.ExitStack() as stack:
        try:
            stdin = stack.enter_context(open(options.stdin, "rb")) if options.stdin else subprocess.DEVNULL
        except OSError as error:
            raise UsageError(f"%%cuda: {options.stdin} cannot be read: {error.strerror}") from error
        process = stack.enter_context(started([program, *options.args], stdin=stdin, env=environment))
        write = output.append if options.out else sys.stdout.write
        ended = copy_output(process, {process.stdout: Text(write), process.stderr: Text(write_error, f"{folder}/")}, options.timeout)
    if not ended:
        problem = f"the program was ended after {options.timeout:g} seconds"
    else:
        problem = how_it_ended(process.returncode) if process.returncode != 0 else None
    return problem, "".join(output), "".join(report)


def show_page(text, folder):
    """Shows the page of cohort-view about reports or a trace. Text without either has no page."""
    viewer = [sys.executable, cohortcc.prefix / "bin" / "cohort-view", "-", "-o", "-", "--source-root", folder]
    result = subprocess.run(viewer, input=text.encode(), capture_output=True, check=False)
    if result.returncode == 0:
        frame = (f'<iframe sandbox="allow-scripts" style="width: 100%; height: {PAGE_HEIGHT}px; border: 1px solid #ccc" '
                 f'srcdoc="{html.escape(result.stdout.decode())}"></iframe>')
        display({"text/html": f"<div>{frame}</div>", "text/plain": "(a page of cohort-view)"}, raw=True)


def load_library(library, name, folder, shell):
    kept_folders.append(folder)  # reports read the library's lines from its file
    shell.user_ns[name] = ctypes.CDLL(str(library))


def run_cell(shell, line, cell):
    options = read_options(line)
    if options.help:
        new_parser().print_help(sys.stdout)
        return
    if options.save:
        pathlib.Path(options.save).write_text(cell)
    # The folder of a loaded library is removed when Python ends, that of a program when the cell ends.
    holder = tempfile.TemporaryDirectory(prefix="cohort-cell-")
    folder = pathlib.Path(holder.name).resolve()
    try:
        (folder / SOURCE).write_text("\n" + cell)  # the cell begins with the line of %%cuda
        program = compile_cell(options, folder)
        if options.load:
            load_library(program, options.load, holder, shell)
            return
        problem, output, report = run_program(program, options, folder)
        if options.out:
            shell.user_ns[options.out] = output
        trace = folder / "trace.json"
        if not options.no_page and report:
            show_page(report, folder)
        if trace.exists() and not options.no_page:
            show_page(trace.read_text(errors="replace"), folder)
        if problem:
            raise CellFailed(f"%%cuda: {problem}")
    finally:
        if holder not in kept_folders:
            holder.cleanup()


def register(shell):
    def cuda(line, cell):
        run_cell(shell, line, cell)

    cuda.__doc__ = new_parser().format_help()
    shell.register_magic_function(cuda, "cell", "cuda")
