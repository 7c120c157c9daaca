// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the loops that the rows of a world compare. Times are microseconds for each iteration.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace world_bench {

// The times of each loop, one for each round. The key is the loop's name, for example "world.sync 32".
using times_of_sides = std::map<std::string, std::vector<double>>;

struct measured_times {
  int rank = 0;  // rank of the process among the processes
  int processes = 0;
  int ranks = 0;  // ranks in the world
  bool wrong = false;
  std::string mpi;       // version of the MPI library
  times_of_sides times;  // empty if no world could be opened
};

// Opens a world over the processes that the launcher started, and measures all loops in turns.
measured_times measure(int* argc, char*** argv, int iterations, int rounds);

}  // namespace world_bench
