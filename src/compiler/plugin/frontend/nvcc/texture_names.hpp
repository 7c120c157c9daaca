// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class Sema;
}  // namespace clang

namespace cohort {

// Makes `texture<` and `surface<` name the templates of CUDA 11 in sources that declare no such names themselves. CUDA
// 12 removed the two, so programs use them for types of their own.
void find_texture_names(clang::Sema& sema);

}  // namespace cohort
