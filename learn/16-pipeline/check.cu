// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of puzzle 16: launches and the host model.
#include "kernel.cu"
#include "puzzle.hpp"

int main(int argc, char** argv) {
  puzzle::check check(argc, argv);
  for (const unsigned parts : {1u, 2u, 7u}) {
    const unsigned threads = 33 + parts;
    if (!check.begin(puzzle::text("<<<1, ", threads, ">>>, parts = ", parts))) break;
    const puzzle::values values = puzzle::numbers(parts * threads, 1, 99, parts);
    const puzzle::ints in(values), out(threads);
    weighted_sums<<<1, threads>>>(in, parts, out);
    check.wait();
    puzzle::values expected(threads, 0);
    for (unsigned s = 0; s < parts; ++s) {
      for (unsigned t = 0; t < threads; ++t) {
        expected[t] += static_cast<int>(s + 1) * values[s * threads + threads - 1 - t];
      }
    }
    check.compare("out", {"thread", threads}, out.read(), expected);
  }
  return check.end();
}
