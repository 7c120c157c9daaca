// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stream's wait for a word that never changes: COHORT_LAUNCH_LIMIT ends it with a report.
#include <cuda.h>

#include "../expect.hpp"

int main() {
  void* word = nullptr;
  cudaStream_t stream = nullptr;
  CALL(cudaMalloc(&word, 4));
  CALL(cudaMemset(word, 0, 4));
  CALL(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  EXPECT(cuStreamWaitValue32(stream, reinterpret_cast<CUdeviceptr>(word), 5, CU_STREAM_WAIT_VALUE_GEQ) == CUDA_SUCCESS);
  std::printf("the error is %s\n", cudaGetErrorName(cudaStreamSynchronize(stream)));
  return failures != 0;
}
