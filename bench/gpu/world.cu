// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier and a reduction of a world of GPUs, one process for each:  gpu-bench-world [JSON file]
// COHORT_WORLD_FILE, COHORT_WORLD_RANK and COHORT_WORLD_SIZE describe the processes; tools/gpu_world.py starts them.
// The peer is the barrier session of NCCL's device API, executed by one block between two grid.sync(). All loops take
// turns; a time is that of a loop inside of a launch, measured by rank 0.
#include <cuda_runtime.h>
#include <nccl_device.h>

#include <algorithm>
#include <cohort/cohort.hpp>
#include <cohort/world.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace {

constexpr int rounds = 2000, repeats = 21;
constexpr unsigned int threads = 256;

void check(int failed, const char* call) {
  if (failed == 0) return;
  std::fprintf(stderr, "%s: error %d\n", call, failed);
  std::_Exit(1);
}

struct result {
  unsigned long long nanoseconds;
  float sum;
};

__device__ unsigned long long now() {
  unsigned long long nanoseconds;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds)::"memory");
  return nanoseconds;
}

// Calls body() `rounds` times after a first call, and stores the time of the loop.
template <class Body>
__device__ void time_loop(result* out, const Body& body) {
  body();
  const unsigned long long begin = now();
  for (int round = 0; round < rounds; ++round) body();
  if (cohort::this_grid().thread_rank() == 0) out->nanoseconds = now() - begin;
}

__global__ void world_syncs(result* out) {
  const auto world = cohort::this_world();
  time_loop(out, [&] { world.sync(); });
}

__global__ void world_sums(result* out) {
  const auto world = cohort::this_world();
  float value = static_cast<float>(threadIdx.x);
  time_loop(out, [&] { value = cohort::reduce(world, value, cohort::plus<float>()) * 1e-6f; });
  if (cohort::this_grid().thread_rank() == 0) out->sum = value;
}

__global__ void grid_syncs(result* out) {
  const auto grid = cohort::this_grid();
  time_loop(out, [&] { grid.sync(); });
}

// True in the threads of the first block that execute NCCL's barrier together.
__device__ bool takes_part(ncclCoopThread) { return threadIdx.x == 0; }
__device__ bool takes_part(ncclCoopWarp) { return threadIdx.x < 32; }
__device__ bool takes_part(ncclCoopCta) { return true; }

template <class Coop>
__global__ void nccl_syncs(const __grid_constant__ ncclDevComm communicator, unsigned int index, result* out) {
  const auto grid = cohort::this_grid();
  const Coop coop{};
  if (blockIdx.x == 0 && takes_part(coop)) {
    ncclLsaBarrierSession<Coop> session(coop, communicator, ncclTeamTagLsa(), index);
    time_loop(out, [&] {
      grid.sync();
      session.sync(coop, cuda::memory_order_acq_rel);
      grid.sync();
    });
  } else {
    time_loop(out, [&] {
      grid.sync();
      grid.sync();
    });
  }
}

// One loop and its times, in microseconds for each round.
struct loop {
  std::string name;
  std::function<void()> launch;
  std::vector<double> times = {};

  double median() const {
    std::vector<double> sorted = times;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
  double spread() const {
    std::vector<double> sorted = times;
    std::sort(sorted.begin(), sorted.end());
    return (sorted[sorted.size() * 3 / 4] - sorted[sorted.size() / 4]) / sorted[sorted.size() / 2];
  }
};

template <class Coop>
std::function<void()> launch_nccl(const ncclDevComm& communicator, unsigned int blocks, unsigned int index,
                                  result* out) {
  return [=] {
    ncclDevComm copy = communicator;
    unsigned int number = index;
    result* to = out;
    void* arguments[] = {&copy, &number, &to};
    check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(&nccl_syncs<Coop>), dim3(blocks), dim3(threads),
                                      arguments, 0, nullptr),
          "launch of NCCL's barrier");
    check(cudaDeviceSynchronize(), "NCCL's barrier");
  };
}

struct row {
  std::string name;
  const loop *ours, *theirs;  // null if there is no peer
  double bar;                 // the largest ratio, or without a peer our largest time in microseconds
};

