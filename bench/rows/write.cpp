// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures a kernel that cannot wait and computes almost nothing: on all CPUs, and on one where the output stays in its
// cache. Several CPUs would write the same lines there.
#include "../harness/array.hpp"
#include "../harness/verify.hpp"
#include "../kernels/programs.hpp"
#include "../peers/hand_written.hpp"
#include "rows.hpp"
#include "sides.hpp"

namespace bench {

namespace {

constexpr uint32_t blocks = 28800;
constexpr uint32_t threads = 256;

struct written {
  explicit written(size_t n) : ours(n), hand(n), theirs(n) {}
  array<int32_t> ours, hand, theirs;
};

// Several blocks share a slot, and the last writer is unspecified: each element is a rank that belongs there.
void verify(const char* side, const array<int32_t>& out) {
  const array<int32_t> place(out.size(), [&](size_t i) { return static_cast<size_t>(out[i]) % out.size(); });
  const array<int32_t> expected(out.size(), [](size_t i) { return i; });
  expect_equal(side, place.data(), expected.data(), out.size());
}

row_sides write_sides(uint32_t slots) {
  const auto d = std::make_shared<written>(size_t{slots} * threads);
  const auto run_ours = [d, slots] { write_ids(d->ours.data(), blocks, threads, slots); };
  const auto run_hand = [d, slots] { hand_written::write_ids(d->hand.data(), blocks, threads, slots); };
  run_ours();
  run_hand();
  verify("write", d->ours);
  verify("hand-written write", d->hand);
  constexpr double milliseconds = 1e6;
  return {time_of(milliseconds, run_ours),
          {{time_of(milliseconds, run_hand)}, opencl_side([&] {
             const auto out = std::make_shared<opencl_buffer>(d->theirs.data(), d->theirs.bytes());
             const auto run = [d, out, slots] {
               opencl::peer().run("write_ids", opencl_shape::line(blocks, threads), *out, slots);
             };
             run();
             out->update_host();
             verify("pocl's write", d->theirs);
             return time_of(milliseconds, run);
           })}};
}

}  // namespace

void add_write_rows(suite& rows) {
  rows.add({.name = "28800 x 256 threads write one int each",
            .unit = "ms",
            .peers = {{.name = "hand-written loop", .limit = bar::at_most(1.1)}, {.name = "pocl"}},
            .on = cpus::all},
           [] { return write_sides(blocks); });
  rows.add({.name = "28800 x 256 threads write into 64 KiB",
            .unit = "ms",
            .peers = {{.name = "hand-written loop", .limit = bar::at_most(2)}, {.name = "pocl"}}},
           [] { return write_sides(64); });
}

}  // namespace bench
