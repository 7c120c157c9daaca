// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cstdlib>

// Called by the stubs of SLEEF's functions in libcohort_runtime.so. ld.so binds to the stubs only where it finds no
// libsleef.so.3.
extern "C" [[noreturn]] void cohort_sleef_is_missing() {
  std::fputs(
      "cohort: a kernel calls a mathematical function, but the library SLEEF (libsleef.so.3) was not found when the "
      "program started. On Debian and Ubuntu: apt-get install libsleef3\n",
      stderr);
  std::abort();
}
