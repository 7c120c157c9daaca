# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Clang's sanitizers in kernels: a defect is found at each level of optimization, and a right program is silent."""

import re

import workplace


PROGRAM = """\
#include <cstdio>
#include <cstring>
__global__ void right(int* a, int n) { a[threadIdx.x] = n; }
__global__ void heap(int* a, int n) { a[threadIdx.x + n] = 1; }
__global__ void waits(int* a, int n) {
  __shared__ int part[64];
  part[threadIdx.x] = n;
  __syncthreads();
  for (int i = 0; i < 3; ++i) a[threadIdx.x + n] += part[63 - threadIdx.x];
}
__global__ void frame(int* a, int n) {
  int x[8];
  for (int i = 0; i < 8; ++i) x[i] = a[i];
  a[threadIdx.x] = x[n + 8];
}
__global__ void sum(int* a, int n) { a[threadIdx.x] = 2147483600 + n + (int)threadIdx.x; }
__global__ void shift(int* a, int n) { a[threadIdx.x] = 1 << (n + 40); }
int main(int, char** arguments) {
  int* a = new int[64]();
  const char* name = arguments[1];
  if (!std::strcmp(name, "right")) right<<<1, 64>>>(a, 0);
  if (!std::strcmp(name, "heap")) heap<<<1, 64>>>(a, 1);
  if (!std::strcmp(name, "waits")) waits<<<1, 64>>>(a, 1);
  if (!std::strcmp(name, "frame")) frame<<<1, 64>>>(a, 1);
  if (!std::strcmp(name, "sum")) sum<<<1, 64>>>(a, 0);
  if (!std::strcmp(name, "shift")) shift<<<1, 64>>>(a, 0);
  std::printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
  delete[] a;
}
"""


class Sanitizers(workplace.WorkplaceTest):
    def setUp(self):
        super().setUp()
        self.place.write("program.cu", PROGRAM)

    def build(self, *options):
        result = self.place.compile("-g", *options, "program.cu", "-o", "program")
        if "libclang_rt" in result.stderr:
            self.skipTest("clang's sanitizer runtimes are not installed")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def run_case(self, name):
        return self.place.run(["./program", name], ASAN_OPTIONS="detect_leaks=1", COHORT_WORKERS="2")

    def test_address(self):
        for level in ("-O0", "-O1", "-O3"):
            self.build("-fsanitize=address", level)
            result = self.run_case("right")
            self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "cudaSuccess\n", ""))
            for name, text, kind in (("heap", "a[threadIdx.x + n] = 1", "heap-buffer-overflow"),
                                     ("waits", "a[threadIdx.x + n] +=", "heap-buffer-overflow"),
                                     ("frame", "x[n + 8]", "stack-buffer-overflow")):
                with self.subTest(level=level, name=name):
                    result = self.run_case(name)
                    self.assertNotEqual(result.returncode, 0)
                    self.assertRegex(result.stderr, "AddressSanitizer: (dynamic-)?" + kind)
                    self.assertIn(f"program.cu:{workplace.line_of(text, PROGRAM)}", result.stderr)

    def test_undefined(self):
        for level in ("-O0", "-O1", "-O3"):
            self.build("-fsanitize=undefined", level)
            result = self.run_case("right")
            self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "cudaSuccess\n", ""))
            for name, text, words in (("sum", "2147483600", "signed integer overflow"), ("shift", "1 <<", "shift exponent 40"),
                                      ("frame", "x[n + 8]", "index 9 out of bounds")):
                with self.subTest(level=level, name=name):
                    self.assertRegex(self.run_case(name).stderr,
                                     rf"(?m)^program.cu:{workplace.line_of(text, PROGRAM)}:\d+: runtime error: {re.escape(words)}")

    def test_behind_xcompiler(self):
        self.build("-Xcompiler", "-fsanitize=address")
        self.assertIn("heap-buffer-overflow", self.run_case("heap").stderr)
        self.build("-Xcompiler=-fsanitize=undefined")
        self.assertIn("signed integer overflow", self.run_case("sum").stderr)

    def test_refused(self):
        for option, remedy in (("-fsanitize=thread", "--check finds the data races"), ("-Xcompiler=-fsanitize=thread", "--check"),
                               ("-fsanitize=undefined,thread", "--check"), ("-fsanitize=memory", "--check=memory")):
            result = self.place.compile(option, "program.cu")
            self.assertNotEqual(result.returncode, 0)
            self.assertRegex(result.stderr, f"^cohortcc: error: -fsanitize=[^\n]*{remedy}[^\n]*\n$")

    def test_report_says_why_there_are_no_gangs(self):
        result = self.place.compile("-O3", "-fsanitize=address", "--cohort-report", "-c", "program.cu", "-o", "program.o")
        self.assertRegex(result.stderr, "kernel 'waits' has a stack for each thread: .*: sanitizers do not check masked accesses")


workplace.main()
