// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstring>

cudaError_t exponentials(float* values, int count, cudaStream_t stream);

// Prints the last line of a program whose results were right. A process without libcohort_runtime.so has the runtime in
// its executable.
inline int print_right() {
  int runtimes = 0;
  char line[4096], last[4096] = "";
  std::FILE* maps = std::fopen("/proc/self/maps", "r");
  while (maps && std::fgets(line, sizeof line, maps)) {
    const char* path = std::strchr(line, '/');
    if (path && std::strstr(path, "libcohort_runtime") && std::strcmp(path, last) != 0) {
      std::strcpy(last, path);
      ++runtimes;
    }
  }
  std::printf("right, runtimes in the process: %d\n", runtimes == 0 ? 1 : runtimes);
  return 0;
}
