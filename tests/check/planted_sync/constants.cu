// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code that writes `__constant__` variables. `@case.x` marks the lines of a finding.
#include "cases.hpp"

// A constant table that a kernel scales in place.
__constant__ float coefficients[16];
__device__ float scaled[16];
template <bool wrong>
__global__ void scale(float factor) {
  float* const to = wrong ? const_cast<float*>(coefficients) : scaled;
  to[threadIdx.x] = coefficients[threadIdx.x] * factor;  // @table.write
}
template <bool wrong>
void run_table() {
  scale<wrong><<<1, 16>>>(2);
}

// A helper that gets the address of a constant as a plain pointer.
__constant__ int limits[4];
__device__ __noinline__ void clamp_to(int* at, int least) {
  if (*at < least) *at = least;  // @helper.write
}
template <bool wrong>
__global__ void raise_limits(int* copy) {
  clamp_to(wrong ? &limits[threadIdx.x] : &copy[threadIdx.x], 5);
}
template <bool wrong>
void run_helper() {
  raise_limits<wrong><<<1, 4>>>(device_array<int>(4));
}

// Parameters with a counter, which a method increments atomically.
struct parameters {
  int width, height;
  unsigned calls;
  __device__ void count() { atomicAdd(&calls, 1); }  // @member.write
};
__constant__ parameters settings;
template <bool wrong>
__global__ void use_settings(parameters* own) {
  if constexpr (wrong) {
    const_cast<parameters&>(settings).count();
  } else {
    own->count();
  }
}
template <bool wrong>
void run_member() {
  use_settings<wrong><<<2, 20>>>(device_array<parameters>(1));
}

// The address of a constant, found by the host and passed to a kernel.
__constant__ int lookup[32];
__global__ void fill(int* to) { to[threadIdx.x] = threadIdx.x; }  // @symbol.write
template <bool wrong>
void run_symbol() {
  void* address = nullptr;
  cudaGetSymbolAddress(&address, lookup);
  fill<<<1, 32>>>(wrong ? static_cast<int*>(address) : device_array<int>(32));
}

// The address of a constant, in a structure that a kernel loads.
__constant__ double weights[8];
struct task {
  int count;
  double* target;
};
__global__ void clear(const task* tasks) {
  const task mine = tasks[blockIdx.x];
  if (threadIdx.x < mine.count) mine.target[threadIdx.x] = 0;  // @loaded.write
}
template <bool wrong>
void run_loaded() {
  void* address = nullptr;
  cudaGetSymbolAddress(&address, weights);
  const task host{8, wrong ? static_cast<double*>(address) : device_array<double>(8)};
  task* tasks = device_array<task>(1);
  cudaMemcpy(tasks, &host, sizeof host, cudaMemcpyHostToDevice);
  clear<<<1, 32>>>(tasks);
}

// A whole structure is set by memset.
struct window {
  int left, top, right, bottom;
};
__constant__ window view_port;
__device__ window scratch_port;
template <bool wrong>
__global__ void reset_view() {
  memset(wrong ? const_cast<window*>(&view_port) : &scratch_port, 0, sizeof(window));  // @fill.write
}
template <bool wrong>
void run_fill() {
  reset_view<wrong><<<1, 1>>>();
}

// A template that gets the table by a pointer, which a kernel selects by a value.
__constant__ short low[8];
__device__ short high[8];
template <class T>
__device__ void increment(T* table, int at) {
  ++table[at];  // @choice.write
}
template <bool wrong>
__global__ void choose(int which) {
  short* const tables[2] = {wrong ? low : high, high};
  increment(tables[which], threadIdx.x);
}
template <bool wrong>
void run_choice() {
  choose<wrong><<<1, 8>>>(0);
}

#define CASE(name) {#name, run_##name<true>, run_##name<false>}
const planted_case cases[] = {CASE(table),  CASE(helper), CASE(member), CASE(symbol),
                              CASE(loaded), CASE(fill),   CASE(choice)};
int main(int words, char** word) { return run_case(cases, words, word); }
