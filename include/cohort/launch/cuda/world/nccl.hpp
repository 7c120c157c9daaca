// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NCCL, which launches over the GPUs of several processes need: it connects the processes, and makes windows, memory
// that each GPU can access on all others. No other part of the library includes it. COHORT_WITHOUT_NCCL disables it.
#pragma once

#if !__has_include(<nccl_device.h>) || defined(COHORT_WITHOUT_NCCL)
#error \
    "cohort::launch_world on GPUs needs NCCL 2.28 or newer, which was not found: install libnccl-dev or the wheel \
nvidia-nccl-cu13 (pip), and compile with -I$NCCL_HOME/include and -Xlinker $NCCL_HOME/lib/libnccl.so.2, or link cohort::nccl"
#else
#include <nccl.h>
#include <nccl_device.h>
#if NCCL_VERSION_CODE < NCCL_VERSION(2, 28, 0)
#error "cohort::launch_world on GPUs needs NCCL 2.28 or newer; the nccl.h that was found is older"
#endif
#endif
