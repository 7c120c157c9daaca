// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the parameters of a node of any type, by the calls for the type. The node owns what they point to.
#include <cstdint>

#include "runtime/graph/model/graph_call.hpp"
#include "runtime/graph/node/generic_nodes.hpp"

namespace cohort::runtime {

namespace {

cudaError_t read_child(cudaGraphNode_t handle, cudaChildGraphNodeParams* p) {
  return with_node(handle, [&](const graph_node& node) {
    p->graph = handle_of(node.child.get());
    p->ownership = node.owns_original ? cudaGraphChildGraphOwnershipMove : cudaGraphChildGraphOwnershipClone;
    return cudaSuccess;
  });
}

cudaError_t read_conditional(cudaGraphNode_t handle, cudaConditionalNodeParams* p) {
  return with_node(handle, [&](graph_node& node) {
    p->handle = node.conditional->value->handle();
    p->type = node.conditional->type;
    p->size = static_cast<unsigned>(node.conditional->handles.size());
    p->phGraph_out = node.conditional->handles.data();
    return cudaSuccess;
  });
}

cudaError_t read_kernel(cudaGraphNode_t node, cudaKernelNodeParamsV2* p) {
  cudaKernelNodeParams read{};
  const cudaError_t error = cudaGraphKernelNodeGetParams(node, &read);
  p->func = read.func;
  p->gridDim = read.gridDim;
  p->blockDim = read.blockDim;
  p->sharedMemBytes = read.sharedMemBytes;
  p->kernelParams = read.kernelParams;
  return error;
}

cudaError_t read_fill(cudaGraphNode_t node, cudaMemsetParamsV2* p) {
  cudaMemsetParams read{};
  const cudaError_t error = cudaGraphMemsetNodeGetParams(node, &read);
  p->dst = read.dst;
  p->pitch = read.pitch;
  p->value = read.value;
  p->elementSize = read.elementSize;
  p->width = read.width;
  p->height = read.height;
  return error;
}

cudaError_t read_host(cudaGraphNode_t node, cudaHostNodeParamsV2* p) {
  cudaHostNodeParams read{};
  const cudaError_t error = cudaGraphHostNodeGetParams(node, &read);
  p->fn = read.fn;
  p->userData = read.userData;
  return error;
}

cudaError_t read_allocation(cudaGraphNode_t node, cudaMemAllocNodeParamsV2* p) {
  cudaMemAllocNodeParams read{};
  const cudaError_t error = cudaGraphMemAllocNodeGetParams(node, &read);
  p->poolProps = read.poolProps;
  p->accessDescs = read.accessDescs;
  p->accessDescCount = read.accessDescCount;
  p->bytesize = read.bytesize;
  p->dptr = read.dptr;
  return error;
}

cudaError_t read(cudaGraphNode_t node, cudaGraphNodeParams* p) {
  switch (p->type) {
    case cudaGraphNodeTypeKernel:
      return read_kernel(node, &p->kernel);
    case cudaGraphNodeTypeMemcpy:
      return cudaGraphMemcpyNodeGetParams(node, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
      return read_fill(node, &p->memset);
    case cudaGraphNodeTypeHost:
      return read_host(node, &p->host);
    case cudaGraphNodeTypeGraph:
      return read_child(node, &p->graph);
    case cudaGraphNodeTypeEmpty:
      return cudaSuccess;
    case cudaGraphNodeTypeWaitEvent:
      return cudaGraphEventWaitNodeGetEvent(node, &p->eventWait.event);
    case cudaGraphNodeTypeEventRecord:
      return cudaGraphEventRecordNodeGetEvent(node, &p->eventRecord.event);
    case cudaGraphNodeTypeMemAlloc:
      return read_allocation(node, &p->alloc);
    case cudaGraphNodeTypeMemFree:
      return cudaGraphMemFreeNodeGetParams(node, &p->free.dptr);
    case cudaGraphNodeTypeConditional:
      return read_conditional(node, &p->conditional);
    default:
      return remember(cudaErrorNotSupported);
  }
}

// A member of the structures of CUDA 13.1 right after `last`, at the next multiple of its size.
template <class Last>
void* after(Last* last) {
  const auto at = reinterpret_cast<uintptr_t>(last + 1), size = uintptr_t{sizeof(void*)};
  return reinterpret_cast<void*>((at + size - 1) / size * size);
}

}  // namespace

void* context_member(cudaGraphNodeParams& p) {
  switch (p.type) {
    case cudaGraphNodeTypeKernel:
      return after(&p.kernel.extra);
    case cudaGraphNodeTypeMemcpy:
      return after(&p.memcpy.reserved[0]);
    case cudaGraphNodeTypeMemset:
      return after(&p.memset.height);
    case cudaGraphNodeTypeHost:
      return after(&p.host.userData + 1);  // `syncMode` is between them
    case cudaGraphNodeTypeEventRecord:
      return after(&p.eventRecord.event);
    case cudaGraphNodeTypeConditional:
      return after(&p.conditional.phGraph_out);
    default:
      return nullptr;
  }
}

cudaError_t read_any_node(cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  if (!parameters) return remember(cudaErrorInvalidValue);
  cudaGraphNodeParams made{};
  if (const cudaError_t error = cudaGraphNodeGetType(node, &made.type); error != cudaSuccess) return error;
  const cudaError_t error = read(node, &made);
  if (error == cudaSuccess) *parameters = made;
  return error;
}

}  // namespace cohort::runtime
