// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of an array on each of several GPUs, in one launch. The peer is CUB's sum on each GPU and NCCL's all-reduce of
// the results, in a graph for each GPU, and starts as ours without a wait for the work before it on the other GPUs.
#include <cooperative_groups.h>

#include <cmath>
#include <cohort/cohort.hpp>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_reduce.cuh>

#include "multi_grid.cuh"
#include "nccl.cuh"

namespace {

constexpr std::size_t length = std::size_t{1} << 29;  // floats: 2 GiB
constexpr unsigned int threads = 512, loads = 16;
constexpr int launches = 5, of_a_graph = 50;

__global__ void fill(float* values) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) values[i] = 1;
}

// A block takes the next tile when it has completed one. `taken` counts the tiles; it is 0 again at the end.
__global__ __launch_bounds__(threads) void sum_of_all(const float4* in, float* out, unsigned int* taken) {
  constexpr unsigned int tile = threads * loads, tiles = length / 4 / tile;
  __shared__ unsigned int next[2];
  const cohort::multi_grid_group all = cohort::this_multi_grid();
  const cohort::thread_block block = cohort::this_thread_block();
  float4 sums[4] = {};
  unsigned int mine = blockIdx.x;
#pragma unroll 1
  for (unsigned int parity = 0; mine < tiles; parity ^= 1) {
    if (block.thread_rank() == 0) next[parity] = gridDim.x + atomicAdd(taken, 1);
    float4 loaded[loads];
#pragma unroll
    for (unsigned int i = 0; i < loads; ++i)
      loaded[i] = __ldcs(in + std::size_t{mine} * tile + i * threads + threadIdx.x);
#pragma unroll
    for (unsigned int i = 0; i < loads; ++i) {
      sums[i % 4].x += loaded[i].x;
      sums[i % 4].y += loaded[i].y;
      sums[i % 4].z += loaded[i].z;
      sums[i % 4].w += loaded[i].w;
    }
    block.sync();
    mine = next[parity];
  }
  float own = 0;
#pragma unroll
  for (const float4& each : sums) own += (each.x + each.y) + (each.z + each.w);
  const float sum = cohort::reduce(all, own, cohort::plus<float>());
  if (blockIdx.x == 0 && block.thread_rank() == 0) {
    *out = sum;
    *taken = 0;
  }
}

// One device's array, and what the sums need beside it.
struct array {
  float *values, *sum;
  unsigned int* taken;
  void* memory;  // scratch memory of CUB
  std::size_t bytes = 0;
};

const array& array_of(int number) {
  static std::vector<array> made;
  while (made.size() <= static_cast<std::size_t>(number)) {
    array a{};
    check(cudaSetDevice(static_cast<int>(made.size())), "device");
    check(cudaMalloc(reinterpret_cast<void**>(&a.values), length * sizeof(float)), "cudaMalloc of 2 GiB");
    check(cudaMalloc(reinterpret_cast<void**>(&a.sum), sizeof(float)), "cudaMalloc");
    check(cudaMalloc(reinterpret_cast<void**>(&a.taken), sizeof(unsigned int)), "cudaMalloc");
    check(cudaMemset(a.taken, 0, sizeof(unsigned int)), "cudaMemset");
    check(cub::DeviceReduce::Sum(nullptr, a.bytes, a.values, a.sum, length), "cub::DeviceReduce");
    check(cudaMalloc(&a.memory, a.bytes), "cudaMalloc");
    fill<<<1024, 256>>>(a.values);
    check(cudaDeviceSynchronize(), "fill");
    made.push_back(a);
  }
  return made[static_cast<std::size_t>(number)];
}

void expect_sums(const std::vector<device>& devices, const char* whose) {
  for (const device& d : devices) {
    float found = 0;
    check(cudaMemcpy(&found, array_of(d.number).sum, sizeof found, cudaMemcpyDeviceToHost), "cudaMemcpy");
    const float expected = static_cast<float>(length * devices.size());
    if (std::fabs(found - expected) <= expected * 1e-6f) continue;
    std::fprintf(stderr, "%s sum on device %d is %.1f instead of %.1f\n", whose, d.number, static_cast<double>(found),
                 static_cast<double>(expected));
    std::exit(1);
  }
}

