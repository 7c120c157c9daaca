# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The target cohort::nccl, for nvcc's programs that include <cohort/world.hpp>: the headers and NCCL 2.28 or newer, from
# NCCL_HOME (a CMake or an environment variable; for the wheel nvidia-nccl-cu13 its folder nvidia/nccl), the CUDA toolkit
# or the system. Without an NCCL there is no such target. Included by the build, and by
# find_package(cohort COMPONENTS nccl).
set(COHORT_NCCL_HINTS ${NCCL_HOME} $ENV{NCCL_HOME})
set(COHORT_NCCL_PLACES $ENV{CUDA_HOME} $ENV{CUDA_PATH} /usr/local/cuda)
find_path(COHORT_NCCL_INCLUDE nccl_device.h HINTS ${COHORT_NCCL_HINTS} PATHS ${COHORT_NCCL_PLACES}
          PATH_SUFFIXES include DOC "The headers of NCCL 2.28 or newer")
find_library(COHORT_NCCL_LIBRARY NAMES nccl libnccl.so.2 HINTS ${COHORT_NCCL_HINTS} PATHS ${COHORT_NCCL_PLACES}
             PATH_SUFFIXES lib lib64 DOC "NCCL's shared library")
mark_as_advanced(COHORT_NCCL_INCLUDE COHORT_NCCL_LIBRARY)
if(COHORT_NCCL_INCLUDE AND COHORT_NCCL_LIBRARY AND NOT TARGET cohort::nccl)
  add_library(cohort_nccl INTERFACE)
  add_library(cohort::nccl ALIAS cohort_nccl)
  target_link_libraries(cohort_nccl INTERFACE cohort::compat ${COHORT_NCCL_LIBRARY})
  target_include_directories(cohort_nccl INTERFACE ${COHORT_NCCL_INCLUDE})
endif()
