// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of puzzle 6: launches and the host model.
#include "kernel.cu"
#include "puzzle.hpp"

// Models three steps of additions. In each step, a rank adds the value of the rank that `source` returns.
template <class Source>
puzzle::values steps(puzzle::values values, Source source) {
  for (const int m : {4, 2, 1}) {
    const puzzle::values before = values;
    for (size_t t = 0; t < values.size(); ++t) {
      const int rank = static_cast<int>(t % 8);
      values[t] += before[t - rank + source(rank, m)];
    }
  }
  return values;
}

int main(int argc, char** argv) {
  puzzle::check check(argc, argv);
  for (const unsigned threads : {8u, 40u, 72u}) {
    if (!check.begin(puzzle::text("<<<1, ", threads, ">>>"))) break;
    const puzzle::values values = puzzle::numbers(threads, 1, 99, threads);
    const puzzle::ints in(values), out(threads);
    tile_sums<<<1, threads>>>(in, out);
    check.wait();
    puzzle::values expected(threads, 0);
    for (unsigned t = 0; t < threads; ++t) {
      for (unsigned other = 0; other < 8; ++other) expected[t] += values[t / 8 * 8 + other];
    }
    check.compare("out", {"thread", threads, 8}, out.read(), expected)
        .mistake("Only rank 0 has the sum. shfl_down moves values to lower ranks; shfl_xor exchanges them.",
                 steps(values, [](int r, int m) { return r + m < 8 ? r + m : r; }))
        .mistake("Each thread has the sum of its first partners only. The distance doubles in each step: 1, 2, 4.",
                 [&] {
                   puzzle::values pairs;
                   for (unsigned t = 0; t < threads; ++t) pairs.push_back(values[t] + values[t ^ 1]);
                   return pairs;
                 }());
  }
  return check.end();
}
