// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sides.hpp"

#include <chrono>
#include <cstdlib>
#include <functional>

#include <cohort/cohort.hpp>
#include <cohort/world_mpi.hpp>

namespace world_bench {

namespace {

using steady = std::chrono::steady_clock;
using side = std::function<double()>;

double microseconds;  // time of one iteration, which one thread of a kernel writes
bool wrong = false;

double since(steady::time_point begin, int iterations) {
  return std::chrono::duration<double, std::micro>(steady::now() - begin).count() / iterations;
}

// After a barrier, calls body() `iterations` times; one thread measures the time of this loop.
template <class Group, class Body>
void time_loop(const Group& group, int iterations, const Body& body) {
  group.sync();
  const auto begin = steady::now();
  for (int i = 0; i < iterations; ++i) body();
  if (cohort::this_grid().thread_rank() == 0) microseconds = since(begin, iterations);
}

template <class Group>
void sync_group(const Group& group, int iterations) {
  time_loop(group, iterations, [&] { group.sync(); });
}

template <class Group>
void reduce_group(const Group& group, int iterations) {
  const auto mine = static_cast<double>(group.thread_rank());
  double sum = 0;
  time_loop(group, iterations, [&] { sum += cohort::reduce(group, mine, cohort::plus<double>()); });
  const auto threads = static_cast<double>(group.num_threads());
  if (group.thread_rank() == 0 && sum != iterations * (threads * (threads - 1) / 2)) wrong = true;
}

constexpr size_t array_length = (1 << 20) / sizeof(float);

// The arrays of a rank of this process.
struct rank_arrays {
  std::vector<float> operands = std::vector<float>(array_length, 1), sums = std::vector<float>(array_length);
};
std::vector<rank_arrays> arrays;  // indexed by the number of the rank in this process

void reduce_arrays(int iterations) {
  const auto world = cohort::this_world();
  rank_arrays& mine = arrays[world.rank() % arrays.size()];
  time_loop(world, iterations, [&] {
    cohort::all_reduce(world, mine.sums.data(), mine.operands.data(), array_length, cohort::plus<float>());
  });
  if (cohort::this_grid().thread_rank() == 0 && mine.sums.back() != static_cast<float>(world.num_ranks())) wrong = true;
}

template <class Kernel>
side of_world(cohort::world& w, unsigned threads, Kernel kernel, int iterations) {
  return [&w, threads, kernel, iterations] {
    if (cohort::launch_world(w, {1, threads}, kernel, iterations)) wrong = true;
    return microseconds;
  };
}

template <class Kernel>
side of_grid(unsigned threads, Kernel kernel, int iterations) {
  return [threads, kernel, iterations] {
    if (cohort::launch_cooperative({1, threads}, kernel, iterations)) wrong = true;
    return microseconds;
  };
}

template <class Call>
side of_host(int iterations, Call call) {
  return [iterations, call] {
    MPI_Barrier(MPI_COMM_WORLD);
    const auto begin = steady::now();
    for (int i = 0; i < iterations; ++i) call();
    return since(begin, iterations);
  };
}

void gather_64_bytes(std::vector<char>& all) {
  char mine[64] = {};
  MPI_Request request;
  MPI_Iallgather(mine, 64, MPI_BYTE, all.data(), 64, MPI_BYTE, MPI_COMM_WORLD, &request);
  for (int done = 0; done == 0;) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

void reduce_double() {
  const double one = 1;
  double sum = 0;
  MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

void reduce_floats() {
  rank_arrays& mine = arrays[0];
  MPI_Allreduce(mine.operands.data(), mine.sums.data(), array_length, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

times_of_sides measure_in(cohort::world& w, int processes, int iterations, int rounds) {
  std::vector<char> all(64 * static_cast<size_t>(processes));
  std::map<std::string, side> sides{{"gather", of_host(iterations, [&] { gather_64_bytes(all); })},
                                    {"allreduce", of_host(iterations, reduce_double)}};
  const int fewer = iterations / 20 + 1;
  arrays.resize(static_cast<size_t>(w.local_size()));
  sides["allreduce of 1 MiB"] = of_host(fewer, reduce_floats);
  for (const unsigned threads : {1u, 32u}) {
    sides["world.all_reduce of 1 MiB " + std::to_string(threads)] = of_world(w, threads, reduce_arrays, fewer);
  }
  for (const unsigned threads : {1u, 32u, 256u}) {
    const std::string shape = " " + std::to_string(threads);
    sides["world.sync" + shape] = of_world(w, threads, [](int n) { sync_group(cohort::this_world(), n); }, iterations);
    sides["world.reduce" + shape] =
        of_world(w, threads, [](int n) { reduce_group(cohort::this_world(), n); }, iterations);
    sides["grid.sync" + shape] = of_grid(threads, [](int n) { sync_group(cohort::this_grid(), n); }, iterations);
    sides["block.reduce" + shape] =
        of_grid(threads, [](int n) { reduce_group(cohort::this_thread_block(), n); }, iterations);
  }
  times_of_sides times;
  for (int round = 0; round < rounds; ++round) {
    for (auto& [name, run] : sides) times[name].push_back(run());
  }
  return times;
}

}  // namespace

measured_times measure(int* argc, char*** argv, int iterations, int rounds) {
  int provided = 0;
  MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &provided);
  measured_times result;
  MPI_Comm_rank(MPI_COMM_WORLD, &result.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &result.processes);
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(version, &length);
  result.mpi = std::string(version).substr(0, std::string(version).find_first_of(",\n"));
  {
    cohort::world w;
    if (!cohort::world::open(w)) {
      result.ranks = w.size();
      result.times = measure_in(w, result.processes, iterations, rounds);
    }
  }
  result.wrong = wrong;
  MPI_Finalize();
  return result;
}

}  // namespace world_bench
