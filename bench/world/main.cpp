// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cohort_world_bench: barriers, reductions and sums of arrays of a world, beside the bare MPI calls and the smaller
// barriers that they need. Each process times its own loops; rank 0 prints medians of interleaved rounds.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "../harness/report.hpp"
#include "sides.hpp"

namespace {

constexpr const char* usage =
    "usage: cohort_world_bench [--iterations N] [--rounds N] [--results FOLDER] [--source FOLDER]\n"
    "Run it with mpirun -n 2, or alone with COHORT_DEVICES=2.\n"
    "  --iterations N    of each loop (2000)\n"
    "  --rounds N        in which the loops take turns (11)\n"
    "  --results FOLDER  write <date>-<cpu>-world-<processes>-processes.json, or ...-devices.json; default: no file\n"
    "  --source FOLDER   the checkout whose commit is stored in the result\n";

struct options {
  int iterations = 2000;
  int rounds = 11;
  std::string results;
  std::string source = ".";
};

bool read(int argc, char** argv, options& all) {
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
    if (name == "--iterations") {
      all.iterations = std::atoi(value.c_str());
    } else if (name == "--rounds") {
      all.rounds = std::atoi(value.c_str());
    } else if (name == "--results") {
      all.results = value;
    } else if (name == "--source") {
      all.source = value;
    } else {
      return false;
    }
    if (value.empty() || all.iterations <= 0 || all.rounds <= 0) return false;
  }
  return true;
}

// A row that compares several loops: our time minus `less`, and the sum of the times of `theirs`.
struct comparison {
  std::string name;
  std::string ours;
  std::vector<std::string> theirs;
  std::string peer;
  bench::bar limit;
  double less = 0;
};

std::vector<comparison> rows_of_processes() {
  std::vector<comparison> rows;
  for (const std::string threads : {"1", "32", "256"}) {
    rows.push_back({"world.sync(), 1 x " + threads,
                    "world.sync " + threads,
                    {"gather", "grid.sync " + threads},
                    "bare Iallgather of 64 bytes + grid.sync()",
                    bench::bar::at_most(1.3)});
  }
  for (const std::string threads : {"32", "256"}) {
    rows.push_back({"reduce of a double over the world, 1 x " + threads,
                    "world.reduce " + threads,
                    {"gather", "block.reduce " + threads, "grid.sync " + threads},
                    "bare Iallgather of 64 bytes + reduce over the block + grid.sync()",
                    bench::bar::at_most(1.5)});
  }
  rows.push_back({"reduce of a double less 1 us, 1 x 32",
                  "world.reduce 32",
                  {"allreduce"},
                  "bare MPI_Allreduce",
                  bench::bar::at_most(2.5),
                  1});
  for (const std::string threads : {"1", "32"}) {
    rows.push_back({"all_reduce of 1 MiB of floats, 1 x " + threads,
                    "world.all_reduce of 1 MiB " + threads,
                    {"allreduce of 1 MiB"},
                    "bare MPI_Allreduce",
                    bench::bar::at_most(1 / 0.9)});
  }
  return rows;
}

std::vector<comparison> rows_of_devices() {
  std::vector<comparison> rows;
  for (const std::string threads : {"32", "256"}) {
    rows.push_back({"reduce of a double over the devices, 1 x " + threads,
                    "world.reduce " + threads,
                    {"world.sync " + threads},
                    "sync() of the devices",
                    bench::bar::at_most(3)});
  }
  return rows;
}

bench::measured_row measured(const comparison& row, const world_bench::times_of_sides& times, bool wrong) {
  bench::measured_row result;
  result.spec = {.name = row.name, .unit = "us", .peers = {{row.peer, row.limit}}, .on = bench::cpus::all};
  result.ours = times.at(row.ours);
  for (double& time : result.ours) time -= row.less;
  result.peers = {std::vector<double>(result.ours.size(), 0)};
  for (const std::string& side : row.theirs) {
    for (size_t round = 0; round < result.ours.size(); ++round) result.peers[0][round] += times.at(side)[round];
  }
  result.missing = {""};
  if (wrong) result.failure = "a sum is wrong, or a launch failed";
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  options all;
  if (!read(argc, argv, all)) {
    std::fputs(usage, stderr);
    return 2;
  }
  world_bench::measured_times all_times = world_bench::measure(&argc, &argv, all.iterations, all.rounds);
  if (all_times.rank != 0) return all_times.wrong;
  if (all_times.times.empty()) return 1;
  std::vector<bench::measured_row> rows;
  const bool devices = all_times.processes == 1;
  for (const comparison& row : devices ? rows_of_devices() : rows_of_processes()) {
    rows.push_back(measured(row, all_times.times, all_times.wrong));
  }
  bench::report report(std::move(rows), -1);
  report.set_peer_versions({{"MPI", all_times.mpi}});
  report.print();
  if (!all.results.empty()) {
    const std::string part = "-world-" + std::to_string(devices ? all_times.ranks : all_times.processes) +
                             (devices ? "-devices" : "-processes");
    const std::string path = report.write(all.results, all.source, part);
    if (path.empty()) return 1;
    std::printf("%s\n", path.c_str());
  }
  return report.failed_rows() ? 1 : 0;
}
