# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# COHORT_SANITIZE=address|undefined|thread builds the engine, the runtime, the tests and every .cu program with that
# sanitizer. The compiler plugin is built without it, because an uninstrumented clang loads it.
set(COHORT_SANITIZE "" CACHE STRING "Sanitizer to build with: address, undefined, thread, or empty for none")
set_property(CACHE COHORT_SANITIZE PROPERTY STRINGS "" address undefined thread)

set(COHORT_SANITIZE_FLAGS "")
if(COHORT_SANITIZE STREQUAL "undefined")
  # Enumerations of the CUDA API may hold any number that a C program passes, and device code has no RTTI.
  set(COHORT_SANITIZE_FLAGS -fsanitize=undefined -fno-sanitize=enum,vptr -fno-sanitize-recover=undefined)
elseif(COHORT_SANITIZE STREQUAL "address")
  # The detection of uses after return would map and unmap a second stack for each waiting thread. Large grids would
  # take minutes.
  set(COHORT_SANITIZE_FLAGS -fsanitize=address -fsanitize-address-use-after-return=never)
elseif(COHORT_SANITIZE STREQUAL "thread")
  set(COHORT_SANITIZE_FLAGS -fsanitize=thread)
elseif(COHORT_SANITIZE)
  message(FATAL_ERROR "cohort: COHORT_SANITIZE=${COHORT_SANITIZE} is not known; use address, undefined or thread.")
endif()

# Adds the options to the calling folder, and to folders that are added after this call.
function(cohort_enable_sanitizers)
  if(COHORT_SANITIZE_FLAGS)
    # addr2line reads DWARF 4 better than 5. Reports name lines, so the debug information has lines only.
    add_compile_options(${COHORT_SANITIZE_FLAGS} -fno-omit-frame-pointer -gdwarf-4 -g1)
    add_link_options(${COHORT_SANITIZE_FLAGS})
  endif()
endfunction()
