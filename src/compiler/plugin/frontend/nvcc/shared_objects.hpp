// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcc accepts `__shared__ T x;` where T has constructors or a destructor, and runs none of them. clang refuses it, and
// a refused variable breaks each use. The attribute cohort_not_constructed, a part of __shared__, keeps clang from
// writing the call of the constructor: a declaration with an alias attribute gets no initialiser.
#pragma once

namespace cohort {

// Takes the alias attribute from variables outside of functions, before clang emits them as aliases. In functions it
// has no effect.
void end_shared_declarations();

}  // namespace cohort
