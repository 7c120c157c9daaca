// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/graph/node/node_work.hpp"

#include "cuda.h"
#include "runtime/launch/kernel_operation.hpp"
#include "runtime/launch/launch.hpp"
#include "runtime/library/library_operation.hpp"
#include "runtime/memory/copy/copy_operation.hpp"
#include "runtime/memory/copy/word_operation.hpp"
#include "runtime/module/symbol_table.hpp"
#include "runtime/state/device_state.hpp"
#include "runtime/state/stream.hpp"
#include "runtime/stream/event.hpp"
#include "runtime/stream/host_function.hpp"

namespace cohort::runtime {

namespace {

template <class Operation>
bool is_a(const operation& op) {
  return dynamic_cast<const Operation*>(&op) != nullptr;
}

dim3 shape_of(const uint32_t (&extent)[3]) { return dim3(extent[0], extent[1], extent[2]); }

cudaPitchedPtr pitched(const place& p, const box& extent) {
  const size_t rows = p.pitch > 0 && p.slice > 0 ? p.slice / p.pitch : extent.height;
  return {p.first, p.pitch, extent.width, rows};
}

}  // namespace

bool find_node_type(const operation& op, cudaGraphNodeType* type) {
  // Library calls become kernel nodes, because CUDA's libraries launch kernels.
  if (is_a<kernel_operation>(op) || is_a<library_operation>(op)) {
    *type = cudaGraphNodeTypeKernel;
  } else if (is_a<copy_operation>(op)) {
    *type = cudaGraphNodeTypeMemcpy;
  } else if (is_a<fill_operation>(op)) {
    *type = cudaGraphNodeTypeMemset;
  } else if (is_a<host_function_operation>(op)) {
    *type = cudaGraphNodeTypeHost;
  } else if (is_a<event_record_operation>(op)) {
    *type = cudaGraphNodeTypeEventRecord;
  } else if (is_a<event_wait_operation>(op)) {
    *type = cudaGraphNodeTypeWaitEvent;
  } else if (is_a<word_operation>(op)) {
    *type = static_cast<cudaGraphNodeType>(CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);  // the runtime API has no name for it
  } else {
    return false;
  }
  return true;
}

cudaError_t make_work(const cudaKernelNodeParams* p, node_work* made) {
  if (!p || p->extra) return cudaErrorInvalidValue;
  if (!p->func) return cudaErrorInvalidDeviceFunction;
  operation_ref op;
  launch_request request{p->func, p->gridDim, p->blockDim, p->kernelParams, p->sharedMemBytes, nullptr};
  if (const green_context* const green = current_green_context()) request.sm_count = green->sm_count;
  const cudaError_t error = make_kernel_operation(request, current_device().index, &op);
  // CUDA returns cudaErrorInvalidResourceHandle for a launch of an unknown kernel, but cudaErrorInvalidDeviceFunction
  // for a node.
  if (error == cudaErrorInvalidResourceHandle) return cudaErrorInvalidDeviceFunction;
  *made = std::move(op);
  return error;
}

cudaError_t make_work(const cudaMemcpy3DParms* p, node_work* made) {
  copy_request request{};
  cudaError_t error = p ? to_copy_request(*p, &request) : cudaErrorInvalidValue;
  if (error == cudaSuccess && request.extent.empty()) error = cudaErrorInvalidValue;
  if (error == cudaSuccess) error = check_copy(request, request_time::later);
  if (error == cudaSuccess) *made = std::make_shared<copy_operation>(request);
  return error;
}

cudaError_t make_work(const cudaMemsetParams* p, node_work* made) {
  if (!p || p->width == 0 || p->height == 0) return cudaErrorInvalidValue;
  if (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4) return cudaErrorInvalidValue;
  fill_request request{{static_cast<char*>(p->dst), p->pitch, 0}, {0, p->height, 1}, p->value, p->elementSize};
  if (__builtin_mul_overflow(p->width, p->elementSize, &request.extent.width)) return cudaErrorInvalidValue;
  const cudaError_t error = check_fill(request, request_time::later);
  if (error == cudaSuccess) *made = std::make_shared<fill_operation>(request);
  return error;
}

cudaError_t make_work(const cudaHostNodeParams* p, node_work* made) {
  if (!p || !p->fn) return cudaErrorInvalidValue;
  *made = std::make_shared<host_function_operation>(current_device(), p->fn, p->userData);
  return cudaSuccess;
}

cudaError_t replace_work(node_work* kept, const node_work& made) {
  const auto* const before = dynamic_cast<const kernel_operation*>(kept->get());
  const auto* const after = dynamic_cast<const kernel_operation*>(made.get());
  if (before && after) return after->change(before->attributes(), kept);
  *kept = made;
  return cudaSuccess;
}

cudaError_t read_work(const operation& work, cudaKernelNodeParams* p) {
  const auto* const kernel = dynamic_cast<const kernel_operation*>(&work);
  if (!kernel) return cudaErrorNotSupported;  // a library call has no parameters
  const cohort_launch& launch = kernel->launch();
  *p = {const_cast<void*>(kernel->name()),
        shape_of(launch.grid),
        shape_of(launch.block),
        static_cast<unsigned>(launch.dynamic_shared_bytes),
        launch.arguments,
        nullptr};
  return cudaSuccess;
}

cudaError_t read_work(const operation& work, cudaMemcpy3DParms* p) {
  const copy_request& request = static_cast<const copy_operation&>(work).request();
  *p = {};
  p->srcPtr = pitched(request.from, request.extent);
  p->dstPtr = pitched(request.to, request.extent);
  p->extent = {request.extent.width, request.extent.height, request.extent.depth};
  p->kind = request.kind;
  return cudaSuccess;
}

cudaError_t read_work(const operation& work, cudaMemsetParams* p) {
  const fill_request& request = static_cast<const fill_operation&>(work).request();
  *p = {request.to.first,
        request.to.pitch,
        request.value,
        request.element_bytes,
        request.extent.width / request.element_bytes,
        request.extent.height};
  return cudaSuccess;
}

cudaError_t read_work(const operation& work, cudaHostNodeParams* p) {
  *p = static_cast<const host_function_operation&>(work).parameters();
  return cudaSuccess;
}

cudaError_t find_in_symbol(const void* symbol, size_t offset, size_t bytes, void** address) {
  variable v;
  const cudaError_t error = symbol_table::instance().find_variable(symbol, current_device().index, &v);
  if (error != cudaSuccess) return error;
  if (offset > v.bytes || bytes > v.bytes - offset) return cudaErrorInvalidValue;
  *address = static_cast<char*>(v.address) + offset;
  return cudaSuccess;
}

cudaMemcpy3DParms straight_copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  cudaMemcpy3DParms p{};
  p.dstPtr = {to, bytes, bytes, 1};
  p.srcPtr = {const_cast<void*>(from), bytes, bytes, 1};
  p.extent = {bytes, 1, 1};
  p.kind = kind;
  return p;
}

}  // namespace cohort::runtime
