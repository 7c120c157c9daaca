// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread reads its rank and size in four groups: the grid, its block, a tile of 16, and the coalesced threads of
// a branch.
#include <cooperative_groups.h>

#include <cstdio>
#include <vector>

#include "../support/cuda_check.hpp"
#include "../support/options.hpp"

namespace cg = cooperative_groups;

// The ranks and sizes that one thread reads.
struct sighting {
  unsigned long long grid_rank, grid_size;
  unsigned block_rank, block_size;
  unsigned tile_rank, tile_index, tile_count;
  unsigned neighbours_sum;  // sum of the block ranks in the tile, computed with shuffles
  unsigned branch_size;     // threads of the warp in the same branch
  unsigned branch_rank;
};

__global__ void observe_groups(sighting* seen, int print) {
  const cg::grid_group grid = cg::this_grid();
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);

  sighting mine;
  mine.grid_rank = grid.thread_rank();
  mine.grid_size = grid.size();
  mine.block_rank = block.thread_rank();
  mine.block_size = block.size();
  mine.tile_rank = tile.thread_rank();
  mine.tile_index = tile.meta_group_rank();
  mine.tile_count = tile.meta_group_size();

  unsigned sum = block.thread_rank();
  for (unsigned step = tile.size() / 2; step > 0; step /= 2) sum += tile.shfl_xor(sum, step);
  mine.neighbours_sum = sum;

  // The warp diverges: every third thread takes the first branch.
  if (block.thread_rank() % 3 == 0) {
    const cg::coalesced_group active = cg::coalesced_threads();
    mine.branch_size = active.size();
    mine.branch_rank = active.thread_rank();
  } else {
    const cg::coalesced_group active = cg::coalesced_threads();
    mine.branch_size = active.size();
    mine.branch_rank = active.thread_rank();
  }

  if (print && tile.thread_rank() == 0) {
    printf("block %u: tile %u of %u, grid rank %llu of %llu\n", block.group_index().x, mine.tile_index, mine.tile_count,
           mine.grid_rank, mine.grid_size);
  }
  seen[grid.thread_rank()] = mine;
}

// Compares a sighting with plain arithmetic on the thread's number.
static bool as_expected(const sighting& s, unsigned thread, unsigned blocks, unsigned threads) {
  const unsigned rank = thread % threads;
  const unsigned first_of_tile = rank / 16 * 16;
  unsigned sum = 0;
  for (unsigned r = first_of_tile; r < first_of_tile + 16; ++r) sum += r;
  unsigned branch_size = 0, branch_rank = 0;
  for (unsigned r = rank / 32 * 32; r < rank / 32 * 32 + 32 && r < threads; ++r) {
    if ((r % 3 == 0) != (rank % 3 == 0)) continue;
    ++branch_size;
    if (r < rank) ++branch_rank;
  }
  // A GPU may run the threads of a branch in several parts; then the coalesced group is smaller, never larger.
  const bool branch_ok = s.branch_size <= branch_size && s.branch_rank < s.branch_size && s.branch_rank <= branch_rank;
  return s.grid_rank == thread && s.grid_size == 1ull * blocks * threads && s.block_rank == rank &&
         s.block_size == threads && s.tile_rank == rank % 16 && s.tile_index == rank / 16 &&
         s.tile_count == threads / 16 && s.neighbours_sum == sum && branch_ok;
}

int main(int argc, char** argv) {
  long long blocks = 2, threads = 96;
  bool quiet = false;
  example::options("hello_groups", "each thread reads its rank in its groups")
      .number("--blocks", blocks, 1, 65535, "blocks of the grid")
      .number("--threads", threads, 16, 1024, "threads of a block, rounded down to a multiple of 16")
      .flag("--quiet", quiet, "no line per tile")
      .parse(argc, argv);
  threads = threads / 16 * 16;

  const unsigned total = static_cast<unsigned>(blocks * threads);
  example::device_array<sighting> seen(total);
  observe_groups<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads)>>>(seen.get(), !quiet);
  EXAMPLE_CHECK_LAUNCH();

  const std::vector<sighting> host = seen.to_host();
  for (unsigned t = 0; t < total; ++t) {
    if (as_expected(host[t], t, static_cast<unsigned>(blocks), static_cast<unsigned>(threads))) continue;
    std::printf("thread %u saw grid rank %llu, block rank %u, tile %u rank %u, sum %u, branch %u of %u\n", t,
                host[t].grid_rank, host[t].block_rank, host[t].tile_index, host[t].tile_rank, host[t].neighbours_sum,
                host[t].branch_rank, host[t].branch_size);
    return example::verdict(false, "a thread's view of its groups");
  }
  std::printf("thread 0: block of %u, tile of 16 with sum of ranks %u, %u threads of its warp in its branch\n",
              host[0].block_size, host[0].neighbours_sum, host[0].branch_size);
  return example::verdict(true, "each thread's grid, block, tile and branch");
}
