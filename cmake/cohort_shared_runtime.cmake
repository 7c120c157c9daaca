# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# libcohort_runtime.so: the code of cohort_cpu as a shared library, for programs of several shared libraries that use one
# runtime. The toolkit folder has it under the name libcudart.so.

# Objects of cohortcc that are linked with this library alone, as by `g++ a.o -lcudart`, find the symbols of SLEEF in it.
# At run time, ld.so takes these symbols from libsleef.so.3, which the library names as an auxiliary filter. Where there
# is no libsleef.so.3, a call ends in the function cohort_sleef_is_missing.
function(cohort_add_sleef_symbols target)
  cohort_sleef_symbols(symbols)
  set(bodies "")
  foreach(symbol IN LISTS symbols)
    string(APPEND bodies "void ${symbol}() { cohort_sleef_is_missing(); }\n")
  endforeach()
  set(source "${PROJECT_BINARY_DIR}/sleef_stub/sleef_symbols.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "extern \"C\" {\n[[noreturn]] void cohort_sleef_is_missing();\n@bodies@}\n" @ONLY)
  target_sources(${target} PRIVATE "${source}")
  target_link_options(${target} PRIVATE "LINKER:-f,libsleef.so.3")
endfunction()

function(cohort_add_shared_runtime)
  add_library(cohort_shared SHARED $<TARGET_OBJECTS:cohort_engine> $<TARGET_OBJECTS:cohort_runtime>)
  # The run path leads to the libsleef.so.3 of a package that carries one.
  set_target_properties(cohort_shared PROPERTIES OUTPUT_NAME cohort_runtime LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION}
                        SOVERSION ${PROJECT_VERSION_MAJOR} LIBRARY_OUTPUT_DIRECTORY "${COHORT_LIB_DIR}"
                        BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/cohort")
  target_link_libraries(cohort_shared PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
  cohort_add_sleef_symbols(cohort_shared)
  set(symbol_versions "${PROJECT_SOURCE_DIR}/src/runtime/cohort_runtime.map")
  set(versioned_names "${PROJECT_SOURCE_DIR}/src/runtime/driver/entry/versioned_names.ld")
  target_link_options(cohort_shared PRIVATE "LINKER:--version-script=${symbol_versions}" "${versioned_names}")
  set_property(TARGET cohort_shared PROPERTY LINK_DEPENDS "${symbol_versions}" "${versioned_names}")
endfunction()

# libcudart_by_path.so has the names of libcohort_runtime.so and is a filter for it: ld.so takes each symbol from
# libcohort_runtime.so, which the filter's run path leads to. The filter has no soname. A linker script that names it makes
# programs load it by its path, so they need no run path: CMake writes none for the -lcudart of CUDA_RUNTIME_LIBRARY.
# Call it before cohort_enable_sanitizers(): the filter has no code to instrument.
function(cohort_add_runtime_by_path)
  set(source "${PROJECT_BINARY_DIR}/sleef_stub/runtime_names.cpp")
  set(script "${PROJECT_SOURCE_DIR}/cmake/cohort_runtime_names.cmake")
  add_custom_command(OUTPUT "${source}"
                     COMMAND "${CMAKE_COMMAND}" "-DREADELF=${CMAKE_READELF}" "-DLIBRARY=$<TARGET_FILE:cohort_shared>"
                             "-DOUTPUT=${source}" -P "${script}"
                     DEPENDS cohort_shared "${script}" COMMENT "The names of libcohort_runtime.so" VERBATIM)
  add_library(cohort_by_path SHARED "${source}")
  set_target_properties(cohort_by_path PROPERTIES OUTPUT_NAME cudart_by_path NO_SONAME ON
                        LIBRARY_OUTPUT_DIRECTORY "${COHORT_PLUGIN_DIR}" BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/..")
  target_compile_options(cohort_by_path PRIVATE -w)  # declares names that are reserved for the compiler
  target_link_options(cohort_by_path PRIVATE -nostdlib
                      "LINKER:-F,libcohort_runtime.so.${PROJECT_VERSION_MAJOR}"
                      "LINKER:--version-script=${PROJECT_SOURCE_DIR}/src/runtime/cohort_runtime.map")
endfunction()

# libcuda.so.1 and libcudart.so.13 under NVIDIA's names, for programs that open them by name: LD_LIBRARY_PATH names their
# folder. Each is a filter for libcohort_runtime.so, and adds the names of its API that have no body there. Call it before
# cohort_enable_sanitizers().
function(cohort_add_compat_library target file source)
  add_library(${target} SHARED "${PROJECT_SOURCE_DIR}/src/runtime/driver/entry/${source}")
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME "${file}" SUFFIX "" NO_SONAME ON
                        LIBRARY_OUTPUT_DIRECTORY "${COHORT_TOOLKIT_DIR}/compat-lib"
                        BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/../../lib")
  target_link_options(${target} PRIVATE -nostdlib "LINKER:-soname,${file}"
                      "LINKER:-F,libcohort_runtime.so.${PROJECT_VERSION_MAJOR}")
endfunction()

function(cohort_add_compat_libraries)
  cohort_add_compat_library(cohort_libcuda libcuda.so.1 libcuda_names.cpp)
  cohort_add_compat_library(cohort_libcudart libcudart.so.13 libcudart_names.cpp)
endfunction()
