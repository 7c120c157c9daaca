// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The programs of the comparisons, with their inputs, for both sides.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace bench {

enum class problem_size { small, full };  // small for the test, full for the benchmark

struct comparison {
  struct side {
    std::function<void()> reset;  // restores the inputs that `run` changes
    std::function<void()> run;
  };
  side ours, theirs;
  std::function<void()> check;  // compares the results; a difference ends the process with a message
};

struct program {
  std::string name;
  std::function<comparison(problem_size)> make;
};

// The programs, with both sides compiled for this CPU (`native`) or for any CPU with AVX2.
namespace native {
std::vector<program> all_programs();  // in the order of the table
bool has_openmp();                    // false without OpenMP: the loops then run on one CPU
}  // namespace native
namespace avx2 {
std::vector<program> all_programs();
}  // namespace avx2

}  // namespace bench
