# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The programs of each consumer: `plain` in C++, and `kernels` of .cu and C++ sources. The target's definition and its
# include folder must reach the .cu sources as well.
set(shared "${CMAKE_CURRENT_LIST_DIR}")

add_executable(plain "${shared}/plain.cpp" "${shared}/plain_other.cpp")
target_link_libraries(plain PRIVATE cohort::cpu)

cohort_add_executable(kernels "${shared}/kernels.cu" "${shared}/kernels_other.cu" "${shared}/host.cpp"
                      OPTIONS -lineinfo)
target_compile_definitions(kernels PRIVATE CONSUMER_FACTOR=3)
target_include_directories(kernels PRIVATE "${shared}/include")
set_target_properties(kernels PROPERTIES CXX_STANDARD 17)

enable_testing()
find_package(Python3 REQUIRED COMPONENTS Interpreter)
foreach(program plain kernels)
  add_test(NAME ${program} COMMAND "${Python3_EXECUTABLE}" -B "${shared}/../support/check_output.py"
                                   "--match=${program}: right" -- $<TARGET_FILE:${program}>)
  set_tests_properties(${program} PROPERTIES TIMEOUT 60)
endforeach()
