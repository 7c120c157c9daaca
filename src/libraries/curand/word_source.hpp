// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A generator each of whose numbers takes one word: Sobol' sequences and Mersenne twisters.
#pragma once

#include <cudart_detail/curand/normal.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

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
  void draw(kind what, size_t count, void* out, const finisher& finish) final {
    switch (what) {
      case kind::word:
        return numbers(count, static_cast<Word*>(out), finish,
                       [](const Word* from, size_t n, Word* to) { std::copy_n(from, n, to); });
      case kind::unit_float:
        return numbers(count, static_cast<float*>(out), finish, [](const Word* from, size_t n, float* to) {
          for (size_t i = 0; i < n; ++i) to[i] = Units::unit_float(from[i]);
        });
      case kind::unit_double:
        return numbers(count, static_cast<double*>(out), finish, [](const Word* from, size_t n, double* to) {
          for (size_t i = 0; i < n; ++i) to[i] = Units::unit_double(from[i]);
        });
      case kind::normal_float:
        return numbers(count, static_cast<float*>(out), finish, [](const Word* from, size_t n, float* to) {
          uint32_t upper[tile];
          for (size_t i = 0; i < n; ++i) upper[i] = upper_word(from[i]);
          normal_quantiles_of_words(upper, n, to);
        });
      case kind::normal_double:
        return numbers(count, static_cast<double*>(out), finish, [](const Word* from, size_t n, double* to) {
          for (size_t i = 0; i < n; ++i) to[i] = cohort_normal_position(from[i]);
          normal_quantiles(to, n);
        });
    }
  }

 protected:
  static constexpr size_t tile = 256;

  // Receives up to `tile` consecutive words; `first` is the number of the first one in the draw.
  using word_sink = std::function<void(size_t first, const Word* words, size_t count)>;
  // Passes the next `count` words of the sequence to `sink`, tile by tile in any order.
  virtual void words(size_t count, const word_sink& sink) = 0;

 private:
  static uint32_t upper_word(uint32_t word) { return word; }
  static uint32_t upper_word(unsigned long long word) { return static_cast<uint32_t>(word >> 32); }

  // Writes the numbers that `make(words, n, numbers)` makes of the next words.
  template <class Number, class Make>
  void numbers(size_t count, Number* out, const finisher& finish, const Make& make) {
    words(count, [&](size_t first, const Word* from, size_t n) {
      Number* const to = out + first;
      libraries::with_widest_vectors([=] { make(from, n, to); });
      if (finish) finish(to, n);
    });
  }
};

}  // namespace cohort::curand
