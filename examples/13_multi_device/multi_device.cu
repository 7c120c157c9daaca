// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heat spreads along a rod. Each device holds a piece of the rod in its own memory and reads the edge cells of its
// neighbours over peer access. One launch over all devices does all steps: after each the grids of all devices meet.
#include <cooperative_groups.h>

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "../support/cuda_check.hpp"
#include "../support/options.hpp"

namespace cg = cooperative_groups;

constexpr unsigned block_threads = 64;
constexpr long long ambient = 20;  // beyond both ends

// A device's piece: `cells` values, twice, one for the even and one for the odd steps.
struct piece {
  long long* values[2];
  long long cells;
};

__device__ int steps_done = 0;  // every device has its own

__host__ __device__ inline long long spread(long long left, long long here, long long right) {
  return (left + 2 * here + right) / 4;
}

__global__ void heat(piece left, piece mine, piece right, int steps) {
  //! [multi_grid]
  const cg::multi_grid_group all = cg::this_multi_grid();
  const cg::grid_group grid = cg::this_grid();
  const bool is_first = all.grid_rank() == 0, is_last = all.grid_rank() + 1 == all.num_grids();
  for (int step = 0; step < steps; ++step) {
    const long long* const from = mine.values[step % 2];
    long long* const to = mine.values[(step + 1) % 2];
    for (long long i = static_cast<long long>(grid.thread_rank()); i < mine.cells;
         i += static_cast<long long>(grid.size())) {
      const long long before = i > 0 ? from[i - 1] : is_first ? ambient : left.values[step % 2][left.cells - 1];
      const long long after = i + 1 < mine.cells ? from[i + 1] : is_last ? ambient : right.values[step % 2][0];
      to[i] = spread(before, from[i], after);
    }
    if (grid.thread_rank() == 0) ++steps_done;
    all.sync();  // the neighbours have read this step's cells, and written the next one's
  }
  //! [multi_grid]
}

