// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers that are equal on each machine.
#pragma once

#include <cstdint>

namespace cohort::engine {

// Mixes the bits of a number (the finalizer of SplitMix64, S. Vigna).
inline uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
inline uint64_t mix(uint64_t a, uint64_t b) { return mix(mix(a) ^ b); }

// SplitMix64.
class random_source {
 public:
  explicit random_source(uint64_t seed) : state_(seed) {}
  uint64_t next() { return mix(state_ += 0x9e3779b97f4a7c15u); }
  // A number in 0 .. count - 1; 0 for a count of 0.
  uint64_t below(uint64_t count) { return count ? next() % count : 0; }
  bool one_in(uint64_t count) { return below(count) == 0; }

 private:
  uint64_t state_;
};

}  // namespace cohort::engine
