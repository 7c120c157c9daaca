// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures cuFFT beside the library that does its work, called directly, on one core.
#include <cuda_runtime_api.h>
#include <cufft.h>

#include <cmath>
#include <cstddef>
#include <memory>

#include "../harness/array.hpp"
#include "../harness/verify.hpp"
#include "../peers/fft.hpp"
#include "rows.hpp"
#include "sides.hpp"

namespace bench {

namespace {

// `in` and `out` are the sizes of the arrays, in floats.
struct transform_arrays {
  transform_arrays(size_t in, size_t out)
      : operand(in, [](size_t i) { return static_cast<double>(random_word(i) % 2048) / 1024 - 1; }),
        ours(out),
        theirs(out) {}
  ~transform_arrays() { cufftDestroy(plan); }
  transform_arrays(const transform_arrays&) = delete;
  transform_arrays& operator=(const transform_arrays&) = delete;

  array<float> operand, ours, theirs;
  cufftHandle plan = CUFFT_PLAN_NULL;
};

template <class Ours, class Theirs>
row_sides sides_of(const std::shared_ptr<transform_arrays>& d, double operations, Ours run_ours, Theirs run_theirs) {
  if (!has_fft()) return {rate_of(operations, run_ours), {{{}, fft_version()}}};
  run_ours();
  run_theirs();
  expect_near("cuFFT", d->ours.data(), d->theirs.data(), d->ours.size(), 1e-4, 1e-3);
  return {rate_of(operations, run_ours), {{rate_of(operations, run_theirs)}}};
}

row_sides lines(size_t n, size_t batch) {
  const auto d = std::make_shared<transform_arrays>(2 * n * batch, 2 * n * batch);
  cufftPlan1d(&d->plan, static_cast<int>(n), CUFFT_C2C, static_cast<int>(batch));
  const double operations = 5.0 * static_cast<double>(n * batch) * std::log2(static_cast<double>(n));
  return sides_of(
      d, operations,
      [d] {
        cufftExecC2C(d->plan, reinterpret_cast<cufftComplex*>(d->operand.data()),
                     reinterpret_cast<cufftComplex*>(d->ours.data()), CUFFT_FORWARD);
        cudaDeviceSynchronize();
      },
      [d, n, batch] { fft_lines(d->operand.data(), d->theirs.data(), n, batch); });
}

row_sides plane(size_t n) {
  const auto d = std::make_shared<transform_arrays>(n * n, n * (n / 2 + 1) * 2);
  cufftPlan2d(&d->plan, static_cast<int>(n), static_cast<int>(n), CUFFT_R2C);
  const double operations = 5.0 * static_cast<double>(n * n) * std::log2(static_cast<double>(n));
  return sides_of(
      d, operations,
      [d] {
        cufftExecR2C(d->plan, d->operand.data(), reinterpret_cast<cufftComplex*>(d->ours.data()));
        cudaDeviceSynchronize();
      },
      [d, n] { fft_plane(d->operand.data(), d->theirs.data(), n); });
}

void add(suite& rows, const char* name, row_sides (*make)()) {
  rows.add({.name = name,
            .unit = "GFlop/s",
            .peers = {{.name = "pocketfft", .limit = bar::at_least(0.9)}},
            .has_kernel = false},
           make);
}

}  // namespace

void add_transform_rows(suite& rows) {
  add(rows, "cuFFT, complex, 1024 numbers, one", [] { return lines(1024, 1); });
  add(rows, "cuFFT, complex, 1024 numbers, batch of 2048", [] { return lines(1024, 2048); });
  add(rows, "cuFFT, complex, 98304 numbers, one", [] { return lines(3 << 15, 1); });
  add(rows, "cuFFT, complex, 10007 numbers (a prime), one", [] { return lines(10007, 1); });
  add(rows, "cuFFT, real, 2048 x 2048", [] { return plane(2048); });
}

}  // namespace bench
