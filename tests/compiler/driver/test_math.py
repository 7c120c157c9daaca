# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of SLEEF that device code calls, for each CPU, and programs on machines without SLEEF."""

import platform
import re
import unittest

import workplace


PROGRAM = """\
#include <cmath>
#include <cstdio>
__global__ void k(float* p) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i] = expf(p[i]);
}
__global__ void constant(float* p) { *p = std::exp(1.5f); }
int main(int count, char**) {
  float* p;
  cudaMallocManaged(&p, 256 * sizeof *p);
  for (int i = 0; i < 256; ++i) p[i] = i * count / 64.0f;
  k<<<2, 128>>>(p);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  int wrong = 0;
  for (int i = 0; i < 256; ++i) wrong += !(std::fabs(p[i] - std::exp(i / 64.0)) <= 1e-6 * p[i]);
  std::printf("%d wrong\\n", wrong);
}
"""
BRANCH = """\
__global__ void b(float* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = expf(p[i]);
}
"""
WITHOUT_MATH = """\
__global__ void k(int* p) { *p = __popc(*p); }
int main() {}
"""


class Math(workplace.WorkplaceTest):
    def setUp(self):
        super().setUp()
        self.place.write("program.cu", PROGRAM)
        self.place.write("branch.cu", BRANCH)
        self.place.write("plain.cu", WITHOUT_MATH)

    def build(self, *arguments, **environment):
        result = self.place.compile(*arguments, **environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def called(self, *options):
        self.build("-c", *options, "program.cu", "-o", "program.o")
        return set(re.findall(r" U (Sleef_\w+|expf)", self.place.run(["nm", "program.o"]).stdout))

    def needs_sleef(self, program):
        return "libsleef.so.3" in self.place.run(["readelf", "-d", program]).stdout

    @unittest.skipUnless(platform.machine() == "x86_64", "names of CPUs")
    def test_forms_follow_the_cpu(self):
        scalar = "Sleef_finz_expf1_u10purecfma"
        self.assertEqual(self.called("--cpu=x86-64"), {"Sleef_cinz_expf1_u10purec"})
        self.assertEqual(self.called("--cpu=x86-64-v3", "-O0"), {scalar})
        self.assertEqual(self.called("--cpu=x86-64-v3"), {scalar, "Sleef_finz_expf8_u10avx2"})
        self.assertEqual(self.called("--cpu=x86-64-v4"), {scalar, "Sleef_finz_expf16_u10avx512f"})
        self.assertEqual(self.called("--cpu=x86-64-v3", "--cohort-gangs=off"), {scalar, "Sleef_finz_expf8_u10avx2"})
        self.assertEqual(self.called("--cohort-math=libm", "--cpu=x86-64-v3"), {"expf"})

    @unittest.skipUnless(platform.machine() == "x86_64", "names of CPUs")
    def test_gangs_call_vectors(self):
        report = self.build("-c", "--cohort-report", "--cpu=x86-64-v3", "branch.cu").stderr
        self.assertRegex(report, r"kernel 'b' runs \d+ threads at once[;\n]")
        self.assertNotIn("is called for each thread", report)
        report = self.build("-c", "--cohort-report", "--cpu=x86-64", "branch.cu").stderr
        self.assertNotIn("threads at once", report)

    def test_programs_link_what_they_call(self):
        self.build("program.cu", "-o", "program")
        self.assertEqual(self.place.run(["./program"]).stdout, "0 wrong\n")
        self.assertTrue(self.needs_sleef("program"))
        self.build("plain.cu", "-o", "plain")
        self.assertFalse(self.needs_sleef("plain"))

    def test_without_sleef(self):
        missing = {"COHORT_SLEEF": "/nonexistent"}
        result = self.place.compile("program.cu", "-o", "program", **missing)
        self.assertNotEqual(result.returncode, 0)
        self.assertRegex(result.stderr, r"program.cu:5:\d+: .*device code that calls expf\(\) needs SLEEF: .*"
                                        r"apt-get install libsleef3.*--cohort-math=libm")
        self.build("plain.cu", "-o", "plain", **missing)
        self.build("--cohort-math=libm", "program.cu", "-o", "program", **missing)
        self.assertEqual(self.place.run(["./program"]).stdout, "0 wrong\n")
        self.assertFalse(self.needs_sleef("program"))
        result = self.place.compile("--cohort-math=fast", "program.cu")
        self.assertNotEqual(result.returncode, 0)
        self.assertRegex(result.stderr, "--cohort-math takes sleef or libm, not 'fast'")


if __name__ == "__main__":
    workplace.main()
