// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The size of the system's pages.
#pragma once

#include <unistd.h>

#include <cstddef>

#include <cohort/base/round_up.hpp>

namespace cohort::runtime {

inline size_t page_bytes() {
  static const auto bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

inline size_t whole_pages(size_t bytes) { return detail::round_up(bytes, page_bytes()); }

}  // namespace cohort::runtime
