# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles SOURCE twice: with WRONG=0 it must compile, with WRONG=1 it must not. The error must contain the text of the
# line `// expect: TEXT`, or one of several texts separated by ||.
# Usage: cmake -DCOMPILER=... -DSOURCE=... -DINCLUDES=dir;dir -P check.cmake
set(flags -std=c++17 -fsyntax-only)
foreach(directory IN LISTS INCLUDES)
  list(APPEND flags -I${directory})
endforeach()

file(STRINGS ${SOURCE} expectation REGEX "^// expect: ")
if(NOT expectation MATCHES "^// expect: (.+)$")
  message(FATAL_ERROR "${SOURCE}: no line `// expect: TEXT`")
endif()
string(REPLACE " || " ";" alternatives "${CMAKE_MATCH_1}")

execute_process(COMMAND ${COMPILER} ${flags} -DWRONG=0 ${SOURCE} RESULT_VARIABLE result ERROR_VARIABLE errors)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${SOURCE}: the right use does not compile:\n${errors}")
endif()

execute_process(COMMAND ${COMPILER} ${flags} -DWRONG=1 ${SOURCE} RESULT_VARIABLE result ERROR_VARIABLE errors)
if(result EQUAL 0)
  message(FATAL_ERROR "${SOURCE}: the wrong use compiles")
endif()
foreach(text IN LISTS alternatives)
  string(FIND "${errors}" "${text}" position)
  if(NOT position EQUAL -1)
    return()
  endif()
endforeach()
message(FATAL_ERROR "${SOURCE}: the error does not say: ${CMAKE_MATCH_1}\nIt says:\n${errors}")
