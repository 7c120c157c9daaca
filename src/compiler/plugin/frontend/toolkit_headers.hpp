// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps headers of an installed CUDA toolkit out.
#pragma once

namespace clang {
class CompilerInstance;
}

namespace cohort {

// From now on, an include that finds a header of a CUDA toolkit is an error that names it. Toolkits lie where clang
// looks anyway (/usr/local/include, /usr/include), and a header that Cohort does not have yet would silently come
// from there, with another idea of every type.
void refuse_toolkit_headers(clang::CompilerInstance& compiler);

}  // namespace cohort
