// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "problems.hpp"

namespace bench::COHORT_BENCH_BUILD::openmp {

namespace {

constexpr int per_cell = problems::particles::per_cell;

// The particles of a cell, by axes: the compiler vectorizes loops over them.
struct cell {
  float x[per_cell], y[per_cell], z[per_cell], charge[per_cell];

  explicit cell(const float* position) {
    for (int k = 0; k < per_cell; ++k) {
      x[k] = position[4 * k];
      y[k] = position[4 * k + 1];
      z[k] = position[4 * k + 2];
      charge[k] = position[4 * k + 3];
    }
  }
};

void add_forces(const cell& home, const cell& other, float* force) {
  for (int i = 0; i < per_cell; ++i) {
    float fx = 0, fy = 0, fz = 0, potential = 0;
    const float x = home.x[i], y = home.y[i], z = home.z[i];
#pragma omp simd reduction(+ : fx, fy, fz, potential)
    for (int k = 0; k < per_cell; ++k) {
      const float dx = x - other.x[k], dy = y - other.y[k], dz = z - other.z[k];
      const float square = dx * dx + dy * dy + dz * dz;
      const float near = square < 1.0f ? other.charge[k] / (square + 0.05f) : 0.0f;
      const float pull = near * (1.0f - square);
      fx += pull * dx;
      fy += pull * dy;
      fz += pull * dz;
      potential += near;
    }
    force[4 * i] += fx;
    force[4 * i + 1] += fy;
    force[4 * i + 2] += fz;
    force[4 * i + 3] += potential;
  }
}

}  // namespace

void particles(const problems::particles& p) {
  const int side = p.side;
#pragma omp parallel for collapse(3) schedule(dynamic, 4)
  for (int z = 0; z < side; ++z) {
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        const int home = ((z * side + y) * side + x) * per_cell * 4;
        const cell mine(p.position + home);
        std::fill_n(p.force + home, 4 * per_cell, 0.0f);
        for (int nz = std::max(z - 1, 0); nz <= std::min(z + 1, side - 1); ++nz) {
          for (int ny = std::max(y - 1, 0); ny <= std::min(y + 1, side - 1); ++ny) {
            for (int nx = std::max(x - 1, 0); nx <= std::min(x + 1, side - 1); ++nx) {
              add_forces(mine, cell(p.position + ((nz * side + ny) * side + nx) * per_cell * 4), p.force + home);
            }
          }
        }
      }
    }
  }
}

}  // namespace bench::COHORT_BENCH_BUILD::openmp
