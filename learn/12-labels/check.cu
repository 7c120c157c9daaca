// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of puzzle 12: launches and the host model.
#include "kernel.cu"
#include "puzzle.hpp"

int main(int argc, char** argv) {
  puzzle::check check(argc, argv);
  for (const unsigned threads : {32u, 77u, 9u}) {
    if (!check.begin(puzzle::text("<<<1, ", threads, ">>>"))) break;
    const puzzle::values values = puzzle::numbers(threads, 0, 4, threads);
    const unsigned warps = (threads + 31) / 32;
    const puzzle::ints keys(values), bins(5 * warps, 0);
    histogram<<<1, threads>>>(keys, bins);
    check.wait();
    puzzle::values expected(5 * warps, 0), ones = expected;
    for (unsigned t = 0; t < threads; ++t) {
      ++expected[t / 32 * 5 + values[t]];
      ones[t / 32 * 5 + values[t]] = 1;
    }
    check.compare("bins", {"bin", 0, 5}, bins.read(), expected)
        .mistake("Each key is counted once. Add the number of threads of the group, not 1.", ones);
  }
  return check.end();
}
