// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A generator each of whose numbers takes one word: Sobol' sequences and Mersenne twisters.
#pragma once

#include <cudart_detail/curand/normal.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "libraries/common/widest_vectors.hpp"
#include "libraries/curand/source.hpp"

namespace cohort::curand {

template <class Word>
struct usual_units {
  static float unit_float(Word word) { return cohort_unit_float(word); }
  static double unit_double(Word word) { return cohort_unit_double(word); }
};

// A generator that converts words to numbers. `Units`: the conversions of a word to a uniform number.
template <class Word, class Units = usual_units<Word>>
class word_source : public source {
 public:
  void draw(kind what, size_t count, void* out) final {
    switch (what) {
      case kind::word:
        return words(count, static_cast<Word*>(out));
      case kind::unit_float:
        return numbers(count, static_cast<float*>(out), [](const Word* from, size_t n, float* to) {
          for (size_t i = 0; i < n; ++i) to[i] = Units::unit_float(from[i]);
        });
      case kind::unit_double:
        return numbers(count, static_cast<double*>(out), [](const Word* from, size_t n, double* to) {
          for (size_t i = 0; i < n; ++i) to[i] = Units::unit_double(from[i]);
        });
      case kind::normal_float:
        return numbers(count, static_cast<float*>(out), [](const Word* from, size_t n, float* to) {
          uint32_t upper[tile];
          for (size_t i = 0; i < n; ++i) upper[i] = upper_word(from[i]);
          normal_quantiles_of_words(upper, n, to);
        });
      case kind::normal_double:
        return numbers(count, static_cast<double*>(out), [](const Word* from, size_t n, double* to) {
          for (size_t i = 0; i < n; ++i) to[i] = cohort_normal_position(from[i]);
          normal_quantiles(to, n);
        });
    }
  }

 protected:
  // Writes the next `count` words of the sequence.
  virtual void words(size_t count, Word* out) = 0;

 private:
  static constexpr size_t tile = 256;

  static uint32_t upper_word(uint32_t word) { return word; }
  static uint32_t upper_word(unsigned long long word) { return static_cast<uint32_t>(word >> 32); }

  // Writes the numbers that `make(words, n, numbers)` makes of the next words. Words that fit are drawn at once, into
  // the end of the output, because a twister has them in rows of many streams.
  template <class Number, class Make>
  void numbers(size_t count, Number* out, const Make& make) {
    alignas(64) Word next[tile];
    auto* const drawn = reinterpret_cast<unsigned char*>(out + count) - count * sizeof(Word);
    constexpr bool fit = sizeof(Word) <= sizeof(Number);
    if constexpr (fit) words(count, reinterpret_cast<Word*>(drawn));
    for (size_t done = 0; done < count; done += tile) {
      const size_t n = std::min(tile, count - done);
      if constexpr (fit) {
        std::copy_n(drawn + done * sizeof(Word), n * sizeof(Word), reinterpret_cast<unsigned char*>(next));
      } else {
        words(n, next);
      }
      libraries::with_widest_vectors([make, n, from = &next[0], to = out + done] { make(from, n, to); });
    }
  }
};

}  // namespace cohort::curand
