// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of puzzle 5: launches and the host model.
#include "kernel.cu"
#include "puzzle.hpp"

// Models the result if the first value of each tile is `base` more than the value before it.
puzzle::values model(const puzzle::values& in, bool is_first_zero) {
  puzzle::values out;
  for (size_t first = 0; first < in.size(); first += 16) {
    bool is_steep = false;
    const size_t end = first + 16 < in.size() ? first + 16 : in.size();
    for (size_t t = first; t < end; ++t) {
      const int before = t > first ? in[t - 1] : is_first_zero || t == 0 ? in[t] : in[t - 1];
      out.push_back(in[t] - before);
      is_steep = is_steep || out.back() > 50;
    }
    for (size_t t = first; is_steep && t < end; ++t) out[t] = -1;
  }
  return out;
}

int main(int argc, char** argv) {
  puzzle::check check(argc, argv);
  for (const unsigned threads : {16u, 45u, 33u, 7u}) {
    if (!check.begin(puzzle::text("<<<1, ", threads, ">>>"))) break;
    puzzle::values values = puzzle::numbers(threads, 100, 140, threads);
    if (threads > 32) values[20] = 500;
    const puzzle::ints in(values), out(threads);
    steps<<<1, threads>>>(in, out);
    check.wait();
    check.compare("out", {"thread", threads, 16}, out.read(), model(values, true))
        .mistake(
            "The step of rank 0 is that to the last thread of the tile before. It should be 0: tiles are separate.",
            model(values, false));
  }
  return check.end();
}
