// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of 16 x 16 threads: a column for each hidden unit, a row for each input.
#include "../kernels/launch.cuh"
#include "problems.hpp"

namespace bench::COHORT_BENCH_BUILD::cuda {

namespace {

constexpr int units = problems::back_propagation::hidden_units, rows = 16;

__global__ void forward_partials(const float* input, const float* weights, float* partials) {
  __shared__ float node[rows], products[rows][units];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.x * rows + ty;
  if (tx == 0) node[ty] = input[row];
  __syncthreads();
  products[ty][tx] = weights[row * units + tx] * node[ty];
  __syncthreads();
  for (int distance = 1; distance < rows; distance *= 2) {
    if (ty % (2 * distance) == 0) products[ty][tx] += products[ty + distance][tx];
    __syncthreads();
  }
  if (ty == 0) partials[blockIdx.x * units + tx] = products[0][tx];
}

__global__ void forward_units(const float* partials, int blocks, float* hidden) {
  __shared__ float sums[rows][units];
  const int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0;
  for (int b = ty; b < blocks; b += rows) sum += partials[b * units + tx];
  sums[ty][tx] = sum;
  __syncthreads();
  for (int distance = rows / 2; distance > 0; distance /= 2) {
    if (ty < distance) sums[ty][tx] += sums[ty + distance][tx];
    __syncthreads();
  }
  if (ty == 0) hidden[tx] = 1.0f / (1.0f + expf(-sums[0][tx]));
}

__global__ void adjust_weights(const float* delta, const float* input, float* weights, float* change) {
  const int tx = threadIdx.x, row = blockIdx.x * rows + threadIdx.y, at = row * units + tx;
  const float step =
      problems::back_propagation::rate * delta[tx] * input[row] + problems::back_propagation::momentum * change[at];
  weights[at] += step;
  change[at] = step;
}

}  // namespace

void back_propagation(const problems::back_propagation& p) {
  const dim3 threads(units, rows);
  const int blocks = p.inputs / rows;
  forward_partials<<<blocks, threads>>>(p.input, p.weights, p.partials);
  forward_units<<<1, threads>>>(p.partials, blocks, p.hidden);
  adjust_weights<<<blocks, threads>>>(p.delta, p.input, p.weights, p.change);
  finish("back_propagation");
}

}  // namespace bench::COHORT_BENCH_BUILD::cuda
