// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of puzzle 3: launches and the host model.
#include "kernel.cu"
#include "puzzle.hpp"

int main(int argc, char** argv) {
  puzzle::check check(argc, argv);
  for (const int n : {64, 45, 7}) {
    if (!check.begin(puzzle::text("<<<1, 64>>>, n = ", n))) break;
    puzzle::values values = puzzle::numbers(n, 1, 99, n);
    const puzzle::ints x(values), ends(1);
    reverse<<<1, 64>>>(x, n, ends);
    check.wait();
    check.compare("x", {"element"}, x.read(), puzzle::values(values.rbegin(), values.rend()));
    check.compare("sum_of_ends", {"element"}, ends.read(), {values.front() + values.back()});
  }
  return check.end();
}
