// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A transform and a kernel on the same array. `race.cu race` runs them in two streams without an order between them,
// `race.cu order` with an event between them.
#include <cufft.h>

#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr int n = 35, batch = 9;

__global__ void fill(cufftComplex* a, float value) { a[blockIdx.x * n + threadIdx.x] = {value, 0}; }

}  // namespace

int main(int count, char** arguments) {
  const bool orders = count > 1 && std::strcmp(arguments[1], "order") == 0;
  cufftHandle plan;
  if (cufftPlan1d(&plan, n, CUFFT_C2C, batch) != CUFFT_SUCCESS) return 1;
  cufftComplex *in, *out;
  for (cufftComplex** array : {&in, &out}) cudaMalloc(array, n * batch * sizeof(cufftComplex));
  cudaStream_t kernels, transforms;
  cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&transforms, cudaStreamNonBlocking);
  cudaEvent_t filled;
  cudaEventCreate(&filled);

  fill<<<batch, n, 0, kernels>>>(in, 3);
  if (orders) {
    cudaEventRecord(filled, kernels);
    cudaStreamWaitEvent(transforms, filled);
  }
  cufftSetStream(plan, transforms);
  cufftExecC2C(plan, in, out, CUFFT_FORWARD);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("the error is %s\n", cudaGetErrorName(error));
  if (orders) {
    std::vector<cufftComplex> result(n * batch);
    cudaMemcpy(result.data(), out, result.size() * sizeof(cufftComplex), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n * batch; ++i) {
      const float expected = i % n == 0 ? 3.f * n : 0.f;
      if (result[i].x < expected - 1e-3f || result[i].x > expected + 1e-3f) return 1;
    }
    std::puts("each first element is 105");
  }
  return 0;
}
