// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MRG32k3a in 81920 lanes, 2^76 steps apart; the legacy order has 4096 of them.
#include <cudart_detail/curand/normal.h>

#include <memory>
#include <vector>

#include "libraries/curand/lane_source.hpp"
#include "libraries/curand/source.hpp"
#include "libraries/curand/vector_math.hpp"

namespace cohort::curand {
namespace {

template <size_t Count>
class mrg32k3a_lanes {
 public:
  static constexpr size_t count = Count;

  explicit mrg32k3a_lanes(const settings& set) : s_(6 * count) { seed(set.seed); }

  void seed(uint64_t value) {
    curandStateMRG32k3a_t state;
    curand_init(value, 0, 0, &state);
    for (size_t lane = 0; lane < count; ++lane) {
      put(lane, state);
      skipahead_subsequence(1, &state);
    }
  }

  void skip_to(const uint64_t* places) {
    for (size_t lane = 0; lane < count; ++lane) {
      curandStateMRG32k3a_t state = get(lane);
      skipahead(places[lane], &state);
      put(lane, state);
    }
  }

  static lane_step step_of(kind what) {
    return what == kind::normal_float || what == kind::normal_double ? lane_step{2, 2} : lane_step{1, 1};
  }

  void draw(size_t first, size_t lanes, size_t words, uint32_t* __restrict out) {
    uint32_t* __restrict a0 = part(0) + first;
    uint32_t* __restrict a1 = part(1) + first;
    uint32_t* __restrict a2 = part(2) + first;
    uint32_t* __restrict b0 = part(3) + first;
    uint32_t* __restrict b1 = part(4) + first;
    uint32_t* __restrict b2 = part(5) + first;
    for (size_t word = 0; word < words; ++word, out += lanes) {
      for (size_t lane = 0; lane < lanes; ++lane) {
        const uint32_t a = cohort_mrg_next_1(a0[lane], a1[lane]);
        const uint32_t b = cohort_mrg_next_2(b0[lane], b2[lane]);
        a0[lane] = a1[lane], a1[lane] = a2[lane], a2[lane] = a;
        b0[lane] = b1[lane], b1[lane] = b2[lane], b2[lane] = b;
        out[lane] = cohort_mrg_difference(a, b);
      }
    }
  }

  static void numbers(kind what, size_t n, const uint32_t* w, void* out) {
    switch (what) {
      case kind::unit_float:
        return write_numbers<float>(n, out, [=](size_t i) { return static_cast<float>(unit(w[i])); });
      case kind::unit_double:
        return write_numbers<double>(n, out, [=](size_t i) { return unit(w[i]); });
      case kind::normal_float:
        return write_normal_pairs(
            n, static_cast<float*>(out), 2, [=](size_t i) { return static_cast<float>(unit(w[i])); },
            [=](size_t i) { return static_cast<float>(unit(w[n + i]) * cohort_two_pi); });
      case kind::normal_double:
        return write_normal_pairs(
            n, static_cast<double*>(out), 2, [=](size_t i) { return unit(w[i]); },
            [=](size_t i) { return unit(w[n + i]) * cohort_two_pi; });
      default:
        return write_numbers<uint32_t>(n, out, [=](size_t i) { return cohort_mrg_word(w[i]); });
    }
  }

 private:
  static double unit(uint32_t value) { return cohort_mrg_double(value) * cohort_mrg_to_unit; }

  uint32_t* part(int number) { return s_.data() + static_cast<size_t>(number) * count; }

  void put(size_t lane, const curandStateMRG32k3a_t& state) {
    for (int word = 0; word < 3; ++word) part(word)[lane] = state.s1[word], part(3 + word)[lane] = state.s2[word];
  }
  curandStateMRG32k3a_t get(size_t lane) {
    curandStateMRG32k3a_t state{};
    for (int word = 0; word < 3; ++word) state.s1[word] = part(word)[lane], state.s2[word] = part(3 + word)[lane];
    return state;
  }

  std::vector<uint32_t> s_;  // three words of the first component, three of the second
};

}  // namespace

std::unique_ptr<source> make_mrg32k3a(const settings& set) {
  if (set.ordering == CURAND_ORDERING_PSEUDO_LEGACY) return std::make_unique<lane_source<mrg32k3a_lanes<4096>>>(set);
  return std::make_unique<lane_source<mrg32k3a_lanes<81920>>>(set);
}

}  // namespace cohort::curand
