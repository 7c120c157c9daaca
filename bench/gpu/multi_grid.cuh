// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of gpu-bench-multi-grid that its files share.
#pragma once

#include <cuda_runtime.h>

#include <string>
#include <vector>

inline constexpr int repeats = 21;

struct device {
  int number;
  cudaStream_t stream;
  cudaEvent_t before, after;
  float* out;
};

struct result {
  std::string name;
  const char* unit;     // "us", or "GB/s", where a greater number is better
  double ours, theirs;  // theirs is 0 without a peer
  std::string bar;      // text of the bar; empty without one
  bool met;
};

void check(cudaError_t error, const char* what);
double median(std::vector<double> values);

// Measures, in microseconds, from the first work that start() submits on the first device to the end of all work.
template <class Start>
double time_of(const std::vector<device>& devices, const Start& start) {
  check(cudaSetDevice(devices[0].number), "device");
  check(cudaEventRecord(devices[0].before, devices[0].stream), "event");
  start();
  check(cudaSetDevice(devices[0].number), "device");
  check(cudaEventRecord(devices[0].after, devices[0].stream), "event");
  for (const device& d : devices) check(cudaStreamSynchronize(d.stream), "kernel");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, devices[0].before, devices[0].after), "time");
  return milliseconds * 1e3;
}

// Sums of 2 GiB on each device in one launch, and NCCL's reductions beside them. The last row is the rate of the sum.
// `alone` is that rate on one device, 0 if it is not known yet; `reduced` the microseconds of a reduction of one float.
std::vector<result> rows_of_sums(const std::vector<device>& devices, double alone, double reduced);
// All-reduces of arrays of four lengths inside of a kernel, ordered and unordered, and NCCL's beside them.
std::vector<result> rows_of_arrays(const std::vector<device>& devices);
