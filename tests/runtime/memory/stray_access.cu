// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One wrong access to memory, named by the argument. Prints the error that the runtime returns; the report is the
// engine's. The host's memory and its output still work afterwards.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

// Variables that touch each other without padding, with values and without.
__device__ int first_table[10] = {1};
__device__ int second_table[10] = {2};
__device__ char zeros[100];
__constant__ float factors[3] = {1, 2, 3};
__managed__ int shared_count = 7;
static __managed__ int many_counts[3000];

__global__ void store_first(long index) { const_cast<volatile int*>(first_table)[index] = 9; }
__global__ void store_zeros(long index) { const_cast<volatile char*>(zeros)[index] = 9; }
__global__ void store_factors(long index) { const_cast<volatile float*>(factors)[index] = 9; }
__global__ void store_managed(long index) { (&const_cast<volatile int&>(shared_count))[index] = 9; }
__global__ void store_counts(long index) { const_cast<volatile int*>(many_counts)[index] = 9; }
__global__ void keep_all(int* kept) { *kept = second_table[0] + many_counts[5] + static_cast<int>(factors[1]); }

__global__ void store(char* base, long offset) { *static_cast<volatile char*>(base + offset) = 1; }
__global__ void load(const float4* from, float4* to) { *to = *from; }
__global__ void print(const char* text) { printf("%s\n", text); }
__global__ void free_twice(char** kept) {
  *kept = static_cast<char*>(malloc(100));
  free(*kept);
  free(*kept);
}
// Each thread but one uses the heap correctly.
__global__ void misuse_heap(char what, char* device, char* host) {
  char* const memory = static_cast<char*>(malloc(100));
  int* const numbers = new int[10 + threadIdx.x];
  numbers[9 + threadIdx.x] = 1;
  delete[] numbers;
  if (threadIdx.x == 5) {
    if (what == 'o') static_cast<volatile char*>(memory)[103] = 1;
    if (what == 'u') static_cast<volatile char*>(memory)[-1] = 1;
    if (what == 'l') static_cast<volatile char*>(malloc(200000))[200000 + 4096] = 1;
    if (what == 'd' || what == 'h' || what == 'i') free(what == 'd' ? device : what == 'h' ? host : memory + 8);
  }
  if (what != 'k') free(memory);
  if (what == 'k' && threadIdx.x == 5) static_cast<volatile char*>(memory)[100] = 1;
  if (what == 'f' && threadIdx.x == 5) static_cast<volatile char*>(memory)[50] = 1;
}

// An access to memory of a graph, which a launch has allocated and freed, or which was never allocated.
static void store_to_graph_memory(bool is_launched, size_t bytes) {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t runnable = nullptr;
  cudaMemAllocNodeParams p{};
  p.poolProps.allocType = cudaMemAllocationTypePinned;
  p.poolProps.location.type = cudaMemLocationTypeDevice;
  p.bytesize = bytes;
  cudaGraphCreate(&graph, 0);
  cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &p);
  cudaGraphAddMemFreeNode(&node, graph, &node, 1, p.dptr);
  cudaGraphInstantiate(&runnable, graph, 0);
  if (is_launched) cudaGraphLaunch(runnable, nullptr);
  store<<<1, 1>>>(static_cast<char*>(p.dptr), 17);
}

// A copy node that does not follow the allocation of its memory.
static void copy_to_graph_memory(size_t bytes) {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr, copied = nullptr;
  cudaGraphExec_t runnable = nullptr;
  cudaMemAllocNodeParams p{};
  p.poolProps.allocType = cudaMemAllocationTypePinned;
  p.poolProps.location.type = cudaMemLocationTypeDevice;
  p.bytesize = bytes;
  static char host[17];
  cudaGraphCreate(&graph, 0);
  cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &p);
  cudaGraphAddMemFreeNode(&node, graph, &node, 1, p.dptr);
  cudaGraphAddMemcpyNode1D(&copied, graph, &node, 1, p.dptr, host, sizeof host, cudaMemcpyHostToDevice);
  cudaGraphInstantiate(&runnable, graph, 0);
  cudaGraphLaunch(runnable, nullptr);
}

// A launch of a graph that uses memory that was freed after its node was made.
static void use_freed_memory(const std::string& what, char* base) {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t runnable = nullptr;
  static char host[9];
  cudaGraphCreate(&graph, 0);
  if (what == "reads") {
    cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, host, base + 17, sizeof host, cudaMemcpyDefault);
  } else if (what == "writes") {
    cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, base + 17, host, sizeof host, cudaMemcpyDefault);
  } else {
    const cudaMemsetParams p{base + 17, 0, 1, 1, 9, 1};
    cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &p);
  }
  cudaGraphInstantiate(&runnable, graph, 0);
  cudaFree(base);
  cudaGraphLaunch(runnable, nullptr);
}

static const char* run(const std::string& what, const char* number) {
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
  if (what == "graph_freed") store_to_graph_memory(true, bytes);
  if (what == "graph_unallocated") store_to_graph_memory(false, bytes);
  if (what == "graph_copy") copy_to_graph_memory(bytes);
  for (const char* how : {"reads", "writes", "fills"}) {
    if (what == "graph_" + std::string(how) + "_freed") use_freed_memory(how, base);
  }
  const long index = number ? atol(number) : 0;
  if (what == "table") store_first<<<1, 1>>>(index);
  if (what == "zeros") store_zeros<<<1, 1>>>(index);
  if (what == "factors") store_factors<<<1, 1>>>(index);
  if (what == "managed_variable") store_managed<<<1, 1>>>(index);
  if (what == "managed_array") store_counts<<<1, 1>>>(index);
  if (what == "reused") {  // the address lies in freed memory, and beyond the end of the memory that took its place
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
  if (what == "heap") {
    char* const host = static_cast<char*>(malloc(100));
    misuse_heap<<<1, 32>>>(number[0], base, host);
    cudaStreamSynchronize(nullptr);
    free(host);
  }
  if (what == "free_twice") free_twice<<<1, 1>>>(reinterpret_cast<char**>(base));
  return cudaGetErrorName(cudaDeviceSynchronize());
}

int main(int count, char** arguments) {
  char* const own = static_cast<char*>(malloc(1000));
  memset(own, 5, 1000);
  const char* const error = run(arguments[1], count > 2 ? arguments[2] : nullptr);
  for (int i = 0; i < 1000; ++i) {
    if (own[i] != 5) return 3;
  }
  free(own);
  printf("the error is %s\n", error);
  return 0;
}
