// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stream's wait for a word. Without an argument a synchronisation follows, which COHORT_LAUNCH_LIMIT ends with a
// report. "exit", "reset" and "context" end the program, or reset the device or the context, during the wait. "late"
// ends the program while a host function in another stream, which writes the word, still runs.
#include <cuda.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "../expect.hpp"

namespace {

void write_later(void* word) {
  std::this_thread::sleep_for(std::chrono::milliseconds(800));
  std::atomic_ref<int>(*static_cast<int*>(word)).store(5);
}

}  // namespace

int main(int count, char** words) {
  const std::string end = count > 1 ? words[1] : "";
  int* word = nullptr;
  cudaStream_t stream = nullptr, writer = nullptr;
  CUcontext primary = nullptr;
  if (end == "context") {
    CALL(cudaSetDevice(0));
    EXPECT(cuDevicePrimaryCtxRetain(&primary, 0) == CUDA_SUCCESS);
  }
  CALL(cudaMallocManaged(&word, sizeof *word));
  *word = 0;
  CALL(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CALL(cudaStreamCreateWithFlags(&writer, cudaStreamNonBlocking));
  EXPECT(cuStreamWaitValue32(stream, reinterpret_cast<CUdeviceptr>(word), 5, CU_STREAM_WAIT_VALUE_GEQ) == CUDA_SUCCESS);
  if (end.empty()) std::printf("the error is %s\n", cudaGetErrorName(cudaStreamSynchronize(stream)));
  if (end == "late") CALL(cudaLaunchHostFunc(writer, write_later, word));
  if (end == "reset") CALL(cudaDeviceReset());
  if (end == "context") EXPECT(cuDevicePrimaryCtxReset(0) == CUDA_SUCCESS);
  return failures != 0;
}
