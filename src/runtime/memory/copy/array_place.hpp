// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places of copies in CUDA arrays.
#pragma once

#include "runtime/memory/array/array.hpp"
#include "runtime/memory/copy/copy_and_fill.hpp"

namespace cohort::runtime {

// The place of a box of bytes in an array, at the texel `at`. False unless the box lies in the array.
bool find_place(const cudaArray& array, const cudaPos& at, const box& b, place* p);
// The place of a box whose `at.x` is in bytes.
bool find_place_of_bytes(const cudaArray& array, const cudaPos& at, const box& b, place* p);

}  // namespace cohort::runtime
