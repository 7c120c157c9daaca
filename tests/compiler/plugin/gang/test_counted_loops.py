# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops that each lane ends by a counter or a condition: results, and that lanes that leave keep a single value."""

import platform
import sys
import unittest

import workplace
from gang_runs import check_programs, widths

cohortcc = None
MODES = ([], ["--cohort-gangs=force=32"], ["--cohort-gangs=force=32", "--cpu=x86-64-v3"], ["--cohort-gangs=force=128"])


class CountedLoops(unittest.TestCase):
    def test_program(self):
        check_programs(self, cohortcc, ["gang/counted_loops.cu"], MODES)

    @unittest.skipUnless(platform.machine() == "x86_64", "looks for an instruction of AVX-512")
    def test_lanes_leave_with_one_value(self):
        with workplace.workplace(cohortcc) as place:
            source = place.write("escape.cu", """
__global__ void escape(int* out, int limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i * 0.25f;
  int n = 0;
  for (; n < limit && x < 40.0f; ++n) x = x * 1.25f + 0.5f;
  out[i] = n;
}
""")
            report = place.compile("-O3", "--cohort-report", "--cpu=x86-64-v4", "-c", source, "-o", "escape.o").stderr
            self.assertTrue(widths(report)["escape"], report)
            code = place.run(["objdump", "-d", "escape.o"]).stdout
            self.assertIn("%zmm", code)
            self.assertNotIn("vpblendm", code)


if __name__ == "__main__":
    arguments, rest = workplace.parser().parse_known_args()
    cohortcc = arguments.cohortcc
    unittest.main(argv=sys.argv[:1] + rest)
