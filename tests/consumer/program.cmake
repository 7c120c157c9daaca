# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The programs of each consumer: `plain` in C++, `checked`, which is `plain` with the checker, and `kernels` from .cu
# and C++ sources. The target's definition and its include folder must reach the .cu sources as well.
set(shared "${CMAKE_CURRENT_LIST_DIR}")

add_executable(plain "${shared}/plain.cpp" "${shared}/plain_other.cpp")
target_link_libraries(plain PRIVATE cohort::cpu)

add_executable(checked "${shared}/plain.cpp" "${shared}/plain_other.cpp")
target_compile_options(checked PRIVATE -fsanitize=thread)
target_link_libraries(checked PRIVATE cohort::check)

cohort_add_executable(kernels "${shared}/kernels.cu" "${shared}/kernels_other.cu" "${shared}/host.cpp"
                      OPTIONS -lineinfo)
target_compile_definitions(kernels PRIVATE CONSUMER_FACTOR=3)
target_include_directories(kernels PRIVATE "${shared}/include")
set_target_properties(kernels PROPERTIES CXX_STANDARD 17)

enable_testing()
find_package(Python3 REQUIRED COMPONENTS Interpreter)
foreach(program plain checked kernels)
  string(REPLACE checked plain says ${program})
  add_test(NAME ${program} COMMAND "${Python3_EXECUTABLE}" -B "${shared}/../support/check_output.py"
                                   "--match=${says}: right" -- $<TARGET_FILE:${program}>)
  set_tests_properties(${program} PROPERTIES TIMEOUT 60 ENVIRONMENT COHORT_CHECK=fail)
endforeach()
