// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Philox4_32_10 in 65536 lanes, each a subsequence. A lane gives four numbers at a time: from one counter, or from two
// where a number takes two words.
#include <cudart_detail/curand/normal.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "libraries/curand/source.hpp"

namespace cohort::curand {
namespace {

constexpr size_t lanes = 65536, group = 4;

class philox_source final : public source {
 public:
  explicit philox_source(const settings& set) : counters_(lanes) {
    reseed(set.seed);
    const uint64_t round = group * lanes;
    next_ = static_cast<size_t>(set.offset % round);
    for (size_t lane = 0; lane < lanes; ++lane) counters_[lane] = set.offset / round + (lane < next_ / group);
  }

  void reseed(uint64_t seed) override { key_ = {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)}; }

  void draw(kind what, size_t count, void* out) override {
    const bool wide = what == kind::unit_double || what == kind::normal_double;
    const size_t bytes = wide ? 8 : 4;
    auto* to = static_cast<unsigned char*>(out);
    while (count != 0) {
      const size_t lane = next_ / group, used = next_ % group;
      if (used != 0 || count < group) {
        double numbers[group];
        four_numbers(what, lane, numbers);
        const size_t taken = std::min(count, group - used);
        std::memcpy(to, reinterpret_cast<unsigned char*>(numbers) + used * bytes, taken * bytes);
        to += taken * bytes, count -= taken;
        advance(lane, used + taken == group, wide);
        next_ = (next_ + taken) % (group * lanes);
        continue;
      }
      const size_t groups = std::min(count / group, lanes - lane);
      for (size_t k = 0; k < groups; ++k, to += group * bytes) {
        four_numbers(what, lane + k, to);
        advance(lane + k, true, wide);
      }
      count -= groups * group;
      next_ = (next_ + groups * group) % (group * lanes);
    }
  }

 private:
  uint4 words(size_t lane, uint64_t step) const {
    const uint64_t counter = counters_[lane] + step;
    return curand_Philox4x32_10(
        {static_cast<uint32_t>(counter), static_cast<uint32_t>(counter >> 32), static_cast<uint32_t>(lane), 0}, key_);
  }

  void advance(size_t lane, bool complete, bool wide) {
    if (complete) counters_[lane] += wide ? 2 : 1;
  }

  void four_numbers(kind what, size_t lane, void* out) const {
    const uint4 w = words(lane, 0);
    switch (what) {
      case kind::unit_float: {
        const float numbers[] = {cohort_unit_float(w.x), cohort_unit_float(w.y), cohort_unit_float(w.z),
                                 cohort_unit_float(w.w)};
        std::memcpy(out, numbers, sizeof numbers);
        break;
      }
      case kind::unit_double: {
        const uint4 u = words(lane, 1);
        const double numbers[] = {cohort_unit_double(w.x, w.y), cohort_unit_double(w.z, w.w),
                                  cohort_unit_double(u.x, u.y), cohort_unit_double(u.z, u.w)};
        std::memcpy(out, numbers, sizeof numbers);
        break;
      }
      case kind::normal_float: {
        const float2 pairs[] = {cohort_normal_pair(w.x, w.y), cohort_normal_pair(w.z, w.w)};
        std::memcpy(out, pairs, sizeof pairs);
        break;
      }
      case kind::normal_double: {
        const uint4 u = words(lane, 1);
        const double2 pairs[] = {cohort_normal_pair(w.x, w.y, w.z, w.w), cohort_normal_pair(u.x, u.y, u.z, u.w)};
        std::memcpy(out, pairs, sizeof pairs);
        break;
      }
      default:
        std::memcpy(out, &w, sizeof w);
        break;
    }
  }

  std::vector<uint64_t> counters_;  // one for each lane
  uint2 key_{};
  size_t next_ = 0;  // number within the round
};

}  // namespace

std::unique_ptr<source> make_philox(const settings& set) { return std::make_unique<philox_source>(set); }

}  // namespace cohort::curand
