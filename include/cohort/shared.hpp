// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory for kernels written in plain C++, where `__shared__` does not exist. In .cu sources use `__shared__`.
#pragma once

#include <type_traits>

#include "base/config.hpp"
#include "base/types.hpp"
#include "machine/cpu/port.hpp"

#if COHORT_CUDA_SOURCE
#error "cohort/shared.hpp is for plain C++ kernels; in CUDA sources declare the variable with __shared__"
#endif

namespace cohort {

// The block's variable of type T named by Tag: all threads of a block get the same object, each block its own. Its
// bytes are zero when the block starts. Two calls with the same T and Tag are the same variable:
//
//   float (&tile)[256] = cohort::shared<float[256], struct tile_tag>();
//
// Called by any thread of the block, any number of times, without a barrier. T is trivially destructible: nothing
// runs when the block ends.
template <class T, class Tag>
T& shared() {
  static_assert(std::is_trivially_destructible<T>::value,
                "cohort::shared<T>: T needs no destructor, because none would run");
  static const char identity = 0;
  return *static_cast<T*>(cohort_tagged_shared(&identity, sizeof(T), alignof(T)));
}

// The dynamic shared memory of the launch (`config::shared_bytes`), as an array of T.
template <class T>
T* dynamic_shared() {
  return reinterpret_cast<T*>(cohort_dynamic_shared());
}

}  // namespace cohort
