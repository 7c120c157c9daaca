# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Volatile accesses of gangs: vector accesses with the results of single threads, none of which is optimized away."""

import platform
import sys
import unittest

import workplace
from gang_runs import check_programs, widths

cohortcc = None
MODES = ([], ["--cohort-gangs=force=32"], ["--cohort-gangs=force=64", "--cpu=x86-64-v3"], ["--cohort-gangs=force=128"])
KERNEL = """
__global__ void twice(QUALIFIER int* p, int* q) {
  const int place = 3 * threadIdx.x;
  q[threadIdx.x] = p[place] + p[place];
  p[place] = 1;
  p[place] = 2;
}
"""


class VolatileAccesses(unittest.TestCase):
    def test_programs(self):
        check_programs(self, cohortcc, ["gang/volatile_accesses.cu"], MODES)

    @unittest.skipUnless(platform.machine() == "x86_64", "counts instructions of AVX-512")
    def test_each_access_is_executed(self):
        counts = {}
        for qualifier in ("", "volatile"):
            with workplace.workplace(cohortcc) as place:
                source = place.write("twice.cu", KERNEL)
                compiled = place.compile("-O3", "--cpu=x86-64-v4", "--cohort-gangs=force=64", "--cohort-report",
                                         f"-DQUALIFIER={qualifier}", "-c", source, "-o", "twice.o")
                self.assertEqual(widths(compiled.stderr), {"twice": 64}, compiled.stderr)
                self.assertIn("loads gather in lines (4), stores scatter in lines (", compiled.stderr)
                code = place.run(["objdump", "-d", "--disassemble=cohort.lanes.twice", "twice.o"]).stdout
                # A scatter to q takes 8 instructions: 64 threads, 8 addresses each.
                counts[qualifier] = [code.count("vpgather"), code.count("vpscatter") - 8]
        self.assertNotIn(0, counts[""])
        self.assertEqual(counts["volatile"], [2 * count for count in counts[""]])


if __name__ == "__main__":
    arguments, rest = workplace.parser().parse_known_args()
    cohortcc = arguments.cohortcc
    unittest.main(argv=sys.argv[:1] + rest)
