// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MT19937 (Matsumoto and Nishimura, "Mersenne Twister", 1998) in 8192 streams, 2^2048 steps apart. Each stream gives
// blocks of 624 words as 78 rows of 8 columns; a row of all streams lies together in the output.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "libraries/common/parallel_for.hpp"
#include "libraries/common/widest_vectors.hpp"
#include "libraries/curand/source.hpp"
#include "libraries/curand/word_source.hpp"

namespace cohort::curand {
namespace {

constexpr size_t streams = 8192, columns = 8, words_of_row = streams * columns, size = 624, rows = size / columns;
constexpr size_t middle = 397, degree = 19937;
constexpr size_t streams_of_group = 128;
constexpr uint32_t upper_bit = 0x80000000u;

using stream_state = std::array<uint32_t, size>;

// x^(2^2048) and x^(2^2055) modulo the characteristic polynomial: the next stream, and the next group of 128 streams.
constexpr uint32_t jumps[2][size] = {
#include "libraries/curand/mt19937_jumps.inc"
};

struct place {
  uint16_t word[rows][columns];
};

// The first row has the words between the sections, which have seven rows each. Column by column a section has 56
// consecutive words: each word and those 1 and 397 later then lie in one column, or one beside it.
constexpr place make_place() {
  place made{};
  constexpr size_t between[columns] = {0, 113, 170, 283, 340, 397, 510, 567};
  size_t column = 0, inside = 0;
  for (size_t word = 0; word < size; ++word) {
    if (column < columns && word == between[column]) {
      made.word[0][column++] = static_cast<uint16_t>(word);
      continue;
    }
    const size_t section = inside / 56, rest = inside % 56;
    made.word[1 + 7 * section + rest % 7][rest / 7] = static_cast<uint16_t>(word);
    ++inside;
  }
  return made;
}
constexpr place place_of = make_place();

uint32_t twisted(uint32_t upper, uint32_t lower) {
  const uint32_t joined = (upper & upper_bit) | (lower & ~upper_bit);
  return joined >> 1 ^ ((0u - (lower & 1)) & 0x9908b0dfu);
}
uint32_t tempered(uint32_t word) {
  word ^= word >> 11;
  word ^= word << 7 & 0x9d2c5680u;
  word ^= word << 15 & 0xefc60000u;
  return word ^ word >> 18;
}

// Replaces the words of a stream by its next 624.
void twist(uint32_t* x) {
  for (size_t k = 0; k < size - middle; ++k) x[k] = x[k + middle] ^ twisted(x[k], x[k + 1]);
  for (size_t k = size - middle; k < size - 1; ++k) x[k] = x[k + middle - size] ^ twisted(x[k], x[k + 1]);
  x[size - 1] = x[middle - 1] ^ twisted(x[size - 1], x[0]);
}

// Skips the steps of a jump: the new state is the sum of the states after j steps, for each j whose coefficient is 1
// (Haramoto et al., "Efficient Jump Ahead for F2-Linear Random Number Generators", 2008). Six coefficients at a time:
// the states before equal groups are added up first, which needs a third of the additions.
class jumper {
 public:
  explicit jumper(const uint32_t (&jump)[size]) {
    for (size_t j = 0; j < degree; j += group_bits) {
      size_t pattern = 0;
      for (size_t bit = 0; bit < group_bits && j + bit < degree; ++bit)
        pattern |= static_cast<size_t>(jump[(j + bit) / 32] >> ((j + bit) % 32) & 1) << bit;
      steps_[pattern].push_back(static_cast<uint32_t>(j));
    }
  }

  // Computes the state after the jump. `words`: work space.
  void operator()(const stream_state& from, stream_state& to, std::vector<uint32_t>& words) const {
    words.resize(degree + size + sum_size + patterns * sum_size);
    std::copy(from.begin(), from.end(), words.begin());
    for (size_t k = 0; k < degree + sum_size; ++k)
      words[k + size] = words[k + middle] ^ twisted(words[k], words[k + 1]);
    uint32_t* const sums = words.data() + degree + size + sum_size;
    for (size_t first = 0; first < sum_size; first += at_once) {
      for (size_t pattern = 1; pattern < patterns; ++pattern)
        add_up(words.data() + first, steps_[pattern], sums + pattern * sum_size + first);
    }
    to = {};
    for (size_t pattern = 1; pattern < patterns; ++pattern) {
      for (size_t bit = 0; bit < group_bits; ++bit) {
        if ((pattern >> bit & 1) == 0) continue;
        add(sums + pattern * sum_size + bit, to.data());
      }
    }
  }

 private:
  static constexpr size_t group_bits = 6, patterns = 1 << group_bits;
  static constexpr size_t at_once = 16;
  static constexpr size_t sum_size = (size + group_bits + at_once - 1) / at_once * at_once;

  static void add(const uint32_t* __restrict from, uint32_t* __restrict to) {
    for (size_t i = 0; i < size; ++i) to[i] ^= from[i];
  }

  // Four words in a register; compilers keep an array of sums in memory.
  using four_words = uint32_t __attribute__((vector_size(16)));
  static four_words load(const uint32_t* from) {
    four_words words;
    std::memcpy(&words, from, sizeof words);
    return words;
  }

