// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts the checks that kernels with one thread make. The linker redirects the calls of the checker to the functions
// below (--wrap).
#include <cstdio>

namespace {

long reads = 0, writes = 0, runs = 0;
int failures = 0;

// Increments by assembly, because the compiler would instrument C++.
void add_one(long* count) { asm volatile("incq %0" : "+m"(*count)); }

}  // namespace

extern "C" {
extern __attribute__((weak)) const char cohort_check_finds_memory;
void __real___tsan_read4(void*);
void __real___tsan_write4(void*);
void __real___tsan_read_write4(void*);
void __real_cohort_check_reads(const char*, long, unsigned, unsigned);
void __real_cohort_check_several(unsigned, const char*, const char*, const char*, const char*, const char*);
bool __real_cohort_check_loop(const char*, long, unsigned long, unsigned);
void __wrap___tsan_read4(void* p) {
  add_one(&reads);
  __real___tsan_read4(p);
}
void __wrap___tsan_write4(void* p) {
  add_one(&writes);
  __real___tsan_write4(p);
}
void __wrap___tsan_read_write4(void* p) {
  add_one(&writes);
  __real___tsan_read_write4(p);
}
void __wrap_cohort_check_reads(const char* first, long stride, unsigned count, unsigned bytes) {
  add_one(&runs);
  __real_cohort_check_reads(first, stride, count, bytes);
}
void __wrap_cohort_check_several(unsigned kinds, const char* a, const char* b, const char* c, const char* d,
                                 const char* e) {
  add_one(&runs);
  __real_cohort_check_several(kinds, a, b, c, d, e);
}
bool __wrap_cohort_check_loop(const char* first, long stride, unsigned long count, unsigned bytes) {
  add_one(&runs);
  return __real_cohort_check_loop(first, stride, count, bytes);
}
}

__global__ void equal_reads(int* out, const int* in) {
  out[0] = in[0];
  out[1] = in[0] + 1;
  out[2] = in[0] + 2;
}
__global__ void read_after_write(int* out, int* other) {
  out[0] = 1;
  other[0] = 2;
  other[1] = out[0];
}
__global__ void barrier_between(int* out, const int* in) {
  out[0] = in[0];
  __syncthreads();
  out[0] = in[0];
}
__global__ void atomic_between(int* out, int* in) {
  out[0] = in[0];
  atomicAdd(&in[0], 1);
  out[0] = in[0];
}
__global__ void fence_between(int* out, const int* in) {
  out[0] = in[0];
  __threadfence();
  out[0] = in[0];
}
__global__ void one_path(int* out, const int* in, bool reads_first) {
  if (reads_first) out[0] = in[0] + 1;
  out[1] = in[0];
}
__global__ void both_paths(int* out, const int* in, bool first) {
  if (first) {
    out[0] = in[0];
  } else {
    out[1] = in[0] + 1;
  }
  out[2] = in[0];
}
// The optimizer reads the sum once, before the loop. It stores the sum in each iteration, because `in` may point to it.
// One call before the loop checks all reads of `in`.
__global__ void sum_in_memory(int* out, const int* in, long turns) {
  for (long k = 0; k < turns; ++k) out[0] += in[k];
}
// The 32-bit index could wrap around, and the step is not a constant.
__global__ void strided_loop(int* out, const int* in, long turns, long step) {
  int sum = 0;
#pragma unroll 1
  for (int i = 1; i < static_cast<int>(turns); i += static_cast<int>(step)) sum += in[i];
  out[0] = sum;
}
__global__ void unsigned_loop(int* out, const int* in, long turns) {
  int sum = 0;
#pragma unroll 1
  for (unsigned i = threadIdx.x; i < static_cast<unsigned>(turns); i += blockDim.x) sum += in[i];
  out[0] = sum;
}
// Each iteration reads after a barrier, so each has its own checks.
__global__ void loop_with_barrier(int* out, const int* in, long turns) {
  int sum = 0;
  for (long k = 0; k < turns; ++k) {
    sum += in[k];
    __syncthreads();
  }
  out[0] = sum;
}
// The words themselves decide how many of them are read.
__global__ void loop_with_two_ends(int* out, const int* in, long turns) {
  long k = 0;
  while (k < turns && in[k] != 77) ++k;
  out[0] = static_cast<int>(k);
}
__global__ void loop_with_atomic(int* out, int* in, long turns) {
  for (long k = 0; k < turns; ++k) out[0] += atomicAdd(&in[0], 1);
}

