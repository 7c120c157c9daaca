// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// <mpi.h> without the deprecated C++ bindings of old versions, which need a library of their own.
#pragma once

#if !defined(OMPI_SKIP_MPICXX)
#define OMPI_SKIP_MPICXX 1
#endif
#if !defined(MPICH_SKIP_MPICXX)
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>
