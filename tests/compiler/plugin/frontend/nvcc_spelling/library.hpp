// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The outer header of a library: it marks all of the library as system headers, as CUB's headers do.
#pragma once
#pragma GCC system_header

#include "library_load.hpp"
