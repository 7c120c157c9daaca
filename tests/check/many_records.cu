// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checker reuses the numbers of its records after 2^25 of them. A word that keeps an old number must not stand for
// the new record: here the unordered writes of two streams would then seem to be one stream's. A program with little
// memory must use only a part of the ring of records.
#include <sys/resource.h>

#include <atomic>
#include <cstdio>
#include <thread>
#include <utility>

#include <cuda_runtime.h>

namespace {

constexpr int elements = 1 << 18, lines = 32, numbers = 1 << 25, more = 1 << 17;
constexpr long most_kilobytes = 64 << 10;

__global__ void write(int* a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

__global__ void add(const int* a, int* sum) { atomicAdd(sum, a[blockIdx.x * blockDim.x + threadIdx.x]); }

template <int line>
__device__ void write_one(int* a, int value) {
  a[line] = value;
}

// Each turn makes one record for each number in `line`: the write of its element has a code address of its own.
template <int... line>
__global__ void make_records(int* a, int turns, std::integer_sequence<int, line...>) {
  for (int turn = 0; turn < turns; ++turn) {
    __syncthreads();
    (write_one<line>(a, turn), ...);
  }
}

long kilobytes() {
  rusage used = {};
  getrusage(RUSAGE_SELF, &used);
  return used.ru_maxrss;
}

}  // namespace

int main() {
  int *written = nullptr, *other = nullptr, *sum = nullptr;
  cudaMalloc(&written, elements * sizeof(int));
  cudaMalloc(&other, lines * sizeof(int));
  cudaMallocManaged(&sum, sizeof(int));
  *sum = 0;
  cudaStream_t first = nullptr, second = nullptr;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);

  write<<<elements / 256, 256, 0, first>>>(written);
  cudaStreamSynchronize(first);
  const long before = kilobytes();
  make_records<<<1, 1, 0, second>>>(other, (numbers + more) / lines, std::make_integer_sequence<int, lines>());
  // Polls: a wait or query of CUDA would order the two kernels.
  std::atomic<bool> done{false};
  cudaLaunchHostFunc(second, [](void* flag) { *static_cast<std::atomic<bool>*>(flag) = true; }, &done);
  while (!done) std::this_thread::yield();
  add<<<elements / 256, 256, 0, first>>>(written, sum);
  cudaDeviceSynchronize();

  const long grown = kilobytes() - before;
  if (grown > most_kilobytes) std::printf("records took %ld KiB\n", grown);
  if (*sum != elements) std::printf("the sum is %d\n", *sum);
  return grown > most_kilobytes || *sum != elements;
}
