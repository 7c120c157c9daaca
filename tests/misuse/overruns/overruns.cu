// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread of a block writes beyond a local array:  overruns WAYS PLACE BITS FIRST COUNT VALUE THREAD
//   WAYS     alone: the threads never wait; barrier: they wait before and after
//   PLACE    kernel or callee: whose array it is
//   BITS     32 or 64: of an element
//   FIRST    the first element beyond the array of 8 that is written; COUNT: how many
//   VALUE    zero, small, ones, stack, memory, code
//   THREAD   rank in the block; 1000: no thread does it
// Prints the name of the launch's error, then the values of the threads that wrote nothing beyond.
#include <cstdio>
#include <cstdlib>
#include <cstring>

constexpr int threads = 70, elements = 8;

struct overrun {
  int first, count, thread;
  unsigned long long value;  // 1: the address of the array
};

__device__ void landing_place() {}

template <class T>
__device__ void fill(T* array, const overrun& o) {
  for (int i = 0; i < elements; ++i) array[i] = static_cast<T>(threadIdx.x + i);
  if (static_cast<int>(threadIdx.x) != o.thread) return;
  const T value = o.value == 1 ? static_cast<T>(reinterpret_cast<unsigned long long>(array)) : static_cast<T>(o.value);
  for (int i = 0; i < o.count; ++i) array[elements + o.first + i] = value;
}

template <class T>
__device__ int sum(const T* array, int turn) {
  int total = 0;
  for (int i = 0; i < elements; ++i) total += static_cast<int>(array[(i + turn) % elements]) * (i + 1);
  return total;
}

template <class T>
__device__ __noinline__ int overrun_below(const overrun& o, int turn) {
  T array[elements];
  fill(array, o);
  return sum(array, turn);
}

template <class T, bool waits, bool in_callee>
__global__ void overrun_kernel(int* out, overrun o, int turn) {
  if (waits) __syncthreads();
  int total;
  if (in_callee) {
    total = overrun_below<T>(o, turn);
  } else {
    T array[elements];
    fill(array, o);
    if (waits) __syncthreads();
    total = sum(array, turn);
  }
  if (waits) __syncthreads();
  out[blockIdx.x * threads + threadIdx.x] = total;
}

__global__ void address_of_code(unsigned long long* out) {
  void (*volatile code)() = landing_place;
  *out = reinterpret_cast<unsigned long long>(code);
}

template <class T, bool waits>
void launch(bool in_callee, int* out, const overrun& o) {
  if (in_callee) {
    overrun_kernel<T, waits, true><<<5, threads>>>(out, o, 0);
  } else {
    overrun_kernel<T, waits, false><<<5, threads>>>(out, o, 0);
  }
}

int main(int, char** words) {
  int* out;
  unsigned long long* code;
  cudaMallocManaged(&out, 5 * threads * sizeof(int));
  cudaMallocManaged(&code, sizeof *code);
  address_of_code<<<1, 1>>>(code);
  cudaDeviceSynchronize();
  const char* const value = words[6];
  overrun o{atoi(words[4]), atoi(words[5]), atoi(words[7]), 0};
  if (!strcmp(value, "small")) o.value = 5;
  if (!strcmp(value, "ones")) o.value = ~0ull;
  if (!strcmp(value, "stack")) o.value = 1;
  if (!strcmp(value, "memory")) o.value = reinterpret_cast<unsigned long long>(out);
  if (!strcmp(value, "code")) o.value = *code;
  const bool waits = !strcmp(words[1], "barrier"), in_callee = !strcmp(words[2], "callee");
  const bool wide = atoi(words[3]) == 64;
  if (waits) {
    wide ? launch<long long, true>(in_callee, out, o) : launch<int, true>(in_callee, out, o);
  } else {
    wide ? launch<long long, false>(in_callee, out, o) : launch<int, false>(in_callee, out, o);
  }
  const cudaError_t error = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(error));
  int wrong = 0;
  for (int i = 0; error == cudaSuccess && o.thread == 1000 && i < 5 * threads; ++i) {
    wrong += out[i] != 36 * (i % threads) + 168;
  }
  printf("%d wrong\n", wrong);
  fflush(stdout);
  _Exit(0);
}
