// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of puzzle 2: launches and the host model.
#include "kernel.cu"
#include "puzzle.hpp"

int main(int argc, char** argv) {
  puzzle::check check(argc, argv);
  for (const int n : {21, 50, 100, 13, 1}) {
    if (!check.begin(puzzle::text("<<<3, 7>>>, n = ", n))) break;
    const puzzle::values values = puzzle::numbers(n, -50, 50, n);
    const puzzle::ints in(values), out(n);
    twice<<<3, 7>>>(in, n, out);
    check.wait();
    puzzle::values expected, first_only(n, puzzle::unwritten);
    for (int i = 0; i < n; ++i) {
      expected.push_back(2 * values[i]);
      if (i < 21) first_only[i] = expected[i];
    }
    check.compare("out", {"element"}, out.read(), expected)
        .mistake("Each thread has served one element. A grid of 21 threads needs a loop for more.", first_only);
  }
  return check.end();
}
