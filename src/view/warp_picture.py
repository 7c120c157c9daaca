# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One access of a warp as a picture: its lanes on the sectors of global memory, or on the banks of shared memory."""

from counts import is_whole

LANES = 32
BANKS, BYTES_PER_BANK = 32, 4
BYTES_PER_LINE, BYTES_PER_SECTOR = 128, 32
MOST_BYTES = 4096  # the most bytes that one lane accesses in a picture
FARTHEST = 1 << 63


def ranges_text(ranks):
    """"0-3, 7" of sorted ranks."""
    parts = []
    for rank in ranks:
        if parts and rank == parts[-1][1] + 1:
            parts[-1][1] = rank
        else:
            parts.append([rank, rank])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in parts)


def sectors_of(lanes, size):
    """The lines of 128 bytes: their distance from the first, and for each of the four sectors its lanes and used bytes."""
    users, used = {}, {}
    for lane, offset in lanes:
        for at in range(offset, offset + size):
            used.setdefault(at // BYTES_PER_SECTOR, set()).add(at)
            users.setdefault(at // BYTES_PER_SECTOR, {})[lane] = True
    per_line = BYTES_PER_LINE // BYTES_PER_SECTOR
    rows = []
    for line in sorted({sector // per_line for sector in used}):
        cells = [{"lanes": ranges_text(sorted(users[sector])), "bytes": len(used[sector])} if sector in used else None
                 for sector in range(line * per_line, (line + 1) * per_line)]
        rows.append({"name": f"+{line * BYTES_PER_LINE}", "cells": cells})
    return rows


def banks_of(lanes, size):
    """The wavefronts: for each bank the lanes whose word it serves. Lanes with more than a word are served in parts."""
    parts = 1 if size <= BYTES_PER_BANK else size // BYTES_PER_BANK
    lanes_per_part = max(LANES // parts, 1)
    rows = []
    for part in range(parts):
        words = {}
        for lane, offset in lanes:
            if min(lane // lanes_per_part, parts - 1) == part:
                for word in range(offset // BYTES_PER_BANK, (offset + size - 1) // BYTES_PER_BANK + 1):
                    words.setdefault(word, []).append(lane)
        banks = {}
        for word in sorted(words):
            banks.setdefault(word % BANKS, []).append(ranges_text(words[word]))
        for i in range(max(map(len, banks.values()), default=0)):
            cells = [{"lanes": banks[bank][i]} if i < len(banks.get(bank, [])) else None for bank in range(BANKS)]
            rows.append({"name": str(len(rows) + 1), "beyond": i > 0, "cells": cells})
    return rows


def picture_of(access):
    """The picture of the worst access of a row; None where the report has none that can be drawn."""
    worst, size = access["worst"], access.get("bytes_of_lane")
    offsets = worst.get("offsets") if isinstance(worst, dict) else None
    kind = {"global": "sectors", "shared": "banks"}.get(access.get("memory") if isinstance(access.get("memory"), str) else None)
    if not kind or not is_whole(size, MOST_BYTES + 1) or not size or not isinstance(offsets, list) or len(offsets) != LANES:
        return None
    lanes = [(lane, offset) for lane, offset in enumerate(offsets) if is_whole(offset, FARTHEST)]
    rows = sectors_of(lanes, size) if kind == "sectors" else banks_of(lanes, size)
    found = sum(cell is not None for row in rows for cell in row["cells"]) if kind == "sectors" else len(rows)
    return {"kind": kind, "file": access.get("file", "?"), "line": access.get("line", 0), "rows": rows, "found": found,
            "operation": str(access.get("operation")), "bytes": size, "lanes": len(lanes)}
