// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cores.hpp"
#include "hand_written.hpp"

namespace bench::hand_written {

// Copies through a local tile with padded rows: without padding, all lines of a column would share a few sets of the
// first-level cache.
void transpose(const float* in, float* out, size_t n) {
  constexpr size_t tile = 32;
  for_each_range(n / tile, 1, [=](size_t first, size_t last) {
    for (size_t by = first * tile; by < last * tile; by += tile) {
      for (size_t bx = 0; bx < n; bx += tile) {
        float local[tile][tile + 1];
        for (size_t x = 0; x < tile; ++x) {
          for (size_t y = 0; y < tile; ++y) local[x][y] = in[(bx + x) * n + by + y];
        }
        for (size_t y = 0; y < tile; ++y) {
          for (size_t x = 0; x < tile; ++x) out[(by + y) * n + bx + x] = local[x][y];
        }
      }
    }
  });
}

void scan(const int32_t* in, int32_t* out, size_t blocks, size_t elements) {
  for_each_range(blocks, even_share, [=](size_t first, size_t last) {
    for (size_t b = first; b < last; ++b) {
      int32_t sum = 0;
      for (size_t i = b * elements; i < (b + 1) * elements; ++i) out[i] = sum += in[i];
    }
  });
}

}  // namespace bench::hand_written
