// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The version of CUDA whose numbers a source sees. `cohortcc --cuda-version=13.5` defines COHORT_CUDA_MINOR as 5.
// Names that CUDA 13.1 to 13.5 added exist in every version; only numbers and layouts that they changed depend on it.
#pragma once

#ifndef COHORT_CUDA_MINOR
#define COHORT_CUDA_MINOR 0
#endif

// One number, as in NVIDIA's headers, for sources that make a text of it.
#define COHORT_CUDA_13_(minor) 130##minor##0
#define COHORT_CUDA_13(minor) COHORT_CUDA_13_(minor)
#define COHORT_CUDA_VERSION COHORT_CUDA_13(COHORT_CUDA_MINOR)
