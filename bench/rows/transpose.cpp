// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the transposition of a matrix, on all CPUs. Rates count each byte once for the read and once for the write.
#include "../harness/array.hpp"
#include "../harness/verify.hpp"
#include "../kernels/programs.hpp"
#include "../peers/hand_written.hpp"
#include "rows.hpp"
#include "sides.hpp"

namespace bench {

namespace {

struct matrices {
  explicit matrices(size_t n)
      : n(n), in(n * n, [](size_t i) { return i % 16777213; }), ours(n * n), hand(n * n), theirs(n * n) {}
  double bytes() const { return 2 * static_cast<double>(in.bytes()); }

  size_t n;
  array<float> in, ours, hand, theirs;
};

row_sides transpose_sides(size_t n) {
  const auto d = std::make_shared<matrices>(n);
  const array<float> expected(n * n, [&](size_t i) { return d->in[i % n * n + i / n]; });
  const auto run_ours = [d] { transpose(d->in.data(), d->ours.data(), static_cast<int>(d->n)); };
  const auto run_hand = [d] { hand_written::transpose(d->in.data(), d->hand.data(), d->n); };
  run_ours();
  run_hand();
  expect_equal("transpose", d->ours.data(), expected.data(), n * n);
  expect_equal("hand-written transpose", d->hand.data(), expected.data(), n * n);
  return {rate_of(d->bytes(), run_ours),
          {{rate_of(d->bytes(), run_hand)}, opencl_side([&] {
             const auto in = std::make_shared<opencl_buffer>(d->in.data(), d->in.bytes());
             const auto out = std::make_shared<opencl_buffer>(d->theirs.data(), d->theirs.bytes());
             const auto run = [d, in, out] {
               const int size = static_cast<int>(d->n);
               opencl::peer().run("transpose", {{d->n / 32, d->n / 32}, {32, 8}}, *in, *out, size);
             };
             run();
             out->update_host();
             expect_equal("pocl's transpose", d->theirs.data(), expected.data(), d->n * d->n);
             return rate_of(d->bytes(), run);
           })}};
}

}  // namespace

void add_transpose_rows(suite& rows) {
  rows.add({.name = "transpose 4096^2 through [32][33] shared",
            .unit = "GB/s",
            .peers = {{.name = "hand-written loop", .limit = bar::at_least(0.65)}, {.name = "pocl"}},
            .on = cpus::all},
           [] { return transpose_sides(4096); });
  rows.add({.name = "transpose 1024^2 in cache",
            .unit = "GB/s",
            .peers = {{.name = "hand-written loop", .limit = bar::at_least(1)}, {.name = "pocl"}},
            .on = cpus::all},
           [] { return transpose_sides(1024); });
}

}  // namespace bench
