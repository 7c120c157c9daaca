// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Driver API: streams and events, which are the runtime's. Included by cuda.h only.
#pragma once

CUresult cuStreamCreate(CUstream* phStream, unsigned int Flags);
CUresult cuStreamCreateWithPriority(CUstream* phStream, unsigned int flags, int priority);
CUresult cuStreamDestroy(CUstream hStream);
CUresult cuStreamSynchronize(CUstream hStream);
CUresult cuStreamQuery(CUstream hStream);
CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags);
CUresult cuStreamGetFlags(CUstream hStream, unsigned int* flags);
CUresult cuStreamGetPriority(CUstream hStream, int* priority);
CUresult cuStreamSetAttribute(CUstream hStream, CUstreamAttrID attr, const CUstreamAttrValue* value);
CUresult cuStreamGetAttribute(CUstream hStream, CUstreamAttrID attr, CUstreamAttrValue* value_out);
CUresult cuStreamCopyAttributes(CUstream dst, CUstream src);
CUresult cuStreamGetId(CUstream hStream, unsigned long long* streamId);
// The context of the stream's green context, or the primary context of its device.
CUresult cuStreamGetCtx(CUstream hStream, CUcontext* pctx);
// The primary context of the stream's device, and the stream's green context or null.
CUresult cuStreamGetCtx_v2(CUstream hStream, CUcontext* pCtx, CUgreenCtx* pGreenCtx);
CUresult cuStreamGetGreenCtx(CUstream hStream, CUgreenCtx* phCtx);
// The multiprocessors that the stream's kernels use.
CUresult cuStreamGetDevResource(CUstream hStream, CUdevResource* resource, CUdevResourceType type);
CUresult cuStreamGetDevice(CUstream hStream, CUdevice* device);
// Called in stream order on a thread of the runtime, also after an error of the device. It must not call the API.
CUresult cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void* userData, unsigned int flags);

CUresult cuEventCreate(CUevent* phEvent, unsigned int Flags);
CUresult cuEventDestroy(CUevent hEvent);
CUresult cuEventRecord(CUevent hEvent, CUstream hStream);
CUresult cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, unsigned int flags);
CUresult cuEventQuery(CUevent hEvent);
CUresult cuEventSynchronize(CUevent hEvent);
CUresult cuEventElapsedTime(float* pMilliseconds, CUevent hStart, CUevent hEnd);

// A stream's waits for a word that a kernel, a copy, the host or another stream changes, and its writes of words. A
// word is aligned and lies in memory of the runtime. A wait ends when the word meets the comparison of `flags`;
// COHORT_LAUNCH_LIMIT ends it with a report. CU_STREAM_WAIT_VALUE_FLUSH, memory barriers and flushes have nothing to
// do: there is one coherent memory. A batch has 1 to 256 operations.
CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags);
CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags);
CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags);
CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags);
CUresult cuStreamBatchMemOp(CUstream stream, unsigned int count, CUstreamBatchMemOpParams* paramArray,
                            unsigned int flags);

#define cuStreamWaitValue32_v2 cuStreamWaitValue32
#define cuStreamWaitValue64_v2 cuStreamWaitValue64
#define cuStreamWriteValue32_v2 cuStreamWriteValue32
#define cuStreamWriteValue64_v2 cuStreamWriteValue64
#define cuStreamBatchMemOp_v2 cuStreamBatchMemOp
#define cuStreamDestroy_v2 cuStreamDestroy
#define cuEventDestroy_v2 cuEventDestroy
#define cuEventElapsedTime_v2 cuEventElapsedTime
