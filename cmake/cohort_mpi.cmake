# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The target cohort::mpi, for programs of several processes that include <cohort/world_mpi.hpp>. There is no library of
# its own behind it: the headers compile in the program, for the MPI that CMake finds (MPI_HOME, MPI_CXX_COMPILER).
# Without an MPI there is no such target. Included by the build, and by find_package(cohort COMPONENTS mpi).
find_package(MPI QUIET COMPONENTS CXX)
if(MPI_CXX_FOUND AND NOT TARGET cohort::mpi)
  add_library(cohort_mpi INTERFACE)
  add_library(cohort::mpi ALIAS cohort_mpi)
  target_link_libraries(cohort_mpi INTERFACE cohort::cpu MPI::MPI_CXX)
endif()
