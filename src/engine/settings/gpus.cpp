// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/settings/gpus.hpp"

#include <iterator>

#include "engine/settings/settings.hpp"

namespace cohort::engine {

namespace {

constexpr capability_limits capabilities[] = {
#define COHORT_CAPABILITY(...) {__VA_ARGS__},
#include "engine/settings/gpus.inc"
#undef COHORT_CAPABILITY
};

constexpr gpu gpus[] = {
#define COHORT_GPU(...) {__VA_ARGS__},
#include "engine/settings/gpus.inc"
#undef COHORT_GPU
};

constexpr const capability_limits* find(int capability) {
  for (const capability_limits& each : capabilities) {
    if (each.number == capability) return &each;
  }
  return nullptr;
}

constexpr bool all_have_limits() {
  for (const gpu& each : gpus) {
    if (!find(each.capability)) return false;
  }
  return true;
}

static_assert(all_have_limits(), "a GPU has a compute capability without limits");

}  // namespace

const gpu* chosen_gpu() {
  const auto index = static_cast<int>(read_setting("COHORT_GPU", -1));  // the setting's value is the number of a row
  return index < 0 ? nullptr : &gpus[index];
}

const capability_limits& limits_of(int capability) { return *find(capability); }

}  // namespace cohort::engine
