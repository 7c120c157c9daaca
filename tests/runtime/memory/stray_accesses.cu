// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two hundred random wrong accesses, each in a process of its own: overruns, underruns, uses after free, and pointers
// that cudaFree does not know. None harms the host's heap or the engine. With COHORT_GUARD=strict, each overrun that
// reaches 4 bytes behind the end is found.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

enum class kind { device, managed, pinned };
enum outcome { right = 0, host_was_harmed = 1, engine_was_harmed = 2, not_found = 3 };

__global__ void store(char* to, size_t count) {
  for (size_t i = threadIdx.x; i < count; i += blockDim.x) static_cast<volatile char*>(to)[i] = 0x5a;
}
__global__ void add(int* value) { atomicAdd(value, 1); }

static char* allocate(kind what, size_t bytes) {
  void* memory = nullptr;
  if (what == kind::device) cudaMalloc(&memory, bytes);
  if (what == kind::managed) cudaMallocManaged(&memory, bytes);
  if (what == kind::pinned) cudaMallocHost(&memory, bytes);
  return static_cast<char*>(memory);
}

static void release(kind what, char* memory) { what == kind::pinned ? cudaFreeHost(memory) : cudaFree(memory); }

static outcome run(unsigned seed, bool strict) {
  std::mt19937 random(seed);
  auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  std::vector<std::vector<char>> own;  // the host's heap, between the allocations
  std::vector<std::pair<char*, size_t>> all;
  const kind what = static_cast<kind>(below(3));
  for (int i = 0; i < 20; ++i) {
    own.emplace_back(100 + below(3000), static_cast<char>(i));
    const size_t bytes = below(4) == 0 ? 1 + below(300000) : 1 + below(3000);
    all.emplace_back(allocate(what, bytes), bytes);
  }
  const auto [base, bytes] = all[below(all.size())];
  const size_t length = 1 + below(below(2) ? 20000 : 60);
  bool must_be_found = false;
  switch (seed % 4) {
    case 0:
      must_be_found = strict;
      store<<<1, 64>>>(base + bytes, length < 4 ? 4 : length);
      break;
    case 1:
      store<<<1, 64>>>(base - length, length);
      break;
    case 2:
      release(what, base);
      must_be_found = strict;
      store<<<1, 64>>>(base, bytes);
      break;
    default:
      cudaFree(own[3].data());
      cudaFree(base + 1 + below(bytes + 1));
      cudaFreeHost(own[4].data());
      break;
  }
  const cudaError_t error = cudaDeviceSynchronize();
  for (size_t i = 0; i < own.size(); ++i) {
    for (char c : own[i]) {
      if (c != static_cast<char>(i)) return host_was_harmed;
    }
  }
  own.clear();
  if (must_be_found && error != cudaErrorIllegalAddress) return not_found;
  // A new context works: the engine is unharmed.
  cudaDeviceReset();
  int* value = nullptr;
  int result = 0;
  cudaMalloc(&value, sizeof(int));
  cudaMemset(value, 0, sizeof(int));
  add<<<8, 64>>>(value);
  cudaMemcpy(&result, value, sizeof(int), cudaMemcpyDeviceToHost);
  return result == 512 ? right : engine_was_harmed;
}

int main() {
  const char* const guard = getenv("COHORT_GUARD");
  const bool strict = guard && strcmp(guard, "strict") == 0;
  int wrong = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      if (!freopen("/dev/null", "w", stderr)) _exit(9);
      _exit(run(seed, strict));
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == right) continue;
    ++wrong;
    printf("access %u: %s %d\n", seed, WIFEXITED(status) ? "outcome" : "signal",
           WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
  }
  printf("200 accesses, %d wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
