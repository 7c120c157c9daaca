// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <utility>

#include "problems.hpp"

namespace bench::COHORT_BENCH_BUILD::openmp {

void stencil_3d(const problems::stencil_3d& p) {
  const int width = p.width, area = p.width * p.height;
  const float* from = p.first;
  float* to = p.second;
  for (int s = 0; s < p.steps; ++s) {
#pragma omp parallel for collapse(2) schedule(static)
    for (int z = 1; z < p.depth - 1; ++z) {
      for (int y = 1; y < p.height - 1; ++y) {
        const float* in = from + z * area + y * width;
        float* out = to + z * area + y * width;
#pragma omp simd
        for (int x = 1; x < width - 1; ++x) {
          out[x] = 0.4f * in[x] +
                   0.1f * (in[x - area] + in[x + area] + in[x - 1] + in[x + 1] + in[x - width] + in[x + width]);
        }
      }
    }
    float* last = const_cast<float*>(from);
    from = to;
    to = last;
  }
}

}  // namespace bench::COHORT_BENCH_BUILD::openmp
