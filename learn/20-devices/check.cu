// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of puzzle 20: launches and the host model.
#include <cstdlib>

#include "kernel.cu"
#include "puzzle.hpp"

constexpr unsigned devices = 3;

int main(int argc, char** argv) {
  setenv("COHORT_DEVICES", "3", 1);
  puzzle::check check(argc, argv);
  for (const unsigned threads : {7u, 40u}) {
    if (!check.begin(puzzle::text("<<<2, ", threads, ">>> on each of 3 devices"))) break;
    const unsigned of_device = 2 * threads;
    const puzzle::values values = puzzle::numbers(devices * of_device, 10, 99, threads);
    const puzzle::ints in(values), sums(devices, 0), out(devices * of_device);
    int *in_data = in, *sums_data = sums, *out_data = out;
    void* arguments[] = {&in_data, &sums_data, &out_data};
    cudaLaunchParams grids[devices];
    for (unsigned device = 0; device < devices; ++device) {
      cudaSetDevice(static_cast<int>(device));
      grids[device] = {reinterpret_cast<void*>(share_of_total), 2, threads, arguments, 0, nullptr};
      cudaStreamCreate(&grids[device].stream);
    }
    cudaLaunchCooperativeKernelMultiDevice(grids, devices);
    for (const cudaLaunchParams& grid : grids) check.wait_for(grid.stream);
    check.wait();
    puzzle::values expected, own, of_devices(devices, 0);
    int total = 0;
    for (unsigned i = 0; i < values.size(); ++i) {
      of_devices[i / of_device] += values[i];
      total += values[i];
    }
    for (unsigned i = 0; i < values.size(); ++i) {
      expected.push_back(1000 * values[i] / total);
      own.push_back(1000 * values[i] / of_devices[i / of_device]);
    }
    check.compare("out", {"thread", threads, 0, 2}, out.read(), expected)
        .mistake("Each device has used its own sum as the total. The sums of the other devices are missing.", own);
  }
  return check.end();
}
