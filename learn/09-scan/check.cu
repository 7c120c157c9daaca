// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of puzzle 9: launches and the host model.
#include "kernel.cu"
#include "puzzle.hpp"

int main(int argc, char** argv) {
  puzzle::check check(argc, argv);
  for (const unsigned threads : {20u, 7u, 100u}) {
    if (!check.begin(puzzle::text("<<<2, ", threads, ">>>"))) break;
    const puzzle::values values = puzzle::numbers(2 * threads, -50, 50, threads);
    const puzzle::ints in(values), out(2 * threads), counts(2);
    keep_positive<<<2, threads>>>(in, out, counts);
    check.wait();
    puzzle::values expected(2 * threads, puzzle::unwritten), shifted = expected, gaps = expected, numbers;
    for (unsigned block = 0; block < 2; ++block) {
      unsigned count = 0;
      for (unsigned i = block * threads; i < (block + 1) * threads; ++i) {
        if (values[i] <= 0) continue;
        gaps[i] = expected[block * threads + count] = values[i];
        ++count;
        if (block * threads + count < 2 * threads) shifted[block * threads + count] = values[i];
      }
      numbers.push_back(static_cast<int>(count));
    }
    check.compare("out", {"element", threads}, out.read(), expected)
        .mistake("The list begins one place too late. An inclusive scan counts the thread itself.", shifted)
        .mistake("The elements are kept at their old places. The scan gives the new ones.", gaps);
    check.compare("counts", {"block"}, counts.read(), numbers);
  }
  return check.end();
}
