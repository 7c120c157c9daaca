#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The counts of patterns.cu equal those of a model of a GPU's memory, and those that an H200 counted:

test_patterns.py PROGRAMS"""

import collections
import pathlib
import re
import sys
import unittest

from reports import NUMBERS, accesses_by_kernel, report_of, sums

ROW = re.compile(r"^PATTERN\((\w+), (\w+), (\w+), (\w+), (.*), (.*)\)$")
# The bytes of a lane's accesses of an element, by type: (offset, bytes).
PARTS = {"char": [(0, 1)], "short": [(0, 2)], "int": [(0, 4)], "double": [(0, 8)], "float2": [(0, 8)], "float4": [(0, 16)],
         "three": [(0, 4), (4, 4), (8, 4)], "three_wide": [(0, 8), (8, 8), (16, 8)], "pair": [(0, 8)]}
HERE = pathlib.Path(__file__).parent
NAMES = ("requests", "lanes", "bytes", "sectors", "ideal_sectors", "tag_requests", "wavefronts", "ideal_wavefronts",
         "distinct_addresses")


def warp_numbers(memory, operation, size, addresses):
    """The model's numbers for one access of a warp; `addresses` has the address of each lane that
    accesses."""
    numbers = {"requests": 1, "lanes": len(addresses), "bytes": size * len(addresses)}
    if operation == "atomic":
        numbers["distinct_addresses"] = len(set(addresses.values()))
    if memory == "global":
        touched = {byte for address in addresses.values() for byte in range(address, address + size)}
        sectors = len({byte // 32 for byte in touched})
        numbers.update(sectors=sectors, tag_requests=len({byte // 128 for byte in touched}),
                       ideal_sectors=min(sectors, -(-len(addresses) * size // 32)))
        return numbers
    group = {8: 16, 16: 8}.get(size, 32)
    serial = operation == "atomic" and len(set(addresses.values())) > 1  # a GPU combines lanes of one address first
    wavefronts = ideal = 0
    for first in range(0, 32, group):
        words = collections.defaultdict(set)  # {bank: addresses of its words}
        for lane in range(first, first + group):
            if lane in addresses:
                for byte in range(addresses[lane], addresses[lane] + size):
                    words[byte // 4 % 32].add(lane if serial else byte // 4)
        wavefronts += max(map(len, words.values()), default=0)
        ideal += bool(words)
    numbers.update(wavefronts=wavefronts, ideal_wavefronts=ideal)
    return numbers


def expected(memory, operation, kind, condition, index):
    parts = PARTS[kind]
    element = sum(size for _, size in parts)
    total = collections.Counter()
    for block in range(4):
        for warp in range(4):
            ranks = [rank for rank in range(32 * warp, 32 * warp + 32) if eval(condition, {"t": rank, "b": block, "true": True})]
            if not ranks:
                continue
            places = {rank % 32: eval(index, {"t": rank, "b": block}) * element for rank in ranks}
            for offset, size in parts:
                total.update(warp_numbers(memory, operation, size, {lane: at + offset for lane, at in places.items()}))
    return dict(total)


def recorded():
    """The figures of patterns_h200.txt by pattern."""
    lines = (HERE / "patterns_h200.txt").read_text().splitlines()
    rows = (line.split() for line in lines if not line.startswith("#"))
    return {name: dict(zip(NUMBERS, map(int, figures))) for name, *figures in rows}


class Patterns(unittest.TestCase):
    def compare(self, build):
        found = accesses_by_kernel(report_of(programs / build))
        rows = [match.groups() for line in (HERE / "patterns.inc").read_text().split("\n")
                if (match := ROW.match(line))]
        self.assertGreaterEqual(len(rows), 60)
        self.assertEqual(set(found), {name for _, _, name, *_ in rows})
        on_gpu = recorded()
        self.assertEqual(set(found), set(on_gpu))
        for memory, operation, name, *terms in rows:
            with self.subTest(pattern=name):
                accesses = found[name]
                self.assertEqual({access["memory"] for access in accesses}, {memory})
                self.assertEqual(sums(accesses, NAMES), expected(memory, operation, *terms))
                self.assertEqual(dict.fromkeys(NUMBERS, 0) | sums(accesses), on_gpu[name])

    def test_optimized(self):
        self.compare("patterns_O3")

    def test_little_optimized(self):
        self.compare("patterns_O1")

    def test_with_the_checker(self):
        self.compare("patterns_check")


if __name__ == "__main__":
    programs = pathlib.Path(sys.argv.pop(1))
    unittest.main()
