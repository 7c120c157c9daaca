# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Source places of code addresses. Frames of Cohort's own headers are left out, as in reports."""

import os
import subprocess

import gdb

OWN = ["/include/cohort/", "/include/compat/", "/include/cudart/", "/cohort/cudart/", "/src/engine/", "/src/runtime/",
       "/src/check/"]


def is_own(path):
    return any(part in path for part in OWN)


def text_of(path, line, function):
    return f"{os.path.basename(path)}:{line} ({function})"


class Places:
    def __init__(self):
        self.known = {}

    def of_address(self, address):
        """The place of the call before a return address; an empty text if there is none."""
        if address not in self.known:
            self.known[address] = self.find(address - 1) if address else ""
        return self.known[address]

    def find(self, pc):
        found = gdb.find_pc_line(pc)
        block = gdb.block_for_pc(pc)
        if found.symtab and not is_own(found.symtab.fullname()) and block and block.function:
            return text_of(found.symtab.filename, found.line, block.function.print_name.split("(")[0])
        return self.find_inlined(pc) or hex(pc)

    def find_inlined(self, pc):
        """The innermost frame outside of Cohort at `pc`: gdb's Python has no lines of inlined calls."""
        objfile = gdb.current_progspace().objfile_for_address(pc) if hasattr(gdb.Progspace, "objfile_for_address") else \
            (gdb.current_progspace().objfiles() or [None])[0]
        if not objfile:
            return ""
        for offset in (pc - load_address(objfile), pc):
            try:
                run = subprocess.run(["addr2line", "-Cfie", objfile.filename, hex(offset)], capture_output=True, text=True,
                                     timeout=30, check=False)
            except (OSError, subprocess.TimeoutExpired):
                return ""
            lines = run.stdout.splitlines()
            for function, place in zip(lines[::2], lines[1::2]):
                path, _, line = place.partition(" ")[0].rpartition(":")
                if line.isdigit() and int(line) and not is_own(path):
                    return text_of(path, line, function.split("(")[0])
        return ""

    def of_frame(self):
        """The place at which the selected OS thread runs."""
        frame = gdb.newest_frame()
        while frame:
            where = frame.find_sal()
            if where.symtab and where.line and not is_own(where.symtab.fullname()):
                return text_of(where.symtab.filename, where.line, (frame.name() or "?").split("(")[0])
            frame = frame.older()
        return ""


def load_address(objfile):
    """The distance between the addresses of the file and those of the process."""
    try:
        with open(f"/proc/{gdb.selected_inferior().pid}/maps") as maps:
            for line in maps:
                if line.rstrip().endswith(objfile.filename):
                    return int(line.split("-")[0], 16)
    except OSError:
        pass
    return 0
