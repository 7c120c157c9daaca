# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Install rules, with the layout of cohort_layout.cmake: each program finds its parts relative to itself.
include(CMakePackageConfigHelpers)

set(cohort_package_dir "lib/cmake/cohort")

# The headers of compat include those of cohort by a relative path, so one include folder is enough.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/cohort" "${PROJECT_SOURCE_DIR}/include/compat" DESTINATION include)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/cudart" "${PROJECT_SOURCE_DIR}/include/nvrtc" DESTINATION lib/cohort)
if(TARGET cohort_single)
  install(FILES "${COHORT_SINGLE_DIR}/cohort_single.hpp" "${COHORT_SINGLE_DIR}/cohort_cg_single.hpp"
          DESTINATION include)
endif()

install(TARGETS cohort cohort_compat cohort_cpu cohort_check cohort_check_plain cohort_count
        EXPORT cohortTargets ARCHIVE DESTINATION lib)
install(TARGETS cohort-info RUNTIME DESTINATION bin)
install(PROGRAMS "${PROJECT_SOURCE_DIR}/src/run/cohort.sh" RENAME cohort DESTINATION bin)
install(PROGRAMS "${PROJECT_SOURCE_DIR}/src/view/cohort_view.py" RENAME cohort-view DESTINATION bin)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/src/view" "${PROJECT_SOURCE_DIR}/src/gdb" "${PROJECT_SOURCE_DIR}/src/learn"
                  "${PROJECT_SOURCE_DIR}/src/reports"
        DESTINATION lib/cohort PATTERN cohort_view.py EXCLUDE PATTERN CMakeLists.txt EXCLUDE PATTERN __pycache__ EXCLUDE)
install(FILES "${PROJECT_SOURCE_DIR}/src/engine/settings/gpus.inc" DESTINATION lib/cohort/reports)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/learn/" DESTINATION lib/cohort/puzzles)
if(TARGET cohortcc)
  install(TARGETS cohortcc RUNTIME DESTINATION bin)
  install(TARGETS cohort_plugin cohort_by_path cohort_nvrtc_by_path LIBRARY DESTINATION lib/cohort)
  install(TARGETS cohort_libcuda cohort_libcudart cohort_libnvrtc cohort_nvrtc_builtins
          LIBRARY DESTINATION cohort-toolkit/compat-lib)
  install(TARGETS cohort_shared LIBRARY DESTINATION lib NAMELINK_SKIP)
  get_property(cuda_libraries GLOBAL PROPERTY COHORT_CUDA_LIBRARIES)
  foreach(library IN LISTS cuda_libraries)
    install(TARGETS cohort_${library} ARCHIVE DESTINATION lib)
    install(TARGETS cohort_${library}_by_name LIBRARY DESTINATION cohort-toolkit/compat-lib)
  endforeach()
  cohort_install_toolkit()
  # Where ld.so searches the folder, as with the prefix /usr/local, programs find the shared runtime without a run path.
  install(CODE [[
    execute_process(COMMAND id -u OUTPUT_VARIABLE user OUTPUT_STRIP_TRAILING_WHITESPACE)
    if("$ENV{DESTDIR}" STREQUAL "" AND user STREQUAL "0")
      execute_process(COMMAND /sbin/ldconfig -v -N -X OUTPUT_VARIABLE folders ERROR_QUIET)
      string(FIND "\n${folders}" "\n${CMAKE_INSTALL_PREFIX}/lib:" found)
      if(NOT found EQUAL -1)
        execute_process(COMMAND /sbin/ldconfig)
      endif()
    endif()]])
endif()

install(TARGETS cohort_sleef_stub EXPORT cohortTargets LIBRARY DESTINATION lib/cohort)
install(EXPORT cohortTargets NAMESPACE cohort:: DESTINATION "${cohort_package_dir}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/cohortConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/cohortConfig.cmake"
                              INSTALL_DESTINATION "${cohort_package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/cohortConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/cohortConfig.cmake" "${PROJECT_BINARY_DIR}/cohortConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/cohort_add_executable.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/cohort_mpi.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/cohort_nccl.cmake"
        DESTINATION "${cohort_package_dir}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION share/doc/cohort)
if(TARGET cohort_cufft AND COHORT_POCKETFFT)
  install(FILES "${PROJECT_BINARY_DIR}/licenses/pocketfft.txt" DESTINATION share/doc/cohort)
endif()
