#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The counts of recorded.cu equal those of Nsight Compute 2025.3 on an H200, number by number:

test_recorded.py PROGRAMS"""

import pathlib
import sys
import unittest

from reports import accesses_by_kernel, report_of, sums

# By kernel: memory_l2_theoretical_sectors_global, its ideal value, memory_l1_tag_requests_global.
GLOBAL = {
    "load_apart<1>": (64, 64, 16), "load_apart<2>": (128, 64, 32), "load_apart<3>": (192, 64, 48),
    "load_apart<8>": (512, 64, 128), "load_apart<32>": (512, 64, 512), "load_shifted": (80, 64, 32),
    "load_four<1>": (256, 256, 64), "load_four<3>": (512, 256, 192), "load_odd": (64, 32, 16),
    "store_apart": (128, 64, 32), "add_to_four": (16, 16, 16),
}
# By kernel: memory_l1_wavefronts_shared, its ideal value.
SHARED = {
    "shared_apart<1>": (544, 544), "shared_apart<2>": (560, 544), "shared_apart<4>": (592, 544),
    "shared_apart<32>": (1040, 544), "shared_apart<33>": (544, 544), "shared_two<1, 128>": (64, 64),
    "shared_four<1, 128>": (128, 128), "shared_two<4, 512>": (256, 160), "shared_four<2, 256>": (256, 192),
    "shared_broadcast": (32, 32), "shared_add": (48, 48),
}


class Recorded(unittest.TestCase):
    def compare(self, build):
        found = accesses_by_kernel(report_of(programs / build))
        self.assertEqual(set(found), set(GLOBAL) | set(SHARED))
        for kernel, accesses in found.items():
            with self.subTest(kernel=kernel):
                numbers = sums(accesses)
                if kernel in GLOBAL:
                    self.assertEqual(tuple(numbers.values()), GLOBAL[kernel])
                    self.assertEqual(list(numbers), ["sectors", "ideal_sectors", "tag_requests"])
                else:
                    self.assertEqual(tuple(numbers.values()), SHARED[kernel])
                    self.assertEqual(list(numbers), ["wavefronts", "ideal_wavefronts"])

    def test_optimized(self):
        self.compare("recorded_O3")

    def test_little_optimized(self):
        self.compare("recorded_O1")

    def test_with_the_checker(self):
        self.compare("recorded_check")


if __name__ == "__main__":
    programs = pathlib.Path(sys.argv.pop(1))
    unittest.main()
