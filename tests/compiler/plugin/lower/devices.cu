// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device variables of three devices: each device has its own copy with the initial value, and addresses in it are its
// own.
#include <cstdlib>

#include "../check.hpp"

constexpr int devices = 3, threads = 70;

struct node {
  int tag;
  int* next;
  const char* name;
};

__device__ int counter = 5;
__constant__ int table[4] = {1, 2, 3, 4};
static __device__ double hidden[3] = {0.5, 1.5, 2.5};
__device__ int* where = &counter;
__device__ node nodes[2] = {{1, &counter, "first"}, {2, &table[2], nullptr}};
__device__ node* chain[2] = {&nodes[1], nodes};
__device__ int* const fixed_pointer = &counter;
static __device__ int* const by_index[3] = {&counter, nullptr, &counter};
__device__ const int primes[5] = {2, 3, 5, 7, 11};
__device__ char large[1 << 20];
__device__ __align__(64) char aligned[64];
__device__ long between = reinterpret_cast<char*>(&counter) - reinterpret_cast<char*>(&counter);
template <class T>
__device__ T per_type = T(3);
__managed__ int shared_by_all = 100;
__managed__ int* managed_pointer = nullptr;

__device__ __noinline__ int* own_counter() { return &counter; }

__device__ int count_calls() {
  static __device__ int calls = 40;
  return atomicAdd(&calls, 1);
}

struct seen {
  int counter, table, chained, through, fixed, indexed, prime, large, template_value, calls;
  double hidden;
  int* address;
  bool same_address, aligned, is_first;
};

__global__ void look(seen* out, int device, int index) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&counter, 1);
  atomicAdd(&total, 1);
  atomicAdd(&shared_by_all, 1);
  __syncthreads();
  if (threadIdx.x != 0) return;
  seen s{};
  s.counter = counter;
  s.table = table[index] * 10 + table[3];
  s.chained = chain[0]->tag * 10 + *chain[0]->next;
  s.through = *where - *chain[1]->next + *own_counter();
  s.fixed = *fixed_pointer;
  s.indexed = *by_index[index + 1];
  s.prime = primes[index];
  s.large = large[index << 18]++;
  s.template_value = per_type<int> + static_cast<int>(per_type<short>);
  s.calls = count_calls();
  s.hidden = hidden[1];
  s.address = &counter;
  s.same_address = &counter == where && where == own_counter() && where == fixed_pointer;
  s.aligned = reinterpret_cast<unsigned long long>(aligned) % 64 == 0;
  s.is_first = chain[1]->name[0] == 'f';
  hidden[1] += device + 1;
  per_type<int> = device;
  *out = s;
}

// A kernel that runs as a loop over threads.
__global__ void each(int* out) {
  out[threadIdx.x] = table[threadIdx.x % 4] + static_cast<int>(hidden[0] * 2) + primes[1];
}

__global__ void point() { managed_pointer = &counter; }

int main() {
  setenv("COHORT_DEVICES", "3", 1);
  int count = 0;
  EXPECT_SUCCESS(cudaGetDeviceCount(&count));
  expect_equal(count, devices, "devices");
  seen* out;
  int* list;
  EXPECT_SUCCESS(cudaMallocManaged(&out, sizeof(seen)));
  EXPECT_SUCCESS(cudaMallocManaged(&list, threads * sizeof(int)));
  void* addresses[devices];
  for (int d = 0; d < devices; ++d) {
    EXPECT_SUCCESS(cudaSetDevice(d));
    const int value = 50 + d;
    EXPECT_SUCCESS(cudaMemcpyToSymbol(table, &value, sizeof value, 2 * sizeof value));
    EXPECT_SUCCESS(cudaGetSymbolAddress(&addresses[d], counter));
  }
  for (int round = 0; round < 2; ++round) {
    for (int d = 0; d < devices; ++d) {
      EXPECT_SUCCESS(cudaSetDevice(d));
      look<<<1, threads>>>(out, d, 1);
      EXPECT_SUCCESS(cudaDeviceSynchronize());
      const int counted = 5 + threads * (round + 1);
      expect_equal(out->counter, counted, "counter", d);
      expect_equal(out->table, 24, "constant", d);
      expect_equal(out->chained, 20 + 50 + d, "address in an initialiser", d);
      expect_equal(out->through, counted, "pointers", d);
      expect_equal(out->fixed, counted, "constant pointer", d);
      expect_equal(out->indexed, counted, "array of constant pointers", d);
      expect_equal(out->prime, 3, "constant array", d);
      expect_equal(out->large, round, "large array", d);
      expect_equal(out->template_value, 3 + (round == 0 ? 3 : d), "template", d);
      expect_equal(out->calls, 40 + round, "static variable of a function", d);
      expect_equal(out->hidden, 1.5 + round * (d + 1), "static variable", d);
      expect_equal(out->same_address, true, "one address", d);
      expect_equal(out->aligned, true, "alignment", d);
      expect_equal(out->is_first, true, "text", d);
      expect_equal(static_cast<void*>(out->address) == addresses[d], true, "cudaGetSymbolAddress", d);
      for (int other = 0; other < d; ++other) {
        expect_equal(addresses[d] != addresses[other], true, "addresses differ", d);
      }
    }
  }
  expect_equal(shared_by_all, 100 + 2 * devices * threads, "managed variable");
  for (int d = 0; d < devices; ++d) {
    EXPECT_SUCCESS(cudaSetDevice(d));
    int value = 0;
    EXPECT_SUCCESS(cudaMemcpyFromSymbol(&value, table, sizeof value, 2 * sizeof value));
    expect_equal(value, 50 + d, "cudaMemcpyFromSymbol", d);
    each<<<1, threads>>>(list);
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    for (int i = 0; i < threads; ++i) {
      const int constants[4] = {1, 2, 50 + d, 4};
      expect_equal(list[i], constants[i % 4] + 1 + 3, "as a loop", d * 1000 + i);
    }
    point<<<1, 1>>>();
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    expect_equal(static_cast<void*>(managed_pointer) == addresses[d], true, "address for the host", d);
  }
  return result();
}
