// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups that depend on data: binary_partition splits a warp by parity, and labeled_partition splits it by class. Each
// part is a group of its own: it computes a sum, or adds to a histogram with one atomic for each class.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdint>
#include <cstdio>
#include <vector>

#include "../support/cuda_check.hpp"
#include "../support/options.hpp"

namespace cg = cooperative_groups;

constexpr int classes = 7;

struct parts {
  unsigned parity_rank, parity_size;
  int parity_sum;
  unsigned class_rank, class_size, class_count;
};

__global__ void split(const int* in, parts* out, int* histogram, int* odd_count) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const unsigned long long i = cg::this_grid().thread_rank();
  const int value = in[i];
  parts mine;

  //! [partitions]
  const cg::coalesced_group parity = cg::binary_partition(warp, (value & 1) != 0);
  mine.parity_rank = parity.thread_rank();
  mine.parity_size = parity.size();
  mine.parity_sum = cg::reduce(parity, value, cg::plus<int>());
  if ((value & 1) != 0 && parity.thread_rank() == 0) atomicAdd(odd_count, static_cast<int>(parity.size()));

  const int label = value % classes;
  const cg::coalesced_group same_class = cg::labeled_partition(warp, label);
  mine.class_rank = same_class.thread_rank();
  mine.class_size = same_class.size();
  mine.class_count = same_class.meta_group_size();
  if (same_class.thread_rank() == 0) atomicAdd(&histogram[label], static_cast<int>(same_class.size()));
  //! [partitions]

  out[i] = mine;
}

static bool check_warp(const int* in, const parts* out) {
  unsigned distinct = 0;
  for (int label = 0; label < classes; ++label) {
    for (int lane = 0; lane < 32; ++lane) {
      if (in[lane] % classes == label) {
        ++distinct;
        break;
      }
    }
  }
  for (int lane = 0; lane < 32; ++lane) {
    parts e{0, 0, 0, 0, 0, distinct};
    for (int other = 0; other < 32; ++other) {
      if ((in[other] & 1) == (in[lane] & 1)) {
        ++e.parity_size;
        e.parity_sum += in[other];
        if (other < lane) ++e.parity_rank;
      }
      if (in[other] % classes == in[lane] % classes) {
        ++e.class_size;
        if (other < lane) ++e.class_rank;
      }
    }
    const parts& s = out[lane];
    if (s.parity_rank != e.parity_rank || s.parity_size != e.parity_size || s.parity_sum != e.parity_sum ||
        s.class_rank != e.class_rank || s.class_size != e.class_size || s.class_count != e.class_count) {
      std::printf("lane %d: parity %u of %u, sum %d; class %u of %u among %u\n", lane, s.parity_rank, s.parity_size,
                  s.parity_sum, s.class_rank, s.class_size, s.class_count);
      return false;
    }
  }
  return true;
}

int main(int argc, char** argv) {
  long long blocks = 8;
  example::options("partitions", "odd and even, and classes: groups that depend on data")
      .number("--blocks", blocks, 1, 65535, "blocks of 128 threads")
      .parse(argc, argv);

  const size_t total = static_cast<size_t>(blocks) * 128;
  std::vector<int> in(total);
  std::vector<int> expected_histogram(classes, 0);
  int expected_odd = 0;
  uint32_t state = 99;
  for (int& value : in) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<int>(state >> 20);
    expected_odd += value & 1;
    ++expected_histogram[static_cast<size_t>(value % classes)];
  }
  for (size_t i = 0; i < 32; ++i) {  // one warp has even numbers only, so it has no odd group
    expected_odd -= in[i] & 1;
    --expected_histogram[static_cast<size_t>(in[i] % classes)];
    in[i] &= ~1;
    ++expected_histogram[static_cast<size_t>(in[i] % classes)];
  }

  example::device_array<int> d_in(in), d_histogram(classes), d_odd(1);
  example::device_array<parts> d_parts(total);
  split<<<static_cast<unsigned>(blocks), 128>>>(d_in.get(), d_parts.get(), d_histogram.get(), d_odd.get());
  EXAMPLE_CHECK_LAUNCH();

  const std::vector<parts> out = d_parts.to_host();
  const std::vector<int> histogram = d_histogram.to_host();
  const int odd = d_odd.to_host()[0];
  bool right = odd == expected_odd && histogram == expected_histogram;
  for (size_t first = 0; first < total && right; first += 32) right = check_warp(&in[first], &out[first]);
  std::printf("%zu numbers, %d odd; by class:", total, odd);
  for (int count : histogram) std::printf(" %d", count);
  std::printf("\n");
  return example::verdict(right, "rank, size and sum in every part, and the histogram");
}
