// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random wrong accesses, each in a process of its own: overruns, underruns, uses after free, double frees, and pointers
// that were not allocated, of device, managed and pinned memory, of variables, and of malloc in kernels. None harms the
// host's heap or the engine. With COHORT_GUARD=strict, each overrun that reaches 4 bytes behind the end is found.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

// Kinds of memory. Without guards a device's variables lie among the host's, so the kinds of variables come last.
enum class kind { device, managed, pinned, kernel_heap, variable, managed_variable };
enum outcome { right = 0, host_was_harmed = 1, engine_was_harmed = 2, not_found = 3 };

__global__ void store(char* to, size_t count) {
  for (size_t i = threadIdx.x; i < count; i += blockDim.x) static_cast<volatile char*>(to)[i] = 0x5a;
}
__global__ void add(int* value) { atomicAdd(value, 1); }

// Variables of odd sizes, which the linker places side by side.
__device__ char bytes_of_device[77];
__device__ int numbers_of_device[301] = {1, 2, 3};
__constant__ short constants[9] = {4, 5};
__device__ double large_of_device[5000];
__managed__ char managed_bytes[35] = {1};
__managed__ int managed_numbers[2000];

template <class T>
static std::pair<char*, size_t> symbol(const T& variable) {
  void* address = nullptr;
  size_t bytes = 0;
  cudaGetSymbolAddress(&address, variable);
  cudaGetSymbolSize(&bytes, variable);
  return {static_cast<char*>(address), bytes};
}

static std::vector<std::pair<char*, size_t>> variables_of(kind what) {
  if (what == kind::managed_variable) {
    return {{managed_bytes, sizeof managed_bytes}, {reinterpret_cast<char*>(managed_numbers), sizeof managed_numbers}};
  }
  return {symbol(bytes_of_device), symbol(numbers_of_device), symbol(constants), symbol(large_of_device)};
}

// Allocations of a kernel, and what it does with one of them.
__global__ void allocate_in_kernel(char** memory, const size_t* bytes) {
  memory[threadIdx.x] = static_cast<char*>(malloc(bytes[threadIdx.x]));
}
__global__ void free_in_kernel(char* memory) { free(memory); }

static char* allocate(kind what, size_t bytes) {
  void* memory = nullptr;
  if (what == kind::device) cudaMalloc(&memory, bytes);
  if (what == kind::managed) cudaMallocManaged(&memory, bytes);
  if (what == kind::pinned) cudaMallocHost(&memory, bytes);
  return static_cast<char*>(memory);
}

static void release(kind what, char* memory) { what == kind::pinned ? cudaFreeHost(memory) : cudaFree(memory); }

static outcome run(unsigned seed, bool strict, size_t kinds) {
  std::mt19937 random(seed);
  auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  std::vector<std::vector<char>> own;  // blocks of the host's heap between the allocations
  std::vector<std::pair<char*, size_t>> all;
  const kind what = static_cast<kind>(seed / 4 % kinds);
  char** in_kernel = nullptr;
  size_t* bytes_in_kernel = nullptr;
  cudaMallocManaged(&in_kernel, 20 * sizeof(char*));
  cudaMallocManaged(&bytes_in_kernel, 20 * sizeof(size_t));
  for (int i = 0; i < 20; ++i) {
    own.emplace_back(100 + below(3000), static_cast<char>(i));
    const size_t bytes = below(4) == 0 ? 1 + below(300000) : 1 + below(3000);
    bytes_in_kernel[i] = bytes;
    all.emplace_back(what <= kind::pinned ? allocate(what, bytes) : nullptr, bytes);
  }
  if (what == kind::variable || what == kind::managed_variable) all = variables_of(what);
  if (what == kind::kernel_heap) {
    allocate_in_kernel<<<1, 20>>>(in_kernel, bytes_in_kernel);
    cudaDeviceSynchronize();
    for (int i = 0; i < 20; ++i) all[i].first = in_kernel[i];
  }
  const auto [base, bytes] = all[below(all.size())];
  const size_t length = 1 + below(below(2) ? 20000 : 60);
  bool must_be_found = false;
  bool must_be_failure = false;  // of a launch whose kernel frees memory
  switch (seed % 4) {
    case 0:
      must_be_found = strict;
      store<<<1, 64>>>(base + bytes, length < 4 ? 4 : length);
      break;
    case 1:
      store<<<1, 64>>>(base - length, length);
      break;
    case 2:
      if (what == kind::variable || what == kind::managed_variable) {  // never freed: tests free() of a variable
        free_in_kernel<<<1, 1>>>(base);
        must_be_failure = true;
        break;
      }
      if (what == kind::kernel_heap) {
        free_in_kernel<<<1, 1>>>(base);
      } else {
        release(what, base);
      }
      must_be_found = strict;
      store<<<1, 64>>>(base, bytes);
      break;
    default:
      if (what == kind::kernel_heap) {
        char* const wrong[] = {base + 1 + below(bytes), own[3].data(), base, reinterpret_cast<char*>(in_kernel)};
        const size_t which = below(4);
        if (which == 2) free_in_kernel<<<1, 1>>>(base);
        free_in_kernel<<<1, 1>>>(wrong[which]);
        must_be_failure = true;
        break;
      }
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
  if (must_be_failure && error != cudaErrorLaunchFailure) return not_found;
  // The device works in a new context, so the engine is unharmed.
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
  const size_t kinds = guard && strcmp(guard, "off") == 0 ? 4 : 6;
  int wrong = 0;
  for (unsigned seed = 0; seed < 240; ++seed) {
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      if (!freopen("/dev/null", "w", stderr)) _exit(9);
      _exit(run(seed, strict, kinds));
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == right) continue;
    ++wrong;
    printf("access %u: %s %d\n", seed, WIFEXITED(status) ? "outcome" : "signal",
           WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
  }
  printf("240 accesses, %d wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
