// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "problems.hpp"

namespace bench::COHORT_BENCH_BUILD::openmp {

namespace {

constexpr int tile = 64;

void align_rows(const problems::wavefront& p, int top, int left) {
  const int width = p.n + 1, right = std::min(left + tile, width);
  for (int y = top; y < std::min(top + tile, width); ++y) {
    const int32_t* up = p.score + (y - 1) * width;
    const int32_t* match = p.match + y * width;
    int32_t* row = p.score + y * width;
    for (int x = left; x < right; ++x) {
      row[x] = std::max(std::max(row[x - 1], up[x]) - p.gap, up[x - 1] + match[x]);
    }
  }
}

}  // namespace

void wavefront(const problems::wavefront& p) {
  const int tiles = (p.n + tile - 1) / tile;
#pragma omp parallel
  for (int d = 0; d < 2 * tiles - 1; ++d) {
    const int first = std::max(0, d - tiles + 1), last = std::min(d, tiles - 1);
#pragma omp for schedule(dynamic, 1)
    for (int bx = first; bx <= last; ++bx) align_rows(p, (d - bx) * tile + 1, bx * tile + 1);
  }
}

}  // namespace bench::COHORT_BENCH_BUILD::openmp
