// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs random kernels and prints one line for each launch: name, shape, status and a hash of all bytes that the kernel
// wrote. `program NAME SHAPE` runs one launch, `program NAME SHAPE words` prints its words.
#pragma once

#include <sys/mman.h>

#include <cstdlib>
#include <initializer_list>

#include "kernel_support.hpp"

#if defined(RANDOM_MODEL)
#include "model/threads.hpp"

struct dim3 {
  u32 x = 1, y = 1, z = 1;
};
inline void launch_model(void (*kernel)(const arguments& a), dim3 blocks, dim3 threads, const arguments& a, u32 at_once,
                         u32 cluster_blocks) {
  gridDim = {blocks.x, blocks.y, blocks.z};
  blockDim = {threads.x, threads.y, threads.z};
  model_cluster_blocks = cluster_blocks;
  for (u32 b = 0; b < blocks.x; b += at_once) run_model_blocks(kernel, a, b, at_once);
}
#define RANDOM_LAUNCH_AT_ONCE(kernel, at_once, cluster_blocks)                                            \
  static void launch_##kernel(dim3 blocks, dim3 threads, const arguments& a) {                            \
    launch_model([](const arguments& one) { kernel(one); }, blocks, threads, a, at_once, cluster_blocks); \
  }
#define RANDOM_LAUNCH(kernel) RANDOM_LAUNCH_AT_ONCE(kernel, 1, 1)
#define RANDOM_LAUNCH_CLUSTERS(kernel, size) RANDOM_LAUNCH_AT_ONCE(kernel, size, size)
#define RANDOM_LAUNCH_COOPERATIVE(kernel) RANDOM_LAUNCH_AT_ONCE(kernel, blocks.x, 1)
template <class T>
T* allocate(u64 count) {
  return static_cast<T*>(std::calloc(count, sizeof(T)));
}
inline void release(void* memory) { std::free(memory); }
inline const char* finish() { return "cudaSuccess"; }
#else
#define RANDOM_LAUNCH(kernel) \
  static void launch_##kernel(dim3 blocks, dim3 threads, const arguments& a) { kernel<<<blocks, threads>>>(a); }
#define RANDOM_LAUNCH_CLUSTERS(kernel, size) RANDOM_LAUNCH(kernel)  // the kernel has __cluster_dims__
#define RANDOM_LAUNCH_COOPERATIVE(kernel)                                                                              \
  static void launch_##kernel(dim3 blocks, dim3 threads, const arguments& a) {                                         \
    arguments copy = a;                                                                                                \
    void* pointers[] = {&copy};                                                                                        \
    cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), blocks, threads, pointers, size_t(0), nullptr); \
  }
template <class T>
T* allocate(u64 count) {
  void* memory = nullptr;
  cudaMallocManaged(&memory, count * sizeof(T));
  std::memset(memory, 0, count * sizeof(T));
  return static_cast<T*>(memory);
}
inline void release(void* memory) { cudaFree(memory); }
inline const char* finish() {
  const cudaError_t launched = cudaGetLastError(), ended = cudaDeviceSynchronize();
  return cudaGetErrorName(launched != cudaSuccess ? launched : ended);
}
#endif

struct launch_row {
  const char* name;
  void (*launch)(dim3 blocks, dim3 threads, const arguments& a);
  dim3 threads;
  u32 blocks;
  bool fails;         // the launch may fail, so it runs only when its name is an argument
  bool extends_cuda;  // CUDA leaves the launch undefined (partial tiles, returned lanes of a tile): not for GPUs
};
#if defined(__NVCC__) && !defined(__clang__)
constexpr bool runs_extensions = false;
#else
constexpr bool runs_extensions = true;
#endif

inline u32 next_random(u32& state) { return state = state * 1664525u + 1013904223u; }

