// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A generator of many lanes, as the threads of a GPU's kernel: number i is of lane i mod N. A step of a lane takes some
// words and gives one or two numbers. The lanes' states lie word by word, so that compilers vectorize over lanes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "libraries/common/widest_vectors.hpp"
#include "libraries/curand/source.hpp"

namespace cohort::curand {

// `Lanes` has the number of lanes, `step_of(kind)`, `draw(first, count, words, out)`, whose word w of lane j is
// out[w * count + j], and `numbers(kind, count, words, out)`, which makes the numbers of one step of `count` lanes.
struct lane_step {
  size_t words;
  size_t numbers;
};

// Writes made(lane), a number, for each of `count` lanes.
template <class Number, class Made>
void write_numbers(size_t count, void* out, const Made& made) {
  auto* const to = static_cast<Number*>(out);
  for (size_t lane = 0; lane < count; ++lane) to[lane] = made(lane);
}
template <class Lanes>
class lane_source final : public source {
 public:
  explicit lane_source(const settings& set) : lanes_(set), places_(Lanes::count) {
    const uint64_t rounds = set.offset / Lanes::count;
    next_ = static_cast<size_t>(set.offset % Lanes::count);
    for (size_t lane = 0; lane < Lanes::count; ++lane) places_[lane] = rounds + (lane < next_);
    if (set.offset != 0) lanes_.skip_to(places_.data());
  }

  void draw(kind what, size_t count, void* out, const finisher& finish) override {
    const lane_step step = Lanes::step_of(what);
    const size_t width = step.numbers * bytes_of(what);
    auto* to = static_cast<unsigned char*>(out);
    for (size_t left = count / step.numbers; left != 0;) {
      const bool full = next_ == 0 && left >= Lanes::count;
      const size_t rounds = full ? std::min(left / Lanes::count, rounds_at_once) : 1;
      const size_t lanes = full ? Lanes::count : std::min(left, Lanes::count - next_);
      for (size_t first = 0; first < lanes; first += tile_lanes) {
        const size_t tile = std::min(tile_lanes, lanes - first);
        libraries::with_widest_vectors([&] {
          lanes_.draw(next_ + first, tile, step.words * rounds, words_);
          for (size_t lane = 0; lane < tile; ++lane) places_[next_ + first + lane] += step.words * rounds;
          for (size_t round = 0; round < rounds; ++round)
            Lanes::numbers(what, tile, words_ + round * step.words * tile, to + (round * Lanes::count + first) * width);
        });
        for (size_t round = 0; finish && round < rounds; ++round)
          finish(to + (round * Lanes::count + first) * width, tile * step.numbers);
      }
      next_ = (next_ + lanes) % Lanes::count;
      left -= lanes * rounds;
      to += lanes * rounds * width;
    }
  }

  void reseed(uint64_t seed) override {
    lanes_.seed(seed);
    lanes_.skip_to(places_.data());
  }

 private:
  static constexpr size_t tile_lanes = 512, rounds_at_once = 8, most_words = 4;

  static size_t bytes_of(kind what) { return what == kind::unit_double || what == kind::normal_double ? 8 : 4; }

  Lanes lanes_;
  std::vector<uint64_t> places_;  // how many words each lane has drawn
  size_t next_ = 0;               // lane of the next number
  alignas(64) uint32_t words_[tile_lanes * rounds_at_once * most_words] = {};
};

}  // namespace cohort::curand
