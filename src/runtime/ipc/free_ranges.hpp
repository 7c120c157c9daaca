// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unused ranges of numbers: a file's bytes, or addresses. Adjacent ranges are joined.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace cohort::runtime {

class free_ranges {
 public:
  // Makes a range free. pre: no part of the range is free
  void add(uint64_t first, uint64_t length);
  // Takes the lowest range that fits, with `margin` free numbers on both sides, which stay free. Nothing if none fits.
  // pre: `alignment` is a power of two
  std::optional<uint64_t> take(uint64_t length, uint64_t alignment, uint64_t margin = 0);
  // Takes this range. False if a part of it is not free.
  bool take_at(uint64_t first, uint64_t length);

 private:
  using ranges = std::map<uint64_t, uint64_t>;  // first number -> length
  void remove(ranges::iterator from, uint64_t first, uint64_t length);

  ranges free_;
};

}  // namespace cohort::runtime