// Returns 2^32 bytes with random ones at both ends and in the middle. On a CPU an inaccessible page follows.
inline u8* make_wide_memory() {
  constexpr u64 bytes = 1ull << 32, page = 4096, filled = 1 << 16;
#if defined(__NVCC__) && !defined(__clang__)
  u8* wide = nullptr;
  const bool failed = cudaMalloc(&wide, bytes) != cudaSuccess;
#else
  void* memory =
      mmap(nullptr, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  const bool failed = memory == MAP_FAILED || mprotect(static_cast<u8*>(memory) + bytes, page, PROT_NONE) != 0;
  u8* wide = static_cast<u8*>(memory);
#if !defined(RANDOM_MODEL)
  cudaHostRegister(wide, bytes, cudaHostRegisterDefault);  // --check reports accesses of unregistered host memory
#endif
#endif
  if (failed) {
    std::puts("skipped: 4 GiB of address space are not available");
    std::exit(77);
  }
  u32 state = 7;
  static u8 part[filled];
  for (u64 start : {u64(0), bytes / 2 - filled / 2, bytes - filled}) {
    for (u8& byte : part) byte = static_cast<u8>(next_random(state) >> 24);
#if defined(RANDOM_MODEL)
    std::memcpy(wide + start, part, filled);
#else
    cudaMemcpy(wide + start, part, filled, cudaMemcpyDefault);
#endif
  }
  return wide;
}

inline u64 hash_of(const void* memory, u64 bytes, u64 state) {
  for (u64 i = 0; i < bytes; ++i) state = (state ^ static_cast<const u8*>(memory)[i]) * 0x100000001b3u;
  return state;
}

template <u64 Count>
int run(const launch_row (&rows)[Count], int count, char** words) {
  std::setvbuf(stdout, nullptr, _IOLBF, 1 << 16);
  constexpr u32 in_words = 70000, cells = 16;
#if defined(__NVCC__) && !defined(__clang__)
  // Without optimization a kernel's frame has up to 6 KB, and ptxas does not count recursive functions.
  cudaDeviceSetLimit(cudaLimitStackSize, 16384);
#endif
  u32* in = allocate<u32>(in_words);
  u32 state = 1;
  for (u32 i = 0; i < in_words; ++i) in[i] = next_random(state) >> (i % 5 == 0 ? 24 : 0);
  const u8* wide = make_wide_memory();
  const u32* zeros = allocate<u32>(64);
  for (const launch_row& row : rows) {
    char shape[40];
    std::snprintf(shape, sizeof shape, "%ux%ux%u", row.threads.x, row.threads.y, row.threads.z);
    if (row.extends_cuda && !runs_extensions) continue;
    if (count < 3 ? row.fails : std::strcmp(words[1], row.name) != 0 || std::strcmp(words[2], shape) != 0) continue;
    const u64 threads = u64(row.threads.x) * row.threads.y * row.threads.z * row.blocks;
    u32* out = allocate<u32>(threads * words_per_thread);
    u32* sums = allocate<u32>(cells);
    u64* sums64 = allocate<u64>(cells);
    u32* board = allocate<u32>(threads);
    row.launch({row.blocks, 1, 1}, row.threads,
               {in, wide, wide + (1ull << 31), out, sums, sums64, 1000003u, 0xffffffe8u, 0, zeros, board});
    const char* status = finish();
    if (count == 4) {
      for (u64 i = 0; i < threads * words_per_thread; ++i) {
        std::printf("thread %u word %u: %08x\n", u32(i / words_per_thread), u32(i % words_per_thread), out[i]);
      }
      for (u32 i = 0; i < cells; ++i) std::printf("cell %u: %08x, %016llx\n", i, sums[i], sums64[i]);
    }
    u64 hash = hash_of(out, threads * words_per_thread * sizeof(u32), 0xcbf29ce484222325u);
    hash = hash_of(sums64, cells * sizeof(u64), hash_of(sums, cells * sizeof(u32), hash));
    if (std::strcmp(status, "cudaSuccess") != 0) hash = 0;  // a failed launch may have written anything
    std::printf("= %s %s %s %016llx\n", row.name, shape, status, hash);
    release(out);
    release(sums);
    release(sums64);
    release(board);
  }
  return 0;
}
