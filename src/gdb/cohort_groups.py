# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pretty printers for groups: kind, size and threads instead of private members."""

import re

import gdb

TILE = re.compile(r"^cohort::thread_block_tile<(\d+)")
NAMES = re.compile(r"^cohort::(?:detail::)?(thread_block|cluster_group|grid_group|multi_grid_group|coalesced_group|thread_group)\b(?!_)")


def member(value, name):
    """The whole number in a member of the class or of a base; None if it has none."""
    try:
        return int(value[name])
    except (gdb.error, ValueError, TypeError):
        return None


def lanes_of(mask):
    return [lane for lane in range(32) if mask >> lane & 1]


class GroupPrinter:
    def __init__(self, kind, value):
        self.kind, self.value = kind, value

    def to_string(self):
        parts = []
        lanes, size = member(self.value, "lanes_"), member(self.value, "size_")
        rank, count = member(self.value, "meta_rank_"), member(self.value, "meta_size_")
        if size:
            parts.append(f"{size} threads")
        if lanes:
            parts.append(f"lanes {' '.join(map(str, lanes_of(lanes & 0xFFFFFFFF)))}")
        if size and rank is not None and count is not None:
            parts.append(f"rank {rank} of {count} in its parent")
        return self.kind + (": " + ", ".join(parts) if parts else "")


def find_printer(value):
    type_ = value.type.strip_typedefs().unqualified()
    if type_.code != gdb.TYPE_CODE_STRUCT or not type_.name:
        return None
    if match := TILE.match(type_.name):
        return GroupPrinter(f"thread_block_tile<{match[1]}>", value)
    if match := NAMES.match(type_.name):
        return GroupPrinter(match[1], value)
    return None


def register():
    gdb.pretty_printers.append(find_printer)
