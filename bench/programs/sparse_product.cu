// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each row is computed by a tile of eight threads.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "../kernels/launch.cuh"
#include "problems.hpp"

namespace cg = cooperative_groups;

namespace bench::COHORT_BENCH_BUILD::cuda {

namespace {

constexpr int threads = 256, row_threads = 8;

__global__ void add_rows(const int* first, const int* column, const float* value, const float* vector, float* out,
                         int rows) {
  const auto tile = cg::tiled_partition<row_threads>(cg::this_thread_block());
  const int row = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
  if (row >= rows) return;
  float sum = 0;
  for (int k = first[row] + tile.thread_rank(); k < first[row + 1]; k += row_threads) {
    sum += value[k] * vector[column[k]];
  }
  sum = cg::reduce(tile, sum, cg::plus<float>());
  if (tile.thread_rank() == 0) out[row] = sum;
}

}  // namespace

void sparse_product(const problems::sparse_product& p) {
  constexpr int rows = threads / row_threads;
  add_rows<<<(p.rows + rows - 1) / rows, threads>>>(p.first, p.column, p.value, p.vector, p.out, p.rows);
  finish("sparse_product");
}

}  // namespace bench::COHORT_BENCH_BUILD::cuda
