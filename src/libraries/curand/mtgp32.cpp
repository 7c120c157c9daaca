// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MTGP32 in 192 generators with different parameters, in the legacy order in 64. Each gives 256 words at a time, which
// lie together in the output.
#include <curand_mtgp32dc_p_11213.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "libraries/common/widest_vectors.hpp"
#include "libraries/curand/source.hpp"
#include "libraries/curand/word_source.hpp"

namespace cohort::curand {
namespace {

constexpr size_t words_at_once = cohort_mtgp32_most_threads, size = cohort_mtgp32_size;

class mtgp32_source final : public word_source<uint32_t> {
 public:
  explicit mtgp32_source(const settings& set) : states_(set.ordering == CURAND_ORDERING_PSEUDO_LEGACY ? 64 : 192) {
    for (unsigned int g = 0; g < states_.size(); ++g)
      cohort_mtgp32_init(mtgp32dc_params_fast_11213[g], cohort_mtgp32_seed(set.seed, g), states_[g].data());
  }

  void reseed(uint64_t) override {}  // a new seed restarts the generator

 private:
  void words(size_t count, const word_sink& sink) override {
    for (size_t first = 0; first < count;) {
      const size_t used = place_ % words_at_once, n = std::min(count - first, words_at_once - used);
      if (used == 0) libraries::with_widest_vectors([&] { draw(place_ / words_at_once); });
      sink(first, drawn_ + used, n);
      place_ = (place_ + n) % (states_.size() * words_at_once);
      first += n;
    }
  }

  // Replaces `drawn_` by the next words of a generator.
  void draw(size_t generator) {
    const cohort_mtgp32_parameters p = mtgp32dc_params_fast_11213[generator];
    uint32_t* const state = states_[generator].data();
    uint32_t next[words_at_once];
    for (size_t i = 0; i < words_at_once; ++i)
      next[i] = cohort_mtgp32_next(p, state[i], state[i + 1], state[i + p.pos]);
    for (size_t i = 0; i < words_at_once; ++i) drawn_[i] = cohort_mtgp32_temper(p, next[i], state[i + p.pos - 1]);
    std::copy(state + words_at_once, state + size, state);
    std::copy_n(next, words_at_once, state + size - words_at_once);
  }

  std::vector<std::array<uint32_t, size>> states_;
  size_t place_ = 0;  // position in a round of all generators
  uint32_t drawn_[words_at_once] = {};
};

}  // namespace

std::unique_ptr<source> make_mtgp32(const settings& set) { return std::make_unique<mtgp32_source>(set); }

}  // namespace cohort::curand
