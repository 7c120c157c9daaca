// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers to shared and local memory that are used after the end of its block or thread. `@case.x` marks the lines of
// a finding.
#include <cooperative_groups.h>

#include <cstdint>

#include "cases.hpp"

namespace cg = cooperative_groups;

// A device variable keeps a pointer to shared memory for a later launch.
__device__ int* cache;
template <bool wrong>
__global__ void fill_cache(int* backing) {
  __shared__ int table[32];
  int* const home = wrong ? table : backing;
  home[threadIdx.x] = threadIdx.x * 3;
  if (threadIdx.x == 0) cache = home;
}
__global__ void read_cache(int* out) {
  out[threadIdx.x] = cache[threadIdx.x];  // @cache.use
}
template <bool wrong>
void run_cache() {
  fill_cache<wrong><<<1, 32>>>(device_array<int>(32));
  read_cache<<<1, 32>>>(device_array<int>(32));
}

// Nodes of a list in local memory, pushed with an exchange of the head.
struct node {
  int value;
  node* next;
};
__device__ unsigned long long list_head;
__device__ void push(node* one) {
  one->next = reinterpret_cast<node*>(atomicExch(&list_head, reinterpret_cast<unsigned long long>(one)));
}
template <bool wrong>
__global__ void push_all(node* pool) {
  node mine{static_cast<int>(threadIdx.x), nullptr};
  node* const one = wrong ? &mine : &pool[threadIdx.x];
  one->value = threadIdx.x;
  push(one);
}
__global__ void walk(int steps, int* out) {
  const node* one = reinterpret_cast<const node*>(list_head);
  for (int i = 0; i < steps && one; ++i) {
    out[i] = one->value;  // @list.use
    one = one->next;
  }
}
template <bool wrong>
void run_list() {
  push_all<wrong><<<1, 8>>>(device_array<node>(8));
  walk<<<1, 1>>>(1, device_array<int>(8));
}

// A structure with a pointer to local memory, copied to global memory.
struct context {
  int count;
  float* scratch;
  int* errors;
  float sums[4];
};
template <bool wrong>
__global__ void open_context(context* all, float* backing) {
  __shared__ float scratch[16];
  context mine{};
  mine.count = 16;
  mine.scratch = wrong ? scratch : backing + blockIdx.x * 16;
  mine.scratch[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0) all[blockIdx.x] = mine;
}
__device__ float total(const context& of) {
  float sum = 0;
  for (int i = 0; i < of.count; ++i) sum += of.scratch[i];  // @struct.use
  return sum;
}
__global__ void use_context(const context* all, float* out) { out[blockIdx.x] = total(all[blockIdx.x]); }
template <bool wrong>
void run_struct() {
  context* all = device_array<context>(2);
  open_context<wrong><<<2, 16>>>(all, device_array<float>(32));
  use_context<<<2, 1>>>(all, device_array<float>(2));
}

// Addresses kept as integers in a table, and used by the next block after a barrier of the grid.
template <bool wrong>
__global__ void neighbours(uintptr_t* table, int* backing, int* out) {
  __shared__ int mine[32];
  const auto grid = cg::this_grid();
  int* const home = wrong ? mine : backing + blockIdx.x * 32;
  home[threadIdx.x] = grid.thread_rank();
  if (threadIdx.x == 0) table[blockIdx.x] = reinterpret_cast<uintptr_t>(home);
  grid.sync();
  const int* other = reinterpret_cast<const int*>(table[(blockIdx.x + 1) % gridDim.x]);
  out[grid.thread_rank()] = other[31 - threadIdx.x];  // @integer.use
  grid.sync();
}
template <bool wrong>
void run_integer() {
  uintptr_t* table = device_array<uintptr_t>(2);
  int *backing = device_array<int>(64), *out = device_array<int>(64);
  void* arguments[] = {&table, &backing, &out};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(neighbours<wrong>), dim3(2), dim3(32), arguments, 0, nullptr);
}

// The first thread shares its local array with its block through shared memory.
template <bool wrong>
__global__ void offer(int* out) {
  __shared__ const int* offered;
  __shared__ int copy[8];
  int local[8];
  for (int i = 0; i < 8; ++i) local[i] = i * out[32 + i];
  if (threadIdx.x == 0) {
    if constexpr (!wrong) {
      for (int i = 0; i < 8; ++i) copy[i] = local[i];
    }
    offered = wrong ? local : copy;
  }
  __syncthreads();
  out[threadIdx.x] = offered[threadIdx.x % 8];  // @offer.use
}
template <bool wrong>
void run_offer() {
  offer<wrong><<<1, 32>>>(device_numbers<int>(40));
}

