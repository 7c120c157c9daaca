// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// XORWOW in 4096 lanes, 2^67 steps apart; in seeded order each lane has a seed of its own instead.
#include <cudart_detail/curand/normal.h>

#include <memory>

#include "libraries/curand/lane_source.hpp"
#include "libraries/curand/source.hpp"
#include "libraries/curand/vector_math.hpp"

namespace cohort::curand {
namespace {

class xorwow_lanes {
 public:
  static constexpr size_t count = 4096;

  explicit xorwow_lanes(const settings& set) : seeded_(set.ordering == CURAND_ORDERING_PSEUDO_SEEDED) {
    seed(set.seed);
  }

  void seed(uint64_t value) {
    constexpr uint64_t distance_of_seeds = 0x2fd111;
    curandStateXORWOW_t state;
    curand_init(value, 0, 0, &state);
    for (size_t lane = 0; lane < count; ++lane) {
      if (seeded_) curand_init(value + lane * distance_of_seeds, 0, 0, &state);
      for (int word = 0; word < 5; ++word) v_[word][lane] = state.v[word];
      d_[lane] = state.d;
      if (!seeded_) skipahead_sequence(1, &state);
    }
  }

  void skip_to(const uint64_t* places) {
    for (size_t lane = 0; lane < count; ++lane) {
      unsigned int v[5];
      for (int word = 0; word < 5; ++word) v[word] = v_[word][lane];
      cohort_xorwow_skip(v, places[lane], 0);
      for (int word = 0; word < 5; ++word) v_[word][lane] = v[word];
      d_[lane] += cohort_xorwow_counter_step * static_cast<uint32_t>(places[lane]);
    }
  }

  static lane_step step_of(kind what) {
    switch (what) {
      case kind::unit_double:
        return {2, 1};
      case kind::normal_float:
        return {2, 2};
      case kind::normal_double:
        return {4, 2};
      default:
        return {1, 1};
    }
  }

  void draw(size_t first, size_t lanes, size_t words, uint32_t* __restrict out) {
    uint32_t* __restrict v0 = v_[0] + first;
    uint32_t* __restrict v1 = v_[1] + first;
    uint32_t* __restrict v2 = v_[2] + first;
    uint32_t* __restrict v3 = v_[3] + first;
    uint32_t* __restrict v4 = v_[4] + first;
    uint32_t* __restrict d = d_ + first;
    for (size_t word = 0; word < words; ++word, out += lanes) {
      for (size_t lane = 0; lane < lanes; ++lane) {
        const uint32_t t = v0[lane] ^ v0[lane] >> 2;
        v0[lane] = v1[lane], v1[lane] = v2[lane], v2[lane] = v3[lane], v3[lane] = v4[lane];
        v4[lane] = (v4[lane] ^ v4[lane] << 4) ^ (t ^ t << 1);
        d[lane] += cohort_xorwow_counter_step;
        out[lane] = v4[lane] + d[lane];
      }
    }
  }

  static void numbers(kind what, size_t n, const uint32_t* w, void* out) {
    switch (what) {
      case kind::unit_float:
        return write_numbers<float>(n, out, [=](size_t i) { return cohort_unit_float(w[i]); });
      case kind::unit_double:
        return write_numbers<double>(n, out, [=](size_t i) { return cohort_unit_double(w[i], w[n + i]); });
      case kind::normal_float:
        return write_normal_pairs(
            n, static_cast<float*>(out), 2, [=](size_t i) { return cohort_unit_float(w[i]); },
            [=](size_t i) { return cohort_angle_float(w[n + i]); });
      case kind::normal_double:
        return write_normal_pairs(
            n, static_cast<double*>(out), 2, [=](size_t i) { return cohort_unit_double(w[i], w[n + i]); },
            [=](size_t i) { return cohort_unit_double(w[2 * n + i], w[3 * n + i]) * cohort_two_pi; });
      default:
        return write_numbers<uint32_t>(n, out, [=](size_t i) { return w[i]; });
    }
  }

 private:
  bool seeded_;
  uint32_t v_[5][count];
  uint32_t d_[count];
};

}  // namespace

std::unique_ptr<source> make_xorwow(const settings& set) { return std::make_unique<lane_source<xorwow_lanes>>(set); }

}  // namespace cohort::curand
