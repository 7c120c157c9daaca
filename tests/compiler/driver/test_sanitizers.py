# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Clang's sanitizers in kernels: they find a defect at each level of optimization, and report nothing about a correct
program."""

import pathlib
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

# For each kind of memory, a kernel or the host writes byte `n` after its beginning; lengths are odd.
MEMORY = """\
#include <cstdio>
#include <cstdlib>
#include <cstring>
__device__ int table[5] = {1, 2, 3, 4, 5};
__device__ char zeros[13];
__managed__ char both[21];
__global__ void plain(char* p, int n) { p[threadIdx.x + n] = 1; }
__global__ void variable(int n) { table[threadIdx.x + n] = 1; }
__global__ void zero(int n) { zeros[threadIdx.x + n] = 1; }
__global__ void managed(int n) { both[threadIdx.x + n] = 1; }
// Three blocks on one worker: the second and third find the memory as the first one left it.
__global__ void first(char* p, int n) {
  __shared__ char a[35];
  __shared__ int b[4];
  if (blockIdx.x == 2) a[threadIdx.x + n] = 1;
  b[threadIdx.x] = n;
  __syncthreads();
  p[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}
__global__ void last(char* p, int n) {
  __shared__ char a[35];
  __shared__ int b[4];
  a[threadIdx.x] = 1;
  if (blockIdx.x == 2) b[threadIdx.x + n] = n;
  __syncthreads();
  p[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}
__global__ void dynamic(char* p, int n) {
  extern __shared__ char d[];
  __shared__ char a[128];
  a[threadIdx.x] = 1;
  d[threadIdx.x + n] = 1;
  __syncthreads();
  p[threadIdx.x] = a[threadIdx.x] + d[threadIdx.x];
}
__global__ void before_dynamic(char* p, int n) {
  extern __shared__ char d[];
  __shared__ char a[128];
  a[n + threadIdx.x] = 1;
  d[threadIdx.x] = 1;
  __syncthreads();
  p[threadIdx.x] = a[threadIdx.x] + d[threadIdx.x];
}
int main(int, char** arguments) {
  const char* const name = arguments[1];
  const int extra = std::atoi(arguments[2]);
  const auto is = [&](const char* other) { return !std::strcmp(name, other); };
  char *p = nullptr, *out = nullptr;
  cudaMalloc(&out, 4);
  // The memory is written by the runtime, read by the runtime and used again.
  for (int i = 0; i < 3; ++i) {
    char host[1001];
    const int bytes = 1001 - 300 * i;
    if (is("malloc")) cudaMalloc(&p, bytes);
    if (is("async")) cudaMallocAsync(&p, bytes, 0);
    if (is("managed_memory") || is("on_host")) cudaMallocManaged(&p, bytes);
    if (is("pinned")) cudaMallocHost(&p, bytes);
    if (!p) break;
    cudaMemset(p, 7, bytes);
    cudaMemcpy(host, p, bytes, cudaMemcpyDefault);
    if (host[bytes - 1] != 7) std::puts("wrong");
    const int over = i == 2 ? extra : 0;
    if (is("on_host")) {
      p[bytes - 1 + over] = 1;
    } else {
      plain<<<1, 3>>>(p, bytes - 3 + over);
    }
    if (cudaDeviceSynchronize() != cudaSuccess) std::puts("failed");
    is("pinned") ? cudaFreeHost(p) : cudaFree(p);
  }
  for (int i = 0; i < 2; ++i) {
    const int over = i == 1 ? extra : 0;  // at first, and after a reset of the device
    if (is("variable")) variable<<<1, 3>>>(2 + over);
    if (is("zero")) zero<<<1, 3>>>(10 + over);
    if (is("managed")) managed<<<1, 3>>>(18 + over);
    int values[5];
    cudaMemcpyFromSymbol(values, table, sizeof values);
    cudaDeviceReset();
  }
  cudaMalloc(&out, 4);
  if (is("first")) first<<<3, 3>>>(out, 32 + extra);
  if (is("last")) last<<<3, 3>>>(out, 1 + extra);
  if (is("dynamic")) dynamic<<<3, 3, 51>>>(out, 48 + extra);
  if (is("before_dynamic")) before_dynamic<<<3, 3, 51>>>(out, 125 + extra);
  std::printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
"""
WRITES = {"malloc": "p[threadIdx.x + n] = 1", "async": "p[threadIdx.x + n] = 1", "managed_memory": "p[threadIdx.x + n] = 1",
          "pinned": "p[threadIdx.x + n] = 1", "on_host": "p[bytes - 1 + over] = 1", "variable": "table[threadIdx.x + n]",
          "zero": "zeros[threadIdx.x + n]", "managed": "both[threadIdx.x + n]", "first": "a[threadIdx.x + n] = 1",
          "last": "b[threadIdx.x + n]", "dynamic": "d[threadIdx.x + n] = 1", "before_dynamic": "a[n + threadIdx.x] = 1"}


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

    def test_red_zones(self):
        self.place.write("memory.cu", MEMORY)
        for level, guard in (("-O0", "page"), ("-O3", "strict")):
            result = self.place.compile("-g", "-fsanitize=address", level, "memory.cu", "-o", "memory")
            if "libclang_rt" in result.stderr:
                self.skipTest("clang's sanitizer runtimes are not installed")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            for name, text in WRITES.items():
                with self.subTest(level=level, name=name):
                    right, wrong = (self.place.run(["./memory", name, extra], COHORT_WORKERS="1", COHORT_GUARD=guard)
                                    for extra in ("0", "1"))
                    self.assertEqual((right.returncode, right.stdout, right.stderr), (0, "cudaSuccess\n", ""))
                    self.assertNotEqual(wrong.returncode, 0)
                    self.assertIn("AddressSanitizer: use-after-poison", wrong.stderr)
                    self.assertIn(f"memory.cu:{workplace.line_of(text, MEMORY)}", wrong.stderr.split("#1")[0])

    def test_right_programs(self):
        programs = pathlib.Path(__file__).resolve().parents[2] / "programs"
        for name in ("lookback_scan", "managed_list"):
            with self.subTest(name=name):
                result = self.place.compile("-fsanitize=address", "-O1", str(programs / f"{name}.cu"), "-o", name)
                if "libclang_rt" in result.stderr:
                    self.skipTest("clang's sanitizer runtimes are not installed")
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                result = self.place.run([f"./{name}"], COHORT_WORKERS="2")
                self.assertEqual((result.returncode, result.stderr), (0, ""))

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