// One call checks the 16 reads of each array.
__global__ void unrolled(int* out, const int* in) {
  int sum = 0;
#pragma unroll
  for (int k = 0; k < 16; ++k) sum += in[k] * in[20 + 3 * k];
  out[0] = sum;
}
// One call checks the five reads of a line. For two or three reads a call would not pay.
__global__ void five_reads(int* out, const int* in, long n) {
  out[0] = in[0] + in[n] + in[2 * n + 1] + in[3 * n + 3] + in[5 * n];
  out[1] = in[3] + in[4];
}
// Calls before the loop check the reads at loaded indices, if the memory check permits to load the indices there.
__global__ void neighbours_of_elements(int* out, const int* in, const int2* pairs, const int* indices, long turns) {
  int sum = 0;
#pragma unroll 1
  for (long k = 0; k < turns; ++k) {
    const int i = indices[k];
    sum += in[i + 1] - in[i] + pairs[i].y;
  }
  out[0] = sum;
}
// The writes may change what later reads return.
__global__ void unrolled_with_writes(int* out, const int* in) {
#pragma unroll
  for (int k = 0; k < 16; ++k) out[k] = in[k] + 1;
}

void expect(const char* name, long wanted_reads, long wanted_writes, long wanted_runs = 0) {
  cudaDeviceSynchronize();
  if (reads != wanted_reads || writes != wanted_writes || runs != wanted_runs) {
    std::printf("%s: %ld reads, %ld writes and %ld runs, expected %ld, %ld and %ld\n", name, reads, writes, runs,
                wanted_reads, wanted_writes, wanted_runs);
    failures = failures + 1;
  }
  asm volatile("movq $0, %0\n\tmovq $0, %1\n\tmovq $0, %2" : "=m"(reads), "=m"(writes), "=m"(runs));
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 4096);
  cudaMemset(out, 0, 4096);
  int* const in = out + 512;
  asm volatile("movq $0, %0\n\tmovq $0, %1\n\tmovq $0, %2" : "=m"(reads), "=m"(writes), "=m"(runs));
  equal_reads<<<1, 1>>>(out, in);
  expect("equal_reads", 1, 3);
  read_after_write<<<1, 1>>>(out, in);
  expect("read_after_write", 0, 3);
  barrier_between<<<1, 1>>>(out, in);
  expect("barrier_between", 2, 2);
  atomic_between<<<1, 1>>>(out, in);
  expect("atomic_between", 2, 2);
  fence_between<<<1, 1>>>(out, in);
  expect("fence_between", 2, 2);
  one_path<<<1, 1>>>(out, in, true);
  expect("one_path", 2, 2);
  both_paths<<<1, 1>>>(out, in, true);
  expect("both_paths", 1, 2);
  sum_in_memory<<<1, 1>>>(out, in, 100);
  expect("sum_in_memory", 1, 1, 1);
  strided_loop<<<1, 1>>>(out, in, 100, 7);
  expect("strided_loop", 0, 1, 1);
  unsigned_loop<<<1, 1>>>(out, in, 100);
  expect("unsigned_loop", 0, 1, 1);
  loop_with_barrier<<<1, 1>>>(out, in, 100);
  expect("loop_with_barrier", 100, 1);
  loop_with_two_ends<<<1, 1>>>(out, in, 100);
  expect("loop_with_two_ends", 100, 1);
  loop_with_atomic<<<1, 1>>>(out, in, 100);
  expect("loop_with_atomic", 0, 100);
  unrolled<<<1, 1>>>(out, in);
  expect("unrolled", 0, 1, 2);
  five_reads<<<1, 1>>>(out, in, 20);
  expect("five_reads", 2, 2, 1);
  unrolled_with_writes<<<1, 1>>>(out, in);
  expect("unrolled_with_writes", 16, 16, 0);
  neighbours_of_elements<<<1, 1>>>(out, in, reinterpret_cast<const int2*>(in), out + 256, 100);
  expect("neighbours_of_elements", &cohort_check_finds_memory ? 0 : 300, 1, 1);
  return failures;
}
