# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Warnings for the project's own sources, not for projects that use Cohort.
option(COHORT_WERROR "Treat warnings in Cohort's own sources as errors" OFF)

function(cohort_enable_warnings)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wall> $<$<COMPILE_LANGUAGE:CXX>:-Wextra>)
  # g++ 12 and 13 report overlaps in std::string that do not exist (GCC bug 105651).
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>)
  if(COHORT_WERROR)
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Werror>)
  endif()
endfunction()
