// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Simulates heat along a rod. Each device holds a segment of the rod in its own memory and reads the edge cells of its
// neighbours through peer access. One launch over all devices runs all steps, with a barrier of all grids after each.
#include <cooperative_groups.h>

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "../support/cuda_check.hpp"
#include "../support/options.hpp"

namespace cg = cooperative_groups;

constexpr unsigned block_threads = 64;
constexpr long long ambient = 20;  // the temperature beyond both ends of the rod

// The segment of one device: `cells` values in two buffers, which the steps read and write alternately.
struct segment {
  long long* values[2];
  long long cells;
};

__device__ int steps_done = 0;  // each device has its own copy of a __device__ variable

__host__ __device__ inline long long spread(long long left, long long here, long long right) {
  return (left + 2 * here + right) / 4;
}

__global__ void heat(segment left, segment mine, segment right, int steps) {
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
    all.sync();  // all grids have read this step's cells and written the next step's
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
  const int count = example::devices_to_use("multi_device", devices);
  std::printf("%lld cells on %d device%s, %lld steps\n", cells, count, count == 1 ? "" : "s", steps);

  std::vector<long long> rod(static_cast<size_t>(cells));
  unsigned state = 13;
  for (long long& value : rod) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<long long>(state >> 12);
  }

  // The first (cells % count) devices have one cell more than the others.
  std::vector<segment> segments(static_cast<size_t>(count));
  std::vector<cudaStream_t> streams(static_cast<size_t>(count));
  long long first = 0;
  for (int d = 0; d < count; ++d) {
    segment& p = segments[static_cast<size_t>(d)];
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
    segment* const p = &segments[static_cast<size_t>(d)];
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
    const segment& p = segments[static_cast<size_t>(d)];
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

  // A list that names a device twice must be refused, and none of its grids runs.
  std::vector<cudaLaunchParams> twice = {grids[0], grids[0]};
  const cudaError_t refused = cudaLaunchCooperativeKernelMultiDevice(twice.data(), 2);
  std::printf("one device twice: %s\n", cudaGetErrorName(refused));
  cudaGetLastError();
  int present = 0;
  EXAMPLE_CHECK(cudaGetDeviceCount(&present));
  // With one device, the list is longer than the number of devices, which is an invalid value.
  right = right && refused == (present > 1 ? cudaErrorInvalidDevice : cudaErrorInvalidValue);

  for (int d = 0; d < count; ++d) {
    EXAMPLE_CHECK(cudaSetDevice(d));
    for (long long* values : segments[static_cast<size_t>(d)].values) EXAMPLE_CHECK(cudaFree(values));
    EXAMPLE_CHECK(cudaStreamDestroy(streams[static_cast<size_t>(d)]));
  }
  return example::verdict(right, "every cell on every device; a device named twice is refused");
}
