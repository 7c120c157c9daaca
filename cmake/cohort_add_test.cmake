# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cohort_add_test(name source... [LIBRARIES target...] [TIMEOUT seconds])
#   A GoogleTest program in C++, linked with cohort::cpu; each of its tests is a ctest named `name.Suite.Test`.
# cohort_add_cu_test(name source... [OPTIONS option...] [LIBRARIES target...] [TIMEOUT seconds])
#   A GoogleTest program from .cu sources, through cohortcc.
# For both, COHORT_TEST_ENVIRONMENT ("NAME=value") sets the environment, COHORT_TEST_RUNTIME is linked in place of
# cohort::cpu, and each test has a time limit. Tests are built with -O1: there are many of them, and their checks do not
# depend on the level. Kernels use all features of this machine.
#
# With COHORT_UNITS the sources in C++ compile in units of several, because the headers of GoogleTest and of the engine
# are most of a source's time. The only source of a program compiles as itself, so that reports name its file. One of
# several that must compile alone has the property SKIP_UNITY_BUILD_INCLUSION.

function(cohort_register_gtest name timeout libraries)
  if(NOT COHORT_TEST_RUNTIME)
    set(COHORT_TEST_RUNTIME cohort::cpu)
  endif()
  target_link_libraries(${name} PRIVATE ${COHORT_TEST_RUNTIME} ${libraries} GTest::gmock_main)
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
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O1>)
  list(LENGTH arg_UNPARSED_ARGUMENTS sources)
  if(sources GREATER 1)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ${COHORT_UNITS} UNITY_BUILD_BATCH_SIZE 14)
  endif()
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
