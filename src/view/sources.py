# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Source lines around the places that reports name."""

import os
import re
import stat

AROUND = 3               # lines before and behind a place
MOST_PLACES = 100
MOST_FILES = 20000       # that a search below the source root visits
LONGEST_LINE = 400       # characters
LARGEST_FILE = 16 << 20  # bytes
PLACE = re.compile(r"^(?P<file>.*):(?P<line>[0-9]{1,9})(?: \(.*\))?$", re.S)
SOURCE_NAME = re.compile(r"\.(cu|cuh|c|cc|cpp|cxx|h|hh|hpp|hxx|inc|inl)$", re.I)


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


def excerpt(path, line):
    try:
        with open(path, "rb") as file:
            lines = file.read().decode("utf-8", "replace").split("\n")  # as compilers count
    except OSError:
        return None
    if lines[-1] == "":
        lines.pop()
    if not 1 <= line <= len(lines):
        return None
    first = max(line - AROUND, 1)
    return {"first": first, "line": line, "lines": [text.rstrip("\r")[:LONGEST_LINE] for text in lines[first - 1:line + AROUND]]}


def places_of(report):
    for block in report["blocks"]:
        for state in block["states"]:
            yield state["place"]
    for access in report["accesses"]:
        yield access["place"]
        yield access["launched"]
    yield from report["places"]


def excerpts(reports, root):
    """Lines by place, for each place whose file is found."""
    finder = Finder(root)
    result = {}
    for report in reports:
        for place in places_of(report):
            match = PLACE.match(place or "")
            if not match or place in result or len(result) >= MOST_PLACES:
                continue
            path = finder.find(match["file"])
            found = path and excerpt(path, int(match["line"]))
            if found:
                result[place] = found
    return result