// A block leaves a pointer to its buffer for later blocks.
__device__ const int* first_block;
template <bool wrong>
__global__ void share_with_later(int* backing, int* out, int block) {
  __shared__ int buffer[16];
  if (blockIdx.x == 0 && block == 0) {
    int* const home = wrong ? buffer : backing;
    home[threadIdx.x] = threadIdx.x;
    if (threadIdx.x == 0) first_block = home;
  } else {
    buffer[threadIdx.x] = -1;
    __syncthreads();
    out[threadIdx.x] = first_block[threadIdx.x] + buffer[15 - threadIdx.x];  // @later.use
  }
}
template <bool wrong>
void run_later() {
  int *backing = device_array<int>(16), *out = device_array<int>(16);
  share_with_later<wrong><<<1, 16>>>(backing, out, 0);
  share_with_later<wrong><<<1, 16>>>(backing, out, 1);
}

// An object on the device heap whose member points to dynamic shared memory.
class queue {
 public:
  __device__ void attach(int* storage, int capacity) {
    storage_ = storage;
    capacity_ = capacity;
  }
  __device__ void push(int value) { storage_[size_++ % capacity_] = value; }  // @heap.use
  __device__ int size() const { return size_; }

 private:
  int* storage_ = nullptr;
  int capacity_ = 0, size_ = 0;
};
__device__ queue* work;
extern __shared__ int dynamic[];
template <bool wrong>
__global__ void make_queue(int* backing) {
  work = new queue;
  work->attach(wrong ? dynamic : backing, 8);
  work->push(1);
}
__global__ void use_queue(int* out) {
  work->push(2);
  *out = work->size();
  delete work;
}
template <bool wrong>
void run_heap() {
  make_queue<wrong><<<1, 1, 64>>>(device_array<int>(8));
  use_queue<<<1, 1, 64>>>(device_array<int>(1));
}

// A helper that is not inlined stores the pointer, two calls deep; memcpy moves it.
__device__ __noinline__ void keep(void** slot, void* pointer) { *slot = pointer; }
__device__ __noinline__ void keep_array(void** slots, int index, double* pointer) { keep(&slots[index], pointer); }
template <bool wrong>
__global__ void keep_sums(void** slots, double* backing) {
  __shared__ double sums[4];
  double* const home = wrong ? sums : backing;
  if (threadIdx.x < 4) home[threadIdx.x] = threadIdx.x * 0.5;
  if (threadIdx.x == 0) keep_array(slots, blockIdx.x, home);
}
__device__ __noinline__ double sum_of(void* const* slot, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += static_cast<const double*>(*slot)[i];  // @helper.use
  return sum;
}
__global__ void read_sums(void* const* slots, double* out) { out[threadIdx.x] = sum_of(slots + threadIdx.x, 4); }
template <bool wrong>
void run_helper() {
  void **slots = device_array<void*>(1), **copy = device_array<void*>(1);
  keep_sums<wrong><<<1, 32>>>(slots, device_array<double>(4));
  cudaMemcpy(copy, slots, sizeof(void*), cudaMemcpyDeviceToDevice);
  read_sums<<<1, 1>>>(copy, device_array<double>(1));
}

// Views of matrices that the kernel copies one by one with memcpy.
struct view {
  const float* data;
  int rows, columns;
  __device__ float at(int r, int c) const { return data[r * columns + c]; }  // @view.use
};
struct views {
  view input, output;
};
template <bool wrong>
__global__ void make_views(views* to, const float* global) {
  __shared__ float tile[4][4];
  tile[threadIdx.y][threadIdx.x] = threadIdx.y;
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    const view input{global, 4, 4}, output{wrong ? &tile[0][0] : global, 4, 4};
    const views both{input, output};
    memcpy(to, &both, sizeof both);
  }
}
__global__ void read_views(const views* from, float* out) {
  const views both = *from;
  out[0] = both.input.at(1, 2);
  out[1] = both.output.at(2, 1);
}
template <bool wrong>
void run_view() {
  views* both = device_array<views>(1);
  make_views<wrong><<<1, dim3(4, 4)>>>(both, device_numbers<float>(16));
  read_views<<<1, 1>>>(both, device_array<float>(2));
}

#define CASE(name) {#name, run_##name<true>, run_##name<false>}
const planted_case cases[] = {CASE(cache), CASE(list), CASE(struct), CASE(integer), CASE(offer),
                              CASE(later), CASE(heap), CASE(helper), CASE(view)};
int main(int words, char** word) { return run_case(cases, words, word); }
