// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of puzzle 13: launches and the host model.
#include <algorithm>
#include <functional>

#include "kernel.cu"
#include "puzzle.hpp"

int main(int argc, char** argv) {
  puzzle::check check(argc, argv);
  for (const unsigned threads : {32u, 9u, 77u}) {
    if (!check.begin(puzzle::text("<<<1, ", threads, ">>>"))) break;
    const puzzle::values values = puzzle::numbers(threads, 1, 99, threads);
    const puzzle::ints in(values), out(threads);
    even_first<<<1, threads>>>(in, out);
    check.wait();
    puzzle::values expected = values, odd_first = values;
    for (unsigned first = 0; first < threads; first += 32) {
      const unsigned end = std::min(first + 32, threads);
      const auto is_even = [](int value) { return value % 2 == 0; };
      std::stable_partition(expected.begin() + first, expected.begin() + end, is_even);
      std::stable_partition(odd_first.begin() + first, odd_first.begin() + end, std::not_fn(is_even));
    }
    check.compare("out", {"element", threads}, out.read(), expected)
        .mistake("The odd elements come first.", odd_first)
        .mistake("All elements are in their old places.", values);
  }
  return check.end();
}
