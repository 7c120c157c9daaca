// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the product of two matrices with tiles in shared memory, one output for each thread, on one core.
#include "../harness/array.hpp"
#include "../harness/verify.hpp"
#include "../kernels/programs.hpp"
#include "../peers/blas.hpp"
#include "../peers/hand_written.hpp"
#include "rows.hpp"
#include "sides.hpp"

namespace bench {

namespace {

constexpr size_t n = 1024;
constexpr double operations = 2.0 * n * n * n;
constexpr double tolerance = 1e-4;

struct matrices {
  array<float> a{n * n, [](size_t i) { return static_cast<double>(random_word(i) % 256) / 256; }};
  array<float> b{n * n, [](size_t i) { return static_cast<double>(random_word(i + n * n) % 256) / 256; }};
  array<float> ours{n * n}, hand{n * n}, blas{n * n}, theirs{n * n};
};

// Checks every 37th row of `c`.
void verify(const char* side, const matrices& d, const array<float>& c) {
  for (size_t y = 0; y < n; y += 37) {
    const array<float> expected(n, [&](size_t x) {
      double sum = 0;
      for (size_t k = 0; k < n; ++k) sum += static_cast<double>(d.a[y * n + k]) * static_cast<double>(d.b[k * n + x]);
      return sum;
    });
    expect_near(side, c.data() + y * n, expected.data(), n, tolerance);
  }
}

peer_side blas_side(const std::shared_ptr<matrices>& d) {
  if (!has_blas()) return {{}, blas_version()};
  const auto run = [d] { blas_product(d->a.data(), d->b.data(), d->blas.data(), n); };
  run();
  verify("OpenBLAS", *d, d->blas);
  return {rate_of(operations, run)};
}

row_sides matrix_sides() {
  const auto d = std::make_shared<matrices>();
  const auto run_ours = [d] { matrix_product(d->a.data(), d->b.data(), d->ours.data(), n); };
  const auto run_hand = [d] { hand_written::matrix_product(d->a.data(), d->b.data(), d->hand.data(), n); };
  run_ours();
  run_hand();
  verify("matrix product", *d, d->ours);
  verify("hand-written matrix product", *d, d->hand);
  return {rate_of(operations, run_ours),
          {{rate_of(operations, run_hand)}, blas_side(d), opencl_side([&] {
             const auto a = std::make_shared<opencl_buffer>(d->a.data(), d->a.bytes());
             const auto b = std::make_shared<opencl_buffer>(d->b.data(), d->b.bytes());
             const auto c = std::make_shared<opencl_buffer>(d->theirs.data(), d->theirs.bytes());
             const auto run = [d, a, b, c] {
               const int size = n;
               opencl::peer().run("matrix_product", {{n / 32, n / 32}, {32, 32}}, *a, *b, *c, size);
             };
             run();
             c->update_host();
             verify("pocl's matrix product", *d, d->theirs);
             return rate_of(operations, run);
           })}};
}

}  // namespace

void add_matrix_rows(suite& rows) {
  rows.add({.name = "matrix product 1024^3, 32 x 32 shared tiles",
            .unit = "GFlop/s",
            .peers = {{.name = "hand-written loop, vector types", .limit = bar::at_least(0.6)},
                      {.name = "OpenBLAS", .limit = bar::at_least(0.7)},
                      {.name = "pocl"}}},
           matrix_sides);
}

}  // namespace bench
