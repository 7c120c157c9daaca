# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cohort_add_executable(name source... [OPTIONS option...])
#
# Adds an executable target made of .cu files (compiled by cohortcc) and other sources, linked with the engine. The
# target's include folders, definitions and CXX_STANDARD apply to the .cu files too. cohortcc gets OPTIONS unchanged for
# each .cu file. The options of each configuration are those of CMake's CUDA language: Debug is -g, which leaves device code
# optimized, and OPTIONS -G makes kernels that a debugger can follow.
#
# The compiler is the project's own cohortcc if it builds one, else COHORT_CC, else the installed one.
cmake_policy(PUSH)
cmake_policy(VERSION 3.20)

# Returns the command of cohortcc, and the files whose change requires a new compilation.
function(cohort_find_compiler command_result depends_result)
  if(TARGET cohortcc)
    set(command "$<TARGET_FILE:cohortcc>")
    set(depends cohortcc cohort_plugin)
  elseif(COHORT_CC)
    set(command "${COHORT_CC}")
    set(depends "${command}")
  elseif(COHORT_INSTALLED_ROOT AND EXISTS "${COHORT_INSTALLED_ROOT}/bin/cohortcc")
    set(command "${COHORT_INSTALLED_ROOT}/bin/cohortcc")
    set(depends "${command}" "${COHORT_INSTALLED_ROOT}/lib/cohort/plugin.so")
  else()
    message(FATAL_ERROR "cohort_add_executable: there is no cohortcc. Configure Cohort with -DCOHORT_BUILD_COMPILER=ON "
                        "(this needs the packages clang-19, llvm-19-dev and libclang-19-dev), or name one that exists: "
                        "-DCOHORT_CC=<folder>/bin/cohortcc.")
  endif()
  set(${command_result} "${command}" PARENT_SCOPE)
  set(${depends_result} "${depends}" PARENT_SCOPE)
endfunction()

# Returns a regular expression for Cohort's own include folders. cohortcc comes with its headers; if COHORT_CC is from
# another copy of Cohort, a second set of headers would define everything twice.
function(cohort_own_includes result)
  get_target_property(folders cohort::cohort INTERFACE_INCLUDE_DIRECTORIES)
  set(patterns "")
  foreach(folder IN LISTS folders)
    if(folder MATCHES "INSTALL_INTERFACE")
      continue()
    endif()
    string(REGEX REPLACE "^\\$<BUILD_INTERFACE:(.*)>$" "\\1" folder "${folder}")
    string(REGEX REPLACE "[^A-Za-z0-9/_-]" "." folder "${folder}")
    list(APPEND patterns "${folder}(/compat)?/?")
  endforeach()
  list(JOIN patterns "|" patterns)
  set(${result} "^(${patterns})$" PARENT_SCOPE)
endfunction()

# Returns the flags of every .cu file of target `name`: from the configuration, the sanitizer and the target's
# properties.
function(cohort_source_flags result name)
  cohort_own_includes(own_includes)
  set(includes "$<FILTER:$<TARGET_PROPERTY:${name},INCLUDE_DIRECTORIES>,EXCLUDE,${own_includes}>")
  set(definitions "$<TARGET_PROPERTY:${name},COMPILE_DEFINITIONS>")
  set(standard "$<TARGET_PROPERTY:${name},CXX_STANDARD>")
  set(${result}
      "$<$<CONFIG:Debug>:-g>"
      "$<$<CONFIG:RelWithDebInfo>:-O2>" "$<$<CONFIG:RelWithDebInfo>:-g>"
      "$<$<CONFIG:MinSizeRel>:-Os>"
      "$<$<CONFIG:Release>:-O3>"
      "$<$<BOOL:${standard}>:-std=c++${standard}>"
      "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},$<SEMICOLON>-D>>"
      "$<$<BOOL:${includes}>:-I$<JOIN:${includes},$<SEMICOLON>-I>>"
      ${COHORT_SANITIZE_FLAGS}
      PARENT_SCOPE)
endfunction()

function(cohort_add_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OPTIONS")
  if(NOT arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "cohort_add_executable(${name}): no source was named.")
  endif()
  cohort_find_compiler(cohortcc depends)

  set(objects "")
  set(others "")
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    get_filename_component(path "${source}" ABSOLUTE)
    if(NOT path MATCHES "\\.cu$")
      list(APPEND others "${path}")
      continue()
    endif()
    get_filename_component(stem "${source}" NAME_WE)
    string(SHA256 hash "${path}")  # two folders may hold files of one name
    string(SUBSTRING "${hash}" 0 8 hash)
    set(object "${CMAKE_CURRENT_BINARY_DIR}/${name}.cu/${stem}-${hash}.o")
    file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/${name}.cu")
    cohort_source_flags(flags ${name})
    add_custom_command(
      OUTPUT "${object}"
      COMMAND ${cohortcc} ${flags} ${arg_OPTIONS} -MD -MF "${object}.d" -c "${path}" -o "${object}"
      DEPENDS "${path}" ${depends}
      DEPFILE "${object}.d"
      COMMENT "cohortcc ${source}"
      COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND objects "${object}")
  endforeach()

  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  add_executable(${name} ${objects} ${others})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${name} PRIVATE cohort::cpu)
endfunction()

cmake_policy(POP)
