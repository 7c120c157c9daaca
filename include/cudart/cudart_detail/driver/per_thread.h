// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of calls of the driver API whose stream 0 is CU_STREAM_PER_THREAD, under -default-stream per-thread.
// Included by cuda.h only, before the declarations.
#pragma once

#define cuLaunchKernel cuLaunchKernel_ptsz
#define cuLaunchCooperativeKernel cuLaunchCooperativeKernel_ptsz
#define cuLaunchHostFunc cuLaunchHostFunc_ptsz
#define cuMemAllocAsync cuMemAllocAsync_ptsz
#define cuMemAllocFromPoolAsync cuMemAllocFromPoolAsync_ptsz
#define cuMemFreeAsync cuMemFreeAsync_ptsz
#define cuMemcpy cuMemcpy_ptds
#define cuMemcpyHtoD cuMemcpyHtoD_ptds
#define cuMemcpyDtoH cuMemcpyDtoH_ptds
#define cuMemcpyDtoD cuMemcpyDtoD_ptds
#define cuMemcpyPeer cuMemcpyPeer_ptds
#define cuMemcpyAsync cuMemcpyAsync_ptsz
#define cuMemcpyHtoDAsync cuMemcpyHtoDAsync_ptsz
#define cuMemcpyDtoHAsync cuMemcpyDtoHAsync_ptsz
#define cuMemcpyDtoDAsync cuMemcpyDtoDAsync_ptsz
#define cuMemcpyPeerAsync cuMemcpyPeerAsync_ptsz
#define cuMemsetD8 cuMemsetD8_ptds
#define cuMemsetD16 cuMemsetD16_ptds
#define cuMemsetD32 cuMemsetD32_ptds
#define cuMemsetD8Async cuMemsetD8Async_ptsz
#define cuMemsetD16Async cuMemsetD16Async_ptsz
#define cuMemsetD32Async cuMemsetD32Async_ptsz
#define cuMemsetD2D8 cuMemsetD2D8_ptds
#define cuMemsetD2D16 cuMemsetD2D16_ptds
#define cuMemsetD2D32 cuMemsetD2D32_ptds
#define cuMemsetD2D8Async cuMemsetD2D8Async_ptsz
#define cuMemsetD2D16Async cuMemsetD2D16Async_ptsz
#define cuMemsetD2D32Async cuMemsetD2D32Async_ptsz
#define cuStreamSynchronize cuStreamSynchronize_ptsz
#define cuStreamQuery cuStreamQuery_ptsz
#define cuStreamWaitEvent cuStreamWaitEvent_ptsz
#define cuStreamGetFlags cuStreamGetFlags_ptsz
#define cuStreamGetPriority cuStreamGetPriority_ptsz
#define cuStreamSetAttribute cuStreamSetAttribute_ptsz
#define cuStreamGetAttribute cuStreamGetAttribute_ptsz
#define cuStreamCopyAttributes cuStreamCopyAttributes_ptsz
#define cuStreamGetId cuStreamGetId_ptsz
#define cuStreamGetCtx cuStreamGetCtx_ptsz
#define cuStreamGetCtx_v2 cuStreamGetCtx_v2_ptsz
#define cuStreamGetDevice cuStreamGetDevice_ptsz
#define cuStreamAddCallback cuStreamAddCallback_ptsz
#define cuEventRecord cuEventRecord_ptsz
#define cuGetProcAddress_v2 cuGetProcAddress_v2_ptsz
#define cuLaunchKernelEx cuLaunchKernelEx_ptsz
