// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans over tiles, and what they are for: threads that need different amounts of a shared buffer find their
// places in it with one exclusive scan and one atomic for each tile.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

#include <cstdio>
#include <vector>

#include "../support/cuda_check.hpp"
#include "../support/options.hpp"

namespace cg = cooperative_groups;

__global__ void tile_scans(unsigned* inclusive, unsigned* exclusive, int* running_max, const int* values) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(block);
  const unsigned i = block.thread_rank();
  inclusive[i] = cg::inclusive_scan(tile, tile.thread_rank());
  exclusive[i] = cg::exclusive_scan(tile, tile.thread_rank() + 1, cg::plus<unsigned>());
  running_max[i] = cg::inclusive_scan(tile, values[i], cg::greater<int>());
}

// How much of the buffer thread `rank` of the block wants: 0 to 4 places.
__host__ __device__ inline int wanted(unsigned rank) { return static_cast<int>((rank * 7 + rank / 5) % 5); }

// Dynamic shared memory: the buffer. `where` and `used` tell the host what was given to whom.
__global__ void allocate(int* where, int* used, int* contents) {
  extern __shared__ int buffer[];
  __shared__ int buffer_used;
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  const unsigned rank = block.thread_rank();

  if (rank == 0) buffer_used = 0;
  block.sync();

  //! [scan]
  const int need = wanted(rank);
  int place = cg::exclusive_scan(tile, need);
  // The last thread of the tile knows what all of them need.
  const unsigned last = tile.size() - 1;
  int tile_start = 0;
  if (tile.thread_rank() == last) tile_start = atomicAdd(&buffer_used, place + need);
  place += tile.shfl(tile_start, last);
  //! [scan]

  for (int k = 0; k < need; ++k) buffer[place + k] = static_cast<int>(rank) * 10 + k;
  where[rank] = place;
  block.sync();

  if (rank == 0) *used = buffer_used;
  for (int k = static_cast<int>(rank); k < buffer_used; k += static_cast<int>(block.size())) contents[k] = buffer[k];
}

int main(int argc, char** argv) {
  long long threads = 256;
  example::options("scan_allocation", "scans over tiles, and places in a shared buffer by scan")
      .number("--threads", threads, 32, 1024, "threads of the block, rounded down to a multiple of 32")
      .parse(argc, argv);
  threads = threads / 32 * 32;
  const unsigned n = static_cast<unsigned>(threads);

  std::vector<int> values(n);
  for (unsigned i = 0; i < n; ++i) values[i] = static_cast<int>(i * 37 % 101) - 50;
  example::device_array<int> d_values(values), d_max(n);
  example::device_array<unsigned> d_inclusive(n), d_exclusive(n);
  tile_scans<<<1, n>>>(d_inclusive.get(), d_exclusive.get(), d_max.get(), d_values.get());
  EXAMPLE_CHECK_LAUNCH();

  const std::vector<unsigned> inclusive = d_inclusive.to_host(), exclusive = d_exclusive.to_host();
  const std::vector<int> running_max = d_max.to_host();
  bool right = true;
  for (unsigned first = 0; first < n; first += 8) {
    unsigned sum = 0, sum_before = 0;
    int best = values[first];
    for (unsigned r = 0; r < 8; ++r) {
      sum += r;
      best = values[first + r] > best ? values[first + r] : best;
      right =
          right && inclusive[first + r] == sum && exclusive[first + r] == sum_before && running_max[first + r] == best;
      sum_before += r + 1;
    }
  }
  std::printf("inclusive scan of the ranks in a tile of 8:");
  for (unsigned r = 0; r < 8; ++r) std::printf(" %u", inclusive[r]);
  std::printf("\n");

  int capacity = 0;
  for (unsigned r = 0; r < n; ++r) capacity += wanted(r);
  example::device_array<int> d_where(n), d_used(1), d_contents(static_cast<size_t>(capacity));
  allocate<<<1, n, static_cast<size_t>(capacity) * sizeof(int)>>>(d_where.get(), d_used.get(), d_contents.get());
  EXAMPLE_CHECK_LAUNCH();

  // Tiles come in any order, so the host checks that the places fit together, not where they are.
  const std::vector<int> where = d_where.to_host(), contents = d_contents.to_host();
  std::vector<int> owners(static_cast<size_t>(capacity), 0);
  const int used = d_used.to_host()[0];
  right = right && used == capacity;
  for (unsigned r = 0; r < n && right; ++r) {
    for (int k = 0; k < wanted(r) && right; ++k) {
      const int place = where[r] + k;
      right = place >= 0 && place < capacity && ++owners[static_cast<size_t>(place)] == 1 &&
              contents[static_cast<size_t>(place)] == static_cast<int>(r) * 10 + k;
    }
    // Within a tile the places follow one another.
    if (r % 32 != 0) right = right && where[r] == where[r - 1] + wanted(r - 1);
  }
  std::printf("%u threads share a buffer of %d places, %d used\n", n, capacity, used);
  return example::verdict(right, "three scans over every tile, and a buffer without gaps or overlaps");
}
