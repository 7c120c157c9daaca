// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// <stddef.h> for NVRTC, which has no system headers. Pass this folder with --include-path.
#pragma once

using size_t = decltype(sizeof(0));
using ptrdiff_t = decltype(static_cast<char*>(nullptr) - static_cast<char*>(nullptr));
