// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of puzzle 10: launches and the host model.
#include "kernel.cu"
#include "puzzle.hpp"

int main(int argc, char** argv) {
  puzzle::check check(argc, argv);
  for (const unsigned threads : {45u, 128u, 200u}) {
    if (!check.begin(puzzle::text("<<<1, ", threads, ">>>"))) break;
    const puzzle::values values = puzzle::numbers(threads, 1, 99, threads);
    const puzzle::ints in(values), out(1);
    block_sum<<<1, threads>>>(in, out);
    check.wait();
    int sum = 0, first_warp = 0;
    for (unsigned t = 0; t < threads; ++t) {
      sum += values[t];
      if (t < 32) first_warp += values[t];
    }
    check.compare("out", {"block"}, out.read(), {sum})
        .mistake("This is the sum of the first warp. The sums of the other warps are missing.", {first_warp});
  }
  return check.end();
}
