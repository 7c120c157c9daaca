// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes the maximum of an array over four levels: within a thread, within a tile by shuffles, within the block
// through shared memory, and over the grid with one atomic for each block.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <climits>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "../support/cuda_check.hpp"
#include "../support/options.hpp"

namespace cg = cooperative_groups;

// The tile's type carries its size, so one function template serves tiles of every size.
//! [any_tile]
template <unsigned Size, class Parent>
__device__ int tile_max(const cg::thread_block_tile<Size, Parent>& tile, int value) {
  for (unsigned step = Size / 2; step > 0; step /= 2) value = max(value, tile.shfl_down(value, step));
  return value;
}
//! [any_tile]

__global__ void find_max(const int* data, long long count, int* result) {
  const cg::grid_group grid = cg::this_grid();
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  __shared__ int of_warp[32];

  int best = INT_MIN;
  for (long long i = static_cast<long long>(grid.thread_rank()); i < count; i += static_cast<long long>(grid.size())) {
    best = max(best, data[i]);
  }

  best = tile_max(warp, best);

  if (warp.thread_rank() == 0) of_warp[warp.meta_group_rank()] = best;
  block.sync();

  if (warp.meta_group_rank() == 0) {
    best = warp.thread_rank() < warp.meta_group_size() ? of_warp[warp.thread_rank()] : INT_MIN;
    best = tile_max(warp, best);
    if (warp.thread_rank() == 0) atomicMax(result, best);
  }
}

// Stores the maximum of each tile of one block, for one tile size; shuffles and cg::reduce must agree.
template <unsigned Size>
__device__ void small_tiles(const cg::thread_block& block, int value, int* by_shuffles, int* by_reduce) {
  const auto tile = cg::tiled_partition<Size>(block);
  const int shuffled = tile_max(tile, value);
  const int reduced = cg::reduce(tile, value, cg::greater<int>());
  if (tile.thread_rank() == 0) {
    by_shuffles[tile.meta_group_rank()] = shuffled;
    by_reduce[tile.meta_group_rank()] = reduced;
  }
}

__global__ void tile_maxima(const int* data, int* by_shuffles, int* by_reduce) {
  const cg::thread_block block = cg::this_thread_block();
  const int value = data[block.thread_rank()];
  small_tiles<32>(block, value, by_shuffles + 0, by_reduce + 0);
  small_tiles<16>(block, value, by_shuffles + 64, by_reduce + 64);
  small_tiles<8>(block, value, by_shuffles + 128, by_reduce + 128);
  small_tiles<4>(block, value, by_shuffles + 192, by_reduce + 192);
}

int main(int argc, char** argv) {
  long long elements = 1000003, blocks = 24, threads = 256;
  example::options("max_four_levels", "the maximum over thread, tile, block and grid")
      .number("--elements", elements, 256, 1000000000, "numbers to search")
      .number("--blocks", blocks, 1, 65535, "blocks of the grid")
      .number("--threads", threads, 32, 1024, "threads of a block, rounded down to a multiple of 32")
      .parse(argc, argv);
  threads = threads / 32 * 32;

  std::vector<int> data(static_cast<size_t>(elements));
  uint32_t state = 7;
  int expected = INT_MIN;
  for (int& value : data) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<int>(state);
    expected = value > expected ? value : expected;
  }

  example::device_array<int> d_data(data), d_result(std::vector<int>{INT_MIN});
  find_max<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads)>>>(d_data.get(), elements, d_result.get());
  EXAMPLE_CHECK_LAUNCH();
  const int found = d_result.to_host()[0];
  std::printf("maximum of %lld numbers: %d, host %d\n", elements, found, expected);
  bool right = found == expected;

  example::device_array<int> d_shuffles(256), d_reduce(256);
  tile_maxima<<<1, 256>>>(d_data.get(), d_shuffles.get(), d_reduce.get());
  EXAMPLE_CHECK_LAUNCH();
  const std::vector<int> shuffles = d_shuffles.to_host(), reduced = d_reduce.to_host();
  for (unsigned s = 0; s < 4; ++s) {
    const unsigned size = 32u >> s;
    for (unsigned t = 0; t < 256 / size; ++t) {
      int best = INT_MIN;
      for (unsigned i = t * size; i < (t + 1) * size; ++i) best = data[i] > best ? data[i] : best;
      right = right && shuffles[64 * s + t] == best && reduced[64 * s + t] == best;
    }
  }
  return example::verdict(right, "the maximum of the array, and of every tile of 32, 16, 8 and 4");
}
