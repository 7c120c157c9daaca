// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that fail an assertion, as programs declare them for themselves when they define NDEBUG. Each thread of a
// kernel calls one of them; the host expects its line.
#define NDEBUG 1

#include <cassert>
#include <cstdio>
#include <string>

#include <cohort/machine/cpu/port.hpp>

// CCCL declares the C library's function like this.
extern "C" __host__ __device__ void __assert_fail(const char* message, const char* file, unsigned int line,
                                                  const char* function) noexcept __attribute__((noreturn));
extern "C" __device__ void __assertfail(const char* message, const char* file, unsigned int line, const char* function,
                                        size_t character_bytes);

__global__ void literal_line() { __assert_fail("a literal", "file", 7, __func__); }
__global__ void unsigned_line(unsigned int line) { __assert_fail("a number", "file", line, __func__); }
__global__ void system_call(unsigned int line) { __assertfail("a system call", "file", line, __func__, 1); }
__global__ void none(bool* after) {
  assert(false);
  *after = true;
}

static bool failed_with(const char* message) {
  const cudaError_t error = cudaDeviceSynchronize();
  std::string text(cohort_copy_last_report(nullptr, 0), '\0');
  cohort_copy_last_report(text.data(), text.size() + 1);
  cudaDeviceReset();
  if (error == cudaErrorAssert && text.find(message) != std::string::npos) return true;
  printf("%s, not '%s': %s\n", cudaGetErrorName(error), message, text.c_str());
  return false;
}

int main() {
  literal_line<<<1, 1>>>();
  bool right = failed_with("file:7: literal_line: block: [0,0,0], thread: [0,0,0] Assertion `a literal` failed.");
  unsigned_line<<<1, 1>>>(8);
  right &= failed_with("file:8: unsigned_line: block: [0,0,0], thread: [0,0,0] Assertion `a number` failed.");
  system_call<<<1, 1>>>(9);
  right &= failed_with("file:9: system_call: block: [0,0,0], thread: [0,0,0] Assertion `a system call` failed.");
  bool* after = nullptr;
  cudaMallocManaged(&after, sizeof *after);
  none<<<1, 1>>>(after);
  if (cudaDeviceSynchronize() != cudaSuccess || !*after) printf("NDEBUG leaves an assertion\n"), right = false;
  return right ? 0 : 1;
}
