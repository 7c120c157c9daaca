# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The build tree has the layout of the install tree, because cohortcc finds its parts relative to its own executable:
#   bin/ {cohortcc, cohort-info}   lib/ {libcohort_cpu.a, libcohort_runtime.so, cohort/plugin.so, cohort/cudart}
#   include/ {cohort, compat}      cohort-toolkit/ (cohort_toolkit.cmake)
# The folder names are fixed (no lib64, no multiarch folder) for the same reason.
set(COHORT_BIN_DIR "${PROJECT_BINARY_DIR}/bin")
set(COHORT_LIB_DIR "${PROJECT_BINARY_DIR}/lib")
set(COHORT_PLUGIN_DIR "${PROJECT_BINARY_DIR}/lib/cohort")

# In the build tree the header folders are links to the sources: an edit takes effect at once.
function(cohort_link_headers)
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/include" "${COHORT_PLUGIN_DIR}" "${COHORT_BIN_DIR}")
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/include/cohort" "${PROJECT_BINARY_DIR}/include/cohort" SYMBOLIC)
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/include/compat" "${PROJECT_BINARY_DIR}/include/compat" SYMBOLIC)
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/include/cudart" "${COHORT_PLUGIN_DIR}/cudart" SYMBOLIC)
endfunction()
