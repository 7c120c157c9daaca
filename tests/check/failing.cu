// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One race for each way in which COHORT_CHECK=fail reaches the program: prints the error of the synchronisation.
#include <cstdio>
#include <cstring>

__global__ void neighbours(int* p) {
  p[threadIdx.x] = 1;
  if (threadIdx.x > 0) p[32 + threadIdx.x] = p[threadIdx.x - 1];
}
__global__ void write(int* p) { p[threadIdx.x] = 1; }

int main(int, char** arguments) {
  int *memory = nullptr, *pinned = nullptr;
  cudaMallocManaged(&memory, 256);
  cudaMallocHost(&pinned, 256);
  cudaStream_t a = nullptr, b = nullptr;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  const char* const which = arguments[1];
  if (std::strcmp(which, "launch") == 0) neighbours<<<1, 32>>>(memory);
  if (std::strcmp(which, "none") == 0) write<<<1, 32>>>(memory);
  if (std::strcmp(which, "host") == 0) {
    write<<<1, 32, 0, a>>>(memory);
    cudaEvent_t event = nullptr;
    cudaEventCreate(&event);
    // The kernel has ended, but no host thread has synchronised with it: the function runs in another stream.
    volatile bool done = false;
    cudaEventRecord(event, a);
    cudaStreamWaitEvent(b, event);
    cudaLaunchHostFunc(b, [](void* flag) { *static_cast<volatile bool*>(flag) = true; }, const_cast<bool*>(&done));
    while (!done) {
    }
    if (memory[3] < 0) return 1;
  }
  if (std::strcmp(which, "copy") == 0) {
    cudaMemsetAsync(memory, 0, 256, a);
    cudaMemcpyAsync(pinned, memory, 256, cudaMemcpyDeviceToHost, b);
  }
  std::printf("%d\n", static_cast<int>(cudaDeviceSynchronize()));
}
