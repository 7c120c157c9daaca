// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the product of two matrices with tiles in shared memory, one output for each thread, on one core.
#include "../harness/array.hpp"
#include "../harness/verify.hpp"
#include "../kernels/programs.hpp"
#include "../peers/blas.hpp"
#include "../peers/hand_written.hpp"
#include "engine/tensor/fast_products.hpp"
#include "rows.hpp"
#include "sides.hpp"

namespace bench {

namespace {

// Checks every `step`-th row of `c`, the product of two n x n matrices.
void verify(const char* side, const array<float>& a, const array<float>& b, const array<float>& c, size_t n,
            size_t step, double tolerance) {
  for (size_t y = 0; y < n; y += step) {
    const array<float> expected(n, [&](size_t x) {
      double sum = 0;
      for (size_t k = 0; k < n; ++k) sum += static_cast<double>(a[y * n + k]) * static_cast<double>(b[k * n + x]);
      return sum;
    });
    expect_near(side, c.data() + y * n, expected.data(), n, tolerance);
  }
}

constexpr size_t n = 1024;
constexpr double operations = 2.0 * n * n * n;

struct matrices {
  array<float> a{n * n, [](size_t i) { return static_cast<double>(random_word(i) % 256) / 256; }};
  array<float> b{n * n, [](size_t i) { return static_cast<double>(random_word(i + n * n) % 256) / 256; }};
  array<float> ours{n * n}, hand{n * n}, blas{n * n}, theirs{n * n};
};

void verify(const char* side, const matrices& d, const array<float>& c) { verify(side, d.a, d.b, c, n, 37, 1e-4); }

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

// The f16 bits of an integer below 32.
uint32_t half_bits(uint32_t value) {
  if (value == 0) return 0;
  const auto exponent = static_cast<uint32_t>(31 - __builtin_clz(value));
  return (exponent + 15) << 10 | ((value << (10 - exponent)) & 1023u);
}

template <size_t n>
struct half_matrices {
  array<uint32_t> a{n * n / 2, [](size_t i) { return pair(i); }};
  array<uint32_t> b{n * n / 2, [](size_t i) { return pair(i + n * n); }};  // by columns
  array<float> wide_a{n * n, [](size_t i) { return value(i); }};
  array<float> wide_b{n * n, [](size_t i) { return value(i % n * n + i / n + 2 * n * n); }};
  array<float> ours{n * n}, blas{n * n};

  static uint32_t value(size_t i) { return random_word(i) % 32; }
  static uint32_t pair(size_t word) { return half_bits(value(2 * word)) | half_bits(value(2 * word + 1)) << 16; }
};

// The sums of small whole numbers are exact on both sides. `code`: the products of the row, which a launch selects.
template <size_t n>
row_sides tensor_core_sides(decltype(&tensor_core_product) product, cohort::engine::fast_code code) {
  constexpr double half_operations = 2.0 * n * n * n;
  const auto d = std::make_shared<half_matrices<n>>();
  const auto run_exactly = [d, product] { product(d->a.data(), d->b.data(), d->ours.data(), n); };
  const auto run_ours = [run_exactly, code] {
    cohort::engine::use_fast_products(code);
    run_exactly();
    cohort::engine::use_fast_products(cohort::engine::fast_code::none);
  };
  const auto run_blas = [d] { blas_product(d->wide_a.data(), d->wide_b.data(), d->blas.data(), n); };
  run_exactly();  // the first launch reads the settings
  run_ours();
  verify("product by tensor cores", d->wide_a, d->wide_b, d->ours, n, 1, 0);
  if (!has_blas()) return {rate_of(half_operations, run_ours), {{{}, blas_version()}}};
  run_blas();
  return {rate_of(half_operations, run_ours), {{rate_of(half_operations, run_blas)}}};
}

}  // namespace

void add_matrix_rows(suite& rows) {
  using cohort::engine::fast_code;
  rows.add({.name = "matrix product 1024^3, 32 x 32 shared tiles",
            .unit = "GFlop/s",
            .peers = {{.name = "hand-written loop, vector types", .limit = bar::at_least(0.6)},
                      {.name = "OpenBLAS", .limit = bar::at_least(0.7)},
                      {.name = "pocl"}}},
           matrix_sides);
  rows.add({.name = "f16 product 256^3, mma.sync with the bits of an H100",
            .unit = "GFlop/s",
            .peers = {{.name = "OpenBLAS, f32"}}},
           [] { return tensor_core_sides<256>(tensor_core_product, fast_code::none); });
  rows.add({.name = "f16 product 512^3, ldmatrix and mma.sync with the bits of an H100",
            .unit = "GFlop/s",
            .peers = {{.name = "OpenBLAS, f32"}}},
           [] { return tensor_core_sides<512>(tiled_tensor_core_product, fast_code::none); });
  rows.add({.name = "f16 product 512^3, ldmatrix and mma.sync, COHORT_TENSOR=fast",
            .unit = "GFlop/s",
            .peers = {{.name = "OpenBLAS, f32", .limit = bar::at_least(0.5)}}},
           [] { return tensor_core_sides<512>(tiled_tensor_core_product, cohort::engine::fast_code_of_cpu()); });
}

}  // namespace bench
