// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first dimension of Sobol' sequences: its direction vectors are powers of two.
#include <memory>

#include "libraries/curand/source.hpp"
#include "libraries/curand/word_source.hpp"

namespace cohort::curand {
namespace {

template <class Word>
class sobol_source final : public word_source<Word> {
 public:
  explicit sobol_source(const settings& set) : index_(static_cast<Word>(set.offset)) {
    for (Word i = 0; i < block; ++i) low_[i] = value_at(i);
  }

  void reseed(uint64_t) override {}

 private:
  static constexpr Word block = 64;

  // The Gray code of the index, its lowest bit first.
  static Word value_at(Word index) {
    Word reversed = 0;
    for (Word gray = index ^ index >> 1, bit = ~(~Word{0} >> 1); gray != 0; gray >>= 1, bit >>= 1)
      reversed |= (gray & 1) != 0 ? bit : 0;
    return reversed;
  }

  // Values of a block of indices differ by the lower bits of their Gray codes.
  void words(size_t count, Word* out) override {
    while (count != 0) {
      const Word low = index_ % block;
      const size_t n = std::min<size_t>(count, block - low);
      const Word base = value_at(index_ - low);
      for (size_t i = 0; i < n; ++i) out[i] = base ^ low_[low + i];
      index_ += static_cast<Word>(n), out += n, count -= n;
    }
  }

  Word index_;
  Word low_[block];
};

}  // namespace

std::unique_ptr<source> make_sobol32(const settings& set) { return std::make_unique<sobol_source<uint32_t>>(set); }
std::unique_ptr<source> make_sobol64(const settings& set) {
  return std::make_unique<sobol_source<unsigned long long>>(set);
}

}  // namespace cohort::curand
