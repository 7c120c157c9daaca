// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filler bytes beside memory of kernels: an access beside the memory overwrites some.
#pragma once

#include <algorithm>
#include <cstring>

namespace cohort::runtime {

constexpr unsigned char filler = 0xfb;

inline void fill_bytes(char* begin, char* end) {
  if (begin < end) std::memset(begin, filler, static_cast<size_t>(end - begin));
}

// The first byte of [begin, end) that is no filler any more, or null.
inline const char* find_changed_byte(const char* begin, const char* end) {
  const auto changed = [](char byte) { return static_cast<unsigned char>(byte) != filler; };
  const char* const at = begin < end ? std::find_if(begin, end, changed) : end;
  return at != end ? at : nullptr;
}

}  // namespace cohort::runtime
