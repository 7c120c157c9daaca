# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `cpack -G DEB` makes a Debian package of the install tree. The tree lies in /usr/lib/cohort as a whole, because its
# parts find each other by their places relative to each other. Outside of it are links to the commands, their manual
# pages, the files that find_package(cohort) searches for, and what Debian expects of a package.
set(debian "${PROJECT_BINARY_DIR}/debian")
set(COHORT_PACKAGE_CONTACT "The Cohort authors <noreply@users.noreply.github.com>" CACHE STRING
    "Name and address of the maintainer of the Debian package")

file(REMOVE_RECURSE "${debian}")
file(MAKE_DIRECTORY "${debian}/bin" "${debian}/lib/${CMAKE_LIBRARY_ARCHITECTURE}")
foreach(command cohort cohort-info cohort-view cohortcc)
  file(CREATE_LINK "../lib/cohort/bin/${command}" "${debian}/bin/${command}" SYMBOLIC)
endforeach()
# ld.so finds the shared runtime without a run path, as it finds that of an installed CUDA toolkit. It searches this folder
# without ldconfig's cache too.
file(CREATE_LINK "../cohort/lib/libcohort_runtime.so.${PROJECT_VERSION_MAJOR}"
     "${debian}/lib/${CMAKE_LIBRARY_ARCHITECTURE}/libcohort_runtime.so.${PROJECT_VERSION_MAJOR}" SYMBOLIC)
foreach(name Config ConfigVersion)
  file(WRITE "${debian}/lib/cmake/cohort/cohort${name}.cmake"
       "include(\"\${CMAKE_CURRENT_LIST_DIR}/../../cohort/lib/cmake/cohort/cohort${name}.cmake\")\n")
endforeach()

# cohort_write_debian_text(<source> <file>): a compressed copy, without a time stamp
function(cohort_write_debian_text source file)
  execute_process(COMMAND gzip -9nc "${source}" OUTPUT_FILE "${file}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()
file(MAKE_DIRECTORY "${debian}/share/man/man1" "${debian}/share/doc/cohortcc" "${debian}/share/lintian/overrides")
foreach(command cohort cohort-info cohort-view cohortcc)
  cohort_write_debian_text("${PROJECT_SOURCE_DIR}/docs/man/${command}.1" "${debian}/share/man/man1/${command}.1.gz")
endforeach()
file(WRITE "${debian}/changelog" "cohortcc (${PROJECT_VERSION}) unstable; urgency=medium\n\n"
     "  * Version ${PROJECT_VERSION}: the file CHANGES.md of the sources lists the changes.\n\n"
     " -- ${COHORT_PACKAGE_CONTACT}  Mon, 23 Nov 2026 00:00:00 +0000\n")
cohort_write_debian_text("${debian}/changelog" "${debian}/share/doc/cohortcc/changelog.gz")
file(REMOVE "${debian}/changelog")
# Debian has the Apache License in a common place; the package repeats only the exceptions.
file(READ "${PROJECT_SOURCE_DIR}/LICENSE" license)
string(FIND "${license}" "---- LLVM Exceptions" exceptions)
if(exceptions EQUAL -1)
  message(FATAL_ERROR "cohort: LICENSE has no section 'LLVM Exceptions', which the Debian package repeats")
endif()
string(SUBSTRING "${license}" ${exceptions} -1 exceptions)
set(carried "")
if(COHORT_POCKETFFT)
  file(READ "${PROJECT_BINARY_DIR}/licenses/pocketfft.txt" license)
  string(APPEND carried "\nlibcufft.so.12 and libcohort_cufft.a hold code of pocketfft, with this license:\n\n${license}")
endif()
file(READ "${PROJECT_SOURCE_DIR}/include/cudart/cudart_detail/curand/mtgp32_license.txt" license)
string(APPEND carried "\ncuRAND holds the parameters of MTGP32, with this license:\n\n${license}")
file(WRITE "${debian}/share/doc/cohortcc/copyright"
     "Upstream-Name: Cohort\nCopyright: 2026 The Cohort authors\nLicense: Apache-2.0 WITH LLVM-exception\n\n"
     "The Apache License, Version 2.0, is in /usr/share/common-licenses/Apache-2.0.\n\n${exceptions}${carried}")
configure_file("${PROJECT_SOURCE_DIR}/tools/package/lintian_overrides.txt"
               "${debian}/share/lintian/overrides/cohortcc" COPYONLY)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME cohortcc)
set(CPACK_PACKAGE_CONTACT "${COHORT_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr/lib/cohort)
set(CPACK_INSTALLED_DIRECTORIES "${debian};/usr")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "CUDA programs on the CPU: a compiler for .cu files")
set(CPACK_PACKAGE_DESCRIPTION "cohortcc takes the place of nvcc and compiles unmodified CUDA sources for
the CPU. Programs need neither a GPU nor a CUDA toolkit. An error in a
kernel, such as a deadlock or a wrong access, ends in a report.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF)  # the plugin takes LLVM's symbols from clang, and SLEEF's library is a stub
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "libc6 (>= 2.36), libgcc-s1 (>= 12), libstdc++6 (>= 12), clang-19 (>= 1:19.1), clang-19 (<< 1:19.2), g++, libsleef3, python3")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libclang-rt-19-dev, libomp-19-dev, libopenblas0, binutils")
set(maintainer_scripts "${PROJECT_SOURCE_DIR}/tools/package/debian")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${maintainer_scripts}/postinst" "${maintainer_scripts}/prerm"
                                       "${maintainer_scripts}/triggers")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