int main(int argc, char** argv) {
  long long cells = 100000, steps = 50, blocks = 4, devices = 0;
  example::options("multi_device", "heat in a rod that lies in the memory of several devices")
      .number("--cells", cells, 64, 100000000, "cells of the rod")
      .number("--steps", steps, 0, 1000000, "steps of time")
      .number("--blocks", blocks, 1, 65535, "blocks of 64 threads on each device")
      .number("--devices", devices, 0, 64, "devices to use; 0 is all")
      .parse(argc, argv);
  int present = 0;
  EXAMPLE_CHECK(cudaGetDeviceCount(&present));
  if (devices > present) {
    std::fprintf(stderr, "multi_device: there are %d devices, not %lld\n", present, devices);
    return 1;
  }
  const int count = devices != 0 ? static_cast<int>(devices) : present;
  std::printf("%lld cells on %d device%s, %lld steps\n", cells, count, count == 1 ? "" : "s", steps);

  std::vector<long long> rod(static_cast<size_t>(cells));
  unsigned state = 13;
  for (long long& value : rod) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<long long>(state >> 12);
  }

  // Pieces of different lengths: the first devices get one cell more where it does not come out even.
  std::vector<piece> pieces(static_cast<size_t>(count));
  std::vector<cudaStream_t> streams(static_cast<size_t>(count));
  long long first = 0;
  for (int d = 0; d < count; ++d) {
    piece& p = pieces[static_cast<size_t>(d)];
    EXAMPLE_CHECK(cudaSetDevice(d));
    EXAMPLE_CHECK(cudaStreamCreate(&streams[static_cast<size_t>(d)]));
    p.cells = cells / count + (d < cells % count);
    for (long long*& values : p.values)
      EXAMPLE_CHECK(cudaMalloc(&values, static_cast<size_t>(p.cells) * sizeof(*values)));
    EXAMPLE_CHECK(cudaMemcpy(p.values[0], rod.data() + first, static_cast<size_t>(p.cells) * sizeof(long long),
                             cudaMemcpyHostToDevice));
    first += p.cells;
    for (int neighbour : {d - 1, d + 1}) {
      if (neighbour < 0 || neighbour >= count) continue;
      int reachable = 0;
      EXAMPLE_CHECK(cudaDeviceCanAccessPeer(&reachable, d, neighbour));
      if (!reachable) {
        std::fprintf(stderr, "multi_device: device %d cannot read the memory of device %d\n", d, neighbour);
        return 1;
      }
      EXAMPLE_CHECK(cudaDeviceEnablePeerAccess(neighbour, 0));
    }
  }

  int step_count = static_cast<int>(steps);
  std::vector<std::vector<void*>> arguments;
  std::vector<cudaLaunchParams> grids;
  for (int d = 0; d < count; ++d) {
    piece* const p = &pieces[static_cast<size_t>(d)];
    arguments.push_back({d > 0 ? p - 1 : p, p, d + 1 < count ? p + 1 : p, &step_count});
  }
  for (int d = 0; d < count; ++d) {
    grids.push_back({reinterpret_cast<void*>(heat), dim3(static_cast<unsigned>(blocks)), dim3(block_threads),
                     arguments[static_cast<size_t>(d)].data(), 0, streams[static_cast<size_t>(d)]});
  }
  EXAMPLE_CHECK(cudaLaunchCooperativeKernelMultiDevice(grids.data(), static_cast<unsigned>(count)));

  std::vector<long long> next(rod.size());
  for (long long step = 0; step < steps; ++step) {
    for (size_t i = 0; i < rod.size(); ++i) {
      next[i] = spread(i > 0 ? rod[i - 1] : ambient, rod[i], i + 1 < rod.size() ? rod[i + 1] : ambient);
    }
    std::swap(rod, next);
  }

  bool right = true;
  first = 0;
  for (int d = 0; d < count; ++d) {
    const piece& p = pieces[static_cast<size_t>(d)];
    std::vector<long long> found(static_cast<size_t>(p.cells));
    int done = -1;
    EXAMPLE_CHECK(cudaSetDevice(d));
    EXAMPLE_CHECK(cudaStreamSynchronize(streams[static_cast<size_t>(d)]));
    EXAMPLE_CHECK(
        cudaMemcpy(found.data(), p.values[steps % 2], found.size() * sizeof(long long), cudaMemcpyDeviceToHost));
    EXAMPLE_CHECK(cudaMemcpyFromSymbol(&done, steps_done, sizeof done));
    bool equal = done == steps;
    for (size_t i = 0; i < found.size(); ++i) equal = equal && found[i] == rod[static_cast<size_t>(first) + i];
    std::printf("device %d: cells %lld to %lld, %d steps: %s\n", d, first, first + p.cells - 1, done,
                equal ? "equal" : "WRONG");
    right = right && equal;
    first += p.cells;
  }

  // One entry for each device: a device named twice must be refused, and nothing runs.
  std::vector<cudaLaunchParams> twice = {grids[0], grids[0]};
  const cudaError_t refused = cudaLaunchCooperativeKernelMultiDevice(twice.data(), 2);
  std::printf("one device twice: %s\n", cudaGetErrorName(refused));
  cudaGetLastError();
  // Where there is only one, the list is longer than there are devices, which is an invalid value.
  right = right && refused == (present > 1 ? cudaErrorInvalidDevice : cudaErrorInvalidValue);

  for (int d = 0; d < count; ++d) {
    EXAMPLE_CHECK(cudaSetDevice(d));
    for (long long* values : pieces[static_cast<size_t>(d)].values) EXAMPLE_CHECK(cudaFree(values));
    EXAMPLE_CHECK(cudaStreamDestroy(streams[static_cast<size_t>(d)]));
  }
  return example::verdict(right, "every cell on every device; a device named twice is refused");
}
