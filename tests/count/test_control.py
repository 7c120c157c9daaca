#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lanes that part and meet again make the accesses that they make on a GPU, which runs a warp's lanes together between
the points where they meet:  test_control.py PROGRAMS"""

import collections
import pathlib
import sys
import unittest

from reports import accesses_by_kernel, report_of, sums

BLOCKS = 3
SIZES = (33, 105, 208)  # threads of a block
NAMES = ("requests", "lanes", "sectors", "tag_requests", "wavefronts")


def nested(t):
    for i in range(5):
        for k in range((t + i) % 4):
            yield "global", (i, k), 1024 * i + 256 * k + t


def skipping(t):
    for i in range(7):
        if (t + i) % 3 == 0:
            yield "global", i, 512 * i + 2 * t


def called(t):
    if t % 2:
        yield "global", "first", t
    for i in range(t % 4):
        yield "global", i, 1024 + 256 * i + t
    yield "global", "last", 512 + t


def waiting(t):
    for i in range(3):
        yield "shared", ("store", i), t
        if t % 2 == 0:
            yield "shared", ("load", i), t
            yield "global", ("copy", i), 256 * i + t
    if t < 32:
        yield "shared", "exchanged", t


def leaving(t):
    for i in range(4):
        if t % 5 == i:
            return
        yield "global", i, 256 * i + t


def expected(kernel, sizes, blocks):
    total = collections.Counter()
    for threads in sizes:
        for first in range(0, threads, 32):
            joined = collections.defaultdict(list)
            for t in range(first, min(first + 32, threads)):
                for memory, key, element in kernel(t):
                    joined[memory, key].append(4 * element)
            for (memory, _), addresses in joined.items():
                total.update(requests=blocks, lanes=blocks * len(addresses))
                if memory == "global":
                    total.update(sectors=blocks * len({address // 32 for address in addresses}),
                                 tag_requests=blocks * len({address // 128 for address in addresses}))
                else:
                    total.update(wavefronts=blocks)
    return dict(total)


class Control(unittest.TestCase):
    def compare(self, build, blocks=BLOCKS, **settings):
        report = report_of(programs / build, **settings)
        found = accesses_by_kernel(report)
        for kernel in (nested, skipping, called, waiting, leaving):
            with self.subTest(kernel=kernel.__name__, build=build):
                memory = [access for access in found[kernel.__name__] if "memory" in access]
                self.assertEqual(sums(memory, NAMES), expected(kernel, SIZES, blocks))
        return report

    def test_optimized(self):
        self.compare("control_O3")

    def test_without_optimization(self):
        self.compare("control_O0")

    def test_each_order_of_threads(self):
        for seed in (1, 2, 3):
            self.compare("control_O3", COHORT_SCHEDULE=f"seed:{seed}")

    def test_some_blocks(self):
        self.assertEqual(self.compare("control_O3", 1, COHORT_COUNT_BLOCKS="1/3")["blocks_for_one"], 3)

    def test_collectives(self):
        for build in ("control_O3", "control_O0"):
            accesses = accesses_by_kernel(report_of(programs / build))["waiting"]
            joint = {name: sums([a for a in accesses if a["operation"] == name], ("requests", "lanes"))
                     for name in ("collective", "barrier")}
            warps = sum(-(-threads // 32) for threads in SIZES)
            self.assertEqual(joint["collective"], {"requests": BLOCKS * 3, "lanes": BLOCKS * 3 * 32})
            self.assertEqual(joint["barrier"], {"requests": BLOCKS * warps * 6, "lanes": BLOCKS * sum(SIZES) * 6})

    def test_lines(self):
        lines = (pathlib.Path(__file__).parent / "control.cu").read_text().split("\n")
        for build in ("control_O3", "control_O0"):
            for access in accesses_by_kernel(report_of(programs / build))["waiting"]:
                self.assertEqual(pathlib.Path(access["file"]).name, "control.cu")
                here = lines[access["line"] - 1]
                word = {"collective": "__shfl_xor_sync", "barrier": "__syncthreads", "load": "tile[t]", "store": "= "}
                self.assertIn(word[access["operation"]], here)

    def test_shapes(self):
        report = report_of(programs / "control_O3")
        kernel = next(kernel for kernel in report["kernels"] if kernel["kernel"].startswith("waiting"))
        self.assertEqual([(shape["launches"], shape["grid"], shape["block"], shape["dynamic_shared_bytes"])
                          for shape in kernel["shapes"]],
                         [(1, [3, 1, 1], block, 1024) for block in ([5, 3, 7], [16, 13, 1], [33, 1, 1])])

    def test_refused_settings(self):
        for blocks in ("1/0", "2/3", "16", "1/", "1/x", "1/-1"):
            with self.assertRaisesRegex(AssertionError, "returned 2: cohort: COHORT_COUNT_BLOCKS=.* is not valid"):
                report_of(programs / "control_O3", COHORT_COUNT_BLOCKS=blocks)


if __name__ == "__main__":
    programs = pathlib.Path(sys.argv.pop(1))
    unittest.main()
