# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DSOURCE=<Cohort> -DBINARY=<folder> -DCOMPILER=<c++> -P without_llvm.cmake
# Configures Cohort as on a machine without LLVM. With cohortcc, the configuration fails with a message that names the
# packages and the option; with the preset `library` it succeeds.
cmake_minimum_required(VERSION 3.20)
set(configure "${CMAKE_COMMAND}" -G Ninja "-DCMAKE_CXX_COMPILER=${COMPILER}" -DCMAKE_DISABLE_FIND_PACKAGE_LLVM=ON
    -DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON)

file(REMOVE_RECURSE "${BINARY}")
execute_process(COMMAND ${configure} -S "${SOURCE}" -B "${BINARY}/whole" RESULT_VARIABLE status ERROR_VARIABLE errors)
string(REGEX REPLACE "[ \n]+" " " errors "${errors}")
if(status EQUAL 0)
  message(FATAL_ERROR "cohortcc was configured without LLVM")
endif()
foreach(part "apt-get install clang-19 llvm-19-dev libclang-19-dev" "-DCOHORT_BUILD_COMPILER=OFF")
  string(FIND "${errors}" "${part}" found)
  if(found EQUAL -1)
    message(FATAL_ERROR "the message lacks '${part}':\n${errors}")
  endif()
endforeach()

execute_process(COMMAND ${configure} --preset library -B "${BINARY}/library" WORKING_DIRECTORY "${SOURCE}"
                COMMAND_ERROR_IS_FATAL ANY)
