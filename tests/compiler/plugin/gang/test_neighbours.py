# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nearly linear indices, comparisons of indices, and divisions by one number: results in each mode, and that no lane
loads separately."""

import platform
import unittest

import workplace
from gang_runs import check_programs

MODES = ([], ["--cohort-gangs=force=32"], ["--cohort-gangs=force=128"], ["--cpu=x86-64-v3"],
         ["--cohort-gangs=force=64", "--cpu=x86-64-v3"])


class Neighbours(workplace.WorkplaceTest):
    def test_program(self):
        check_programs(self, self.cohortcc, ["gang/compares.cu", "gang/neighbours.cu"], MODES)

    @unittest.skipUnless(platform.machine() == "x86_64", "names CPUs")
    def test_report(self):
        """The report does not list loads of likely neighbours as gathers; it lists loads in any other order."""
        source = self.place.write("loads.cu", """
__global__ void clamped(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; ++k) out[i] += in[i > k ? i - 1 : k] * in[i / n];
}
__global__ void mixed(const float* in, const int* table, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; ++k) out[i] += in[table[i] ^ k];
}
""")
        for cpu in ("x86-64-v3", "x86-64-v4"):
            compiled = self.place.compile("-O3", "--cohort-gangs=force=32", "--cohort-report", f"--cpu={cpu}", "-c",
                                          source, "-o", "loads.o")
            self.assertEqual(compiled.returncode, 0, compiled.stderr)
            lines = {line.split("'")[1]: "gather" in line for line in compiled.stderr.splitlines()}
            self.assertEqual(lines, {"clamped": False, "mixed": True}, compiled.stderr)


if __name__ == "__main__":
    workplace.main()