  // Writes the sum of the words at the steps.
  static void add_up(const uint32_t* words, const std::vector<uint32_t>& steps, uint32_t* out) {
    four_words a{}, b{}, c{}, d{};
    for (const uint32_t step : steps) {
      a ^= load(words + step), b ^= load(words + step + 4);
      c ^= load(words + step + 8), d ^= load(words + step + 12);
    }
    const four_words sum[] = {a, b, c, d};
    std::memcpy(out, sum, sizeof sum);
  }

  std::vector<uint32_t> steps_[patterns];  // the first steps of the groups of equal coefficients
};

// A number is the middle of the interval that a word names, rounded once.
struct units_of_mt19937 {
  static float unit_float(uint32_t word) { return static_cast<float>(unit_double(word)); }
  static double unit_double(uint32_t word) { return cohort_normal_position(word); }
};

class mt19937_source final : public word_source<uint32_t, units_of_mt19937> {
 public:
  explicit mt19937_source(const settings& set) : states_(1) {
    uint32_t word = static_cast<uint32_t>(set.seed);
    for (uint32_t k = 0; k < size; ++k) {
      states_[0][k] = word;
      word = 1812433253u * (word ^ word >> 30) + k + 1;
    }
  }

  void reseed(uint64_t) override {}  // a new seed restarts the generator

 private:
  void words(size_t count, const word_sink& sink) override {
    begin_streams(std::min(streams, (place_ + count + columns - 1) / columns));
    for (size_t done = 0; done < count;) {
      const size_t row = place_ / words_of_row, first = place_ % words_of_row, left = count - done;
      const size_t full = first == 0 ? std::min(left / words_of_row, rows - row) : 0;
      const size_t drawn = full != 0 ? full * words_of_row : std::min(left, words_of_row - first);
      if (full != 0) {
        draw_rows(row, full, done, sink);
      } else {
        draw_row(row, first, drawn, done, sink);
      }
      place_ = (place_ + drawn) % (rows * words_of_row);
      done += drawn;
    }
  }

  // Makes the streams that the first row needs; the jumps to all streams take about 1 s of one core.
  void begin_streams(size_t count) {
    count = (count + streams_of_group - 1) / streams_of_group * streams_of_group;
    const size_t old = states_.size() - 1;
    if (count <= old) return;
    static const jumper to_next(jumps[0]), to_next_group(jumps[1]);
    std::vector<uint32_t> work;
    states_.resize(count + 1);
    for (size_t first = old; first < count; first += streams_of_group)
      to_next_group(states_[first], states_[first + streams_of_group], work);
    const auto groups = static_cast<int64_t>((count - old) / streams_of_group);
    libraries::parallel_for(groups, 1, [&](int64_t begin, int64_t end) {
      std::vector<uint32_t> own_work;
      for (size_t group = static_cast<size_t>(begin); group < static_cast<size_t>(end); ++group) {
        stream_state* const state = &states_[old + group * streams_of_group];
        for (size_t k = 1; k < streams_of_group; ++k) to_next(state[k - 1], state[k], own_work);
      }
    });
  }

  // Passes words of one row, which are numbers `done` and following of the draw.
  void draw_row(size_t row, size_t first, size_t count, size_t done, const word_sink& sink) {
    uint32_t next[tile];
    for (size_t i = 0; i < count;) {
      const size_t n = std::min(tile, count - i);
      for (size_t k = 0; k < n; ++k) {
        const size_t column = (first + i + k) % columns;
        uint32_t* const state = states_[(first + i + k) / columns].data();
        if (row == 0 && column == 0) twist(state);
        next[k] = tempered(state[place_of.word[row][column]]);
      }
      sink(done + i, next, n);
      i += n;
    }
  }

  // Passes the words of whole rows. The rows of a tile's streams lie together first: rows of the draw are 256 KiB
  // apart, so all words of a stream would be in one set of a cache.
  void draw_rows(size_t first_row, size_t count, size_t done, const word_sink& sink) {
    constexpr size_t streams_of_tile = tile / columns;
    rows_of_tile_.resize(rows * tile);
    uint32_t* const words = rows_of_tile_.data();
    for (size_t first = 0; first < streams; first += streams_of_tile) {
      stream_state* const states = &states_[first];
      libraries::with_widest_vectors([=] {
        for (size_t stream = 0; stream < streams_of_tile; ++stream) {
          uint32_t* const state = states[stream].data();
          if (first_row == 0) twist(state);
          for (size_t row = 0; row < count; ++row) {
            uint32_t* const to = words + row * tile + stream * columns;
            for (size_t k = 0; k < columns; ++k) to[k] = state[place_of.word[first_row + row][k]];
          }
        }
        for (size_t i = 0; i < count * tile; ++i) words[i] = tempered(words[i]);
      });
      for (size_t row = 0; row < count; ++row)
        sink(done + row * words_of_row + first * columns, words + row * tile, tile);
    }
  }

  std::vector<stream_state> states_;  // states of the existing streams, and of the first one of the next group
  size_t place_ = 0;                  // position in a block of all streams
  std::vector<uint32_t> rows_of_tile_;
};

}  // namespace

std::unique_ptr<source> make_mt19937(const settings& set) { return std::make_unique<mt19937_source>(set); }

}  // namespace cohort::curand
