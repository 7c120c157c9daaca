// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 60 kernels that wait in a loop: a row in shared memory, a barrier, the inner product of a few lanes, a barrier.
namespace {

template <int variant>
__device__ float weighted(float x, float y) {
  if constexpr (variant % 3 == 0) {
    return x * y + 0.25f * variant;
  } else if constexpr (variant % 3 == 1) {
    return x > y ? x - y : (y - x) * variant;
  } else {
    return fmaf(x, y, sqrtf(fabsf(x) + variant));
  }
}

template <int variant>
__global__ void products_of_rows(const float* rows, const float* weights, float* sums, int columns) {
  constexpr int most_threads = 256, lanes = 3 + variant % 6;
  __shared__ float row[most_threads];
  const unsigned thread = threadIdx.x;
  float sum = 0;
  for (int first = 0; first < columns; first += blockDim.x) {
    const int column = first + thread;
    row[thread] = column < columns ? rows[blockIdx.x * columns + column] : 0.0f;
    __syncthreads();
    for (int lane = 0; lane < lanes; ++lane) {
      sum += weighted<variant>(row[(thread + lane) % blockDim.x], weights[lane * blockDim.x + thread]);
    }
    __syncthreads();
  }
  sums[blockIdx.x * blockDim.x + thread] = sum;
}

template <int variant>
struct launcher {
  static void run(const float* rows, const float* weights, float* sums, int columns) {
    if constexpr (variant > 0) {
      launcher<variant - 1>::run(rows, weights, sums, columns);
    }
    products_of_rows<variant><<<4, 128>>>(rows, weights, sums, columns);
  }
};

}  // namespace

void run_loop_kernels(const float* rows, const float* weights, float* sums, int columns) {
  launcher<59>::run(rows, weights, sums, columns);
}
