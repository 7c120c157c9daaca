// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/node_parameters.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "runtime/driver/box_copy.hpp"
#include "runtime/driver/call.hpp"
#include "runtime/graph/node/generic_nodes.hpp"

namespace cohort::runtime {

CUcontext* context_member(CUgraphNodeParams& p) {
  switch (p.type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      return &p.kernel.ctx;
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return &p.memcpy.copyCtx;
    case CU_GRAPH_NODE_TYPE_MEMSET:
      return &p.memset.ctx;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
      return &p.conditional.ctx;
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
      return &p.memOp.ctx;
    case CU_GRAPH_NODE_TYPE_HOST:  // members since CUDA 13.1: a mode, then the context
      return reinterpret_cast<CUcontext*>(&p.host.userData + 2);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return reinterpret_cast<CUcontext*>(&p.eventRecord.event + 1);
    default:
      return nullptr;
  }
}

CUcontext any_node::context() const {
  const CUcontext* const member = context_member(source_);
  return member ? *member : nullptr;
}

bool has_zeros(const CUgraphNodeParams& p) {
  const auto is_zero = [](int each) { return each == 0; };
  return std::all_of(std::begin(p.reserved0), std::end(p.reserved0), is_zero) && p.reserved2 == 0;
}

CUresult any_node::take() {
  if (!has_zeros(source_)) return CUDA_ERROR_INVALID_VALUE;
  made.type = static_cast<cudaGraphNodeType>(source_.type);
  const CUresult error = take_members();
  const CUcontext named = context();
  if (void* const member = context_member(made)) std::memcpy(member, &named, sizeof named);
  return error;
}

CUresult any_node::take_members() {
  switch (source_.type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: {
      const CUresult error = kernel_.take(std::bit_cast<CUDA_KERNEL_NODE_PARAMS>(source_.kernel));
      made.kernel = std::bit_cast<cudaKernelNodeParamsV2>(kernel_.made);
      return error;
    }
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      if (source_.memcpy.flags != 0 || source_.memcpy.reserved != 0) return CUDA_ERROR_INVALID_VALUE;
      return to_runtime(source_.memcpy.copyParams, &made.memcpy.copyParams);
    case CU_GRAPH_NODE_TYPE_MEMSET: {
      const CUDA_MEMSET_NODE_PARAMS_v2& p = source_.memset;
      made.memset = {pointer_of(p.dst), p.pitch, p.value, p.elementSize, p.width, p.height};
      return CUDA_SUCCESS;
    }
    case CU_GRAPH_NODE_TYPE_HOST:
      made.host = {source_.host.fn, source_.host.userData};
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_GRAPH:
      made.graph = {source_.graph.graph, static_cast<cudaGraphChildGraphNodeOwnership>(source_.graph.ownership)};
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_EMPTY:
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      made.eventWait = {source_.eventWait.event};
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      made.eventRecord = {source_.eventRecord.event};
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
      made.alloc = std::bit_cast<cudaMemAllocNodeParamsV2>(source_.alloc);
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
      made.free = {pointer_of(source_.free.dptr)};
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
      made.conditional = {source_.conditional.handle,
                          static_cast<cudaGraphConditionalNodeType>(source_.conditional.type), source_.conditional.size,
                          nullptr};
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
      return CUDA_ERROR_NOT_SUPPORTED;
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:  // has no form in the runtime API
      break;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

void any_node::give_back() {
  if (source_.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) source_.alloc.dptr = address_of(made.alloc.dptr);
  if (source_.type == CU_GRAPH_NODE_TYPE_CONDITIONAL) source_.conditional.phGraph_out = made.conditional.phGraph_out;
}

}  // namespace cohort::runtime
