// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch.cuh"

#include <cstdio>
#include <cstdlib>

namespace {

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

struct device_memory {
  void* values;
  long long* cycles;
  device_memory() {
    check(cudaMalloc(&values, std::size_t{1} << 24), "cudaMalloc");
    check(cudaMalloc(&cycles, sizeof *cycles), "cudaMalloc");
  }
};

device_memory& memory() {
  static device_memory made;
  return made;
}

void launch(const void* kernel, int blocks, int threads, int cluster, bool cooperative, int argument) {
  check(cudaMemset(memory().values, 0, std::size_t{1} << 22), "cudaMemset");
  void* arguments[] = {&memory().values, &memory().cycles, &argument};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(static_cast<unsigned>(threads));
  cudaLaunchAttribute attributes[2];
  config.attrs = attributes;
  if (cluster != 0) {
    attributes[config.numAttrs].id = cudaLaunchAttributeClusterDimension;
    attributes[config.numAttrs].val.clusterDim.x = static_cast<unsigned>(cluster);
    attributes[config.numAttrs].val.clusterDim.y = 1;
    attributes[config.numAttrs++].val.clusterDim.z = 1;
  }
  if (cooperative) {
    attributes[config.numAttrs].id = cudaLaunchAttributeCooperative;
    attributes[config.numAttrs++].val.cooperative = 1;
  }
  check(cudaLaunchKernelExC(&config, kernel, arguments), "launch");
}

}  // namespace

double cycles_of(const void* kernel, int blocks, int threads, int cluster, bool cooperative, int argument) {
  launch(kernel, blocks, threads, cluster, cooperative, argument);
  check(cudaDeviceSynchronize(), "kernel");
  long long cycles = 0;
  check(cudaMemcpy(&cycles, memory().cycles, sizeof cycles, cudaMemcpyDeviceToHost), "cudaMemcpy");
  return static_cast<double>(cycles) / steps;
}

double microseconds_of(const void* kernel, int blocks, int threads) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "cudaEventCreate");
  check(cudaEventCreate(&end), "cudaEventCreate");
  check(cudaMemset(memory().values, 0, 256), "cudaMemset");
  int argument = 0;
  void* arguments[] = {&memory().values, &memory().cycles, &argument};
  check(cudaEventRecord(begin), "cudaEventRecord");
  check(cudaLaunchKernel(kernel, dim3(static_cast<unsigned>(blocks)), dim3(static_cast<unsigned>(threads)), arguments,
                         0, nullptr),
        "launch");
  check(cudaEventRecord(end), "cudaEventRecord");
  check(cudaEventSynchronize(end), "kernel");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
  check(cudaEventDestroy(begin), "cudaEventDestroy");
  check(cudaEventDestroy(end), "cudaEventDestroy");
  return milliseconds * 1e3;
}
