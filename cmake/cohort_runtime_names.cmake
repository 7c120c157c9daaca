# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DREADELF=<readelf> -DLIBRARY=<shared library> -DOUTPUT=<file> -P cohort_runtime_names.cmake
# Writes a C++ source that defines the C names of a library: functions without a body, variables of equal size.
cmake_minimum_required(VERSION 3.20)
execute_process(COMMAND "${READELF}" -sW --dyn-syms "${LIBRARY}" OUTPUT_VARIABLE table COMMAND_ERROR_IS_FATAL ANY)
# Columns of readelf's table: Num: Value Size Type Bind Vis Ndx Name@@Version
string(REGEX MATCHALL " [0-9]+ (FUNC|OBJECT|TLS) +(GLOBAL|WEAK) +DEFAULT +[0-9]+ [A-Za-z_][A-Za-z_0-9]*@@COHORT" rows "${table}")
set(text "")
foreach(row IN LISTS rows)
  string(REGEX MATCH " ([0-9]+) (FUNC|OBJECT|TLS) .* ([A-Za-z_][A-Za-z_0-9]*)@@" row "${row}")
  set(size "${CMAKE_MATCH_1}")
  set(type "${CMAKE_MATCH_2}")
  set(name "${CMAKE_MATCH_3}")
  if(name MATCHES "^_Z")  # C++ names are internal, so they are left out
    continue()
  elseif(type STREQUAL "FUNC")
    string(APPEND text "void ${name}() {}\n")
  elseif(type STREQUAL "TLS")
    string(APPEND text "__thread char ${name}[${size}];\n")
  else()
    string(APPEND text "alignas(16) char ${name}[${size}];\n")
  endif()
endforeach()
if(NOT text MATCHES "void cudaMalloc\\(\\)")
  message(FATAL_ERROR "${READELF} shows no function cudaMalloc in ${LIBRARY}")
endif()
file(WRITE "${OUTPUT}" "extern \"C\" {\n${text}}\n")
