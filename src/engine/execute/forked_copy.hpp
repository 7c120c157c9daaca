// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace cohort::engine {

// Forks the process, calls `answer(state, buffer)` in the copy, and copies `bytes` bytes of `buffer` to `result`. The
// copy then ends without running destructors or flushing output. False if no copy could be made, or if it crashed or
// did not answer within 5 seconds.
bool ask_forked_copy(void* result, size_t bytes, void (*answer)(void* state, void* buffer), void* state);

// `answer()` returns a T, which must be trivially copyable.
template <class T, class Answer>
bool ask_forked_copy(T& result, Answer answer) {
  const auto call = [](void* state, void* buffer) { *static_cast<T*>(buffer) = (*static_cast<Answer*>(state))(); };
  return ask_forked_copy(&result, sizeof result, call, &answer);
}

}  // namespace cohort::engine
