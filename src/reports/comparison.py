# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The numbers of two reports that differ, by kernel and by source line."""

from counts import NUMBERS, by_line, sums


def change(name, before, after):
    text = f"{name} {before} -> {after}"
    return text + (f" ({after / before:.3f} x)" if before else "")


def changes(before, after):
    """The numbers that differ, as a text; empty if none does."""
    return ", ".join(change(name, before.get(name, 0), after.get(name, 0)) for name in NUMBERS
                     if before.get(name, 0) != after.get(name, 0))


def differences(before, after):
    lines = []
    for kernel in sorted(before.keys() | after.keys()):
        if kernel not in before or kernel not in after:
            lines.append(f"{kernel}: only in the {'second' if kernel in after else 'first'} report")
            continue
        if text := changes(sums(before[kernel]), sums(after[kernel])):
            lines.append(f"{kernel}: {text}")
        old, new = by_line(before[kernel]), by_line(after[kernel])
        for file, line in sorted(old.keys() | new.keys()):
            here = changes(sums(old.get((file, line), [])), sums(new.get((file, line), [])))
            if here:
                lines.append(f"  {file}:{line}: {here}")
    return lines
