# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What each consumer builds once Cohort is at hand: a plain C++ program and a CUDA program, of two sources each, and
# one of both kinds of source. The definition and the include folder must reach the .cu files like any other.
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
