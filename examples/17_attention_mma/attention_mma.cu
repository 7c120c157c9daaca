// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention in the style of compute capability 8.0: cp.async into two stages of shared memory, ldmatrix and mma.sync.
// A block computes 64 queries of one head, each of its four warps 16 of them.
#include <cuda_fp16.h>

#include "../support/attention.hpp"

using example::attention_arguments;

constexpr int dim = example::attention_dim;
constexpr int tile_rows = 64, tile_elements = tile_rows * dim;
constexpr int block_threads = 128;
constexpr int steps = dim / 16;  // the products of depth 16 in a row of q, and also in a tile of keys

// Returns the shared address of 8 elements of a tile. Their place in the row depends on the row, so that 8 rows of one
// column lie in different banks.
__device__ unsigned chunk_address(const __half* tile, int row, int chunk) {
  return static_cast<unsigned>(__cvta_generic_to_shared(tile + row * dim + (chunk ^ row % 8) * 8));
}

// Starts the copy of a tile. Rows beyond the last one become zeros.
__device__ void start_tile(__half* to, const __half* from, int first, int rows) {
  for (int i = static_cast<int>(threadIdx.x); i < tile_rows * 8; i += block_threads) {
    const int row = i / 8, chunk = i % 8;
    const bool inside = first + row < rows;
    const __half* source = from + static_cast<size_t>(inside ? first + row : 0) * dim + chunk * 8;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(chunk_address(to, row, chunk)),
                 "l"(__cvta_generic_to_global(source)), "r"(inside ? 16 : 0)
                 : "memory");
  }
}
__device__ void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
// Waits for all groups of copies but the newest.
__device__ void wait_for_older_copies() { asm volatile("cp.async.wait_group 1;" ::: "memory"); }

__device__ void load_matrices(unsigned (&to)[4], unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(address)
               : "memory");
}
__device__ void load_transposed(unsigned (&to)[4], unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(address)
               : "memory");
}
__device__ void multiply(float* d, const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// scores = q k^T for the 64 keys of a tile. Each turn loads two matrices of 8 keys.
__device__ void multiply_keys(float (&scores)[32], const unsigned (&q)[steps][4], const __half* keys) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int pair = 0; pair < 4; ++pair) {
#pragma unroll
    for (int step = 0; step < steps; ++step) {
      unsigned b[4];
      load_matrices(b, chunk_address(keys, pair * 16 + lane / 16 * 8 + lane % 8, step * 2 + lane / 8 % 2));
      multiply(&scores[pair * 8], q[step], b[0], b[1]);
      multiply(&scores[pair * 8 + 4], q[step], b[2], b[3]);
    }
  }
}

// output += weights v. A product of depth 16 takes the accumulators of 16 keys as its left operand.
__device__ void multiply_values(float (&output)[32], const float (&weights)[32], const __half* values) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int step = 0; step < steps; ++step) {
    unsigned a[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) a[i] = example::pack_halves(weights[step * 8 + i * 2], weights[step * 8 + i * 2 + 1]);
#pragma unroll
    for (int pair = 0; pair < 4; ++pair) {
      unsigned b[4];
      load_transposed(b, chunk_address(values, step * 16 + lane % 16, pair * 2 + lane / 16));
      multiply(&output[pair * 8], a, b[0], b[1]);
      multiply(&output[pair * 8 + 4], a, b[2], b[3]);
    }
  }
}

__global__ void __launch_bounds__(block_threads) attend(attention_arguments of) {
  __shared__ __align__(128) __half query_tile[tile_elements], keys[2][tile_elements], values[2][tile_elements];
  const size_t head = blockIdx.y;
  const int first_query = blockIdx.x * tile_rows, lane = threadIdx.x % 32, warp_row = threadIdx.x / 32 * 16;
  const int last_query = min(first_query + tile_rows, of.queries) - 1;
  const __half* const k = of.k + head * of.keys * dim;
  const __half* const v = of.v + head * of.keys * dim;
  const int tiles = (of.visible_keys(last_query) + tile_rows - 1) / tile_rows;

  start_tile(query_tile, of.q + head * of.queries * dim, first_query, of.queries);
  start_tile(keys[0], k, 0, of.keys);
  start_tile(values[0], v, 0, of.keys);
  commit_copies();

  const int rows[2] = {first_query + warp_row + lane / 4, first_query + warp_row + lane / 4 + 8};
  const int end[2] = {of.visible_keys(rows[0]), of.visible_keys(rows[1])};
  unsigned q[steps][4];
  float output[32] = {};
  example::softmax_rows softmax;
  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + 1 < tiles) {
      start_tile(keys[(tile + 1) % 2], k, (tile + 1) * tile_rows, of.keys);
      start_tile(values[(tile + 1) % 2], v, (tile + 1) * tile_rows, of.keys);
    }
    commit_copies();  // commits an empty group too: the wait counts groups
    wait_for_older_copies();
    __syncthreads();
    if (tile == 0) {
#pragma unroll
      for (int step = 0; step < steps; ++step) {
        load_matrices(q[step], chunk_address(query_tile, warp_row + lane % 16, step * 2 + lane / 16));
      }
    }
    float scores[32] = {};
    multiply_keys(scores, q, keys[tile % 2]);
    softmax.add(scores, output, tile * tile_rows, end);
    multiply_values(output, scores, values[tile % 2]);
    __syncthreads();  // the next turn overwrites this stage
  }
  asm volatile("cp.async.wait_all;" ::: "memory");  // rows that see no key have waited for no copy
  softmax.finish(output);
#pragma unroll
  for (int i = 0; i < 32; i += 2) {
    const int row = rows[i / 2 % 2];
    if (row >= of.queries) continue;
    __half* const to = of.out + (head * of.queries + row) * dim + i / 4 * 8 + lane % 4 * 2;
    *reinterpret_cast<__half2*>(to) = __floats2half2_rn(output[i], output[i + 1]);
  }
}

int main(int argc, char** argv) {
  const example::attention problem("attention_mma", "attention by ldmatrix and mma.sync", argc, argv);
  const dim3 blocks((problem.queries() + tile_rows - 1) / tile_rows, problem.heads());
  attend<<<blocks, block_threads>>>(problem.arguments());
  EXAMPLE_CHECK_LAUNCH();
  return problem.verify();
}
