// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of puzzle 17: launches and the host model.
#include "kernel.cu"
#include "puzzle.hpp"

int main(int argc, char** argv) {
  puzzle::check check(argc, argv);
  for (const unsigned threads : {20u, 45u}) {
    if (!check.begin(puzzle::text("<<<8, ", threads, ">>>, clusters of 4 blocks"))) break;
    const puzzle::values values = puzzle::numbers(8 * threads, 1, 99, threads);
    const puzzle::ints in(values), out(8 * threads);
    from_next_block<<<8, threads>>>(in, out);
    check.wait();
    puzzle::values expected, before;
    for (unsigned i = 0; i < 8 * threads; ++i) {
      const unsigned block = i / threads, first = block / 4 * 4;
      expected.push_back(values[(first + (block + 1) % 4) * threads + i % threads]);
      before.push_back(values[(first + (block + 3) % 4) * threads + i % threads]);
    }
    check.compare("out", {"thread", threads}, out.read(), expected)
        .mistake("The elements are those of the block before. The next block has one rank more.", before)
        .mistake("Each block has its own elements. map_shared_rank() gives the address in another block.", values);
  }
  return check.end();
}
