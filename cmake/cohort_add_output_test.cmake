# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cohort_add_output_test(<name> [STATUS <n>|failure] [MATCH <regex>...] [EQUAL <file>] COMMAND <program> [argument...])
#   Adds a test that runs a program and checks its exit status (0 by default) and its output: each regular expression
#   (Python's) occurs in stdout and stderr, stdout equals the file. Programs that are targets may be named as such.
#   Used in place of CTest's PASS_REGULAR_EXPRESSION, which ignores the exit status.
function(cohort_add_output_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "STATUS;EQUAL" "MATCH;COMMAND")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_COMMAND OR NOT (arg_MATCH OR arg_EQUAL))
    message(FATAL_ERROR "cohort_add_output_test(${name}): wrong arguments: ${ARGN}")
  endif()
  set(expectations "")
  if(DEFINED arg_STATUS)
    list(APPEND expectations --status ${arg_STATUS})
  endif()
  foreach(regex IN LISTS arg_MATCH)
    string(REPLACE ";" "\\;" regex "${regex}")  # a semicolon must not end the list's element
    list(APPEND expectations "--match=${regex}")
  endforeach()
  if(DEFINED arg_EQUAL)
    list(APPEND expectations --equal "${arg_EQUAL}")
  endif()
  list(POP_FRONT arg_COMMAND program)
  if(TARGET ${program})
    set(program $<TARGET_FILE:${program}>)
  endif()
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  add_test(NAME ${name} COMMAND "${Python3_EXECUTABLE}" -B "${PROJECT_SOURCE_DIR}/tests/support/check_output.py"
                                ${expectations} -- "${program}" ${arg_COMMAND})
endfunction()
