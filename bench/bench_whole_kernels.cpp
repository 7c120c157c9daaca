// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares whole launches with hand-written loops and with pocl: a kernel that cannot wait, and a batched sum.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "benches.hpp"
#include "facts.hpp"
#include "kernels.hpp"

namespace bench {

namespace {

// Block b writes its output to slot b % slots.
void bench_write(report& rows, const settings& how, const std::string& name, uint32_t slots) {
  constexpr uint32_t blocks = 28800;
  constexpr uint32_t threads = 256;
  const size_t total = size_t{slots} * threads;
  const std::unique_ptr<int32_t[]> ours_out(new int32_t[total]());
  const std::unique_ptr<int32_t[]> hand_out(new int32_t[total]());
  std::vector<side> sides = {
      [&] { return nanoseconds_of([&] { write_ids(ours_out.get(), blocks, threads, slots); }, usable_cores()) / 1e6; },
      [&] {
        return nanoseconds_of([&] { hand_written_write(hand_out.get(), blocks, threads, slots); }, usable_cores()) /
               1e6;
      }};
  const bool pocl = how.opencl->unavailable().empty();
  if (pocl) {
    sides.push_back(
        [&] { return nanoseconds_of([&] { how.opencl->write_ids(blocks, threads, slots); }, usable_cores()) / 1e6; });
  }

  const auto all = interleave(sides, {how.repeats, std::chrono::microseconds(2000)});
  for (size_t i = 0; i < total; ++i) {
    const auto at =
        static_cast<size_t>(ours_out[i]) % total;  // several blocks share a slot, and the last writer is unspecified
    if (at != i || (slots == blocks && ours_out[i] != hand_out[i])) {
      std::fprintf(stderr, "cohort_bench: element %zu is %d\n", i, ours_out[i]);
      std::exit(1);
    }
  }
  rows.add(name, "ms", "hand-written loop", {all[0], all[1]}, bar::at_most(2.0));
  if (pocl) {
    rows.add(name, "ms", "pocl", {all[0], all[2]});
  } else {
    rows.add_alone(name, "ms", all[0], "pocl", how.opencl->unavailable());
  }
}

void bench_sum(report& rows, const settings& how) {
  constexpr size_t batches = 256;
  constexpr size_t elements = 262144;
  constexpr double gigabytes = batches * elements * sizeof(float) / 1e9;
  const std::string name = "batched sum, 256 x 262144, shared-memory tree";
  const std::unique_ptr<float[]> in(new float[batches * elements]);
  for (size_t i = 0; i < batches * elements; ++i) in[i] = static_cast<float>(i * 2654435761u % 1024) / 1024.0f;
  std::vector<float> ours_out(batches), hand_out(batches);

  const auto throughput = [](const auto& work) { return gigabytes / nanoseconds_of(work, usable_cores()) * 1e9; };
  std::vector<side> sides = {
      [&] { return throughput([&] { batched_sum(in.get(), ours_out.data(), batches, elements); }); },
      [&] { return throughput([&] { hand_written_sum(in.get(), hand_out.data(), batches, elements); }); }};
  const bool pocl = how.opencl->unavailable().empty();
  if (pocl) {
    sides.push_back([&] { return throughput([&] { how.opencl->batched_sum(batches, elements, 256); }); });
  }
  const auto all = interleave(sides, {how.repeats / 2 + 1, std::chrono::microseconds(2000)});
  for (size_t b = 0; b < batches; ++b) {
    if (std::fabs(ours_out[b] - hand_out[b]) > 1e-4f * hand_out[b]) {
      std::fprintf(stderr, "cohort_bench: sum %zu is %g, not %g\n", b, ours_out[b], hand_out[b]);
      std::exit(1);
    }
  }
  rows.add(name, "GB/s", "hand-written loop", {all[0], all[1]}, bar::at_least(0.13));
  if (pocl) {
    rows.add(name, "GB/s", "pocl", {all[0], all[2]});
  } else {
    rows.add_alone(name, "GB/s", all[0], "pocl", how.opencl->unavailable());
  }
}

}  // namespace

void bench_whole_kernels(report& rows, const settings& how) {
  bench_write(rows, how, "28800 x 256 threads write one int each", 28800);
  bench_write(rows, how, "the same into 64 KiB: no memory traffic", 64);
  bench_sum(rows, how);
}

}  // namespace bench
