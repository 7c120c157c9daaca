// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers, collectives and sums of launches over several GPUs:  gpu-bench-multi-grid [JSON file]
// Measures 1, 2, 4, ... of the machine's GPUs. The time of a collective is the difference of two launches with
// different numbers of rounds, between events before and after the first grid. The peer of a collective is the barrier
// of the same shape, measured in turns; that of a reduction is also NCCL's, if its library is found.
#include "multi_grid.cuh"

#include <cooperative_groups.h>

#include <algorithm>
#include <cohort/cohort.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace cg = cooperative_groups;

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

namespace {

constexpr int few = 500, many = 2500;

__global__ void barriers(int rounds, float*) {
  const cg::multi_grid_group all = cg::this_multi_grid();
  for (int round = 0; round < rounds; ++round) all.sync();
}

struct reduction {
  static __device__ float step(const cg::multi_grid_group& all, float value) {
    return cohort::reduce(all, value, cohort::plus<float>());
  }
};
struct inclusive {
  static __device__ float step(const cg::multi_grid_group& all, float value) {
    return cohort::inclusive_scan(all, value, cohort::plus<float>());
  }
};
struct exclusive {
  static __device__ float step(const cg::multi_grid_group& all, float value) {
    return cohort::exclusive_scan(all, value, cohort::plus<float>());
  }
};
struct broadcasting {
  static __device__ float step(const cg::multi_grid_group& all, float value) {
    return cohort::broadcast(all, value, all.num_threads() - 1);
  }
};

// Each round depends on the last one's result.
template <class Collective>
__global__ void collectives(int rounds, float* out) {
  const cg::multi_grid_group all = cg::this_multi_grid();
  float value = static_cast<float>(threadIdx.x);
  for (int round = 0; round < rounds; ++round) value = Collective::step(all, value) * 1e-6f;
  if (all.thread_rank() == 0) *out = value;
}

using kernel = void (*)(int, float*);

// Measures one launch, in microseconds.
double time_launch(const std::vector<device>& devices, kernel k, unsigned int blocks, unsigned int threads,
                   int rounds) {
  std::vector<cudaLaunchParams> list;
  std::vector<std::vector<void*>> arguments;
  for (const device& d : devices) arguments.push_back({&rounds, const_cast<float**>(&d.out)});
  for (std::size_t i = 0; i < devices.size(); ++i) {
    list.push_back(
        {reinterpret_cast<void*>(k), dim3(blocks), dim3(threads), arguments[i].data(), 0, devices[i].stream});
  }
  return time_of(devices, [&] {
    check(cudaLaunchCooperativeKernelMultiDevice(list.data(), static_cast<unsigned int>(list.size())), "launch");
  });
}

// Measures one round, in microseconds.
double time_round(const std::vector<device>& devices, kernel k, unsigned int blocks, unsigned int threads) {
  const double shorter = time_launch(devices, k, blocks, threads, few);
  return (time_launch(devices, k, blocks, threads, many) - shorter) / (many - few);
}

result measure_barrier(const std::string& name, double bar, const std::vector<device>& devices, unsigned int blocks,
                       unsigned int threads) {
  std::vector<double> times;
  time_launch(devices, barriers, blocks, threads, few);
  for (int i = 0; i < repeats; ++i) times.push_back(time_round(devices, barriers, blocks, threads));
  result found{name, "us", median(times), 0, "", true};
  if (bar != 0) {
    char text[32];
    std::snprintf(text, sizeof text, "<= %.3g us", bar);
    found.bar = text;
    found.met = found.ours <= bar;
  }
  return found;
}

result measure_collective(const std::string& name, double bar, const std::vector<device>& devices, kernel k,
                          unsigned int blocks, unsigned int threads) {
  std::vector<double> ours, theirs;
  time_launch(devices, k, blocks, threads, few);
  for (int i = 0; i < repeats; ++i) {
    ours.push_back(time_round(devices, k, blocks, threads));
    theirs.push_back(time_round(devices, barriers, blocks, threads));
  }
  char text[32];
  std::snprintf(text, sizeof text, "<= %.3g", bar);
  const double mine = median(ours), other = median(theirs);
  return {name, "us", mine, other, text, mine <= bar * other};
}

void write(const std::string& path, const std::string& name, std::size_t gpus, const std::vector<result>& results) {
  std::ofstream file(path);
  file << "{\n  \"device\": \"" << name << "\",\n  \"devices\": " << gpus << ",\n  \"rows\": [\n";
  for (const result& r : results) {
    char line[400], theirs[80] = "\"theirs\": null, \"ratio\": null";
    if (r.theirs != 0) {
      std::snprintf(theirs, sizeof theirs, "\"theirs\": %.4f, \"ratio\": %.4f", r.theirs, r.ours / r.theirs);
    }
    std::snprintf(line, sizeof line,
                  "    {\"name\": \"%s\", \"unit\": \"%s\", \"ours\": %.4f, %s, \"bar\": \"%s\", \"met\": %s, "
                  "\"repeats\": %d}%s\n",
                  r.name.c_str(), r.unit, r.ours, theirs, r.bar.c_str(),
                  r.bar.empty() ? "null"
                  : r.met       ? "true"
                                : "false",
                  repeats, &r == &results.back() ? "" : ",");
    file << line;
  }
  file << "  ]\n}\n";
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
    each.number = d;
    check(cudaSetDevice(d), "device");
    check(cudaStreamCreateWithFlags(&each.stream, cudaStreamNonBlocking), "stream");
    check(cudaEventCreate(&each.before), "event");
    check(cudaEventCreate(&each.after), "event");
    check(cudaMalloc(reinterpret_cast<void**>(&each.out), sizeof(float)), "memory");
  }
  std::vector<result> results;
  std::printf("%s\n%-52s %10s %10s %-36s\n", properties.name, "", "ours", "theirs", "bar");
  const auto add = [&](const result& r) {
    results.push_back(r);
    std::printf("%-52s %10.3f %10.3f %-36s %s\n", r.name.c_str(), r.ours, r.theirs, r.bar.c_str(),
                r.bar.empty() || r.met ? "" : "bar not met");
    std::fflush(stdout);
  };
  double alone = 0;
  for (int n = 1; n <= gpu_count; n *= 2) {
    const std::vector<device> some(all.begin(), all.begin() + n);
    const std::string gpus = std::to_string(n) + (n == 1 ? " GPU" : " GPUs"), grid = std::to_string(blocks) + " x ";
    add(measure_barrier("multi-grid sync, " + grid + "256, " + gpus,
                        n == 1   ? 0
                        : n <= 4 ? 2.5
                                 : 2.9,
                        some, blocks, 256));
    add(measure_barrier("multi-grid sync, " + grid + "1024, " + gpus, 0, some, blocks, 1024));
    const auto collective = [&](const std::string& what, double bar, kernel k) {
      add(measure_collective("multi-grid " + what + " float, " + grid + "256, " + gpus, bar, some, k, blocks, 256));
    };
    collective("reduce of", 1.15, collectives<reduction>);
    const double reduced = results.back().ours;
    collective("inclusive scan of", 1.4, collectives<inclusive>);
    collective("exclusive scan of", 1.4, collectives<exclusive>);
    collective("broadcast of", 1.4, collectives<broadcasting>);
    for (const result& r : rows_of_sums(some, alone, reduced)) add(r);
    if (n == 1) alone = results.back().ours;
    if (n == 1) continue;
    for (const result& r : rows_of_arrays(some)) add(r);
  }
  if (count > 1) write(arguments[1], properties.name, all.size(), results);
  return 0;
}
