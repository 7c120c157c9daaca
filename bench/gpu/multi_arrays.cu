// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All-reduces of arrays of floats over several GPUs, inside of a running kernel. The peer is ncclAllReduce in a graph.
#include <cooperative_groups.h>

#include <cohort/cohort.hpp>
#include <cstdio>
#include <cstdlib>

#include "multi_grid.cuh"
#include "nccl.cuh"

namespace {

constexpr unsigned int threads = 512;

struct length {
  const char* name;
  std::size_t bytes;
  int few, many;         // rounds of the two launches whose difference is measured
  double bars[2];        // microseconds on 2 and on 4 GPUs; 0: none
  double least_of_peer;  // share of the peer's rate; 0: none
};
constexpr length lengths[] = {{"2 KiB", 2048, 500, 2500, {3.2, 3.6}, 0},
                              {"64 KiB", 65536, 500, 2500, {5, 6}, 0},
                              {"1 MiB", 1 << 20, 200, 1000, {12, 14}, 0},
                              {"256 MiB", 256 << 20, 2, 8, {0, 0}, 0.95}};
constexpr std::size_t longest = std::size_t{256} << 20;

template <bool Ordered>
__global__ __launch_bounds__(threads) void all_reduces(int rounds, float* out, const float* in, std::size_t count) {
  const cohort::multi_grid_group all = cohort::this_multi_grid();
  for (int round = 0; round < rounds; ++round) {
    if constexpr (Ordered)
      cohort::all_reduce(all, out, in, count, cohort::plus<float>());
    else
      cohort::all_reduce_unordered(all, out, in, count, cohort::plus<float>());
  }
}

__global__ void fill_array(float* to, std::size_t count, float scale) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    to[i] = scale * static_cast<float>(i % 1000);
  }
}
__global__ void count_errors(const float* found, std::size_t count, float scale, unsigned int* errors) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    if (found[i] != scale * static_cast<float>(i % 1000)) atomicAdd(errors, 1);
  }
}

// Operands of device d are (d + 1) * (i % 1000): their sums are exact.
const array_pair& arrays_of(int number) {
  static std::vector<array_pair> made;
  while (made.size() <= static_cast<std::size_t>(number)) {
    array_pair a{};
    check(cudaSetDevice(static_cast<int>(made.size())), "device");
    check(cudaMalloc(reinterpret_cast<void**>(&a.in), longest), "cudaMalloc");
    check(cudaMalloc(reinterpret_cast<void**>(&a.out), longest), "cudaMalloc");
    fill_array<<<1024, 256>>>(a.in, longest / sizeof(float), static_cast<float>(made.size() + 1));
    check(cudaDeviceSynchronize(), "fill");
    made.push_back(a);
  }
  return made[static_cast<std::size_t>(number)];
}

void expect_results(const std::vector<device>& devices, std::size_t count, const char* whose) {
  float scale = 0;
  for (std::size_t d = 0; d < devices.size(); ++d) scale += static_cast<float>(d + 1);
  for (const device& d : devices) {
    check(cudaSetDevice(d.number), "device");
    unsigned int *errors = nullptr, found = 0;
    check(cudaMalloc(reinterpret_cast<void**>(&errors), sizeof found), "cudaMalloc");
    check(cudaMemset(errors, 0, sizeof found), "cudaMemset");
    count_errors<<<1024, 256>>>(arrays_of(d.number).out, count, scale, errors);
    check(cudaMemcpy(&found, errors, sizeof found, cudaMemcpyDeviceToHost), "cudaMemcpy");
    check(cudaMemset(arrays_of(d.number).out, 0, count * sizeof(float)), "cudaMemset");
    check(cudaFree(errors), "cudaFree");
    if (found == 0) continue;
    std::fprintf(stderr, "%s sums on device %d: %u of %zu are wrong\n", whose, d.number, found, count);
    std::exit(1);
  }
}

template <bool Ordered>
double time_ours(const std::vector<device>& devices, std::size_t count, int rounds) {
  int processors = 0;
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0), "attribute");
  std::vector<cudaLaunchParams> list;
  std::vector<std::vector<void*>> arguments;
  for (const device& d : devices) {
    array_pair& a = const_cast<array_pair&>(arrays_of(d.number));
    arguments.push_back({&rounds, &a.out, &a.in, &count});
  }
  for (std::size_t i = 0; i < devices.size(); ++i) {
    list.push_back({reinterpret_cast<void*>(&all_reduces<Ordered>), dim3(static_cast<unsigned int>(processors)),
                    dim3(threads), arguments[i].data(), 0, devices[i].stream});
  }
  return time_of(devices, [&] {
    check(cudaLaunchCooperativeKernelMultiDevice(list.data(), static_cast<unsigned int>(list.size())), "launch");
  });
}

// Measures our all-reduce, in microseconds. One launch is not measured: the launch before it may be NCCL's.
template <bool Ordered>
double time_round(const std::vector<device>& devices, const length& of) {
  const std::size_t count = of.bytes / sizeof(float);
  time_ours<Ordered>(devices, count, of.few);
  const double shorter = time_ours<Ordered>(devices, count, of.few);
  return (time_ours<Ordered>(devices, count, of.many) - shorter) / (of.many - of.few);
}

}  // namespace

std::vector<result> rows_of_arrays(const std::vector<device>& devices) {
  for (const device& d : devices) arrays_of(d.number);
  std::vector<result> rows;
  for (const length& of : lengths) {
    const std::size_t count = of.bytes / sizeof(float);
    time_ours<true>(devices, count, 1);
    expect_results(devices, count, "our ordered");
    time_ours<false>(devices, count, 1);
    expect_results(devices, count, "our unordered");
    const int rounds = of.many / 4 + 1;
    const auto arrays_of_device = [](const device& d) { return arrays_of(d.number); };
    const nccl_graphs theirs(devices, rounds, count, arrays_of_device, [](const device&) {});
    const auto time_theirs = [&] { return time_of(devices, [&] { theirs.start(); }) / rounds; };
    if (theirs.exist()) {
      time_theirs();
      expect_results(devices, count, "NCCL's");
    }
    std::vector<double> ordered, unordered, others;
    for (int i = 0; i < repeats; ++i) {
      // The forms are the same code today, and take turns in being the first.
      if (i % 2 != 0) unordered.push_back(time_round<false>(devices, of));
      ordered.push_back(time_round<true>(devices, of));
      if (i % 2 == 0) unordered.push_back(time_round<false>(devices, of));
      if (theirs.exist()) others.push_back(time_theirs());
    }
    const double other = theirs.exist() ? median(others) : 0;
    const std::string shape = std::string(of.name) + ", " + std::to_string(devices.size()) + " GPUs";
    result fast{"all_reduce_unordered of " + shape, "us", median(unordered), other, "", true};
    char text[64];
    const double bar = devices.size() == 2 ? of.bars[0] : devices.size() == 4 ? of.bars[1] : 0;
    if (bar != 0) {
      std::snprintf(text, sizeof text, "<= %.3g us", bar);
      fast.bar = text;
      fast.met = fast.ours <= bar;
    } else if (of.least_of_peer != 0 && other != 0) {
      std::snprintf(text, sizeof text, "rate >= %.3g of NCCL's", of.least_of_peer);
      fast.bar = text;
      fast.met = other / fast.ours >= of.least_of_peer;
    }
    rows.push_back(fast);
    rows.push_back({"all_reduce of " + shape + "; peer: unordered", "us", median(ordered), fast.ours, "<= 1.25",
                    median(ordered) <= 1.25 * fast.ours});
  }
  return rows;
}
