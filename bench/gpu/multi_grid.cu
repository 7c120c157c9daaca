// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier and a reduction of launches over several GPUs:  gpu-bench-multi-grid [JSON file]
// Measures 1, 2, 4, ... of the machine's GPUs. A time is the difference of two launches with different numbers of
// rounds, between events before and after the first grid. No other library has such launches, so rows have bars and no
// ratios.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cohort/cohort.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace cg = cooperative_groups;

namespace {

constexpr int repeats = 21, few = 500, many = 2500;

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

__global__ void barriers(int rounds, float*) {
  const cg::multi_grid_group all = cg::this_multi_grid();
  for (int round = 0; round < rounds; ++round) all.sync();
}

__global__ void sums(int rounds, float* out) {
  const cg::multi_grid_group all = cg::this_multi_grid();
  float value = static_cast<float>(threadIdx.x);
  for (int round = 0; round < rounds; ++round) value = cohort::reduce(all, value, cohort::plus<float>()) * 1e-6f;
  if (all.thread_rank() == 0) *out = value;
}

using kernel = void (*)(int, float*);

struct device {
  cudaStream_t stream;
  cudaEvent_t before, after;
  float* out;
};

// Microseconds of one launch.
double time_launch(const std::vector<device>& devices, kernel k, unsigned int blocks, unsigned int threads,
                   int rounds) {
  std::vector<cudaLaunchParams> list;
  std::vector<std::vector<void*>> arguments;
  for (const device& d : devices) arguments.push_back({&rounds, const_cast<float**>(&d.out)});
  for (std::size_t i = 0; i < devices.size(); ++i) {
    list.push_back(
        {reinterpret_cast<void*>(k), dim3(blocks), dim3(threads), arguments[i].data(), 0, devices[i].stream});
  }
  check(cudaSetDevice(0), "device");
  check(cudaEventRecord(devices[0].before, devices[0].stream), "event");
  check(cudaLaunchCooperativeKernelMultiDevice(list.data(), static_cast<unsigned int>(list.size())), "launch");
  check(cudaEventRecord(devices[0].after, devices[0].stream), "event");
  for (const device& d : devices) check(cudaStreamSynchronize(d.stream), "kernel");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, devices[0].before, devices[0].after), "time");
  return milliseconds * 1e3;
}

struct result {
  std::string name;
  double microseconds, deviation, bar;
};

result measure(const std::string& name, double bar, const std::vector<device>& devices, kernel k, unsigned int blocks,
               unsigned int threads) {
  std::vector<double> times;
  time_launch(devices, k, blocks, threads, few);
  for (int i = 0; i < repeats; ++i) {
    const double shorter = time_launch(devices, k, blocks, threads, few);
    times.push_back((time_launch(devices, k, blocks, threads, many) - shorter) / (many - few));
  }
  std::sort(times.begin(), times.end());
  const double median = times[repeats / 2];
  return {name, median, (times[repeats * 3 / 4] - times[repeats / 4]) / median, bar};
}

}  // namespace

int main(int count, char** arguments) {
  int gpu_count = 0;
  if (cudaGetDeviceCount(&gpu_count) != cudaSuccess || gpu_count == 0) {
    std::puts("no NVIDIA GPU");
    return 77;
  }
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "properties");
  const unsigned int blocks = static_cast<unsigned int>(properties.multiProcessorCount);
  std::vector<device> all(static_cast<std::size_t>(gpu_count));
  for (int d = 0; d < gpu_count; ++d) {
    device& each = all[static_cast<std::size_t>(d)];
    check(cudaSetDevice(d), "device");
    check(cudaStreamCreateWithFlags(&each.stream, cudaStreamNonBlocking), "stream");
    check(cudaEventCreate(&each.before), "event");
    check(cudaEventCreate(&each.after), "event");
    check(cudaMalloc(reinterpret_cast<void**>(&each.out), sizeof(float)), "memory");
  }
  std::vector<result> results;
  std::printf("%s\n%-48s %10s %8s %7s\n", properties.name, "", "us", "bar", "spread");
  for (int n = 1; n <= gpu_count; n *= 2) {
    const std::vector<device> some(all.begin(), all.begin() + n);
    const double bar = n == 1 ? 0 : n <= 4 ? 2.5 : 2.9;
    const std::string gpus = std::to_string(n) + (n == 1 ? " GPU" : " GPUs"), grid = std::to_string(blocks) + " x ";
    const auto add = [&](const result& r) {
      results.push_back(r);
      std::printf("%-48s %10.3f %8.2f %6.1f%% %s\n", r.name.c_str(), r.microseconds, r.bar, r.deviation * 100,
                  r.bar == 0 || r.microseconds <= r.bar ? "" : "above the bar");
      std::fflush(stdout);
    };
    add(measure("multi-grid sync, " + grid + "256, " + gpus, bar, some, barriers, blocks, 256));
    add(measure("multi-grid sync, " + grid + "1024, " + gpus, 0, some, barriers, blocks, 1024));
    add(measure("multi-grid reduce of float, " + grid + "256, " + gpus, 0, some, sums, blocks, 256));
  }
  if (count > 1) {
    std::ofstream file(arguments[1]);
    file << "{\n  \"device\": \"" << properties.name << "\",\n  \"devices\": " << gpu_count << ",\n  \"rows\": [\n";
    for (const result& r : results) {
      char line[256];
      std::snprintf(line, sizeof line,
                    "    {\"name\": \"%s\", \"unit\": \"us\", \"ours\": %.4f, \"bar\": %.2f, \"repeats\": %d, "
                    "\"spread\": %.4f}%s\n",
                    r.name.c_str(), r.microseconds, r.bar, repeats, r.deviation, &r == &results.back() ? "" : ",");
      file << line;
    }
    file << "  ]\n}\n";
  }
  return 0;
}
