# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The library in one file, for NVRTC and for projects that copy a header: cohort_single.hpp is <cohort/cohort.hpp>,
# cohort_cg_single.hpp is CUDA's <cooperative_groups.h> and its companions as well.
find_package(Python3 QUIET COMPONENTS Interpreter)
set(COHORT_SINGLE_DIR "${PROJECT_BINARY_DIR}/single")

if(Python3_Interpreter_FOUND)
  file(MAKE_DIRECTORY "${COHORT_SINGLE_DIR}")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/cohort/*.hpp"
       "${PROJECT_SOURCE_DIR}/include/cohort/*.inc"
       "${PROJECT_SOURCE_DIR}/include/compat/*.h" "${PROJECT_SOURCE_DIR}/include/nvrtc/*.h")
  set(tool "${PROJECT_SOURCE_DIR}/tools/amalgamate.py")
  set(compat compat/cooperative_groups)
  add_custom_command(
    OUTPUT "${COHORT_SINGLE_DIR}/cohort_single.hpp" "${COHORT_SINGLE_DIR}/cohort_cg_single.hpp"
    COMMAND Python3::Interpreter "${tool}" "${PROJECT_SOURCE_DIR}/include" "${COHORT_SINGLE_DIR}/cohort_single.hpp"
            cohort/cohort.hpp
    COMMAND Python3::Interpreter "${tool}" "${PROJECT_SOURCE_DIR}/include" "${COHORT_SINGLE_DIR}/cohort_cg_single.hpp"
            ${compat}.h ${compat}/memcpy_async.h ${compat}/reduce.h ${compat}/scan.h cohort/cohort.hpp
    DEPENDS ${headers} "${tool}"
    COMMENT "The library in one file"
    VERBATIM)
  add_custom_target(cohort_single ALL DEPENDS "${COHORT_SINGLE_DIR}/cohort_single.hpp"
                                              "${COHORT_SINGLE_DIR}/cohort_cg_single.hpp")
endif()
