// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The headers compile as plain C.
#include "cuda.h"
#include "cuda_runtime_api.h"

int c_program(void) {
  int* numbers = 0;
  int copy[4] = {0, 0, 0, 0};
  if (cudaMalloc((void**)&numbers, sizeof copy) != cudaSuccess) return 1;
  if (cudaMemset(numbers, 0x01, sizeof copy) != cudaSuccess) return 2;
  if (cudaMemcpy(copy, numbers, sizeof copy, cudaMemcpyDeviceToHost) != cudaSuccess) return 3;
  if (cudaFree(numbers) != cudaSuccess) return 4;
  return copy[3] == 0x01010101 ? 0 : 5;
}

int c_driver(CUcontext context, CUfunction function) {
  CUctxCreateParams parameters = {0, 0, 0};
  CUDA_LAUNCH_PARAMS grid = {function, 1, 1, 1, 1, 1, 1, 0, 0, 0};
  if (cuInit(0) != CUDA_SUCCESS || cuCtxSetCurrent(context) != CUDA_SUCCESS) return 1;
  if (cuCtxCreate(&context, &parameters, 0, 0) != CUDA_SUCCESS) return 2;
  return cuLaunchCooperativeKernelMultiDevice(&grid, 1, 0) == CUDA_SUCCESS ? 0 : 3;
}
