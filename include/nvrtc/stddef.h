// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVRTC brings no header of a system: with --include-path naming this folder, Cohort's headers find what they include.
#pragma once

using size_t = decltype(sizeof(0));
using ptrdiff_t = decltype(static_cast<char*>(nullptr) - static_cast<char*>(nullptr));
