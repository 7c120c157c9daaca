# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The files of source names that reports have."""

import os
import re
import stat

MOST_FILES = 20000       # files that a search below the source root visits
LARGEST_FILE = 16 << 20  # bytes of a file that is read
LONGEST_LINE = 400       # characters of a line that are shown
SOURCE_NAME = re.compile(r"\.(cu|cuh|c|cc|cpp|cxx|h|hh|hpp|hxx|inc|inl)$", re.I)
PLACE = re.compile(r"^(?P<file>.*):(?P<line>[0-9]{1,9})(?: \((?P<function>.*)\))?$", re.S)


class Finder:
    """Finds the file of a name. A name without a folder is searched below the root, and found if it is unique."""

    def __init__(self, root):
        self.root = root
        self.by_name = None

    def list_files(self):
        self.by_name = {}
        visited = 0
        for folder, folders, names in os.walk(self.root):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in names:
                visited += 1
                self.by_name.setdefault(name, []).append(os.path.join(folder, name))
            if visited > MOST_FILES:
                return

    def find(self, name):
        # A report is untrusted text: only files with the name of a source are read, below the root or at the very path.
        if "\0" in name or not SOURCE_NAME.search(name):
            return None
        for path in (os.path.join(self.root, name), os.path.join(self.root, os.path.basename(name))):
            if is_readable(path):
                return path
        if self.by_name is None:
            self.list_files()
        found = self.by_name.get(os.path.basename(name), [])
        return found[0] if len(found) == 1 and is_readable(found[0]) else None


def is_readable(path):
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size <= LARGEST_FILE


def lines_of(path):
    """The lines of a file, as compilers count them; none if it cannot be read."""
    try:
        with open(path, "rb") as file:
            lines = file.read().decode("utf-8", "replace").split("\n")
    except OSError:
        return []
    if lines[-1] == "":
        lines.pop()
    return [text.rstrip("\r")[:LONGEST_LINE] for text in lines]
