// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures loops whose number of turns differs from thread to thread, on all CPUs.
#include "../harness/array.hpp"
#include "../harness/verify.hpp"
#include "../kernels/programs.hpp"
#include "../peers/hand_written.hpp"
#include "rows.hpp"
#include "sides.hpp"

namespace bench {

namespace {

struct outputs {
  explicit outputs(size_t n) : ours(n), hand(n), theirs(n) {}
  array<int32_t> ours, hand, theirs;
};

constexpr uint32_t numbers = 1 << 18;

row_sides collatz_sides(void (*kernel)(int32_t*, uint32_t)) {
  const auto d = std::make_shared<outputs>(numbers);
  const auto run_ours = [d, kernel] { kernel(d->ours.data(), numbers); };
  const auto run_hand = [d] { hand_written::collatz(d->hand.data(), numbers); };
  run_ours();
  run_hand();
  // The numbers of steps for 27 and for 97 are known.
  const int32_t some[] = {d->hand[0], d->hand[26], d->hand[96]};
  const int32_t known[] = {0, 111, 118};
  expect_equal("hand-written Collatz", some, known, 3);
  expect_equal("Collatz", d->ours.data(), d->hand.data(), numbers);
  return {time_of(numbers, run_ours),
          {{time_of(numbers, run_hand)}, opencl_side([&] {
             const auto out = std::make_shared<opencl_buffer>(d->theirs.data(), d->theirs.bytes());
             const auto run = [d, out] {
               opencl::peer().run("collatz", opencl_shape::line(numbers / 256, 256), *out, numbers);
             };
             run();
             out->update_host();
             expect_equal("pocl's Collatz", d->theirs.data(), d->hand.data(), numbers);
             return time_of(numbers, run);
           })}};
}

constexpr int width = 512;
constexpr int limit = 256;
constexpr size_t pixels = size_t{width} * width;
constexpr double contracted = 0.01;  // the part of pixels that a contracted multiplication may change

row_sides mandelbrot_sides(void (*kernel)(int32_t*, int, int, int)) {
  const auto d = std::make_shared<outputs>(pixels);
  const auto run_ours = [d, kernel] { kernel(d->ours.data(), width, width, limit); };
  const auto run_hand = [d] { hand_written::mandelbrot(d->hand.data(), width, width, limit); };
  run_ours();
  run_hand();
  expect_mostly_equal("Mandelbrot", d->ours.data(), d->hand.data(), pixels, contracted);
  return {time_of(pixels, run_ours),
          {{time_of(pixels, run_hand)}, opencl_side([&] {
             const auto out = std::make_shared<opencl_buffer>(d->theirs.data(), d->theirs.bytes());
             const auto run = [d, out] {
               opencl::peer().run("mandelbrot", {{width / 32, width / 8}, {32, 8}}, *out, width, width, limit);
             };
             run();
             out->update_host();
             expect_mostly_equal("pocl's Mandelbrot", d->theirs.data(), d->hand.data(), pixels, contracted);
             return time_of(pixels, run);
           })}};
}

}  // namespace

void add_divergence_rows(suite& rows) {
  const peer_spec collatz_by_hand = {
      .name = "hand-written scalar loop", .limit = bar::at_most(0.15), .quantity = "hand-written Collatz"};
  const peer_spec mandelbrot_by_hand = {
      .name = "hand-written scalar loop", .limit = bar::at_most(0.08), .quantity = "hand-written Mandelbrot"};
  rows.add({.name = "Collatz, a number", .unit = "ns", .peers = {collatz_by_hand, {.name = "pocl"}}, .on = cpus::all},
           [] { return collatz_sides(native::collatz); });
  rows.add({.name = "Mandelbrot 512^2 x 256, a pixel",
            .unit = "ns",
            .peers = {mandelbrot_by_hand, {.name = "pocl"}},
            .on = cpus::all},
           [] { return mandelbrot_sides(native::mandelbrot); });
#if COHORT_BENCH_AVX2
  const peer_spec scalar_collatz = {.name = "hand-written scalar loop", .quantity = "hand-written Collatz"};
  const peer_spec scalar_mandelbrot = {.name = "hand-written scalar loop", .quantity = "hand-written Mandelbrot"};
  rows.add({.name = "Collatz, a number, built for AVX2",
            .unit = "ns",
            .peers = {scalar_collatz, {.name = "pocl"}},
            .on = cpus::all,
            .against_fibers = bar::at_most(0.4)},
           [] { return collatz_sides(avx2::collatz); });
  rows.add({.name = "Mandelbrot 512^2 x 256, a pixel, built for AVX2",
            .unit = "ns",
            .peers = {scalar_mandelbrot, {.name = "pocl"}},
            .on = cpus::all,
            .against_fibers = bar::at_most(0.4)},
           [] { return mandelbrot_sides(avx2::mandelbrot); });
#endif
}

}  // namespace bench
