# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DSOURCE=<consumer> -DBINARY=<folder> -DCOMPILER=<c++> [-DSETTINGS=<-Dname=value;...>] -P run_consumer.cmake
# Configures a consumer from nothing, builds it and runs its programs.
file(REMOVE_RECURSE "${BINARY}")
execute_process(
  COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${BINARY}" -G Ninja "-DCMAKE_CXX_COMPILER=${COMPILER}"
          -DCMAKE_BUILD_TYPE=Debug ${SETTINGS}
  COMMAND_ERROR_IS_FATAL ANY)
cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${BINARY}" -j ${cores} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_CTEST_COMMAND}" --test-dir "${BINARY}" --output-on-failure --no-tests=error
                COMMAND_ERROR_IS_FATAL ANY)
