// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first dimension of Sobol' sequences: its direction vectors are powers of two.
#include <cudart_detail/curand/normal.h>

#include <memory>

#include "libraries/curand/source.hpp"

namespace cohort::curand {
namespace {

uint32_t upper_word(uint32_t word) { return word; }
uint32_t upper_word(unsigned long long word) { return static_cast<uint32_t>(word >> 32); }

template <class Word>
class sobol_source final : public source {
 public:
  explicit sobol_source(const settings& set) {
    constexpr int bits = 8 * sizeof(Word);
    Word directions[bits];
    for (int bit = 0; bit < bits; ++bit) directions[bit] = Word{1} << (bits - 1 - bit);
    cohort_sobol_init<Word>(directions, 0, static_cast<Word>(set.offset), &state_);
  }

  void reseed(uint64_t) override {}

  void draw(kind what, size_t count, void* out) override {
    for (size_t i = 0; i < count; ++i) {
      const Word word = cohort_sobol_next(&state_);
      switch (what) {
        case kind::unit_float:
          static_cast<float*>(out)[i] = cohort_unit_float(word);
          break;
        case kind::unit_double:
          static_cast<double*>(out)[i] = cohort_unit_double(word);
          break;
        case kind::normal_float:
          static_cast<float*>(out)[i] = static_cast<float>(normal_quantile(cohort_normal_position(upper_word(word))));
          break;
        case kind::normal_double:
          static_cast<double*>(out)[i] = normal_quantile(cohort_normal_position(word));
          break;
        default:
          static_cast<Word*>(out)[i] = word;
          break;
      }
    }
  }

 private:
  cohort_sobol_state<Word> state_;
};

}  // namespace

std::unique_ptr<source> make_sobol32(const settings& set) { return std::make_unique<sobol_source<uint32_t>>(set); }
std::unique_ptr<source> make_sobol64(const settings& set) {
  return std::make_unique<sobol_source<unsigned long long>>(set);
}

}  // namespace cohort::curand
