# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The input and the output file of a command; - is stdin or stdout."""

import contextlib
import os
import stat
import sys
import tempfile

from problem import Problem

LIMIT = 256 << 20  # bytes of input, at most


def read_input(name, remedy_of_large, may_be_empty=False):
    """The text of a file. `remedy_of_large`: called with the beginning of an input that is too large."""
    if name == "-" and sys.stdin is None:
        raise Problem("stdin is closed; pass the name of a file")
    try:
        with contextlib.nullcontext(sys.stdin.buffer) if name == "-" else open(name, "rb") as file:
            data = file.read(LIMIT + 1)
    except (OSError, ValueError) as error:
        raise Problem(f"{name} cannot be read: {getattr(error, 'strerror', error)}") from error
    if len(data) > LIMIT:
        raise Problem(f"{name} has more than {LIMIT >> 20} MiB. {remedy_of_large(data[:4096].decode('utf-8-sig', 'replace'))}")
    if not data.strip() and not may_be_empty:
        raise Problem(f"{name} is empty. A program prints its reports to stderr: `./program 2>report.txt`; "
                      "COHORT_COUNT=report.json ./program writes one of counts")
    return data.decode("utf-8-sig", "replace")


def write_output(name, text):
    """Replaces a regular file as one step: a reader finds the old content or the new one."""
    if name == "-":
        return print_text(text)
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
        descriptor, temporary = tempfile.mkstemp(prefix=".cohort-", dir=os.path.dirname(name) or ".")
        with open(descriptor, "wb") as file:
            file.write(text.encode("utf-8", "replace"))
            os.fchmod(file.fileno(), 0o666 & ~mask)
        os.replace(temporary, name)
    except (OSError, ValueError) as error:
        if temporary:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        raise Problem(f"{name} cannot be written: {getattr(error, 'strerror', error)}") from error


def print_text(text):
    if sys.stdout is None:
        raise Problem("stdout is closed; -o needs the name of a file")
    try:
        sys.stdout.buffer.write(text.encode("utf-8", "replace"))
        sys.stdout.buffer.flush()
    except OSError as error:
        sys.stdout = None  # else the interpreter writes the rest when it ends
        raise Problem(f"stdout cannot be written: {error.strerror}") from error
