// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory for kernels in plain C++, which has no `__shared__`. CUDA sources use `__shared__`.
#pragma once

#include "base/user_macros/off.hpp"

#include <type_traits>

#include "base/config.hpp"
#include "base/types.hpp"
#include "machine/cpu/port.hpp"

#if COHORT_CUDA_SOURCE
#error "cohort/shared.hpp is for plain C++ kernels; in CUDA sources declare the variable with __shared__"
#endif

namespace cohort {

/// The block's shared variable of type T with the name Tag. All threads of a block get the same object, and each block
/// has its own. Two calls with the same T and Tag return the same variable. Any thread of the block may call it, any
/// number of times, without a barrier.
/// @tparam T Trivially destructible; its bytes are zero when the block starts, and no destructor runs when it ends.
/// @tparam Tag A type that names the variable, as in cohort::shared<float[256], struct tile_tag>().
/// @snippet examples/11_plain_cpp/plain_cpp.cpp shared
template <class T, class Tag>
T& shared() {
  static_assert(std::is_trivially_destructible<T>::value,
                "cohort::shared<T>: T needs no destructor, because none would run");
  static const char identity = 0;
  return *static_cast<T*>(cohort_tagged_shared(&identity, sizeof(T), alignof(T)));
}

/// The dynamic shared memory of the launch (config::shared_bytes), as an array of T.
template <class T>
T* dynamic_shared() {
  return reinterpret_cast<T*>(cohort_dynamic_shared());
}

}  // namespace cohort

#include "base/user_macros/on.hpp"
