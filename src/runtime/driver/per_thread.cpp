// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver API's calls of sources that are compiled with -default-stream per-thread.
#include "runtime/driver/call.hpp"

namespace {

CUresult finished(CUresult begun) { return begun ? begun : cuStreamSynchronize(cudaStreamPerThread); }

}  // namespace

using namespace cohort::runtime;

extern "C" {

CUresult cuLaunchKernel_ptsz(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                             unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
                             unsigned int sharedMemBytes, CUstream hStream, void** kernelParams, void** extra) {
  return cuLaunchKernel(f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, own(hStream),
                        kernelParams, extra);
}

CUresult cuLaunchCooperativeKernel_ptsz(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                                        unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                                        unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream,
                                        void** kernelParams) {
  return cuLaunchCooperativeKernel(f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes,
                                   own(hStream), kernelParams);
}

CUresult cuLaunchHostFunc_ptsz(CUstream hStream, CUhostFn fn, void* userData) {
  return cuLaunchHostFunc(own(hStream), fn, userData);
}

CUresult cuMemAllocAsync_ptsz(CUdeviceptr* dptr, size_t bytesize, CUstream hStream) {
  return cuMemAllocAsync(dptr, bytesize, own(hStream));
}

CUresult cuMemAllocFromPoolAsync_ptsz(CUdeviceptr* dptr, size_t bytesize, CUmemoryPool pool, CUstream hStream) {
  return cuMemAllocFromPoolAsync(dptr, bytesize, pool, own(hStream));
}

CUresult cuMemFreeAsync_ptsz(CUdeviceptr dptr, CUstream hStream) { return cuMemFreeAsync(dptr, own(hStream)); }

CUresult cuMemcpy_ptds(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount) {
  return finished(cuMemcpyAsync(dst, src, ByteCount, cudaStreamPerThread));
}

CUresult cuMemcpyHtoD_ptds(CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount) {
  return finished(cuMemcpyHtoDAsync(dstDevice, srcHost, ByteCount, cudaStreamPerThread));
}

CUresult cuMemcpyDtoH_ptds(void* dstHost, CUdeviceptr srcDevice, size_t ByteCount) {
  return finished(cuMemcpyDtoHAsync(dstHost, srcDevice, ByteCount, cudaStreamPerThread));
}

CUresult cuMemcpyDtoD_ptds(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount) {
  return finished(cuMemcpyDtoDAsync(dstDevice, srcDevice, ByteCount, cudaStreamPerThread));
}

CUresult cuMemcpyHtoA_ptds(CUarray dstArray, size_t dstOffset, const void* srcHost, size_t ByteCount) {
  return finished(cuMemcpyHtoAAsync(dstArray, dstOffset, srcHost, ByteCount, cudaStreamPerThread));
}

CUresult cuMemcpyHtoAAsync_ptsz(CUarray dstArray, size_t dstOffset, const void* srcHost, size_t ByteCount,
                                CUstream hStream) {
  return cuMemcpyHtoAAsync(dstArray, dstOffset, srcHost, ByteCount, own(hStream));
}

CUresult cuMemcpyAtoH_ptds(void* dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount) {
  return finished(cuMemcpyAtoHAsync(dstHost, srcArray, srcOffset, ByteCount, cudaStreamPerThread));
}

CUresult cuMemcpyAtoHAsync_ptsz(void* dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount, CUstream hStream) {
  return cuMemcpyAtoHAsync(dstHost, srcArray, srcOffset, ByteCount, own(hStream));
}

CUresult cuMemcpyPeer_ptds(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext,
                           size_t ByteCount) {
  return finished(cuMemcpyPeerAsync(dstDevice, dstContext, srcDevice, srcContext, ByteCount, cudaStreamPerThread));
}

CUresult cuMemcpyAsync_ptsz(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream) {
  return cuMemcpyAsync(dst, src, ByteCount, own(hStream));
}

CUresult cuMemcpyHtoDAsync_ptsz(CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount, CUstream hStream) {
  return cuMemcpyHtoDAsync(dstDevice, srcHost, ByteCount, own(hStream));
}

CUresult cuMemcpyDtoHAsync_ptsz(void* dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream) {
  return cuMemcpyDtoHAsync(dstHost, srcDevice, ByteCount, own(hStream));
}

CUresult cuMemcpyDtoDAsync_ptsz(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream) {
  return cuMemcpyDtoDAsync(dstDevice, srcDevice, ByteCount, own(hStream));
}

CUresult cuMemcpyPeerAsync_ptsz(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
                                CUcontext srcContext, size_t ByteCount, CUstream hStream) {
  return cuMemcpyPeerAsync(dstDevice, dstContext, srcDevice, srcContext, ByteCount, own(hStream));
}

CUresult cuMemsetD8_ptds(CUdeviceptr dstDevice, unsigned char uc, size_t N) {
  return finished(cuMemsetD8Async(dstDevice, uc, N, cudaStreamPerThread));
}

CUresult cuMemsetD16_ptds(CUdeviceptr dstDevice, unsigned short us, size_t N) {
  return finished(cuMemsetD16Async(dstDevice, us, N, cudaStreamPerThread));
}

CUresult cuMemsetD32_ptds(CUdeviceptr dstDevice, unsigned int ui, size_t N) {
  return finished(cuMemsetD32Async(dstDevice, ui, N, cudaStreamPerThread));
}

CUresult cuMemsetD8Async_ptsz(CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream) {
  return cuMemsetD8Async(dstDevice, uc, N, own(hStream));
}

CUresult cuMemsetD16Async_ptsz(CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream) {
  return cuMemsetD16Async(dstDevice, us, N, own(hStream));
}

CUresult cuMemsetD32Async_ptsz(CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream) {
  return cuMemsetD32Async(dstDevice, ui, N, own(hStream));
}

CUresult cuMemsetD2D8_ptds(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height) {
  return finished(cuMemsetD2D8Async(dstDevice, dstPitch, uc, Width, Height, cudaStreamPerThread));
}

CUresult cuMemsetD2D16_ptds(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height) {
  return finished(cuMemsetD2D16Async(dstDevice, dstPitch, us, Width, Height, cudaStreamPerThread));
}

CUresult cuMemsetD2D32_ptds(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height) {
  return finished(cuMemsetD2D32Async(dstDevice, dstPitch, ui, Width, Height, cudaStreamPerThread));
}

CUresult cuMemsetD2D8Async_ptsz(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height,
                                CUstream hStream) {
  return cuMemsetD2D8Async(dstDevice, dstPitch, uc, Width, Height, own(hStream));
}

CUresult cuMemsetD2D16Async_ptsz(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height,
                                 CUstream hStream) {
  return cuMemsetD2D16Async(dstDevice, dstPitch, us, Width, Height, own(hStream));
}

CUresult cuMemsetD2D32Async_ptsz(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height,
                                 CUstream hStream) {
  return cuMemsetD2D32Async(dstDevice, dstPitch, ui, Width, Height, own(hStream));
}

CUresult cuStreamSynchronize_ptsz(CUstream hStream) { return cuStreamSynchronize(own(hStream)); }

CUresult cuStreamQuery_ptsz(CUstream hStream) { return cuStreamQuery(own(hStream)); }

CUresult cuStreamWaitEvent_ptsz(CUstream hStream, CUevent hEvent, unsigned int Flags) {
  return cuStreamWaitEvent(own(hStream), hEvent, Flags);
}

CUresult cuStreamGetFlags_ptsz(CUstream hStream, unsigned int* flags) { return cuStreamGetFlags(own(hStream), flags); }

CUresult cuStreamGetPriority_ptsz(CUstream hStream, int* priority) {
  return cuStreamGetPriority(own(hStream), priority);
}

CUresult cuStreamSetAttribute_ptsz(CUstream hStream, CUstreamAttrID attr, const CUstreamAttrValue* value) {
  return cuStreamSetAttribute(own(hStream), attr, value);
}

CUresult cuStreamGetAttribute_ptsz(CUstream hStream, CUstreamAttrID attr, CUstreamAttrValue* value_out) {
  return cuStreamGetAttribute(own(hStream), attr, value_out);
}

CUresult cuStreamCopyAttributes_ptsz(CUstream dst, CUstream src) { return cuStreamCopyAttributes(own(dst), own(src)); }

CUresult cuStreamGetId_ptsz(CUstream hStream, unsigned long long* streamId) {
  return cuStreamGetId(own(hStream), streamId);
}

CUresult cuStreamGetCtx_ptsz(CUstream hStream, CUcontext* pctx) { return cuStreamGetCtx(own(hStream), pctx); }

CUresult cuStreamGetCtx_v2_ptsz(CUstream hStream, CUcontext* pCtx, CUgreenCtx* pGreenCtx) {
  return cuStreamGetCtx_v2(own(hStream), pCtx, pGreenCtx);
}

CUresult cuStreamGetDevice_ptsz(CUstream hStream, CUdevice* device) { return cuStreamGetDevice(own(hStream), device); }

CUresult cuStreamAddCallback_ptsz(CUstream hStream, CUstreamCallback callback, void* userData, unsigned int flags) {
  return cuStreamAddCallback(own(hStream), callback, userData, flags);
}

CUresult cuEventRecord_ptsz(CUevent hEvent, CUstream hStream) { return cuEventRecord(hEvent, own(hStream)); }

CUresult cuLaunchKernelEx_ptsz(const CUlaunchConfig* config, CUfunction f, void** kernelParams, void** extra) {
  if (!config) return cuLaunchKernelEx(config, f, kernelParams, extra);
  CUlaunchConfig own_config = *config;
  own_config.hStream = own(config->hStream);
  return cuLaunchKernelEx(&own_config, f, kernelParams, extra);
}

CUresult cuMemcpy2D_ptds(const CUDA_MEMCPY2D* pCopy) { return finished(cuMemcpy2DAsync(pCopy, cudaStreamPerThread)); }

CUresult cuMemcpy2DUnaligned_ptds(const CUDA_MEMCPY2D* pCopy) { return cuMemcpy2D_ptds(pCopy); }

CUresult cuMemcpy2DAsync_ptsz(const CUDA_MEMCPY2D* pCopy, CUstream hStream) {
  return cuMemcpy2DAsync(pCopy, own(hStream));
}

CUresult cuMemcpy3D_ptds(const CUDA_MEMCPY3D* pCopy) { return finished(cuMemcpy3DAsync(pCopy, cudaStreamPerThread)); }

CUresult cuMemcpy3DAsync_ptsz(const CUDA_MEMCPY3D* pCopy, CUstream hStream) {
  return cuMemcpy3DAsync(pCopy, own(hStream));
}

CUresult cuMemcpy3DPeer_ptds(const CUDA_MEMCPY3D_PEER* pCopy) {
  return finished(cuMemcpy3DPeerAsync(pCopy, cudaStreamPerThread));
}

CUresult cuMemcpy3DPeerAsync_ptsz(const CUDA_MEMCPY3D_PEER* pCopy, CUstream hStream) {
  return cuMemcpy3DPeerAsync(pCopy, own(hStream));
}

CUresult cuGraphInstantiateWithParams_ptsz(CUgraphExec* phGraphExec, CUgraph hGraph,
                                           CUDA_GRAPH_INSTANTIATE_PARAMS* instantiateParams) {
  return cuGraphInstantiateWithParams(phGraphExec, hGraph, instantiateParams);
}

CUresult cuGraphUpload_ptsz(CUgraphExec hGraphExec, CUstream hStream) {
  return cuGraphUpload(hGraphExec, own(hStream));
}

CUresult cuGraphLaunch_ptsz(CUgraphExec hGraphExec, CUstream hStream) {
  return cuGraphLaunch(hGraphExec, own(hStream));
}

CUresult cuStreamBeginCapture_v2_ptsz(CUstream hStream, CUstreamCaptureMode mode) {
  return cuStreamBeginCapture_v2(own(hStream), mode);
}

CUresult cuStreamBeginCaptureToGraph_ptsz(CUstream hStream, CUgraph hGraph, const CUgraphNode* dependencies,
                                          const CUgraphEdgeData* dependencyData, size_t numDependencies,
                                          CUstreamCaptureMode mode) {
  return cuStreamBeginCaptureToGraph(own(hStream), hGraph, dependencies, dependencyData, numDependencies, mode);
}

CUresult cuStreamEndCapture_ptsz(CUstream hStream, CUgraph* phGraph) {
  return cuStreamEndCapture(own(hStream), phGraph);
}

CUresult cuStreamIsCapturing_ptsz(CUstream hStream, CUstreamCaptureStatus* captureStatus) {
  return cuStreamIsCapturing(own(hStream), captureStatus);
}

CUresult cuStreamGetCaptureInfo_v3_ptsz(CUstream hStream, CUstreamCaptureStatus* captureStatus_out, cuuint64_t* id_out,
                                        CUgraph* graph_out, const CUgraphNode** dependencies_out,
                                        const CUgraphEdgeData** edgeData_out, size_t* numDependencies_out) {
  return cuStreamGetCaptureInfo_v3(own(hStream), captureStatus_out, id_out, graph_out, dependencies_out, edgeData_out,
                                   numDependencies_out);
}

CUresult cuStreamUpdateCaptureDependencies_v2_ptsz(CUstream hStream, CUgraphNode* dependencies,
                                                   const CUgraphEdgeData* dependencyData, size_t numDependencies,
                                                   unsigned int flags) {
  return cuStreamUpdateCaptureDependencies_v2(own(hStream), dependencies, dependencyData, numDependencies, flags);
}

CUresult cuSignalExternalSemaphoresAsync_ptsz(const CUexternalSemaphore* list,
                                              const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS* parameters,
                                              unsigned int count, CUstream stream) {
  return cuSignalExternalSemaphoresAsync(list, parameters, count, own(stream));
}

CUresult cuWaitExternalSemaphoresAsync_ptsz(const CUexternalSemaphore* list,
                                            const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS* parameters, unsigned int count,
                                            CUstream stream) {
  return cuWaitExternalSemaphoresAsync(list, parameters, count, own(stream));
}

CUresult cuStreamWaitValue32_ptsz(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags) {
  return cuStreamWaitValue32(own(stream), addr, value, flags);
}

CUresult cuStreamWaitValue64_ptsz(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags) {
  return cuStreamWaitValue64(own(stream), addr, value, flags);
}

CUresult cuStreamWriteValue32_ptsz(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags) {
  return cuStreamWriteValue32(own(stream), addr, value, flags);
}

CUresult cuStreamWriteValue64_ptsz(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags) {
  return cuStreamWriteValue64(own(stream), addr, value, flags);
}

CUresult cuStreamBatchMemOp_ptsz(CUstream stream, unsigned int count, CUstreamBatchMemOpParams* paramArray,
                                 unsigned int flags) {
  return cuStreamBatchMemOp(own(stream), count, paramArray, flags);
}

CUresult cuLaunchHostFunc_v2_ptsz(CUstream hStream, CUhostFn fn, void* userData, unsigned int syncMode) {
  return cuLaunchHostFunc_v2(own(hStream), fn, userData, syncMode);
}

CUresult cuStreamGetDevResource_ptsz(CUstream hStream, CUdevResource* resource, CUdevResourceType type) {
  return cuStreamGetDevResource(own(hStream), resource, type);
}

CUresult cuMemcpyWithAttributesAsync_ptsz(CUdeviceptr dst, CUdeviceptr src, size_t size, CUmemcpyAttributes* attr,
                                          CUstream hStream) {
  return cuMemcpyWithAttributesAsync(dst, src, size, attr, own(hStream));
}

CUresult cuMemcpy3DWithAttributesAsync_ptsz(CUDA_MEMCPY3D_BATCH_OP* op, unsigned long long flags, CUstream hStream) {
  return cuMemcpy3DWithAttributesAsync(op, flags, own(hStream));
}

CUresult cuMemcpyBatchAsync_v2_ptsz(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes, size_t count,
                                    CUmemcpyAttributes* attrs, size_t* attrsIdxs, size_t numAttrs, CUstream hStream) {
  return cuMemcpyBatchAsync_v2(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, own(hStream));
}

CUresult cuMemcpy3DBatchAsync_v2_ptsz(size_t numOps, CUDA_MEMCPY3D_BATCH_OP* opList, unsigned long long flags,
                                      CUstream hStream) {
  return cuMemcpy3DBatchAsync_v2(numOps, opList, flags, own(hStream));
}

CUresult cuMemPrefetchAsync_v2_ptsz(CUdeviceptr devPtr, size_t count, CUmemLocation location, unsigned int flags,
                                    CUstream hStream) {
  return cuMemPrefetchAsync_v2(devPtr, count, location, flags, own(hStream));
}

CUresult cuMemPrefetchBatchAsync_ptsz(CUdeviceptr* dptrs, size_t* sizes, size_t count, CUmemLocation* prefetchLocs,
                                      size_t* prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
                                      CUstream hStream) {
  return cuMemPrefetchBatchAsync(dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags,
                                 own(hStream));
}

CUresult cuMemDiscardBatchAsync_ptsz(CUdeviceptr* dptrs, size_t* sizes, size_t count, unsigned long long flags,
                                     CUstream hStream) {
  return cuMemDiscardBatchAsync(dptrs, sizes, count, flags, own(hStream));
}

CUresult cuMemDiscardAndPrefetchBatchAsync_ptsz(CUdeviceptr* dptrs, size_t* sizes, size_t count,
                                                CUmemLocation* prefetchLocs, size_t* prefetchLocIdxs,
                                                size_t numPrefetchLocs, unsigned long long flags, CUstream hStream) {
  return cuMemDiscardAndPrefetchBatchAsync(dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags,
                                           own(hStream));
}

CUresult cuStreamAttachMemAsync_ptsz(CUstream hStream, CUdeviceptr dptr, size_t length, unsigned int flags) {
  return cuStreamAttachMemAsync(own(hStream), dptr, length, flags);
}

CUresult cuEventRecordWithFlags_ptsz(CUevent hEvent, CUstream hStream, unsigned int flags) {
  return cuEventRecordWithFlags(hEvent, own(hStream), flags);
}

}  // extern "C"
