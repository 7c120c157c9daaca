// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of puzzle 8: launches and the host model.
#include "kernel.cu"
#include "puzzle.hpp"

int main(int argc, char** argv) {
  puzzle::check check(argc, argv);
  for (const unsigned threads : {32u, 77u, 9u}) {
    if (!check.begin(puzzle::text("<<<1, ", threads, ">>>"))) break;
    const puzzle::values values = puzzle::numbers(threads, 0, 99, threads);
    const puzzle::ints in(values), out(threads);
    count_before<<<1, threads>>>(in, 40, out);
    check.wait();
    puzzle::values expected, with_self;
    for (unsigned t = 0, count = 0; t < threads; ++t) {
      if (t % 32 == 0) count = 0;
      expected.push_back(static_cast<int>(count));
      if (values[t] > 40) ++count;
      with_self.push_back(static_cast<int>(count));
    }
    check.compare("out", {"thread", threads}, out.read(), expected)
        .mistake("Each thread counts itself. The mask has the bits below its rank, without its own.", with_self);
  }
  return check.end();
}
