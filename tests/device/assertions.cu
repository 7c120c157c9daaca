// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assertions that fail: each failing thread has a line with its block and its index, in a kernel that runs as a loop
// and in one that waits, by assert() and by __assertfail(). The host computes the lines.
#include <cassert>
#include <cstdio>
#include <set>
#include <string>

#include <cohort/machine/cpu/port.hpp>

__global__ void alone(const int* limits) { assert(limits[blockIdx.x] > static_cast<int>(threadIdx.x + threadIdx.y)); }

__global__ void together(const int* limits) {
  assert(limits[blockIdx.x] > static_cast<int>(threadIdx.x + threadIdx.y));
  __syncthreads();
  assert(limits[blockIdx.x] > 1000);
}

// CUDA's system call, which programs declare for themselves.
extern "C" [[noreturn]] __device__ void __assertfail(const void* message, const void* file, unsigned int line,
                                                     const void* function, size_t character_bytes);

__global__ void called(const int* limits) {
  if (limits[blockIdx.x] <= static_cast<int>(threadIdx.x + threadIdx.y)) {
    __assertfail("limits of the caller", __FILE__, __LINE__, __func__, 1);
  }
  __syncthreads();
  if (limits[blockIdx.x] <= 1000) __assertfail("limits[blockIdx.x] > 1000", __FILE__, __LINE__, __func__, 1);
}

constexpr int limits_of_blocks[] = {0, 20, 33, 100};

static std::set<std::string> expected_threads() {
  std::set<std::string> threads;
  for (int block = 0; block < 4; ++block) {
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 33; ++x) {
        if (x + y < limits_of_blocks[block]) continue;
        threads.insert("block: [" + std::to_string(block) + ",0,0], thread: [" + std::to_string(x) + "," +
                       std::to_string(y) + ",0]");
      }
    }
  }
  return threads;
}

static bool check(void (*kernel)(const int*), const char* name, bool later_assertion) {
  int* limits = nullptr;
  cudaMallocManaged(&limits, sizeof limits_of_blocks);
  for (int i = 0; i < 4; ++i) limits[i] = limits_of_blocks[i];
  kernel<<<4, dim3(33, 3)>>>(limits);
  const cudaError_t error = cudaDeviceSynchronize();
  std::string text(cohort_copy_last_report(nullptr, 0), '\0');
  cohort_copy_last_report(text.data(), text.size() + 1);
  std::set<std::string> threads;
  int later = 0;
  for (size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1) {
    const std::string line = text.substr(begin, text.find('\n', begin) - begin);
    const size_t at = line.find("block: ");
    if (line.find("limits[blockIdx.x] > 1000") != std::string::npos) {
      ++later;
    } else if (at == std::string::npos || line.find("assertions.cu:") == std::string::npos ||
               line.find(name) == std::string::npos ||
               !threads.insert(line.substr(at, line.find(" Assertion `limits") - at)).second) {
      printf("%s: unexpected line: %s\n", name, line.c_str());
      ++later;
    }
  }
  cudaDeviceReset();
  // Block 3 is the only block that passes the barrier: no thread of it has failed before.
  const int expected_later = later_assertion ? 99 : 0;
  if (error == cudaErrorAssert && threads == expected_threads() && later == expected_later) return true;
  printf("%s: %s, %zu threads, %d lines behind the barrier\n", name, cudaGetErrorName(error), threads.size(), later);
  return false;
}

int main() {
  const bool all = check(alone, "alone", false) & check(together, "together", true) & check(called, "called", true);
  return all ? 0 : 1;
}
