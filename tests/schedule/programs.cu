// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs for the messages of COHORT_SCHEDULE; the first argument names one.
#include <unistd.h>
#include <cstdio>
#include <string>

#include <cuda_runtime.h>

namespace {

__global__ void sum(int* out) {
  __shared__ int part[96];
  part[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 95) {
    for (const int p : part) atomicAdd(out, p);
  }
}
__global__ void one(int* out) { *out = 5; }
__global__ void fails() { __trap(); }
__global__ void clocks(long long* out) {
  const long long begin = clock64();
  __syncthreads();
  atomicAdd(reinterpret_cast<unsigned long long*>(out), static_cast<unsigned long long>(clock64() - begin));
}

int run_sum() {
  int* out = nullptr;
  cudaMallocManaged(&out, sizeof(int));
  sum<<<3, 96>>>(out);
  cudaDeviceSynchronize();
  return *out;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  if (name == "sum") {
    std::printf("%d\n", run_sum());
    return 7;
  }
  if (name == "one") {
    int* out = nullptr;
    cudaMallocManaged(&out, sizeof(int));
    one<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    std::printf("%d\n", *out);
    return 0;
  }
  if (name == "pid") {
    std::printf("%d %d\n", static_cast<int>(getpid()), run_sum());
    return 0;
  }
  if (name == "input") {
    int number = 0, total = 0;
    while (std::scanf("%d", &number) == 1) total += number;
    std::printf("%d %d\n", total, run_sum());
    return 0;
  }
  if (name == "clock") {
    long long* out = nullptr;
    cudaMallocManaged(&out, sizeof(long long));
    clocks<<<2, 64>>>(out);
    cudaDeviceSynchronize();
    std::printf("%lld\n", *out);
    return 0;
  }
  if (name == "fails") {
    fails<<<2, 1>>>();
    return static_cast<int>(cudaDeviceSynchronize());
  }
  return 2;
}
