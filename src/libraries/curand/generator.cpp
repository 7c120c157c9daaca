// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types of generators, and the draws of a generator in the order of its stream.
#include "libraries/curand/generator.hpp"

#include <mutex>

namespace cohort::curand {
namespace {

constexpr generator_type types[] = {
    // type, source, pairs, seeded, skips, long words
    {CURAND_RNG_PSEUDO_DEFAULT, make_xorwow, true, true, true, false},
    {CURAND_RNG_PSEUDO_XORWOW, make_xorwow, true, true, true, false},
    {CURAND_RNG_PSEUDO_MRG32K3A, make_mrg32k3a, true, false, true, false},
    {CURAND_RNG_PSEUDO_MTGP32, make_mtgp32, false, false, false, false},
    {CURAND_RNG_PSEUDO_MT19937, make_mt19937, false, false, false, false},
    {CURAND_RNG_PSEUDO_PHILOX4_32_10, make_philox, false, false, true, false},
    {CURAND_RNG_QUASI_DEFAULT, make_sobol32, false, false, true, false},
    {CURAND_RNG_QUASI_SOBOL32, make_sobol32, false, false, true, false},
    {CURAND_RNG_QUASI_SOBOL64, make_sobol64, false, false, true, true},
};

}  // namespace

const generator_type* find_type(curandRngType type) {
  for (const generator_type& candidate : types) {
    if (candidate.type == type) return &candidate;
  }
  return nullptr;
}

void shared_source::draw(const generator_type& type, const settings& set, uint64_t restarts, kind what, size_t count,
                         void* out, const finisher& finish) {
  const std::lock_guard lock(mutex_);
  if (!source_ || restarts != restarts_) {
    source_ = type.make(set);
  } else if (set.seed != seed_) {
    source_->reseed(set.seed);
  }
  seed_ = set.seed, restarts_ = restarts;
  source_->draw(what, count, out, finish);
}

}  // namespace cohort::curand
