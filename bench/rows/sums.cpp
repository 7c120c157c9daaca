// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures sums of arrays, on all CPUs.
#include "../harness/array.hpp"
#include "../harness/verify.hpp"
#include "../kernels/programs.hpp"
#include "../peers/hand_written.hpp"
#include "rows.hpp"
#include "sides.hpp"

namespace bench {

namespace {

constexpr size_t work_items = 256;

struct sum_data {
  sum_data(size_t batches, size_t elements)
      : batches(batches),
        elements(elements),
        in(batches * elements, value),
        ours(batches),
        hand(batches),
        theirs(batches) {}

  static double value(size_t i) { return static_cast<double>(random_word(i) % 1024) / 1024.0; }
  double bytes() const { return static_cast<double>(in.bytes()); }
  array<float> expected() const {
    return array<float>(batches, [this](size_t b) {
      double sum = 0;
      for (size_t i = 0; i < elements; ++i) sum += static_cast<double>(in[b * elements + i]);
      return sum;
    });
  }

  size_t batches, elements;
  array<float> in, ours, hand, theirs;
};

using batched_kernel = void (*)(const float*, float*, size_t, size_t);

peer_side opencl_sum(const std::shared_ptr<sum_data>& d, const array<float>& expected) {
  return opencl_side([&] {
    const auto in = std::make_shared<opencl_buffer>(d->in.data(), d->in.bytes());
    const auto out = std::make_shared<opencl_buffer>(d->theirs.data(), d->theirs.bytes());
    const auto run = [d, in, out] {
      const unsigned long elements = d->elements;
      opencl::peer().run("tree_sum", opencl_shape::line(d->batches, work_items), *in, *out, elements);
    };
    run();
    out->update_host();
    expect_near("pocl's sum", d->theirs.data(), expected.data(), d->batches, 1e-4);
    return rate_of(d->bytes(), run);
  });
}

row_sides batched_sides(batched_kernel kernel, size_t batches, size_t elements, bool with_opencl) {
  const auto d = std::make_shared<sum_data>(batches, elements);
  const array<float> expected = d->expected();
  const auto run_ours = [d, kernel] { kernel(d->in.data(), d->ours.data(), d->batches, d->elements); };
  const auto run_hand = [d] { hand_written::batched_sum(d->in.data(), d->hand.data(), d->batches, d->elements); };
  run_ours();
  run_hand();
  expect_near("batched sum", d->ours.data(), expected.data(), batches, 1e-4);
  expect_near("hand-written sum", d->hand.data(), expected.data(), batches, 1e-4);
  row_sides all = {rate_of(d->bytes(), run_ours), {{rate_of(d->bytes(), run_hand)}}};
  if (with_opencl) all.peers.push_back(opencl_sum(d, expected));
  return all;
}

row_sides whole_array_sides(size_t elements) {
  const auto cpus = static_cast<size_t>(usable_cpus());
  const auto d = std::make_shared<sum_data>(cpus, elements / cpus);
  const array<float> expected_parts = d->expected();
  const float expected = hand_written::sum(expected_parts.data(), cpus);
  const auto run_ours = [d] {
    return array_sum(d->in.data(), d->in.size(), static_cast<int>(d->batches), d->ours.data());
  };
  const auto run_hand = [d] {
    hand_written::batched_sum(d->in.data(), d->hand.data(), d->batches, d->elements);
    return hand_written::sum(d->hand.data(), d->batches);
  };
  const float sums[] = {run_ours(), run_hand()};
  const float expected_sums[] = {expected, expected};
  expect_near("sum of the whole array", sums, expected_sums, 2, 1e-4);
  return {rate_of(d->bytes(), run_ours), {{rate_of(d->bytes(), run_hand)}}};
}

struct batched_row {
  const char* size;
  size_t batches;
  size_t elements;
  bar tree_by_hand, tree_opencl, shuffle_by_hand;
};

void add_batched(suite& rows, const batched_row& r) {
  const std::string hand_quantity = std::string("hand-written sum, ") + r.size;
  rows.add({.name = std::string("batched sum, shared-memory tree, ") + r.size,
            .unit = "GB/s",
            .peers = {{.name = "hand-written loop", .limit = r.tree_by_hand, .quantity = hand_quantity},
                      {.name = "pocl", .limit = r.tree_opencl}},
            .on = cpus::all},
           [r] { return batched_sides(native::tree_sum, r.batches, r.elements, true); });
  rows.add({.name = std::string("batched sum, warp shuffles, ") + r.size,
            .unit = "GB/s",
            .peers = {{.name = "hand-written loop", .limit = r.shuffle_by_hand, .quantity = hand_quantity}},
            .on = cpus::all},
           [r] { return batched_sides(shuffle_sum, r.batches, r.elements, false); });
}

}  // namespace

void add_sum_rows(suite& rows) {
  constexpr size_t mib = 262144;  // the floats of 1 MiB
  const batched_row all[] = {
      {"256 x 1 MiB", 256, mib, bar::at_least(0.8), bar::at_least(4), bar::at_least(0.7)},
      {"16 x 1 MiB", 16, mib, {}, {}, {}},
      {"16 x 256 KiB", 16, mib / 4, {}, {}, {}},
      {"4096 x 8 KiB", 4096, 2048, bar::at_least(0.35), bar::at_least(4), {}},
  };
  for (const batched_row& r : all) add_batched(rows, r);
  rows.add({.name = "sum of 256 MiB in one cooperative launch",
            .unit = "GB/s",
            .peers = {{.name = "hand-written loop", .limit = bar::at_least(0.8)}},
            .on = cpus::all},
           [] { return whole_array_sides(256 * mib); });
#if COHORT_BENCH_AVX2
  rows.add({.name = "batched sum, shared-memory tree, 256 x 1 MiB, built for AVX2",
            .unit = "GB/s",
            .peers = {{.name = "hand-written loop", .quantity = "hand-written sum, 256 x 1 MiB"}},
            .on = cpus::all,
            .against_fibers = bar::at_least(2.5)},
           [] { return batched_sides(avx2::tree_sum, 256, mib, false); });
#endif
}

}  // namespace bench
