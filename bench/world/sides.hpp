// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops that the rows of a world compare: their times, in microseconds for each iteration.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace world_bench {

// By the name of the loop, for example "world.sync 32": one value for each round.
using times_of_sides = std::map<std::string, std::vector<double>>;

struct measured_times {
  int rank = 0;  // of the process
  int processes = 0;
  int ranks = 0;  // of the world
  bool wrong = false;
  std::string mpi;       // the library's version
  times_of_sides times;  // empty: no world could be opened
};

// Opens a world over the processes that the launcher started, and measures all loops in turns.
measured_times measure(int* argc, char*** argv, int iterations, int rounds);

}  // namespace world_bench
