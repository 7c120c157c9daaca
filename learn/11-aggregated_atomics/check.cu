// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of puzzle 11: launches and the host model.
#include <algorithm>

#include "kernel.cu"
#include "puzzle.hpp"

int main(int argc, char** argv) {
  puzzle::check check(argc, argv);
  for (const unsigned threads : {32u, 45u, 100u, 7u}) {
    if (!check.begin(puzzle::text("<<<2, ", threads, ">>>"))) break;
    puzzle::values values = puzzle::numbers(2 * threads, -60, 40, threads);
    if (threads > 64) std::fill(values.begin() + 32, values.begin() + 64, -1);  // a warp that appends nothing
    const puzzle::ints in(values), list(values.size()), counters(2, 0);
    collect<<<2, threads>>>(in, list, counters);
    check.wait();
    puzzle::values expected, found = list.read();
    int warps = 0;
    for (unsigned block = 0; block < 2; ++block) {
      for (unsigned first = 0; first < threads; first += 32) {
        const size_t before = expected.size();
        for (unsigned t = first; t < std::min(first + 32, threads); ++t) {
          if (values[block * threads + t] > 0) expected.push_back(values[block * threads + t]);
        }
        warps += expected.size() > before;
      }
    }
    const int count = static_cast<int>(expected.size());
    std::sort(expected.begin(), expected.end());
    found.resize(expected.size());
    const auto is_written = [](int value) { return value != puzzle::unwritten; };
    std::sort(found.begin(), std::partition(found.begin(), found.end(), is_written));
    check.compare("list (sorted)", {"element"}, found, expected);
    check.compare("counters (places, calls)", {"counter"}, counters.read(), {count, warps})
        .mistake("The list is right, but each thread has called reserve(). One call for each warp is enough.",
                 {count, count});
  }
  return check.end();
}
