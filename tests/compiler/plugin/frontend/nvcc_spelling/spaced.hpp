// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A user's header with a launch in nvcc's spelling.
#pragma once

// clang-format off

template <class T>
__global__ void store(T* out, T value) {
  *out = value;
}

template <class T>
void launch_store(T* out, T value) {
  store<T> << < 1, 1 >> > (out, value);
}
