# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cuFFT's transforms are those of pocketfft, a library of one C++ header. tools/bootstrap.sh takes it from Debian's package
# python3-pythran. Without it, cuFFT is built as a library that refuses plans and says why.
find_file(COHORT_POCKETFFT NAMES pocketfft_hdronly.h pocketfft.hpp
          PATHS "${PROJECT_SOURCE_DIR}/build/pocketfft" /usr/lib/python3/dist-packages/pythran/pythonic/numpy/fft
          DOC "pocketfft's header")
mark_as_advanced(COHORT_POCKETFFT)

# cohort_use_pocketfft(<target>): the header as <cohort_pocketfft.hpp>, COHORT_POCKETFFT=1, and the license that programs
# with its code repeat
function(cohort_use_pocketfft target)
  if(NOT COHORT_POCKETFFT)
    message(STATUS "cohort: pocketfft's header is missing, so cuFFT refuses plans: tools/bootstrap.sh demo takes it from a package")
    return()
  endif()
  get_filename_component(folder "${COHORT_POCKETFFT}" DIRECTORY)
  get_filename_component(name "${COHORT_POCKETFFT}" NAME)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/pocketfft/include/cohort_pocketfft.hpp" CONTENT "#include <${name}>\n")
  target_include_directories(${target} SYSTEM PRIVATE "${PROJECT_BINARY_DIR}/pocketfft/include" "${folder}")
  target_compile_definitions(${target} PRIVATE COHORT_POCKETFFT=1)
  file(READ "${COHORT_POCKETFFT}" license LIMIT 4000)
  string(FIND "${license}" "*/" end)
  if(NOT license MATCHES "Redistributions in binary form" OR end EQUAL -1)
    message(FATAL_ERROR "cohort: ${COHORT_POCKETFFT} does not begin with pocketfft's license, which Cohort's packages repeat")
  endif()
  string(SUBSTRING "${license}" 0 ${end} license)
  string(REGEX REPLACE "^/\\*\n?" "" license "${license}")
  file(WRITE "${PROJECT_BINARY_DIR}/licenses/pocketfft.txt" "${license}")
endfunction()
