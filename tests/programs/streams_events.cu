// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and kernels in several streams, ordered by events; host functions in a stream; queries; timing; callbacks.
#include <cuda_runtime.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define RT(call)                                                                          \
  {                                                                                       \
    cudaError_t cudaStatus = call;                                                        \
    if (cudaSuccess != cudaStatus) {                                                      \
      fprintf(stderr, "ERROR: \"%s\" in line %d failed with %s (%d).\n", #call, __LINE__, \
              cudaGetErrorString(cudaStatus), cudaStatus);                                \
      exit(1);                                                                            \
    }                                                                                     \
  }

__global__ void init_array(int* g_data, const int* factor, int num_iterations) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < num_iterations; i++) g_data[idx] += *factor;
}

__global__ void scale(float* data, int offset, int n, float by) {
  int i = offset + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < offset + n) data[i] = data[i] * by + 1.0f;
}

static std::atomic<int> host_calls{0};

void CUDART_CB hostFunction(void* userData) { host_calls += *static_cast<int*>(userData); }

int main() {
  const int nstreams = 4, n = 1 << 14, chunk = n / nstreams;
  std::vector<cudaStream_t> streams(nstreams);
  for (int i = 0; i < nstreams; i++)
    RT(cudaStreamCreateWithFlags(&streams[i], i % 2 ? cudaStreamNonBlocking : cudaStreamDefault));

  float *h_a, *d_a;
  RT(cudaHostAlloc((void**)&h_a, n * sizeof(float), cudaHostAllocDefault));
  RT(cudaMalloc(&d_a, n * sizeof(float)));
  for (int i = 0; i < n; ++i) h_a[i] = static_cast<float>(i);

  cudaEvent_t start, stop, done[nstreams];
  RT(cudaEventCreate(&start));
  RT(cudaEventCreateWithFlags(&stop, cudaEventBlockingSync));
  for (auto& e : done) RT(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));

  RT(cudaEventRecord(start));
  int one = 1;
  for (int s = 0; s < nstreams; ++s) {
    const int offset = s * chunk;
    RT(cudaMemcpyAsync(&d_a[offset], &h_a[offset], chunk * sizeof(float), cudaMemcpyHostToDevice, streams[s]));
    scale<<<chunk / 256, 256, 0, streams[s]>>>(d_a, offset, chunk, 2.0f);
    RT(cudaMemcpyAsync(&h_a[offset], &d_a[offset], chunk * sizeof(float), cudaMemcpyDeviceToHost, streams[s]));
    RT(cudaLaunchHostFunc(streams[s], hostFunction, &one));
    RT(cudaEventRecord(done[s], streams[s]));
  }
  // Stream 0 waits for all other streams.
  for (int s = 1; s < nstreams; ++s) RT(cudaStreamWaitEvent(streams[0], done[s], 0));
  scale<<<n / 128, 128, 0, streams[0]>>>(d_a, 0, n, 3.0f);
  RT(cudaEventRecord(stop, streams[0]));
  unsigned long counter = 0;
  while (cudaEventQuery(stop) == cudaErrorNotReady) counter++;
  RT(cudaEventSynchronize(stop));
  RT(cudaDeviceSynchronize());
  float ms = -1.0f;
  RT(cudaEventElapsedTime(&ms, start, stop));

  bool ok = ms >= 0.0f && host_calls == nstreams;
  std::vector<float> device(n);
  RT(cudaMemcpy(device.data(), d_a, n * sizeof(float), cudaMemcpyDefault));
  for (int i = 0; i < n; ++i) {
    const float first = i * 2.0f + 1.0f;
    if (h_a[i] != first || device[i] != first * 3.0f + 1.0f) {
      std::printf("element %d: %g and %g\n", i, h_a[i], device[i]);
      ok = false;
      break;
    }
  }
  for (int s = 0; s < nstreams; ++s) {
    RT(cudaStreamQuery(streams[s]));
    RT(cudaStreamSynchronize(streams[s]));
    RT(cudaStreamDestroy(streams[s]));
    RT(cudaEventDestroy(done[s]));
  }
  // Events without timing return an error for an elapsed time.
  cudaEvent_t untimed;
  RT(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  RT(cudaEventRecord(untimed));
  RT(cudaEventSynchronize(untimed));
  ok = ok && cudaEventElapsedTime(&ms, untimed, stop) == cudaErrorInvalidResourceHandle;
  cudaGetLastError();
  RT(cudaEventDestroy(untimed));
  RT(cudaEventDestroy(start));
  RT(cudaEventDestroy(stop));

  // A copy on the legacy stream is complete before a later kernel runs, without a wait in between.
  int *d_data, *d_factor, factor = 3, sum = 0;
  RT(cudaMalloc(&d_data, 64 * sizeof(int)));
  RT(cudaMalloc(&d_factor, sizeof(int)));
  RT(cudaMemsetAsync(d_data, 0, 64 * sizeof(int)));
  RT(cudaMemcpyAsync(d_factor, &factor, sizeof(int), cudaMemcpyHostToDevice));
  init_array<<<1, 64>>>(d_data, d_factor, 5);
  std::vector<int> data(64);
  RT(cudaMemcpy(data.data(), d_data, 64 * sizeof(int), cudaMemcpyDeviceToHost));
  for (int v : data) sum += v;
  ok = ok && sum == 64 * 15;
  RT(cudaFree(d_data));
  RT(cudaFree(d_factor));
  RT(cudaFree(d_a));
  RT(cudaFreeHost(h_a));
  std::printf("streams: %d host calls, %s\n", host_calls.load(), ok ? "PASSED" : "FAILED");
  return ok ? 0 : 1;
}
