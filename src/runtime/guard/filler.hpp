// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filler bytes beside memory of kernels: a write beyond the memory changes them, so a later check finds it.
#pragma once

#include <cstring>

namespace cohort::runtime {

constexpr unsigned char filler = 0xfb;

inline void fill_bytes(char* begin, char* end) {
  if (begin < end) std::memset(begin, filler, static_cast<size_t>(end - begin));
}

// The first byte of [begin, end) that differs from the filler, or null. The bytes may lie in a red zone.
__attribute__((no_sanitize_address)) inline const char* find_changed_byte(const char* begin, const char* end) {
  for (const char* at = begin; at < end; ++at) {
    if (static_cast<unsigned char>(*at) != filler) return at;
  }
  return nullptr;
}

}  // namespace cohort::runtime
