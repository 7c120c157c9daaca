// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bodies of the kernels that compare collectives with barriers. collective_kernels.cu and plain_collectives.cpp
// include them, so cohortcc and the host's compiler compile one text.
#pragma once

#include <cohort/cohort.hpp>

#include "collective_kernels.hpp"

namespace bench {

// A value of 32 bytes with a user-defined operator.
struct eight {
  float values[8];
};
struct add_eight {
  COHORT_DEVICE eight operator()(const eight& a, const eight& b) const {
    eight sum;
    for (int i = 0; i < 8; ++i) sum.values[i] = (a.values[i] + b.values[i]) * 0.5f;
    return sum;
  }
};

template <class Group, class T, class Op>
COHORT_DEVICE inline void reduce_many(const Group& group, int rounds, T value, Op op, T* out) {
  for (int i = 0; i < rounds; ++i) value = cohort::reduce(group, value, op);
  if (group.thread_rank() == 0) *out = value;
}
template <class Group, class T, class Op>
COHORT_DEVICE inline void scan_many(const Group& group, int rounds, T value, Op op, T* out) {
  for (int i = 0; i < rounds; ++i) value = cohort::inclusive_scan(group, value, op);
  if (group.thread_rank() == 0) *out = value;
}
template <class Group, class T, class Op>
COHORT_DEVICE inline void exclusive_many(const Group& group, int rounds, T value, Op op, T* out) {
  for (int i = 0; i < rounds; ++i) value = cohort::exclusive_scan(group, value, op);
  if (group.thread_rank() == 0) *out = value;
}

template <class Group>
COHORT_DEVICE inline void collective_rounds(const Group& group, collective what, int rounds, eight* out) {
  const int rank = static_cast<int>(group.thread_rank());
  const float real = 1.0f / static_cast<float>(rank + 1);
  const eight many = {{real, real, real, real, 1, 2, 3, 4}};
  switch (what) {
    case collective::sync:
      for (int i = 0; i < rounds; ++i) group.sync();
      return;
    case collective::reduce_int:
      return reduce_many(group, rounds, rank, cohort::plus<int>(), reinterpret_cast<int*>(out));
    case collective::reduce_float:
      return reduce_many(group, rounds, real, cohort::plus<float>(), reinterpret_cast<float*>(out));
    case collective::reduce_lambda:
      return reduce_many(group, rounds, rank, [](int a, int b) { return a * 3 + b; }, reinterpret_cast<int*>(out));
    case collective::reduce_eight:
      return reduce_many(group, rounds, many, add_eight(), out);
    case collective::scan_int:
      return scan_many(group, rounds, rank, cohort::plus<int>(), reinterpret_cast<int*>(out));
    case collective::scan_float:
      return exclusive_many(group, rounds, real, cohort::greater<float>(), reinterpret_cast<float*>(out));
    case collective::scan_eight:
      return scan_many(group, rounds, many, add_eight(), out);
  }
}

COHORT_DEVICE inline void collective_rounds(bool in_block, collective what, int rounds, eight* out) {
  const auto block = cohort::this_thread_block();
  if (in_block) {
    collective_rounds(block, what, rounds, out);
  } else {
    collective_rounds(cohort::tiled_partition<32>(block), what, rounds, out);
  }
}

COHORT_DEVICE inline void grid_sync_rounds(int rounds) {
  const auto grid = cohort::this_grid();
  for (int i = 0; i < rounds; ++i) grid.sync();
}

}  // namespace bench
