// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libstdc++'s <math.h> is <cmath> with global names.
#include_next <math.h>

#if defined(_GLIBCXX_USE_STD_SPEC_FUNCS)  // not at the first include, that of library.h
#pragma once
#include <cmath>
#endif
