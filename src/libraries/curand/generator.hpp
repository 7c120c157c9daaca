// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A caller's generator: its settings, its stream, and the source that the stream's operations draw from.
#pragma once

#include <curand.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "libraries/curand/source.hpp"

namespace cohort::curand {

// A row of the table of types.
struct generator_type {
  curandRngType type;
  std::unique_ptr<source> (*make)(const settings&);
  bool pairs;       // normal numbers come in pairs
  bool seeded;      // the type has the order CURAND_ORDERING_PSEUDO_SEEDED
  bool skips;       // the type has offsets, and a generator keeps its place when it gets a new seed
  bool long_words;  // words have 64 bits
};

// The row of a type; null for types that the library lacks.
const generator_type* find_type(curandRngType type);

// Shared by the handle and the operations of its stream.
class shared_source {
 public:
  // Draws with the settings of the call's time. A new count of restarts sets the place, a new seed keeps it. Calls on
  // other streams wait for the end of the draw.
  void draw(const generator_type& type, const settings& set, uint64_t restarts, kind what, size_t count, void* out,
            const finisher& finish);

 private:
  std::mutex mutex_;
  std::unique_ptr<source> source_;
  uint64_t seed_ = 0, restarts_ = 0;
};

}  // namespace cohort::curand

struct curandGenerator_st {
  const cohort::curand::generator_type* type = nullptr;
  bool on_host = false;
  cudaStream_t stream = nullptr;
  cohort::curand::settings set;
  uint64_t restarts = 0;  // how often curandSetGeneratorOffset() and curandSetGeneratorOrdering() have set the place
  std::shared_ptr<cohort::curand::shared_source> source = std::make_shared<cohort::curand::shared_source>();
};
