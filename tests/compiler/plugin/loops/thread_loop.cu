// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that cannot wait, in all forms that a loop over threads could get wrong. A mark above each, LOOP or STACKS,
// states what --cohort-report must print; test_report.py reads the marks.
#include "../check.hpp"

// LOOP place
__global__ void place(unsigned* out, unsigned n) {
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned rank = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned i = block * blockDim.x * blockDim.y * blockDim.z + rank;
  if (i >= n) return;  // ends this thread only
  out[i] = threadIdx.x + 100 * threadIdx.y + 10000 * threadIdx.z;
}

// LOOP locals
__global__ void locals(int* out, int n) {  // arrays of each thread, larger than registers, filled by each thread
  int work[64];
  for (int i = 0; i < 64; ++i) work[i] = static_cast<int>(threadIdx.x) * i;
  for (int round = 0; round < n; ++round)
    for (int i = 0; i < 63; ++i) work[(i * 5 + round) % 64] += work[i + 1] & 7;
  int sum = 0;
  for (int i = 0; i < 64; ++i) sum += work[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

static int host_locals(int t, int n) {
  int work[64], sum = 0;
  for (int i = 0; i < 64; ++i) work[i] = t * i;
  for (int round = 0; round < n; ++round)
    for (int i = 0; i < 63; ++i) work[(i * 5 + round) % 64] += work[i + 1] & 7;
  for (int i = 0; i < 64; ++i) sum += work[i];
  return sum;
}

// LOOP histogram
__global__ void histogram(const unsigned char* data, int n, unsigned* bins, unsigned* order) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) order[atomicAdd(&bins[data[i]], 1u) + 0 * i] = 1;
}

// LOOP own_shared
__global__ void own_shared(float* out, const float* in, int n) {
  __shared__ float mine[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  mine[threadIdx.x] = i < n ? in[i] : 0;
  if (i < n) out[i] = mine[threadIdx.x] * 2 + 1;
}

__device__ __noinline__ int collatz(int x) {
  int steps = 0;
  while (x != 1) {
    x = x % 2 ? 3 * x + 1 : x / 2;
    ++steps;
    if (threadIdx.x > 1000) return -1;  // reads its own index in a function
  }
  return steps;
}

// LOOP lengths
__global__ void lengths(int* out) { out[threadIdx.x] = collatz(threadIdx.x + 1); }

struct big {
  int values[40];
};

// LOOP by_value
__global__ void by_value(int* out, big b) {
  b.values[threadIdx.x] += 1000 + threadIdx.x;  // each thread changes its own copy
  int sum = 0;
  for (int v : b.values) sum += v;
  out[threadIdx.x] = sum;
}

// LOOP maximum
__global__ void maximum(double* most, const double* in, int n) {  // a lock-free retry loop
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned long long* word = reinterpret_cast<unsigned long long*>(most);
    unsigned long long old = *word, assumed;
    do {
      assumed = old;
      if (__longlong_as_double(assumed) >= in[i]) break;
      old = atomicCAS(word, assumed, __double_as_longlong(in[i]));
    } while (assumed != old);
  }
}

// LOOP nothing
__global__ void nothing(int*) {}

// STACKS waits
__global__ void waits(int* out) {
  __syncthreads();
  out[threadIdx.x] = 1;
}

// STACKS spins
__global__ void spins(volatile int* flag, int* out) {
  while (*flag == 0) {
  }
  *out = 3;
}

// STACKS locks
__global__ void locks(int* lock, int* out) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *out += 1;
  __threadfence();
  atomicExch(lock, 0);
}

int main() {
  unsigned* words;
  EXPECT_SUCCESS(cudaMallocManaged(&words, 100000 * sizeof(unsigned)));
  int* ints = reinterpret_cast<int*>(words);
  for (const dim3 block : {dim3(1), dim3(33), dim3(7, 5, 3), dim3(1, 1, 9), dim3(1, 100), dim3(256), dim3(1024)}) {
    const unsigned threads = block.x * block.y * block.z, n = 12 * threads - threads / 2;
    for (unsigned i = 0; i < 12 * threads; ++i) words[i] = ~0u;
    place<<<dim3(2, 3, 2), block>>>(words, n);
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    for (unsigned i = 0; i < 12 * threads; ++i) {
      const unsigned r = i % threads;
      expect_equal(words[i],
                   i < n ? r % block.x + 100 * (r / block.x % block.y) + 10000 * (r / block.x / block.y) : ~0u, "place",
                   i);
    }
  }
  locals<<<3, 50>>>(ints, 9);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < 150; ++i) expect_equal(ints[i], host_locals(i % 50, 9), "locals", i);

  const int count = 10000;
  unsigned char* data;
  EXPECT_SUCCESS(cudaMallocManaged(&data, count));
  unsigned model[256] = {};
  for (int i = 0; i < count; ++i) ++model[data[i] = static_cast<unsigned char>(i * i / 7)];
  for (int i = 0; i < 256 + count; ++i) words[i] = 0;
  histogram<<<(count + 127) / 128, 128>>>(data, count, words, words + 256);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < 256; ++i) expect_equal(words[i], model[i], "histogram", i);

  float* floats = reinterpret_cast<float*>(words);
  for (int i = 0; i < 1000; ++i) floats[i] = i * 0.5f;
  own_shared<<<8, 128>>>(floats + 2000, floats, 1000);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < 1000; ++i) expect_equal(floats[2000 + i], i + 1.0f, "own part of shared memory", i);

  lengths<<<1, 200>>>(ints);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < 200; ++i) {
    int x = i + 1, steps = 0;
    for (; x != 1; ++steps) x = x % 2 ? 3 * x + 1 : x / 2;
    expect_equal(ints[i], steps, "function that is not inlined", i);
  }
  big b;
  int base = 0;
  for (int i = 0; i < 40; ++i) base += b.values[i] = i * i;
  by_value<<<1, 40>>>(ints, b);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < 40; ++i) expect_equal(ints[i], base + 1000 + i, "parameter by value", i);

  double* doubles = reinterpret_cast<double*>(words);
  for (int i = 0; i < 5000; ++i) doubles[1 + i] = (i * 7919) % 5003;
  doubles[0] = -1;
  maximum<<<3, 64>>>(doubles, doubles + 1, 5000);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  double most = 0;
  for (int i = 0; i < 5000; ++i) most = doubles[1 + i] > most ? doubles[1 + i] : most;
  expect_equal(doubles[0], most, "maximum");

  nothing<<<10, 1000>>>(ints);
  ints[0] = 1, ints[1] = 0, ints[2] = 0, ints[3] = 0;
  spins<<<1, 32>>>(ints, ints + 1);
  locks<<<4, 64>>>(ints + 2, ints + 3);
  waits<<<1, 100>>>(ints + 10);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(ints[1], 3, "flag that was set");
  expect_equal(ints[3], 256, "lock");
  for (int i = 0; i < 100; ++i) expect_equal(ints[10 + i], 1, "barrier", i);
  return result();
}
