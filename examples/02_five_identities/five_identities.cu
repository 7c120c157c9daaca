// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints five identities of one thread: in tiles of 32, 16 and 8 of the block, in a tile of 8 of the tile of 32, and in
// a tile of 4 of that tile of 8. A tile's index (meta_group_rank) counts within its parent, not within the block.
#include <cooperative_groups.h>

#include <cstdint>
#include <cstdio>
#include <vector>

#include "../support/cuda_check.hpp"
#include "../support/options.hpp"

namespace cg = cooperative_groups;

constexpr unsigned block_threads = 256;
constexpr int identities = 5;

struct identity {
  unsigned rank, size, meta_rank, meta_size;
};

template <class Tile>
__device__ identity identity_in(const Tile& tile) {
  return {static_cast<unsigned>(tile.thread_rank()), static_cast<unsigned>(tile.size()),
          static_cast<unsigned>(tile.meta_group_rank()), static_cast<unsigned>(tile.meta_group_size())};
}

// Stores in `packed` one word for each thread: its five pairs (rank, meta rank) in 8 + 8 + 8 + 5 + 3 bits.
__global__ void store_identities(unsigned long long chosen, identity* table, uint32_t* packed) {
  const auto grid = cg::this_grid();
  const auto block = cg::this_thread_block();
  //! [tiled_partition]
  const auto warp32 = cg::tiled_partition<32>(block);
  const auto warp16 = cg::tiled_partition<16>(block);
  const auto warp8 = cg::tiled_partition<8>(block);
  const auto tile8 = cg::tiled_partition<8>(warp32);
  const auto tile4 = cg::tiled_partition<4>(tile8);
  //! [tiled_partition]

  packed[grid.thread_rank()] = warp32.thread_rank() | warp32.meta_group_rank() << 5 | warp16.thread_rank() << 8 |
                               warp16.meta_group_rank() << 12 | warp8.thread_rank() << 16 |
                               warp8.meta_group_rank() << 19 | tile8.thread_rank() << 24 |
                               tile8.meta_group_rank() << 27 | tile4.thread_rank() << 29 |
                               tile4.meta_group_rank() << 31;
  if (grid.thread_rank() == chosen) {
    table[0] = identity_in(warp32);
    table[1] = identity_in(warp16);
    table[2] = identity_in(warp8);
    table[3] = identity_in(tile8);
    table[4] = identity_in(tile4);
  }
}

// Computes the identity of position `r` in a parent of `parent` threads that is divided into tiles of `size`.
static identity expected_identity(unsigned r, unsigned parent, unsigned size) {
  return {r % size, size, r / size, parent / size};
}

static bool equal(const identity& a, const identity& b) {
  return a.rank == b.rank && a.size == b.size && a.meta_rank == b.meta_rank && a.meta_size == b.meta_size;
}

int main(int argc, char** argv) {
  long long blocks = 28800, thread = 1234567;
  example::options("five_identities", "the five identities of one thread in nested tiles")
      .number("--thread", thread, 0, 0x7fffffffll, "grid rank of the thread to show")
      .number("--blocks", blocks, 1, 1000000, "blocks of 256 threads")
      .parse(argc, argv);
  const unsigned long long total = static_cast<unsigned long long>(blocks) * block_threads;
  if (static_cast<unsigned long long>(thread) >= total) {
    std::fprintf(stderr, "five_identities: --thread %lld is not in a grid of %llu threads; raise --blocks\n", thread,
                 total);
    return 2;
  }

  example::device_array<identity> table(identities);
  example::device_array<uint32_t> packed(total);
  store_identities<<<static_cast<unsigned>(blocks), block_threads>>>(static_cast<unsigned long long>(thread),
                                                                     table.get(), packed.get());
  EXAMPLE_CHECK_LAUNCH();

  static const char* const names[identities] = {"warp32", "warp16", "warp8 ", "tile8 ", "tile4 "};
  const std::vector<identity> rows = table.to_host();
  std::printf("warps and sub-warps for thread %lld:\n", thread);
  for (int i = 0; i < identities; ++i) {
    std::printf("%s rank in tile %2u size %2u  meta_rank %2u meta_size %2u  net_size %3u\n", names[i], rows[i].rank,
                rows[i].size, rows[i].meta_rank, rows[i].meta_size, rows[i].meta_size * rows[i].size);
  }

  const unsigned r = static_cast<unsigned>(thread % block_threads);
  const identity expected[identities] = {
      expected_identity(r, block_threads, 32), expected_identity(r, block_threads, 16),
      expected_identity(r, block_threads, 8), expected_identity(r % 32, 32, 8), expected_identity(r % 8, 8, 4)};
  bool right = true;
  for (int i = 0; i < identities; ++i) right = right && equal(rows[i], expected[i]);

  const std::vector<uint32_t> words = packed.to_host();
  for (unsigned long long t = 0; t < total && right; ++t) {
    const unsigned b = static_cast<unsigned>(t % block_threads), w = b % 32, e = w % 8;
    const uint32_t word = w | b / 32 << 5 | b % 16 << 8 | b / 16 << 12 | b % 8 << 16 | b / 8 << 19 | e << 24 |
                          w / 8 << 27 | e % 4 << 29 | e / 4 << 31;
    if (words[t] != word) {
      std::printf("thread %llu packed %08x, expected %08x\n", t, words[t], word);
      right = false;
    }
  }
  return example::verdict(right, "the table, and the ranks of every thread of the grid");
}
