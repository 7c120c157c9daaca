// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps headers of an installed CUDA toolkit out.
#pragma once

namespace clang {
class CompilerInstance;
}

namespace cohort {

// Makes each later include that finds a header of a CUDA toolkit an error that names it. Toolkits lie in clang's
// default folders (/usr/local/include, /usr/include). Without this check, a header that Cohort lacks would come from
// there, with other definitions of all types. In a source of NVRTC a header of the host is an error, too.
void refuse_toolkit_headers(clang::CompilerInstance& compiler);

}  // namespace cohort
