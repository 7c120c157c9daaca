# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Accesses through a null pointer fail as on a GPU, also where clang can prove that the pointer is null. Calls through
null pointers and through pointers to data fail, too."""

import workplace

SOURCE = """#include <cstdlib>
#include <cuda_runtime.h>
__global__ void store(int*) {
  *(int*)nullptr = 1;
}
__global__ void selected(int* p) {
  int* q = threadIdx.x == 3 ? nullptr : p + threadIdx.x;
  *q = 1;
}
__global__ void branch(int* p) {
  if (threadIdx.x == 3)
    *(int*)nullptr = 1;
  else
    p[threadIdx.x] = 2;
}
__global__ void load(int* p) {
  p[threadIdx.x] = threadIdx.x == 3 ? *(int*)nullptr : 1;
}
__global__ void waits(int* p) {
  if (threadIdx.x == 3) *(int*)nullptr = 1;
  __syncthreads();
  p[threadIdx.x] = 1;
}
int main(int, char** arguments) {
  void (*const kernels[])(int*) = {store, selected, branch, load, waits};
  int* p;
  cudaMallocManaged(&p, 37 * sizeof(int));
  kernels[atoi(arguments[1])]<<<1, 37>>>(p);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
"""
CALLS = """#include <cstdlib>
#include <cuda_runtime.h>
__device__ int (*pointer)(int);
__device__ int data[4];
__device__ __noinline__ int through(int x) {
  return pointer(x) + 1;
}
__global__ void nested(int* p) { p[threadIdx.x] = threadIdx.x == 3 ? through(1) : 0; }
__global__ void branch(int* p) {
  if (threadIdx.x == 3)
    p[0] = pointer(1) + 1;
}
__global__ void waits(int* p) {
  __syncthreads();
  if (threadIdx.x == 3)
    p[0] = pointer(1) + 1;
  __syncthreads();
}
__global__ void set() { pointer = (int (*)(int))(void*)data; }
int main(int, char** arguments) {
  void (*const kernels[])(int*) = {nested, branch, waits};
  int* p;
  cudaMallocManaged(&p, 37 * sizeof(int));
  if (arguments[2][0] == 'd') set<<<1, 1>>>();
  kernels[atoi(arguments[1])]<<<1, 37>>>(p);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
"""
CALL_LINES = {"nested": 6, "branch": 11, "waits": 16}
CAUSES = {"null": "a function was called through a null pointer",
          "data": "a function was called at address 0x[0-9a-f]+, which holds no code"}
LINES = {"store": 4, "selected": 8, "branch": 12, "load": 17, "waits": 20}
MODES = [["-O0"], ["-O1"], ["-O2"], ["-O3"], ["-O3", "--cohort-gangs=off"], ["-O3", "--check"]]


class NullPointers(workplace.WorkplaceTest):
    def test_each_mode(self):
        self.place.write("null.cu", SOURCE)
        for options in MODES:
            compiled = self.place.compile(*options, "null.cu", "-o", "null")
            self.assertEqual(compiled.returncode, 0, compiled.stderr)
            for number, (kernel, line) in enumerate(LINES.items()):
                for schedule in ({}, {"COHORT_SCHEDULE": "seed:7"}):
                    with self.subTest(kernel=kernel, options=options, **schedule):
                        run = self.place.run(["./null", number], **schedule)
                        self.assertEqual(run.returncode, 0, run.stderr)
                        self.assertIn("illegal address (nil) was accessed", run.stderr)
                        thread = r"\d+" if kernel == "store" else "3"
                        self.assertRegex(run.stderr, rf"thread \({thread},0,0\) of block \(0,0,0\), at null.cu:{line} ")

    def test_calls(self):
        self.place.write("call.cu", CALLS)
        for options in MODES:
            compiled = self.place.compile(*options, "call.cu", "-o", "call")
            self.assertEqual(compiled.returncode, 0, compiled.stderr)
            for number, (kernel, line) in enumerate(CALL_LINES.items()):
                for target, cause in CAUSES.items():
                    with self.subTest(kernel=kernel, options=options, target=target):
                        run = self.place.run(["./call", number, target], COHORT_SCHEDULE="seed:7")
                        self.assertEqual(run.returncode, 0, run.stderr)
                        self.assertRegex(run.stderr, cause)
                        self.assertRegex(run.stderr, rf"thread \(3,0,0\) of block \(0,0,0\), at call.cu:{line} ")


if __name__ == "__main__":
    workplace.main()
