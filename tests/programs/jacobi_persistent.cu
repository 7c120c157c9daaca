// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A persistent Jacobi solver: one cooperative launch iterates until the residual is small, with the grid's barrier
// between sweeps and a float maximum kept as the bits of an int.
#include <cooperative_groups.h>

#include <cmath>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

#define GPU(x)                                                                                \
  do {                                                                                        \
    cudaError_t rc = (x);                                                                     \
    if (rc != cudaSuccess) {                                                                  \
      std::fprintf(stderr, "%s:%d %s: %s\n", __FILE__, __LINE__, #x, cudaGetErrorString(rc)); \
      return 1;                                                                               \
    }                                                                                         \
  } while (0)

__global__ void __launch_bounds__(128) jacobi(const float* __restrict__ b, float* x, float* x_new, int n,
                                              float tolerance, int max_iterations, int* change_bits, int* iterations) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  __shared__ float biggest[128];
  int iteration = 0;
  for (; iteration < max_iterations; ++iteration) {
    float change = 0.0f;
    for (int i = grid.thread_rank(); i < n; i += grid.size()) {
      const float left = i > 0 ? x[i - 1] : 0.0f, right = i + 1 < n ? x[i + 1] : 0.0f;
      const float value = (b[i] + left + right) / 4.0f;
      change = fmaxf(change, fabsf(value - x[i]));
      x_new[i] = value;
    }
    biggest[block.thread_rank()] = change;
    block.sync();
    for (int s = 64; s > 0; s >>= 1) {
      if (block.thread_rank() < s)
        biggest[block.thread_rank()] = fmaxf(biggest[block.thread_rank()], biggest[block.thread_rank() + s]);
      block.sync();
    }
    // Non-negative floats are ordered like their bits. Of three slots one is in use, one is cleared, one was read last.
    if (block.thread_rank() == 0) atomicMax(&change_bits[iteration % 3], __float_as_int(biggest[0]));
    if (grid.thread_rank() == 0) change_bits[(iteration + 1) % 3] = 0;
    grid.sync();
    const float all = __int_as_float(change_bits[iteration % 3]);
    float* t = x;
    x = x_new;
    x_new = t;
    if (all < tolerance) {
      ++iteration;
      break;
    }
  }
  if (grid.thread_rank() == 0) *iterations = iteration;
}

int main() {
  const int n = 1000;
  const float tolerance = 1e-6f;
  std::vector<float> b(n), x(n);
  for (int i = 0; i < n; ++i) b[i] = static_cast<float>(i % 10);

  float *d_b, *d_x, *d_y;
  int *d_change, *d_iterations;
  GPU(cudaMalloc(&d_b, n * sizeof(float)));
  GPU(cudaMalloc(&d_x, n * sizeof(float)));
  GPU(cudaMalloc(&d_y, n * sizeof(float)));
  GPU(cudaMalloc(&d_change, 3 * sizeof(int)));
  GPU(cudaMalloc(&d_iterations, sizeof(int)));
  GPU(cudaMemcpy(d_b, b.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  GPU(cudaMemset(d_x, 0, n * sizeof(float)));
  GPU(cudaMemset(d_change, 0, 3 * sizeof(int)));

  cudaDeviceProp prop;
  GPU(cudaGetDeviceProperties(&prop, 0));
  if (!prop.cooperativeLaunch) return 1;
  int per_sm = 0;
  GPU(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, jacobi, 128, 0));
  int blocks = per_sm * prop.multiProcessorCount;
  if (blocks > 5) blocks = 5;
  int size = n, max_iterations = 500;
  float tol = tolerance;
  void* args[] = {&d_b, &d_x, &d_y, &size, &tol, &max_iterations, &d_change, &d_iterations};
  GPU(cudaLaunchCooperativeKernel((void*)jacobi, dim3(blocks), dim3(128), args, 0, 0));
  GPU(cudaDeviceSynchronize());
  int iterations = 0;
  GPU(cudaMemcpy(&iterations, d_iterations, sizeof(int), cudaMemcpyDeviceToHost));
  GPU(cudaMemcpy(x.data(), iterations % 2 ? d_y : d_x, n * sizeof(float), cudaMemcpyDeviceToHost));

  // Checks the solution: A x must be b.
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    const double ax = 4.0 * x[i] - (i > 0 ? x[i - 1] : 0.0f) - (i + 1 < n ? x[i + 1] : 0.0f);
    worst = std::fmax(worst, std::fabs(ax - b[i]));
  }
  std::printf("jacobi: %d blocks, %d iterations, residual %.2e\n", blocks, iterations, worst);
  cudaFree(d_b), cudaFree(d_x), cudaFree(d_y), cudaFree(d_change), cudaFree(d_iterations);
  const bool ok = iterations > 5 && iterations < 100 && worst < 1e-4;
  std::printf("%s\n", ok ? "PASSED" : "FAILED");
  return !ok;
}
