# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cohort_add_test(name source... [LIBRARIES target...] [TIMEOUT seconds])
#   A GoogleTest program in C++, linked with the engine; each of its tests is a ctest named `name.Suite.Test`.
# cohort_add_cu_test(name source... [OPTIONS option...] [LIBRARIES target...] [TIMEOUT seconds])
#   A GoogleTest program from .cu sources, through cohortcc.
# For both, COHORT_TEST_ENVIRONMENT ("NAME=value") sets the environment, and each test has a time limit. Tests are built
# with -O1: there are many of them, and their checks do not depend on the level. Kernels use all features of this
# machine.

function(cohort_register_gtest name timeout libraries)
  target_link_libraries(${name} PRIVATE cohort::cpu ${libraries} GTest::gmock_main)
  set(environment "")
  if(COHORT_TEST_ENVIRONMENT)
    set(environment ENVIRONMENT "${COHORT_TEST_ENVIRONMENT}")
  endif()
  gtest_discover_tests(${name} TEST_PREFIX "${name}." DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                       PROPERTIES TIMEOUT ${timeout} ${environment})
endfunction()

function(cohort_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "LIBRARIES")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  cohort_register_gtest(${name} ${arg_TIMEOUT} "${arg_LIBRARIES}")
endfunction()

function(cohort_add_cu_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "LIBRARIES;OPTIONS")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  cohort_add_executable(${name} ${arg_UNPARSED_ARGUMENTS} OPTIONS -O1 --cpu=native ${arg_OPTIONS})
  cohort_register_gtest(${name} ${arg_TIMEOUT} "${arg_LIBRARIES}")
endfunction()
