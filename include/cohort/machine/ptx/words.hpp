// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of any trivially copyable type as 32-bit words, the unit of shuffles and of slots in shared memory.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/types.hpp"

namespace cohort {
namespace ptx {

/// The bytes of a T as 32-bit words. Padding of the last word is zero.
template <class T>
struct words_of {
  static constexpr uint32_t count = (sizeof(T) + 3) / 4;
  uint32_t word[count];

  COHORT_FN explicit words_of(const T& value) {
    if constexpr (sizeof(T) % 4 != 0) word[count - 1] = 0;
    COHORT_COPY_BYTES(word, &value, sizeof(T));
  }
  COHORT_FN T value() const {
    detail::slot<T> copy;
    COHORT_COPY_BYTES(static_cast<void*>(&copy.value), word, sizeof(T));
    return copy.value;
  }
};

}  // namespace ptx
}  // namespace cohort