void write(const char* path, const char* device, int processes, const std::vector<row>& rows) {
  std::ofstream file(path);
  int version = 0;
  ncclGetVersion(&version);
  file << "{\n  \"device\": \"" << device << "\",\n  \"processes\": " << processes << ",\n  \"nccl\": " << version
       << ",\n  \"rows\": [\n";
  for (const row& r : rows) {
    const double ours = r.ours->median();
    char line[512];
    if (r.theirs != nullptr) {
      const double theirs = r.theirs->median(), ratio = ours / theirs;
      std::snprintf(line, sizeof line,
                    "    {\"name\": \"%s\", \"unit\": \"us\", \"ours\": %.4f, \"theirs\": %.4f, \"ratio\": %.4f, "
                    "\"bar\": \"<= %g\", \"met\": %s, \"repeats\": %d, \"spread\": %.4f}",
                    r.name.c_str(), ours, theirs, ratio, r.bar, ratio <= r.bar ? "true" : "false", repeats,
                    r.ours->spread());
    } else {
      std::snprintf(line, sizeof line,
                    "    {\"name\": \"%s\", \"unit\": \"us\", \"ours\": %.4f, \"bar\": %g, \"repeats\": %d, "
                    "\"spread\": %.4f}",
                    r.name.c_str(), ours, r.bar, repeats, r.ours->spread());
    }
    file << line << (&r == &rows.back() ? "\n" : ",\n");
    std::printf("%s\n", line);
  }
  file << "  ]\n}\n";
}

}  // namespace

int main(int count, char** arguments) {
  cohort::world w;
  check(cohort::world::open(w).number(), "world::open");
  cudaDeviceProp properties{};
  int device = 0;
  check(cudaGetDevice(&device), "device");
  check(cudaGetDeviceProperties(&properties, device), "properties");
  const unsigned int blocks = std::min(132, properties.multiProcessorCount);
  result* out = nullptr;
  check(cudaMallocManaged(&out, sizeof(result)), "memory");

  const ncclComm_t joined = cohort::detail::world_access::handle(w)->communicator;
#if defined(NCCL_DEV_COMM_REQUIREMENTS_INITIALIZER)
  ncclDevCommRequirements needs = NCCL_DEV_COMM_REQUIREMENTS_INITIALIZER;
#else
  ncclDevCommRequirements needs{};
#endif
  needs.lsaBarrierCount = 3;
  needs.lsaMultimem = false;
#if defined(NCCL_DEV_COMM_INITIALIZER)
  ncclDevComm communicator = NCCL_DEV_COMM_INITIALIZER;
#else
  ncclDevComm communicator{};
#endif
  if (w.size() > 1) check(ncclDevCommCreate(joined, &needs, &communicator), "ncclDevCommCreate");

  const auto launch_world = [&](void (*kernel)(result*)) {
    return [&w, blocks, kernel, out] {
      check(cohort::launch_world(w, cohort::config{blocks, threads}, kernel, out).number(), "launch_world");
    };
  };
  loop syncs{"world sync", launch_world(world_syncs)}, sums{"world reduce", launch_world(world_sums)};
  loop of_grid{"grid.sync", [&] {
                 check(cohort::launch_cooperative(blocks, threads, grid_syncs, out).number(), "grid.sync");
                 check(cudaDeviceSynchronize(), "grid.sync");
               }};
  loop by_thread{"NCCL, thread", launch_nccl<ncclCoopThread>(communicator, blocks, 0, out)};
  loop by_warp{"NCCL, warp", launch_nccl<ncclCoopWarp>(communicator, blocks, 1, out)};
  loop by_block{"NCCL, block", launch_nccl<ncclCoopCta>(communicator, blocks, 2, out)};
  std::vector<loop*> all = {&syncs, &sums, &of_grid};
  if (w.size() > 1) all.insert(all.end(), {&by_thread, &by_warp, &by_block});
  for (int repeat = -2; repeat < repeats; ++repeat) {
    for (loop* each : all) {
      each->launch();
      if (repeat >= 0) each->times.push_back(static_cast<double>(out->nanoseconds) * 1e-3 / rounds);
    }
  }
  if (w.rank() == 0) {
    for (const loop* each : all)
      std::printf("%-16s %8.3f us, spread %.3f\n", each->name.c_str(), each->median(), each->spread());
    const std::string shape = std::to_string(blocks) + " x 256, " + std::to_string(w.size()) + " processes";
    std::vector<row> rows = {{"world sync, " + shape, &syncs, nullptr, 2.6}};
    if (w.size() > 1) {
      const loop* fastest = &by_thread;
      for (const loop* each : {&by_warp, &by_block}) fastest = each->median() < fastest->median() ? each : fastest;
      rows.push_back({"world sync, " + shape + "; peer: NCCL's barrier between grid.sync()", &syncs, fastest, 0.8});
    }
    rows.push_back({"world reduce of float, " + shape + "; peer: world sync", &sums, &syncs, 1.3});
    write(count > 1 ? arguments[1] : "/dev/null", properties.name, w.size(), rows);
  }
  if (w.size() > 1) check(ncclDevCommDestroy(joined, &communicator), "ncclDevCommDestroy");
  return w.close().number() == 0 ? 0 : 1;
}
