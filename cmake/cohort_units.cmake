# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cohort_compile_in_units(<target> <unit>...)
#   Compiles the sources of each unit together. A unit is a list of folders and files below the calling folder; a source
#   belongs to the unit with the longest path that holds it, and compiles alone where no unit does. The sources of a unit
#   share its headers: most of the time that the plugin takes one by one is the headers of LLVM.
#   COHORT_UNITS=OFF compiles each source alone, as tools that read compile_commands.json need it.
option(COHORT_UNITS "Compile the sources of a room together: from nothing, several times faster" ON)

function(cohort_compile_in_units target)
  if(NOT COHORT_UNITS)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    set(best "")
    set(best_length -1)
    foreach(unit IN LISTS ARGN)
      separate_arguments(paths UNIX_COMMAND "${unit}")
      foreach(path IN LISTS paths)
        string(LENGTH "${path}" length)
        string(FIND "${source}" "${path}/" place)
        if((place EQUAL 0 OR source STREQUAL path) AND length GREATER best_length)
          list(GET paths 0 best)
          set(best_length ${length})
        endif()
      endforeach()
    endforeach()
    if(best AND source MATCHES "\\.cpp$")
      string(MAKE_C_IDENTIFIER "${best}" best)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${best})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
