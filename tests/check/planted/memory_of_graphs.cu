// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Planted defects of memory that nodes of graphs allocate and free.
#include <vector>

#include "planted.hpp"

namespace {

using nodes = std::vector<cudaGraphNode_t>;

// A graph under construction, which is then launched twice.
struct building {
  building() { cudaGraphCreate(&graph, 0); }
  ~building() {
    cudaGraphExecDestroy(runnable);
    cudaGraphDestroy(graph);
  }
  template <class T>
  cudaGraphNode_t allocate(const nodes& before, size_t count, T** memory) {
    cudaMemAllocNodeParams p{};
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.bytesize = count * sizeof(T);
    cudaGraphNode_t made = nullptr;
    cudaGraphAddMemAllocNode(&made, graph, before.data(), before.size(), &p);
    *memory = static_cast<T*>(p.dptr);
    return made;
  }
  cudaGraphNode_t free(const nodes& before, void* memory) {
    cudaGraphNode_t made = nullptr;
    cudaGraphAddMemFreeNode(&made, graph, before.data(), before.size(), memory);
    return made;
  }
  cudaGraphNode_t fill(const nodes& before, void* memory, size_t bytes) {
    const cudaMemsetParams p{memory, 0, 0, 1, bytes, 1};
    cudaGraphNode_t made = nullptr;
    cudaGraphAddMemsetNode(&made, graph, before.data(), before.size(), &p);
    return made;
  }
  template <class... Arguments>
  cudaGraphNode_t launch(const nodes& before, void (*kernel)(Arguments...), unsigned threads, Arguments... arguments) {
    void* addresses[] = {&arguments...};
    const cudaKernelNodeParams p{reinterpret_cast<void*>(kernel), dim3(1), dim3(threads), 0, addresses, nullptr};
    cudaGraphNode_t made = nullptr;
    cudaGraphAddKernelNode(&made, graph, before.data(), before.size(), &p);
    return made;
  }
  void run(int times = 2) {
    cudaGraphInstantiate(&runnable, graph, 0);
    for (int i = 0; i < times; ++i) cudaGraphLaunch(runnable, nullptr);
  }
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t runnable = nullptr;
};

__global__ void increment(int* data) {
  data[threadIdx.x] += 1;  // here: use_behind_a_free_node use_of_an_earlier_allocation use_behind_a_free_in_a_stream
}

PLANTED(use_behind_a_free_node, "byte 0 of 128 bytes") {
  building graph;
  int* data = nullptr;
  const cudaGraphNode_t filled = graph.fill({graph.allocate({}, 32, &data)}, data, 128);
  if (defect) {
    graph.launch({graph.free({filled}, data)}, increment, 32, data);
  } else {
    graph.free({graph.launch({filled}, increment, 32, data)}, data);
  }
  graph.run();
}

// The later allocation has the size of the earlier one, so it could have its address.
PLANTED(use_of_an_earlier_allocation, "byte 0 of 128 bytes") {
  building graph;
  int *early = nullptr, *late = nullptr;
  const cudaGraphNode_t filled = graph.fill({graph.allocate({}, 32, &early)}, early, 128);
  const cudaGraphNode_t made = graph.allocate({graph.free({filled}, early)}, 32, &late);
  const cudaGraphNode_t filled_again = graph.fill({made}, late, 128);
  graph.free({graph.launch({filled_again}, increment, 32, defect ? early : late)}, late);
  graph.run();
}

PLANTED(use_behind_a_free_in_a_stream, "byte 0 of 128 bytes") {
  building graph;
  int* data = nullptr;
  graph.fill({graph.allocate({}, 32, &data)}, data, 128);
  graph.run(1);
  if (defect) cudaFreeAsync(data, nullptr);
  increment<<<1, 32>>>(data);
  if (!defect) cudaFreeAsync(data, nullptr);
}

PLANTED(double_free_of_graph_memory, "byte 0 of 400 bytes") {
  building graph;
  int* data = nullptr;
  graph.fill({graph.allocate({}, 100, &data)}, data, 400);
  graph.run(1);
  cudaFree(data);
  if (defect) cudaFree(data);  // here: double_free_of_graph_memory
}

PLANTED(copy_of_freed_graph_memory, "byte 0 of 400 bytes") {
  building graph;
  int* data = nullptr;
  int host[100];
  graph.fill({graph.allocate({}, 100, &data)}, data, 400);
  graph.run(1);
  if (!defect) cudaMemcpy(host, data, 400, cudaMemcpyDeviceToHost);
  cudaFree(data);
  if (defect) cudaMemcpy(host, data, 400, cudaMemcpyDeviceToHost);  // here: copy_of_freed_graph_memory
}

__global__ void write_bytes(char* data, int count) {
  for (int i = threadIdx.x; i < count; i += 32) data[i] = 1;  // here: write_behind_graph_memory
}

PLANTED(write_behind_graph_memory, "0 bytes behind the end of 100 bytes") {
  building graph;
  char* data = nullptr;
  const cudaGraphNode_t made = graph.allocate({}, 100, &data);
  graph.free({graph.launch({made}, write_bytes, 32, data, defect ? 101 : 100)}, data);
  graph.run();
}

__global__ void sum(const int* data, int* out) {
  atomicAdd(out, data[threadIdx.x]);  // here: read_of_a_new_life
}

// Values of one launch are not kept for the next one.
PLANTED(read_of_a_new_life, "of 128 bytes") {
  building graph;
  int *data = nullptr, *out = nullptr;
  cudaMalloc(&out, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  cudaGraphNode_t last = graph.allocate({}, 32, &data);
  if (!defect) last = graph.fill({last}, data, 128);
  last = graph.launch({last}, sum, 32, static_cast<const int*>(data), out);
  graph.free({graph.fill({last}, data, 128)}, data);
  graph.run();
  cudaDeviceSynchronize();
  cudaFree(out);
}

}  // namespace

int main(int argc, char** argv) { return planted::test_case::main(argc, argv); }
