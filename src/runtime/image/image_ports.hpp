// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that a loaded image may call, by name. A program does not export them, so the dynamic linker cannot
// find them.
#pragma once

#include <string_view>

namespace cohort::runtime {

// The address of a function of the engine or the runtime that kernels call; null for any other name.
const void* find_image_port(std::string_view name);

}  // namespace cohort::runtime
