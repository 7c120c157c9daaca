// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of puzzle 7: launches and the host model.
#include <algorithm>

#include "kernel.cu"
#include "puzzle.hpp"

// Models the largest element of each warp, where threads without an element have the value `none`.
puzzle::values model(const puzzle::values& in, size_t threads, int none) {
  puzzle::values largest;
  for (size_t first = 0; first < threads; first += 32) {
    largest.push_back(INT_MIN);
    for (size_t t = first; t < std::min(first + 32, threads); ++t) {
      largest.back() = std::max(largest.back(), t < in.size() ? in[t] : none);
    }
  }
  return largest;
}

int main(int argc, char** argv) {
  puzzle::check check(argc, argv);
  for (const int n : {150, 147, 77, 20}) {
    if (!check.begin(puzzle::text("<<<1, 150>>>, n = ", n))) break;
    const puzzle::values values = puzzle::numbers(n, -999, -1, n);
    const puzzle::ints in(values), out(5);
    largest_of_warps<<<1, 150>>>(in, n, out);
    check.wait();
    check.compare("out", {"warp"}, out.read(), model(values, 150, INT_MIN))
        .mistake("Threads without an element have taken part with 0, which is larger than every negative element.",
                 model(values, 150, 0));
  }
  return check.end();
}
