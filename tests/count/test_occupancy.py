#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`cohort occupancy` agrees with <cuda_occupancy.h>:  test_occupancy.py COHORT MODULES PROGRAMS"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PTXAS = """ptxas info    : Compiling entry function '_Z1fPi' for 'sm_90'
ptxas info    : Function properties for _Z1fPi
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 128 registers, used 1 barriers
"""


class Occupancy(unittest.TestCase):
    def describe(self, *options, grid=(1000, 1, 1), cluster=(1, 1, 1), shared=0, files=()):
        shape = {"launches": 2, "grid": grid, "block": [256, 1, 1], "cluster": cluster, "static_shared_bytes": 16,
                 "dynamic_shared_bytes": shared}
        report = {"report": "cohort-count", "version": 1, "kernels": [{"kernel": "f(int*)", "accesses": [], "shapes": [shape]}]}
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "report.json").write_text(json.dumps(report))
            for name, text in files:
                pathlib.Path(folder, name).write_text(text)
            run = subprocess.run([cohort, "occupancy", "report.json", *options], cwd=folder, text=True, capture_output=True,
                                 check=False)
        return run.returncode, run.stdout + run.stderr

    def test_blocks(self):
        lines = subprocess.run([programs / "occupancy"], text=True, capture_output=True, check=True).stdout.splitlines()
        self.assertEqual(len(lines), 7 * 7 * 6 * 5)
        for line in lines:
            capability, *numbers, blocks = line.split()
            limits = occupancy.blocks_per_multiprocessor(int(capability), *map(int, numbers))
            self.assertEqual(min(limits.values()), int(blocks), line)

    def test_waves(self):
        status, text = self.describe()
        self.assertEqual(status, 0)
        self.assertIn("8 blocks on a multiprocessor, 64 of 64 warps (100.0 %), limited by threads", text)
        self.assertIn("1000 blocks in 1 waves of 1056; the last one has 1000 (94.7 %)", text)
        self.assertIn("Registers are unknown", text)
        self.assertIn("1057 blocks in 2 waves of 1056; the last one has 1 (0.1 %)", self.describe(grid=(1057, 1, 1))[1])
        self.assertIn("32 blocks in 1 waves of 1050;", self.describe(grid=(32, 1, 1), cluster=(10, 1, 1))[1])
        self.assertIn("limited by shared memory", self.describe(shared=60000)[1])
        self.assertIn("does not fit a multiprocessor: shared memory", self.describe(shared=240000)[1])

    def test_registers(self):
        for option, files in (("128", ()), ("ptxas.txt", [("ptxas.txt", PTXAS)])):
            text = self.describe("--registers", option, files=files)[1]
            self.assertIn("128 registers", text)
            self.assertIn("2 blocks on a multiprocessor, 16 of 64 warps (25.0 %), limited by registers", text)
            self.assertNotIn("unknown", text)
        for option, words in (("0", "1 to 255"), ("256", "1 to 255"), ("gone.txt", "cannot be read"),
                              ("report.json", "names no kernel's registers")):
            status, text = self.describe("--registers", option)
            self.assertEqual(status, 2)
            self.assertIn(words, text)


if __name__ == "__main__":
    cohort, modules, programs = (pathlib.Path(argument) for argument in sys.argv[1:4])
    del sys.argv[1:4]
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(modules))
    import occupancy
    unittest.main()
