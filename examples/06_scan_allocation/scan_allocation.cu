// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans over tiles, and a typical use of them: threads that need different amounts of a shared buffer compute their
// offsets with one exclusive scan and one atomic for each tile.
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

// The number of elements that thread `rank` of the block allocates: 0 to 4.
__host__ __device__ inline int needed(unsigned rank) { return static_cast<int>((rank * 7 + rank / 5) % 5); }

// Allocates parts of a buffer in dynamic shared memory. Stores each thread's offset in `offsets`, the allocated total
// in `used`, and a copy of the buffer in `contents`, for the host to check.
__global__ void allocate(int* offsets, int* used, int* contents) {
  extern __shared__ int buffer[];
  __shared__ int buffer_used;
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  const unsigned rank = block.thread_rank();

  if (rank == 0) buffer_used = 0;
  block.sync();

  //! [scan]
  const int need = needed(rank);
  int offset = cg::exclusive_scan(tile, need);
  // The tile's last thread has the total of the tile: its own offset plus its own need.
  const unsigned last = tile.size() - 1;
  int tile_start = 0;
  if (tile.thread_rank() == last) tile_start = atomicAdd(&buffer_used, offset + need);
  offset += tile.shfl(tile_start, last);
  //! [scan]

  for (int k = 0; k < need; ++k) buffer[offset + k] = static_cast<int>(rank) * 10 + k;
  offsets[rank] = offset;
  block.sync();

  if (rank == 0) *used = buffer_used;
  for (int k = static_cast<int>(rank); k < buffer_used; k += static_cast<int>(block.size())) contents[k] = buffer[k];
}

int main(int argc, char** argv) {
  long long threads = 256;
  example::options("scan_allocation", "scans over tiles, and allocation in a shared buffer")
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
  for (unsigned r = 0; r < n; ++r) capacity += needed(r);
  example::device_array<int> d_offsets(n), d_used(1), d_contents(static_cast<size_t>(capacity));
  allocate<<<1, n, static_cast<size_t>(capacity) * sizeof(int)>>>(d_offsets.get(), d_used.get(), d_contents.get());
  EXAMPLE_CHECK_LAUNCH();

  // The order of the tiles is unspecified, so the host checks that the parts cover the buffer without overlap.
  const std::vector<int> offsets = d_offsets.to_host(), contents = d_contents.to_host();
  std::vector<int> owners(static_cast<size_t>(capacity), 0);
  const int used = d_used.to_host()[0];
  right = right && used == capacity;
  for (unsigned r = 0; r < n && right; ++r) {
    for (int k = 0; k < needed(r) && right; ++k) {
      const int position = offsets[r] + k;
      right = position >= 0 && position < capacity && ++owners[static_cast<size_t>(position)] == 1 &&
              contents[static_cast<size_t>(position)] == static_cast<int>(r) * 10 + k;
    }
    // Within a tile the parts are contiguous, in rank order.
    if (r % 32 != 0) right = right && offsets[r] == offsets[r - 1] + needed(r - 1);
  }
  std::printf("%u threads share a buffer of %d elements, %d used\n", n, capacity, used);
  return example::verdict(right, "three scans over every tile, and a buffer without gaps or overlaps");
}
