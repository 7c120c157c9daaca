// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>

#include "problems.hpp"

namespace bench::COHORT_BENCH_BUILD::openmp {

namespace {

constexpr int faces = problems::euler_mesh::faces, variables = problems::euler_mesh::variables;
constexpr float gamma = problems::euler_mesh::gamma;

struct cell {
  float value[variables], speed[3], square, pressure, sound;

  cell(const float* state, int i, int elements) {
    for (int v = 0; v < variables; ++v) value[v] = state[v * elements + i];
    square = 0;
    for (int a = 0; a < 3; ++a) {
      speed[a] = value[a + 1] / value[0];
      square += speed[a] * speed[a];
    }
    pressure = (gamma - 1.0f) * (value[4] - 0.5f * value[0] * square);
    sound = std::sqrt(gamma * pressure / value[0]);
  }
};

void find_flux(const problems::euler_mesh& p, int i) {
  const cell me(p.state, i, p.elements);
  float flux[variables] = {};
  for (int f = 0; f < faces; ++f) {
    const int32_t other = p.neighbour[f * p.elements + i];
    float normal[3], square = 0, mine = 0, yours = 0;
    for (int a = 0; a < 3; ++a) {
      normal[a] = p.normal[(3 * f + a) * p.elements + i];
      square += normal[a] * normal[a];
    }
    if (other < 0) {
      for (int a = 0; a < 3; ++a) flux[a + 1] -= me.pressure * normal[a];
      continue;
    }
    const cell you(p.state, other, p.elements);
    for (int a = 0; a < 3; ++a) {
      mine += normal[a] * me.speed[a];
      yours += normal[a] * you.speed[a];
    }
    const float diffusion =
        -0.1f * std::sqrt(square) * (std::sqrt(me.square) + std::sqrt(you.square) + me.sound + you.sound);
    for (int v = 0; v < variables; ++v) {
      flux[v] += diffusion * (me.value[v] - you.value[v]) - 0.5f * (me.value[v] * mine + you.value[v] * yours);
    }
    for (int a = 0; a < 3; ++a) flux[a + 1] -= 0.5f * (me.pressure + you.pressure) * normal[a];
    flux[4] -= 0.5f * (me.pressure * mine + you.pressure * yours);
  }
  for (int v = 0; v < variables; ++v) p.flux[v * p.elements + i] = flux[v];
}

}  // namespace

void euler_mesh(const problems::euler_mesh& p) {
#pragma omp parallel
  for (int s = 0; s < p.steps; ++s) {
#pragma omp for simd schedule(static)
    for (int i = 0; i < p.elements; ++i) {
      const cell me(p.state, i, p.elements);
      p.length[i] = 0.05f / (std::sqrt(p.volume[i]) * (std::sqrt(me.square) + me.sound));
    }
#pragma omp for schedule(static)
    for (int i = 0; i < p.elements; ++i) find_flux(p, i);
    for (int v = 0; v < variables; ++v) {
      float* state = p.state + v * p.elements;
      const float* flux = p.flux + v * p.elements;
#pragma omp for simd schedule(static) nowait
      for (int i = 0; i < p.elements; ++i) state[i] += p.length[i] * flux[i];
    }
#pragma omp barrier
  }
}

}  // namespace bench::COHORT_BENCH_BUILD::openmp
