// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An empty replacement for a header that clang 19 includes and CUDA 13 no longer has. The library uses no textures.
#pragma once
