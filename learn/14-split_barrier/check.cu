// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of puzzle 14: launches and the host model.
#include "kernel.cu"
#include "puzzle.hpp"

int main(int argc, char** argv) {
  puzzle::check check(argc, argv);
  for (const unsigned threads : {33u, 128u, 5u}) {
    if (!check.begin(puzzle::text("<<<1, ", threads, ">>>"))) break;
    const puzzle::values values = puzzle::numbers(threads, 1, 50, threads);
    const puzzle::ints in(values), out(threads);
    add_next<<<1, threads>>>(in, out);
    check.wait();
    puzzle::values expected, neighbours, polynomials;
    for (unsigned t = 0; t < threads; ++t) {
      const int x = values[t];
      neighbours.push_back(values[(t + 1) % threads]);
      polynomials.push_back(x * x + 3 * x + 7);
      expected.push_back(polynomials[t] + neighbours[t]);
    }
    check.compare("out", {"thread", threads}, out.read(), expected)
        .mistake("The polynomial is missing in each sum.", neighbours)
        .mistake("The value of the next thread is missing in each sum.", polynomials);
  }
  return check.end();
}
