// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: missing_cub.cu:5:10: fatal error: 'cub/no_such_header.cuh' file not found
// EXPECT: is a header of NVIDIA's CCCL, which is not part of Cohort
// EXPECT: 'pip install nvidia-cuda-cccl==13.0.85', or name a folder that has it with --cccl=DIR
#include <cub/no_such_header.cuh>
