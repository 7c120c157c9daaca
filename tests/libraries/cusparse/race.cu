// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product and a kernel on one vector. `race.cu race` runs them in two streams without an order between them,
// `race.cu order` with an event between them.
#include <cusparse.h>

#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr int n = 33;

__global__ void fill(float* x, float value) { x[threadIdx.x] = value; }

}  // namespace

int main(int count, char** arguments) {
  const bool orders = count > 1 && std::strcmp(arguments[1], "order") == 0;
  // A matrix with two elements in each row: 1 on the diagonal and 2 in the last column.
  std::vector<int> host_offsets, host_columns;
  for (int row = 0; row <= n; ++row) {
    host_offsets.push_back(2 * row);
    host_columns.push_back(row % n);
    host_columns.push_back(n - 1);
  }
  std::vector<float> host_values;
  for (int row = 0; row < n; ++row) host_values.insert(host_values.end(), {1, 2});
  int *offsets, *columns;
  float *values, *x, *y;
  cudaMalloc(&offsets, (n + 1) * sizeof(int));
  cudaMalloc(&columns, 2 * n * sizeof(int));
  for (float** array : {&values, &x, &y}) cudaMalloc(array, 2 * n * sizeof(float));
  cudaMemcpy(offsets, host_offsets.data(), (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(columns, host_columns.data(), 2 * n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(values, host_values.data(), 2 * n * sizeof(float), cudaMemcpyHostToDevice);

  cusparseHandle_t handle;
  cusparseSpMatDescr_t matrix;
  cusparseDnVecDescr_t from, to;
  cusparseCreate(&handle);
  cusparseCreateCsr(&matrix, n, n, 2 * n, offsets, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseCreateDnVec(&from, n, x, CUDA_R_32F);
  cusparseCreateDnVec(&to, n, y, CUDA_R_32F);
  cudaStream_t kernels, products;
  cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&products, cudaStreamNonBlocking);
  cudaEvent_t filled;
  cudaEventCreate(&filled);

  const float alpha = 1, beta = 0;
  fill<<<1, n, 0, kernels>>>(x, 3);
  if (orders) {
    cudaEventRecord(filled, kernels);
    cudaStreamWaitEvent(products, filled);
  }
  cusparseSetStream(handle, products);
  cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matrix, from, &beta, to, CUDA_R_32F,
               CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("the error is %s\n", cudaGetErrorName(error));
  if (orders) {
    std::vector<float> result(n);
    cudaMemcpy(result.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (float value : result) {
      if (value != 9) return 1;
    }
    std::puts("all elements are 9");
  }
  return 0;
}
