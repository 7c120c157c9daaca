# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Accesses of gangs to members of structures: results, a single loop over the lanes for all members, lines in reports.
"""

import platform
import re
import sys
import unittest

import workplace
from gang_runs import check_programs, widths

cohortcc = None
MODES = ([], ["--cohort-gangs=force=64"], ["--cohort-gangs=force=32", "--cpu=x86-64-v3"], ["--cohort-gangs=force=128"])
KERNEL = """
struct parts { int a, b, c, d; };
__global__ void change(parts* p, const int* places, int n) {
  for (int i = 0; i < n; ++i) {
    parts* const mine = p + places[threadIdx.x] * i;
    const int a = mine->a, b = mine->b,
              c = mine->c, d = mine->d;
    mine->a = b;
    mine->b = c;
    mine->c = d;
    mine->d = a;
  }
}
"""
FAULT = """
#include <cuda_runtime.h>
struct parts { char a[16384]; int b; char c[16384]; };
__global__ void touch(parts* p, int n) {
  parts* const mine = p + threadIdx.x;
  for (int i = 0; i < n; ++i) {
    mine->a[0] = 1;
    mine->b = i;
    mine->c[8192] = 3;
  }
}
int main() {
  parts* p;
  cudaMalloc(&p, sizeof(parts) * 31 + LAST);
  touch<<<1, 32>>>(p, 2);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
"""


class Structures(unittest.TestCase):
    def test_programs(self):
        check_programs(self, cohortcc, ["gang/structures.cu"], MODES)

    @unittest.skipUnless(platform.machine() == "x86_64", "counts instructions of AVX2")
    def test_one_loop_serves_all_parts(self):
        with workplace.workplace(cohortcc) as place:
            source = place.write("change.cu", KERNEL)
            compiled = place.compile("-O1", "--cpu=x86-64-v3", "--cohort-gangs=force=32", "--cohort-report", "-c", source,
                                     "-o", "change.o")
            self.assertEqual(widths(compiled.stderr), {"change": 32}, compiled.stderr)
            self.assertIn("loads gather in lines (6, 7), stores scatter in lines (8, 9, 10, 11)", compiled.stderr)
            code = place.run(["objdump", "-d", "--disassemble=cohort.lanes.change", "change.o"]).stdout
            self.assertEqual(len(re.findall(r"\tblsr ", code)), 2, code)  # a loop of loads and a loop of stores
            self.assertIn("\tvgatherqps ", code)  # the gather of places

    # The stores of a run are executed at the last one, but each keeps its own line in reports.
    def test_reports_name_the_line_of_each_part(self):
        for last, line in ((8192, 8), (16384 + 64, 9)):
            reports = []
            for options in (["--cohort-gangs=force=32", "--cpu=x86-64-v3"], ["--cohort-gangs=off"]):
                with workplace.workplace(cohortcc) as place:
                    source = place.write("fault.cu", FAULT)
                    compiled = place.compile("-O1", *options, f"-DLAST={last}", source, "-o", "fault")
                    self.assertEqual((compiled.returncode, compiled.stderr), (0, ""))
                    run = place.run(["./fault"])
                    self.assertEqual(run.returncode, 0, run.stderr)
                    reports.append(re.sub("0x[0-9a-f]+", "0x", run.stderr))
            with self.subTest(last=last):
                self.assertEqual(reports[0], reports[1])
                self.assertIn(f"fault.cu:{line}", reports[0])


if __name__ == "__main__":
    arguments, rest = workplace.parser().parse_known_args()
    cohortcc = arguments.cohortcc
    unittest.main(argv=sys.argv[:1] + rest)
