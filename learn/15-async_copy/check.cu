// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of puzzle 15: launches and the host model.
#include "kernel.cu"
#include "puzzle.hpp"

int main(int argc, char** argv) {
  puzzle::check check(argc, argv);
  for (const unsigned threads : {33u, 128u, 5u}) {
    if (!check.begin(puzzle::text("<<<3, ", threads, ">>>"))) break;
    const puzzle::values values = puzzle::numbers(3 * threads, 1, 99, threads);
    const puzzle::ints in(values), out(3 * threads);
    reverse_parts<<<3, threads>>>(in, out);
    check.wait();
    puzzle::values expected;
    for (unsigned i = 0; i < 3 * threads; ++i) {
      expected.push_back(values[i / threads * threads + threads - 1 - i % threads]);
    }
    check.compare("out", {"thread", threads}, out.read(), expected);
  }
  return check.end();
}
