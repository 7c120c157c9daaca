// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of puzzle 4: launches and the host model.
#include "kernel.cu"
#include "puzzle.hpp"

int main(int argc, char** argv) {
  puzzle::check check(argc, argv);
  for (const unsigned threads : {12u, 45u, 5u}) {
    if (!check.begin(puzzle::text("<<<1, ", threads, ">>>"))) break;
    const unsigned tile_count = (threads + 7) / 8;
    const puzzle::ints out(threads), tiles(tile_count, 0);
    number_tiles<<<1, threads>>>(out, tiles);
    check.wait();
    puzzle::values expected, block_ranks;
    for (unsigned t = 0; t < threads; ++t) {
      expected.push_back(static_cast<int>(100 * (t / 8) + t % 8));
      block_ranks.push_back(static_cast<int>(100 * (t / 8) + t));
    }
    check.compare("out", {"thread", threads, 8}, out.read(), expected)
        .mistake("The rank is that in the block. Ask the tile for the rank, not the block.", block_ranks);
    check.compare("tiles", {"tile"}, tiles.read(), puzzle::values(tile_count, 1));
  }
  return check.end();
}
