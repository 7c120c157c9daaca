// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

namespace cohort::runtime {

// For example "12 bytes behind the end of 64 bytes" or "... before the start of ...". pre: the address is outside of
// [base, base + bytes)
inline std::string distance_from(uintptr_t address, const char* base, size_t bytes) {
  const auto first = reinterpret_cast<uintptr_t>(base);
  const bool behind = address >= first + bytes;
  return std::to_string(behind ? address - (first + bytes) : first - address) + " bytes " +
         (behind ? "behind the end of " : "before the start of ") + std::to_string(bytes) + " bytes";
}

// For example " at 0x7f0000001000".
inline std::string at_address(const void* address) {
  char text[32];
  std::snprintf(text, sizeof text, " at %p", address);
  return text;
}

// For example "byte 12 of 64 bytes". pre: the address is in [base, base + bytes)
inline std::string byte_of(const void* address, const char* base, size_t bytes) {
  return "byte " + std::to_string(static_cast<const char*>(address) - base) + " of " + std::to_string(bytes) + " bytes";
}

}  // namespace cohort::runtime
