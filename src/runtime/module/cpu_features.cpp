// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/module/cpu_features.hpp"

#include <algorithm>

namespace cohort::runtime {

namespace {

bool is_lacking([[maybe_unused]] std::string_view feature) {
#if defined(__x86_64__)
  // A macro, because __builtin_cpu_supports() takes literals only.
#define COHORT_FEATURE(name) {name, __builtin_cpu_supports(name) != 0}
  static const struct {
    std::string_view name;
    bool is_there;
  } known[] = {
      COHORT_FEATURE("sse3"),
      COHORT_FEATURE("ssse3"),
      COHORT_FEATURE("sse4.1"),
      COHORT_FEATURE("sse4.2"),
      COHORT_FEATURE("popcnt"),
      COHORT_FEATURE("avx"),
      COHORT_FEATURE("avx2"),
      COHORT_FEATURE("bmi"),
      COHORT_FEATURE("bmi2"),
      COHORT_FEATURE("fma"),
      COHORT_FEATURE("fma4"),
      COHORT_FEATURE("xop"),
      COHORT_FEATURE("avx512f"),
      COHORT_FEATURE("avx512bw"),
      COHORT_FEATURE("avx512cd"),
      COHORT_FEATURE("avx512dq"),
      COHORT_FEATURE("avx512vl"),
      COHORT_FEATURE("avx512ifma"),
      COHORT_FEATURE("avx512vbmi"),
      COHORT_FEATURE("avx512vbmi2"),
      COHORT_FEATURE("avx512vnni"),
      COHORT_FEATURE("avx512bitalg"),
      COHORT_FEATURE("avx512vpopcntdq"),
      COHORT_FEATURE("gfni"),
      COHORT_FEATURE("vpclmulqdq"),
  };
#undef COHORT_FEATURE
  return std::any_of(std::begin(known), std::end(known),
                     [&](const auto& k) { return k.name == feature && !k.is_there; });
#else
  return false;
#endif
}

}  // namespace

std::string lacking_cpu_features(std::string_view list) {
  std::string lacking;
  while (!list.empty()) {
    const std::string_view word = list.substr(0, list.find(','));
    list.remove_prefix(std::min(word.size() + 1, list.size()));
    if (word.empty() || word[0] != '+' || !is_lacking(word.substr(1))) continue;
    if (!lacking.empty()) lacking += ", ";
    lacking += word.substr(1);
  }
  return lacking;
}

}  // namespace cohort::runtime
