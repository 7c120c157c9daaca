// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first dimension of Sobol' sequences: its direction vectors are powers of two.
#include <algorithm>
#include <memory>

#include "libraries/common/widest_vectors.hpp"
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
  static constexpr Word block = word_source<Word>::tile;

  // The Gray code of the index, its lowest bit first.
  static Word value_at(Word index) {
    Word reversed = 0;
    for (Word gray = index ^ index >> 1, bit = ~(~Word{0} >> 1); gray != 0; gray >>= 1, bit >>= 1)
      reversed |= (gray & 1) != 0 ? bit : 0;
    return reversed;
  }

  // Values of a block of indices differ by the lower bits of their Gray codes.
  void words(size_t count, const typename word_source<Word>::word_sink& sink) override {
    Word next[block];
    for (size_t first = 0; first < count;) {
      const Word low = index_ % block;
      const size_t n = std::min<size_t>(count - first, block - low);
      libraries::with_widest_vectors([n, base = value_at(index_ - low), from = low_ + low, to = &next[0]] {
        for (size_t i = 0; i < n; ++i) to[i] = base ^ from[i];
      });
      sink(first, next, n);
      index_ += static_cast<Word>(n), first += n;
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
