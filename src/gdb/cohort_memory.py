# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The engine's data in a process, by the offsets of cohort_debug_layout. The engine has no debug
information, and no function of the process is called."""

import struct

import gdb

NOT_RUNNING = "cohort: the program does not run; `run` starts it"


def symbol(name):
    """The address of a variable of the program."""
    try:
        return int(gdb.parse_and_eval(f"(unsigned long)&{name}"))
    except gdb.error as error:
        # Here the process has ended, but gdb still lists a thread of it.
        if "No such process" in str(error):
            raise gdb.GdbError(NOT_RUNNING) from error
        raise gdb.GdbError(f"cohort: the program has no symbol {name} ({error}). Is it a program of cohortcc, and does it run?") \
            from error


class Memory:
    def __init__(self):
        self.inferior = gdb.selected_inferior()
        self.offsets = {}
        at = symbol("cohort_debug_layout")
        if self.inferior.pid == 0:
            raise gdb.GdbError(NOT_RUNNING)
        while (name := self.pointer(at)) != 0:
            self.offsets[self.text(name)] = self.pointer(at + 8)
            at += 16

    def pointer(self, address):
        return struct.unpack("=Q", self.inferior.read_memory(address, 8))[0]

    def word(self, address):
        return struct.unpack("=I", self.inferior.read_memory(address, 4))[0]

    def words(self, address, count=3):
        return struct.unpack(f"={count}I", self.inferior.read_memory(address, 4 * count))

    def flag(self, address):
        return bytes(self.inferior.read_memory(address, 1)) != b"\0"

    def text(self, address, limit=400):
        """The C string at `address`."""
        result = b""
        while len(result) < limit:
            byte = bytes(self.inferior.read_memory(address + len(result), 1))
            if byte == b"\0":
                break
            result += byte
        return result.decode("utf-8", "replace")

    def field(self, address, name):
        return address + self.offsets[name]
