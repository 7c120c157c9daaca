// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <utility>

#include "problems.hpp"

namespace bench::COHORT_BENCH_BUILD::openmp {

namespace {

struct row {
  const float *here, *up, *down;

  row(const float* plane, int width, int height, int y)
      : here(plane + y * width),
        up(plane + std::max(y - 1, 0) * width),
        down(plane + std::min(y + 1, height - 1) * width) {}
};

// Calls point(x, left, right) for all columns. The first and the last one are apart, so the loop over the others
// vectorizes.
template <class Point>
void each_column(int width, Point point) {
  point(0, 0, 1);
#pragma omp simd
  for (int x = 1; x < width - 1; ++x) point(x, x - 1, x + 1);
  point(width - 1, width - 2, width - 1);
}

float speckle(const float* image, int points) {
  double sum = 0, square = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum, square)
  for (int i = 0; i < points; ++i) {
    const double v = image[i];
    sum += v;
    square += v * v;
  }
  const double mean = sum / points;
  return static_cast<float>((square / points - mean * mean) / (mean * mean));
}

void find_coefficients(const row& image, float* out, int width, float q0) {
  each_column(width, [=](int x, int left, int right) {
    const float here = image.here[x];
    const float dn = image.up[x] - here, ds = image.down[x] - here;
    const float dw = image.here[left] - here, de = image.here[right] - here;
    const float gradient = (dn * dn + ds * ds + dw * dw + de * de) / (here * here);
    const float laplacian = (dn + ds + dw + de) / here;
    const float edge = 1.0f + 0.25f * laplacian;
    const float q = (0.5f * gradient - 0.0625f * laplacian * laplacian) / (edge * edge);
    const float c = 1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0)));
    out[x] = c < 0.0f ? 0.0f : c > 1.0f ? 1.0f : c;
  });
}

}  // namespace

void diffusion(const problems::diffusion& p) {
  float *image = p.image, *other = p.other;
  for (int s = 0; s < p.steps; ++s) {
    const float q0 = speckle(image, p.width * p.height);
#pragma omp parallel
    {
#pragma omp for schedule(static)
      for (int y = 0; y < p.height; ++y) {
        find_coefficients(row(image, p.width, p.height, y), p.coefficient + y * p.width, p.width, q0);
      }
#pragma omp for schedule(static)
      for (int y = 0; y < p.height; ++y) {
        const row in(image, p.width, p.height, y), weight(p.coefficient, p.width, p.height, y);
        float* out = other + y * p.width;
        const float rate = 0.25f * p.rate;
        each_column(p.width, [=](int x, int left, int right) {
          const float here = in.here[x], c = weight.here[x];
          out[x] = here + rate * (c * (in.up[x] - here) + c * (in.here[left] - here) +
                                  weight.down[x] * (in.down[x] - here) + weight.here[right] * (in.here[right] - here));
        });
      }
    }
    std::swap(image, other);
  }
}

}  // namespace bench::COHORT_BENCH_BUILD::openmp
