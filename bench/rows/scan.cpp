// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the scan of Hillis and Steele in shared memory, on one core.
#include "../harness/array.hpp"
#include "../harness/verify.hpp"
#include "../kernels/programs.hpp"
#include "../peers/hand_written.hpp"
#include "rows.hpp"
#include "sides.hpp"

namespace bench {

namespace {

struct scan_data {
  static constexpr size_t blocks = 64;
  static constexpr size_t elements = 1024;
  array<int32_t> in{blocks * elements, [](size_t i) { return random_word(i) % 1000; }};
  array<int32_t> ours{blocks * elements};
  array<int32_t> hand{blocks * elements};
  array<int32_t> theirs{blocks * elements};
};

row_sides scan_sides() {
  const auto d = std::make_shared<scan_data>();
  const auto run_ours = [d] { scan_blocks(d->in.data(), d->ours.data(), scan_data::blocks); };
  const auto run_hand = [d] { hand_written::scan(d->in.data(), d->hand.data(), scan_data::blocks, d->elements); };
  int32_t sum = 0;
  const array<int32_t> expected(d->in.size(), [&](size_t i) {
    sum = i % scan_data::elements == 0 ? d->in[i] : sum + d->in[i];
    return sum;
  });
  run_ours();
  run_hand();
  expect_equal("scan", d->ours.data(), expected.data(), expected.size());
  expect_equal("hand-written scan", d->hand.data(), expected.data(), expected.size());
  return {time_of(scan_data::blocks, run_ours),
          {opencl_side([&] {
             const auto in = std::make_shared<opencl_buffer>(d->in.data(), d->in.bytes());
             const auto out = std::make_shared<opencl_buffer>(d->theirs.data(), d->theirs.bytes());
             const auto run = [d, in, out] {
               opencl::peer().run("hillis_steele", opencl_shape::line(scan_data::blocks, scan_data::elements), *in,
                                  *out);
             };
             run();
             out->update_host();
             expect_equal("pocl's scan", d->theirs.data(), expected.data(), expected.size());
             return time_of(scan_data::blocks, run);
           }),
           {time_of(scan_data::blocks, run_hand)}}};
}

}  // namespace

void add_scan_rows(suite& rows) {
  rows.add({.name = "Hillis-Steele scan of 1024, a block",
            .unit = "ns",
            .peers = {{.name = "pocl"}, {.name = "hand-written running sum"}},
            .at_most = 2000},
           scan_sides);
}

}  // namespace bench
