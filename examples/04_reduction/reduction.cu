// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes the sum of a block in three ways (shared-memory tree, warp shuffles, cg::reduce over tiles), and applies the
// operators of cg::reduce to one warp.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdint>
#include <cstdio>
#include <vector>

#include "../support/cuda_check.hpp"
#include "../support/options.hpp"

namespace cg = cooperative_groups;

constexpr int block_threads = 256;

// Halves the number of adding threads in each step. Returns the sum in all threads of the block.
__device__ int sum_by_tree(const cg::thread_block& block, int value, int* scratch) {
  const unsigned rank = block.thread_rank();
  scratch[rank] = value;
  block.sync();
  for (unsigned width = block.size() / 2; width > 0; width /= 2) {
    if (rank < width) scratch[rank] += scratch[rank + width];
    block.sync();
  }
  return scratch[0];
}

// Sums over a tile of any size. Only rank 0 returns the whole sum; the other ranks return partial sums.
//! [shfl_down]
template <class Tile>
__device__ int sum_to_first(const Tile& tile, int value) {
  for (unsigned step = tile.size() / 2; step > 0; step /= 2) value += tile.shfl_down(value, step);
  return value;
}
//! [shfl_down]

__device__ int sum_by_shuffles(const cg::thread_block& block, int value, int* scratch) {
  const auto warp = cg::tiled_partition<32>(block);
  value = sum_to_first(warp, value);
  if (warp.thread_rank() == 0) scratch[warp.meta_group_rank()] = value;
  block.sync();
  int total = 0;
  for (unsigned w = 0; w < warp.meta_group_size(); ++w) total += scratch[w];
  return total;
}

//! [reduce]
__device__ int sum_by_reduce(const cg::thread_block& block, int value, int* scratch) {
  const auto warp = cg::tiled_partition<32>(block);
  const int warp_sum = cg::reduce(warp, value, cg::plus<int>());
  if (warp.thread_rank() == 0) scratch[warp.meta_group_rank()] = warp_sum;
  block.sync();
  if (warp.meta_group_rank() == 0) {
    const int part = warp.thread_rank() < warp.meta_group_size() ? scratch[warp.thread_rank()] : 0;
    const int total = cg::reduce(warp, part, cg::plus<int>());
    if (warp.thread_rank() == 0) scratch[32] = total;
  }
  block.sync();
  return scratch[32];
}
//! [reduce]

__global__ void block_sums(const int* in, int* out) {
  __shared__ int scratch[block_threads];
  const cg::thread_block block = cg::this_thread_block();
  const unsigned b = block.group_index().x;
  const int value = in[b * block_threads + block.thread_rank()];
  const int tree = sum_by_tree(block, value, scratch);
  block.sync();
  const int shuffles = sum_by_shuffles(block, value, scratch);
  block.sync();
  const int reduced = sum_by_reduce(block, value, scratch);
  if (block.thread_rank() == 0) {
    out[3 * b + 0] = tree;
    out[3 * b + 1] = shuffles;
    out[3 * b + 2] = reduced;
  }
}

struct warp_answers {
  int plus, less, greater, bit_and, bit_or, bit_xor, lambda;
};

// Each lane stores its own result of reduce, because the host checks that all lanes have it.
__global__ void warp_operators(const int* in, warp_answers* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int lane = static_cast<int>(warp.thread_rank());
  const int value = in[lane];
  warp_answers mine;
  mine.plus = cg::reduce(warp, value, cg::plus<int>());
  mine.less = cg::reduce(warp, value, cg::less<int>());
  mine.greater = cg::reduce(warp, value, cg::greater<int>());
  mine.bit_and = cg::reduce(warp, value, cg::bit_and<int>());
  mine.bit_or = cg::reduce(warp, value, cg::bit_or<int>());
  mine.bit_xor = cg::reduce(warp, value, cg::bit_xor<int>());
  // A user-defined operator: it returns the value nearer to zero.
  mine.lambda =
      cg::reduce(warp, value, [](int a, int b) { return abs(a) < abs(b) || (abs(a) == abs(b) && a < b) ? a : b; });
  out[lane] = mine;
}

static warp_answers expected_answers(const std::vector<int>& in) {
  warp_answers e{0, in[0], in[0], -1, 0, 0, in[0]};
  for (int lane = 0; lane < 32; ++lane) {
    const int v = in[static_cast<size_t>(lane)];
    e.plus += v;
    e.less = v < e.less ? v : e.less;
    e.greater = v > e.greater ? v : e.greater;
    e.bit_and &= v;
    e.bit_or |= v;
    e.bit_xor ^= v;
    const int a = v < 0 ? -v : v, b = e.lambda < 0 ? -e.lambda : e.lambda;
    if (a < b || (a == b && v < e.lambda)) e.lambda = v;
  }
  return e;
}

static bool same(const warp_answers& a, const warp_answers& b) {
  return a.plus == b.plus && a.less == b.less && a.greater == b.greater && a.bit_and == b.bit_and &&
         a.bit_or == b.bit_or && a.bit_xor == b.bit_xor && a.lambda == b.lambda;
}

int main(int argc, char** argv) {
  long long blocks = 8;
  example::options("reduction", "block and warp reductions")
      .number("--blocks", blocks, 1, 65535, "blocks of 256 threads")
      .parse(argc, argv);

  std::vector<int> in(static_cast<size_t>(blocks) * block_threads);
  uint32_t state = 2024;
  for (int& value : in) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<int>(state >> 16) - 32768;
  }

  example::device_array<int> d_in(in), d_sums(static_cast<size_t>(blocks) * 3);
  block_sums<<<static_cast<unsigned>(blocks), block_threads>>>(d_in.get(), d_sums.get());
  EXAMPLE_CHECK_LAUNCH();
  const std::vector<int> sums = d_sums.to_host();
  bool right = true;
  for (size_t b = 0; b < static_cast<size_t>(blocks); ++b) {
    int expected = 0;
    for (size_t i = 0; i < block_threads; ++i) expected += in[b * block_threads + i];
    const bool row = sums[3 * b] == expected && sums[3 * b + 1] == expected && sums[3 * b + 2] == expected;
    if (b < 4 || !row) {
      std::printf("block %zu: tree %d, shuffles %d, reduce %d, host %d\n", b, sums[3 * b], sums[3 * b + 1],
                  sums[3 * b + 2], expected);
    }
    right = right && row;
  }

  example::device_array<warp_answers> d_answers(32);
  warp_operators<<<1, 32>>>(d_in.get(), d_answers.get());
  EXAMPLE_CHECK_LAUNCH();
  const warp_answers expected = expected_answers(in);
  for (const warp_answers& lane : d_answers.to_host()) right = right && same(lane, expected);
  std::printf("warp 0: plus %d, less %d, greater %d, and %x, or %x, xor %x, nearest to zero %d\n", expected.plus,
              expected.less, expected.greater, static_cast<unsigned>(expected.bit_and),
              static_cast<unsigned>(expected.bit_or), static_cast<unsigned>(expected.bit_xor), expected.lambda);
  return example::verdict(right, "block sums in three ways, seven warp reductions in every lane");
}
