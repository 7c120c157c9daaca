// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures kernels in the common styles of CUDA programs beside themselves on fibers, on all CPUs. The models are plain
// loops.
#include <algorithm>
#include <cmath>

#include "../harness/array.hpp"
#include "../harness/verify.hpp"
#include "../kernels/samples.hpp"
#include "rows.hpp"
#include "sides.hpp"

namespace bench {

namespace {

double unit_random(size_t i) { return static_cast<double>(random_word(i)) / 4294967296.0; }

row_sides saxpy_sides() {
  constexpr unsigned n = (1 << 18) - 7;
  struct data {
    array<float> x{n, unit_random};
    array<float> y{n};
  };
  const auto d = std::make_shared<data>();
  const auto run = [d] { saxpy(0.5f, d->x.data(), d->y.data(), n); };
  run();
  const array<float> expected(n, [&](size_t i) { return 0.5f * d->x[i]; });
  expect_near("saxpy", d->y.data(), expected.data(), n, 1e-6);
  return {time_of(n, run)};
}

row_sides average_sides() {
  constexpr unsigned width = 509, height = 515;
  constexpr size_t n = size_t{width} * height;
  struct data {
    array<float> in{n, unit_random};
    array<float> out{n};
  };
  const auto d = std::make_shared<data>();
  const auto run = [d] { average(d->in.data(), d->out.data(), width, height); };
  run();
  const array<float> expected(n, [&](size_t i) {
    const size_t x = i % width, y = i / width;
    if (x == 0 || x + 1 == width || y == 0 || y + 1 == height) return 0.0;
    double sum = 0;
    for (const size_t k : {i, i - 1, i + 1, i - width, i + width}) sum += static_cast<double>(d->in[k]);
    return sum / 5;
  });
  expect_near("average", d->out.data(), expected.data(), n, 1e-5);
  return {time_of(n, run)};
}

row_sides stencil_sides() {
  constexpr unsigned n = 1 << 20;
  struct data {
    array<float> in{n, unit_random};
    array<float> out{n};
  };
  const auto d = std::make_shared<data>();
  const auto run = [d] { stencil(d->in.data(), d->out.data(), n); };
  run();
  const array<float> expected(n, [&](size_t i) {
    double sum = 0;
    for (size_t k = i >= stencil_radius ? i - stencil_radius : 0; k <= std::min<size_t>(i + stencil_radius, n - 1);
         ++k) {
      sum += static_cast<double>(d->in[k]);
    }
    return sum;
  });
  expect_near("stencil", d->out.data(), expected.data(), n, 1e-5);
  return {time_of(n, run)};
}

row_sides bitonic_sides() {
  constexpr unsigned blocks = 64;
  constexpr size_t n = size_t{blocks} * bitonic_size;
  struct data {
    array<int32_t> in{n, random_word};
    array<int32_t> keys{n};
  };
  const auto d = std::make_shared<data>();
  const auto run = [d] {
    std::copy_n(d->in.data(), n, d->keys.data());
    bitonic_sort(d->keys.data(), blocks);
  };
  run();
  const array<int32_t> expected(n, [&](size_t i) { return d->in[i]; });
  for (unsigned b = 0; b < blocks; ++b) {
    std::sort(expected.data() + size_t{b} * bitonic_size, expected.data() + size_t{b + 1} * bitonic_size);
  }
  expect_equal("bitonic sort", d->keys.data(), expected.data(), n);
  return {time_of(n, run)};
}

row_sides histogram_sides() {
  constexpr unsigned n = 1 << 22;
  struct data {
    array<uint8_t> in{n, [](size_t i) { return static_cast<uint8_t>(random_word(i) % 7 * (random_word(i) >> 27)); }};
    array<uint32_t> counts{256};
  };
  const auto d = std::make_shared<data>();
  const auto run = [d] { histogram(d->in.data(), n, d->counts.data()); };
  run();
  const array<uint32_t> expected(256);
  for (size_t i = 0; i < n; ++i) ++expected[d->in[i]];
  expect_equal("histogram", d->counts.data(), expected.data(), 256);
  return {time_of(n, run)};
}

row_sides bodies_sides() {
  constexpr unsigned n = 4096;
  struct data {
    array<float> bodies{size_t{4} * n, unit_random};
    array<float> accelerations{size_t{4} * n};
  };
  const auto d = std::make_shared<data>();
  const auto run = [d] { attract_bodies(d->bodies.data(), d->accelerations.data(), n); };
  run();
  for (size_t i = 0; i < n; i += 61) {
    double expected[3] = {};
    for (size_t k = 0; k < n; ++k) {
      double distance[3], square = static_cast<double>(bodies_softening);
      for (size_t axis = 0; axis < 3; ++axis) {
        distance[axis] = static_cast<double>(d->bodies[4 * k + axis]) - static_cast<double>(d->bodies[4 * i + axis]);
        square += distance[axis] * distance[axis];
      }
      for (size_t axis = 0; axis < 3; ++axis) {
        expected[axis] += static_cast<double>(d->bodies[4 * k + 3]) * distance[axis] / (square * std::sqrt(square));
      }
    }
    const double found[] = {d->accelerations[4 * i], d->accelerations[4 * i + 1], d->accelerations[4 * i + 2]};
    expect_near("n-body", found, expected, 3, 1e-3, 1);
  }
  return {time_of(double{n} * n, run)};
}

row_sides softmax_sides() {
  constexpr unsigned rows = 1024;
  constexpr size_t n = size_t{rows} * softmax_columns;
  struct data {
    array<float> in{n, [](size_t i) { return 8 * unit_random(i); }};
    array<float> out{n};
  };
  const auto d = std::make_shared<data>();
  const auto run = [d] { softmax(d->in.data(), d->out.data(), rows); };
  run();
  for (size_t row = 0; row < rows; row += 31) {
    const float* in = d->in.data() + row * softmax_columns;
    double sum = 0;
    for (size_t i = 0; i < softmax_columns; ++i) sum += std::exp(static_cast<double>(in[i]));
    const array<float> expected(softmax_columns, [&](size_t i) { return std::exp(static_cast<double>(in[i])) / sum; });
    expect_near("softmax", d->out.data() + row * softmax_columns, expected.data(), softmax_columns, 1e-4);
  }
  return {time_of(n, run)};
}

row_sides matrix_vector_sides() {
  constexpr unsigned n = 2048;
  struct data {
    array<float> matrix{size_t{n} * n, unit_random};
    array<float> vector{n, [](size_t i) { return unit_random(i + 77); }};
    array<float> out{n};
  };
  const auto d = std::make_shared<data>();
  const auto run = [d] { matrix_vector(d->matrix.data(), d->vector.data(), d->out.data(), n); };
  run();
  const array<float> expected(n, [&](size_t row) {
    double sum = 0;
    for (size_t k = 0; k < n; ++k)
      sum += static_cast<double>(d->matrix[row * n + k]) * static_cast<double>(d->vector[k]);
    return sum;
  });
  expect_near("matrix by vector", d->out.data(), expected.data(), n, 1e-4);
  return {rate_of(static_cast<double>(d->matrix.bytes()), run)};
}

}  // namespace

void add_sample_rows(suite& rows) {
  // Gangs make none of them slower; 1.05 allows for noise.
  const bar not_slower = bar::at_most(1.05);
  const auto add = [&rows](const char* name, const char* unit, bar limit, row_sides (*make)()) {
    rows.add({.name = name, .unit = unit, .on = cpus::all, .against_fibers = limit}, make);
  };
  add("saxpy, an element a thread", "ns", not_slower, saxpy_sides);
  add("average of five points, 32 x 8 threads, a point", "ns", not_slower, average_sides);
  add("stencil of 7 points in shared memory, a point", "ns", not_slower, stencil_sides);
  add("bitonic sort of 1024 in shared memory, a key", "ns", not_slower, bitonic_sides);
  add("histogram of bytes in shared memory, a byte", "ns", not_slower, histogram_sides);
  add("n-body in tiles, an interaction", "ns", not_slower, bodies_sides);
  add("softmax of rows of 1024, an element", "ns", not_slower, softmax_sides);
  add("matrix by vector, a warp a row", "GB/s", bar::at_least(1 / 1.05), matrix_vector_sides);
}

}  // namespace bench
