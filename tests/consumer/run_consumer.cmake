# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DSOURCE=<consumer> -DBINARY=<folder> -DCOMPILER=<c++> -DSTEPS=<configure;build;test> [-DTARGETS=<target;...>]
#       [-DSETTINGS=<-Dname=value;...>] -P run_consumer.cmake
# Configures a consumer from nothing, builds all or TARGETS with JOBS jobs (default: one for each core), runs its tests.
cmake_minimum_required(VERSION 3.20)
if("configure" IN_LIST STEPS)
  file(REMOVE_RECURSE "${BINARY}")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${BINARY}" -G Ninja "-DCMAKE_CXX_COMPILER=${COMPILER}" ${SETTINGS}
    COMMAND_ERROR_IS_FATAL ANY)
endif()
if("build" IN_LIST STEPS)
  set(jobs "$ENV{JOBS}")
  if(NOT jobs)
    cmake_host_system_information(RESULT jobs QUERY NUMBER_OF_LOGICAL_CORES)
  endif()
  set(targets "")
  if(TARGETS)
    set(targets --target ${TARGETS})
  endif()
  execute_process(COMMAND "${CMAKE_COMMAND}" --build "${BINARY}" -j ${jobs} ${targets} COMMAND_ERROR_IS_FATAL ANY)
endif()
if("test" IN_LIST STEPS)
  execute_process(COMMAND "${CMAKE_CTEST_COMMAND}" --test-dir "${BINARY}" --output-on-failure --no-tests=error
                  COMMAND_ERROR_IS_FATAL ANY)
endif()
