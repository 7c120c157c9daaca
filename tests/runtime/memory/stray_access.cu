// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One wrong access to memory, named by the argument. Prints the error that the runtime returns; the report is the
// engine's. The host's memory and its output still work afterwards.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

__global__ void store(char* base, long offset) { *static_cast<volatile char*>(base + offset) = 1; }
__global__ void load(const float4* from, float4* to) { *to = *from; }
__global__ void print(const char* text) { printf("%s\n", text); }
__global__ void free_twice(char** kept) {
  *kept = static_cast<char*>(malloc(100));
  free(*kept);
  free(*kept);
}

static const char* run(const std::string& what) {
  constexpr size_t bytes = 1000;
  char* base = nullptr;
  cudaMalloc(&base, bytes);
  if (what == "behind") store<<<1, 1>>>(base, 4096);
  if (what == "near") store<<<1, 1>>>(base, bytes + 3);
  if (what == "far") store<<<1, 1>>>(base, 1024);
  if (what == "before") store<<<1, 1>>>(base, -1 - 4096);
  if (what == "managed") {
    cudaMallocManaged(&base, bytes);
    store<<<1, 1>>>(base, 8192);
  }
  if (what == "pinned") {
    cudaMallocHost(&base, bytes);
    store<<<1, 1>>>(base, 8192);
  }
  if (what == "freed") {
    cudaFree(base);
    store<<<1, 1>>>(base, 17);
  }
  if (what == "reused") {  // the address lies in memory that was freed, and behind the memory that took its place
    constexpr size_t mib = size_t{1} << 20;
    char* large = nullptr;
    cudaMalloc(&large, 20 * mib);
    cudaFree(large);
    cudaMalloc(&base, 4 * mib);
    if (base != large) return "no reuse";
    store<<<1, 1>>>(base, 5 * mib);
  }
  if (what == "misaligned") load<<<1, 1>>>(reinterpret_cast<float4*>(base + 4), reinterpret_cast<float4*>(base + 64));
  if (what == "impossible") store<<<1, 1>>>(reinterpret_cast<char*>(0x7000000000000000), 5);
  if (what == "printf") print<<<1, 1>>>(reinterpret_cast<const char*>(8));
  if (what == "free_twice") free_twice<<<1, 1>>>(reinterpret_cast<char**>(base));
  return cudaGetErrorName(cudaDeviceSynchronize());
}

int main(int, char** arguments) {
  char* const own = static_cast<char*>(malloc(1000));
  memset(own, 5, 1000);
  const char* const error = run(arguments[1]);
  for (int i = 0; i < 1000; ++i) {
    if (own[i] != 5) return 3;
  }
  free(own);
  printf("the error is %s\n", error);
  return 0;
}