// Measures `count` calls of `start` in microseconds, after a first call that is not measured.
template <class Start>
double time_of_calls(const std::vector<device>& devices, int count, const Start& start) {
  start();
  return time_of(devices, [&] {
    for (int i = 0; i < count; ++i) start();
  });
}

double rate(const std::vector<device>& devices, double microseconds) {
  return launches * static_cast<double>(devices.size() * length * sizeof(float)) / (microseconds * 1e3);
}

void start_ours(const std::vector<device>& devices) {
  static const int blocks = [] {
    int each = 0, processors = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, sum_of_all, threads, 0), "occupancy");
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0), "attribute");
    return each * processors;
  }();
  std::vector<cudaLaunchParams> list;
  std::vector<std::vector<void*>> arguments;
  for (const device& d : devices) {
    array& a = const_cast<array&>(array_of(d.number));
    arguments.push_back({&a.values, &a.sum, &a.taken});
  }
  for (std::size_t i = 0; i < devices.size(); ++i) {
    list.push_back({reinterpret_cast<void*>(&sum_of_all), dim3(static_cast<unsigned int>(blocks)), dim3(threads),
                    arguments[i].data(), 0, devices[i].stream});
  }
  check(cudaLaunchCooperativeKernelMultiDevice(
            list.data(), static_cast<unsigned int>(list.size()),
            cudaCooperativeLaunchMultiDeviceNoPreSync | cudaCooperativeLaunchMultiDeviceNoPostSync),
        "launch");
}

array_pair sum_in_place(const device& d) {
  float* const sum = array_of(d.number).sum;
  return {sum, sum};
}
// Puts CUB's sum of the device's array into its stream.
void start_cub(const device& d) {
  const array& a = array_of(d.number);
  std::size_t bytes = a.bytes;
  check(cub::DeviceReduce::Sum(a.memory, bytes, a.values, a.sum, length, d.stream), "cub::DeviceReduce");
}

}  // namespace

std::vector<result> rows_of_sums(const std::vector<device>& devices, double alone, double reduced) {
  for (const device& d : devices) array_of(d.number);
  const std::string gpus = std::to_string(devices.size()) + (devices.size() == 1 ? " GPU" : " GPUs");
  std::vector<result> rows;
  const nccl_graphs theirs(devices, 1, 1, sum_in_place, start_cub);
  const nccl_graphs of_floats(devices, of_a_graph, 1, sum_in_place, [](const device&) {});
  if (of_floats.exist()) {
    std::vector<double> times;
    for (int i = 0; i < repeats; ++i)
      times.push_back(time_of_calls(devices, 20, [&] { of_floats.start(); }) / 20 / of_a_graph);
    const double other = median(times), bar = devices.size() == 2 ? 0.45 : 0.4;
    char text[32];
    std::snprintf(text, sizeof text, "<= %.3g", bar);
    rows.push_back({"multi-grid reduce of float / ncclAllReduce in a graph, " + gpus, "us", reduced, other, text,
                    reduced <= bar * other});
  }
  std::vector<double> our_rates, their_rates;
  start_ours(devices);
  for (const device& d : devices) check(cudaStreamSynchronize(d.stream), "kernel");
  expect_sums(devices, "our");
  if (theirs.exist()) {
    theirs.start();
    for (const device& d : devices) check(cudaStreamSynchronize(d.stream), "graph");
    expect_sums(devices, "NCCL's");
  }
  for (int i = 0; i < repeats; ++i) {
    our_rates.push_back(rate(devices, time_of_calls(devices, launches, [&] { start_ours(devices); })));
    if (theirs.exist()) their_rates.push_back(rate(devices, time_of_calls(devices, launches, [&] { theirs.start(); })));
  }
  result sum{"sum of 2 GiB on each device, " + gpus, "GB/s", median(our_rates), 0, "", true};
  if (theirs.exist()) {
    sum.theirs = median(their_rates);
    sum.bar = ">= 1";
    sum.met = sum.ours >= sum.theirs;
  }
  if (alone != 0) {
    sum.bar += std::string(sum.bar.empty() ? "" : " and ") + ">= 0.985 x " + std::to_string(devices.size()) + " alone";
    sum.met = sum.met && sum.ours >= 0.985 * static_cast<double>(devices.size()) * alone;
  }
  rows.push_back(sum);
  return rows;
}
