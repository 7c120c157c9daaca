// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Philox4_32_10 in 65536 lanes, each a subsequence. A lane gives four numbers at a time: from one counter, or from two
// where a number takes two words.
#include <cudart_detail/curand/normal.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "libraries/common/widest_vectors.hpp"
#include "libraries/curand/source.hpp"
#include "libraries/curand/vector_math.hpp"

namespace cohort::curand {
namespace {

constexpr size_t lanes = 65536, group = 4, tile = 64;

class philox_source final : public source {
 public:
  explicit philox_source(const settings& set) : counters_(lanes) {
    reseed(set.seed);
    const uint64_t round = group * lanes;
    next_ = static_cast<size_t>(set.offset % round);
    for (size_t lane = 0; lane < lanes; ++lane) counters_[lane] = set.offset / round + (lane < next_ / group);
  }

  void reseed(uint64_t seed) override { key_ = {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)}; }

  void draw(kind what, size_t count, void* out, const finisher& finish) override {
    const bool wide = what == kind::unit_double || what == kind::normal_double;
    const size_t bytes = wide ? 8 : 4;
    auto* to = static_cast<unsigned char*>(out);
    while (count != 0) {
      const size_t lane = next_ / group, used = next_ % group;
      if (used != 0 || count < group) {
        double numbers[group];
        write(what, lane, 1, numbers);
        const size_t taken = std::min(count, group - used);
        std::memcpy(to, reinterpret_cast<unsigned char*>(numbers) + used * bytes, taken * bytes);
        if (finish) finish(to, taken);
        to += taken * bytes, count -= taken;
        advance(lane, used + taken == group, wide);
        next_ = (next_ + taken) % (group * lanes);
        continue;
      }
      const size_t groups = std::min({count / group, lanes - lane, tile});
      libraries::with_widest_vectors([&] { write(what, lane, groups, to); });
      if (finish) finish(to, groups * group);
      for (size_t k = 0; k < groups; ++k) advance(lane + k, true, wide);
      to += groups * group * bytes;
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

  // Writes the four numbers of each of `n` lanes, at most a tile.
  void write(kind what, size_t lane, size_t n, void* out) const {
    uint32_t w[2 * group][tile];  // word by word, so that compilers vectorize over lanes
    const size_t steps = what == kind::unit_double || what == kind::normal_double ? 2 : 1;
    for (size_t step = 0; step < steps; ++step) {
      for (size_t k = 0; k < n; ++k) {
        const uint4 drawn = words(lane + k, step);
        w[4 * step][k] = drawn.x, w[4 * step + 1][k] = drawn.y;
        w[4 * step + 2][k] = drawn.z, w[4 * step + 3][k] = drawn.w;
      }
    }
    switch (what) {
      case kind::unit_float:
        return write_fours(n, static_cast<float*>(out), [&](size_t k, size_t j) { return cohort_unit_float(w[j][k]); });
      case kind::unit_double:
        return write_fours(n, static_cast<double*>(out),
                           [&](size_t k, size_t j) { return cohort_unit_double(w[2 * j][k], w[2 * j + 1][k]); });
      case kind::normal_float:
        for (size_t j = 0; j < 2; ++j) {
          const uint32_t *const a = w[2 * j], *const b = w[2 * j + 1];
          write_normal_pairs(
              n, static_cast<float*>(out) + 2 * j, group, [=](size_t k) { return cohort_unit_float(a[k]); },
              [=](size_t k) { return cohort_angle_float(b[k]); });
        }
        break;
      case kind::normal_double:
        for (size_t j = 0; j < 2; ++j) {
          const uint32_t *const a = w[4 * j], *const b = w[4 * j + 1], *const c = w[4 * j + 2], *const d = w[4 * j + 3];
          write_normal_pairs(
              n, static_cast<double*>(out) + 2 * j, group, [=](size_t k) { return cohort_unit_double(a[k], b[k]); },
              [=](size_t k) { return cohort_unit_double(c[k], d[k]) * cohort_two_pi; });
        }
        break;
      default:
        return write_fours(n, static_cast<uint32_t*>(out), [&](size_t k, size_t j) { return w[j][k]; });
    }
  }

  template <class Number, class Made>
  static void write_fours(size_t n, Number* out, const Made& made) {
    for (size_t k = 0; k < n; ++k) {
      for (size_t j = 0; j < group; ++j) out[group * k + j] = made(k, j);
    }
  }
  std::vector<uint64_t> counters_;  // a counter for each lane
  uint2 key_{};
  size_t next_ = 0;  // number within the round
};

}  // namespace

std::unique_ptr<source> make_philox(const settings& set) { return std::make_unique<philox_source>(set); }

}  // namespace cohort::curand
