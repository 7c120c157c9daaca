# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Reads the version from the first "## x.y.z" heading of CHANGES.md, its only place.
function(cohort_read_version result changes_file)
  file(STRINGS "${changes_file}" headings REGEX "^## [0-9]+\\.[0-9]+\\.[0-9]+" LIMIT_COUNT 1)
  if(NOT headings MATCHES "^## ([0-9]+\\.[0-9]+\\.[0-9]+)")
    message(FATAL_ERROR "cohort: ${changes_file} has no heading like '## 1.2.3', so the version is unknown.")
  endif()
  set(${result} "${CMAKE_MATCH_1}" PARENT_SCOPE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${changes_file}")
endfunction()

# Ends with an error unless COHORT_VERSION of `header` is 10000 * major + 100 * minor + patch of `version`.
function(cohort_check_version version header)
  string(REPLACE "." ";" parts "${version}")
  list(GET parts 0 major)
  list(GET parts 1 minor)
  list(GET parts 2 patch)
  math(EXPR number "10000 * ${major} + 100 * ${minor} + ${patch}")
  file(STRINGS "${header}" line REGEX "^#define COHORT_VERSION ${number}$")
  if(NOT line)
    message(FATAL_ERROR "cohort: ${header} has another version than CHANGES.md, which has ${version}: "
                        "write \"#define COHORT_VERSION ${number}\" there.")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${header}")
endfunction()
