// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class Decl;
}

namespace cohort {

// Makes the device pass emit `declaration`, a definition, where device code uses it: as nvcc does with a
// `__host__ __device__` function. Such a function may call host functions if kernels never call it. Must precede the
// body, since clang reports those calls at once in a function that other files could call.
void emit_on_use(clang::Decl& declaration);

}  // namespace cohort
