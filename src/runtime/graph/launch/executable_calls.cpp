// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of executable graphs.
#include "runtime/graph/launch/device_graph_rules.hpp"
#include "runtime/graph/launch/executable.hpp"
#include "runtime/graph/model/graph_call.hpp"
#include "runtime/graph/node/node_rules.hpp"
#include "runtime/graph/node/node_work.hpp"
#include "runtime/schedule/stream_table.hpp"
#include "runtime/stream/event.hpp"

namespace cohort::runtime {

namespace {

// Calls `body(executable&)` under the scheduler's lock. cudaErrorInvalidValue for an unknown handle.
template <class Body>
cudaError_t with_executable(cudaGraphExec_t handle, Body&& body) {
  return graph_call([&] {
    executable* const found = find_executable(handle);
    return found ? body(*found) : cudaErrorInvalidValue;
  });
}

// Calls `body(graph_node&)` with the executable graph's copy of `original`, if it has the type.
template <class Body>
cudaError_t with_copy(cudaGraphExec_t handle, cudaGraphNode_t original, Body&& body) {
  return with_executable(handle, [&](executable& e) {
    const graph_node* const node = find_node(original);
    graph_node* const copy = node ? e.copy->find_clone(node->id) : nullptr;
    e.steps = nullptr;  // the copy may change
    return copy ? body(*copy) : cudaErrorInvalidValue;
  });
}

template <class Parameters>
cudaError_t set_parameters(cudaGraphExec_t handle, cudaGraphNode_t original, cudaGraphNodeType type,
                           const Parameters* parameters) {
  return device_call([&] {
    node_work work;
    const cudaError_t error = make_work(parameters, &work);
    return error != cudaSuccess ? error : set_work(handle, original, type, work);
  });
}

template <class Operation>
cudaError_t set_event(cudaGraphExec_t handle, cudaGraphNode_t original, cudaGraphNodeType type, cudaEvent_t event) {
  return with_copy(handle, original, [&](graph_node& copy) {
    if (copy.type != type) return cudaErrorInvalidValue;
    if (const cudaError_t error = Operation::permits(event); error != cudaSuccess) return error;
    copy.work = std::make_shared<Operation>(event);
    return cudaSuccess;
  });
}

bool can_be_disabled(cudaGraphNodeType type) {
  return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemcpy || type == cudaGraphNodeTypeMemset;
}

cudaError_t check_flags(unsigned long long flags) {
  constexpr unsigned long long known = cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
                                       cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;
  const bool both = flags & cudaGraphInstantiateFlagDeviceLaunch && flags & cudaGraphInstantiateFlagAutoFreeOnLaunch;
  return flags & ~known || both ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t make_executable(cudaGraphExec_t* made, cudaGraph_t handle, unsigned long long flags,
                            cudaGraphInstantiateResult* result, graph_node** wrong) {
  *result = cudaGraphInstantiateError;
  *wrong = nullptr;
  return with_graph(handle, [&](graph& g) {
    if (!made) return cudaErrorInvalidValue;
    if (const cudaError_t error = check_flags(flags); error != cudaSuccess) return error;
    executable* fresh = nullptr;
    const cudaError_t error = instantiate(g, flags, &fresh, result, wrong);
    if (error != cudaSuccess) return error;
    *made = handle_of(fresh);
    if (flags & cudaGraphInstantiateFlagUpload) fresh->upload();
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t set_work(cudaGraphExec_t handle, cudaGraphNode_t original, cudaGraphNodeType type, const node_work& work) {
  return with_copy(handle, original, [&](graph_node& copy) {
    const bool is_device_graph = find_executable(handle)->is_device_graph();
    if (copy.type != type || (is_device_graph && !may_be_in_device_graph(type, *work))) return cudaErrorInvalidValue;
    return replace_work(&copy.work, work);
  });
}

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long flags) {
  cudaGraphInstantiateResult result = cudaGraphInstantiateSuccess;
  graph_node* wrong = nullptr;
  return make_executable(made, graph, flags, &result, &wrong);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long flags) {
  return cudaGraphInstantiate(made, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* made, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters) {
  if (!parameters) return remember(cudaErrorInvalidValue);
  graph_node* wrong = nullptr;
  const cudaError_t error = make_executable(made, graph, parameters->flags, &parameters->result_out, &wrong);
  parameters->errNode_out = wrong ? handle_of(wrong) : nullptr;
  return error;
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long* flags) {
  return with_executable(handle, [&](executable& e) {
    if (!flags) return cudaErrorInvalidValue;
    *flags = e.flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
  return with_executable(handle, [](executable& e) { return destroy(&e) ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream_handle) {
  return device_call([&] {
    stream* s = nullptr;
    const cudaError_t error = find_stream(stream_handle, &s);
    return error != cudaSuccess ? error : with_executable(handle, [](executable& e) {
      e.upload();
      return cudaSuccess;
    });
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream_handle) {
  return device_call([&] {
    stream* s = nullptr;
    if (const cudaError_t error = find_stream(stream_handle, &s); error != cudaSuccess) return error;
    if (s->recorder) return permit_stream_wait(*s);  // a launch of a graph cannot be captured, as on a GPU
    std::vector<graph_memory_ref> ended;             // destroyed without the lock
    return with_executable(handle, [&](executable& e) {
      const cudaError_t error = permit_work_locked(*s);
      return error != cudaSuccess ? error : submit(e, *s, &ended);
    });
  });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t from, cudaGraphExecUpdateResultInfo* info) {
  return with_executable(handle, [&](executable& e) {
    const graph* const g = find_graph(from);
    if (!g || !info || is_owned(*g)) return cudaErrorInvalidValue;
    return update(e, *g, info) ? cudaSuccess : cudaErrorGraphExecUpdateFailure;
  });
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t handle, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  return set_parameters(handle, node, cudaGraphNodeTypeKernel, parameters);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t handle, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
  return set_parameters(handle, node, cudaGraphNodeTypeMemcpy, parameters);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t handle, cudaGraphNode_t node, void* to, const void* from,
                                               size_t bytes, cudaMemcpyKind kind) {
  const cudaMemcpy3DParms parameters = straight_copy(to, from, bytes, kind);
  return set_parameters(handle, node, cudaGraphNodeTypeMemcpy, &parameters);
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t handle, cudaGraphNode_t node, const void* symbol,
                                                     const void* from, size_t bytes, size_t offset,
                                                     cudaMemcpyKind kind) {
  return device_call([&] {
    void* to = nullptr;
    const cudaError_t error = find_in_symbol(symbol, offset, bytes, &to);
    return error != cudaSuccess ? error : cudaGraphExecMemcpyNodeSetParams1D(handle, node, to, from, bytes, kind);
  });
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t handle, cudaGraphNode_t node, void* to,
                                                       const void* symbol, size_t bytes, size_t offset,
                                                       cudaMemcpyKind kind) {
  return device_call([&] {
    void* from = nullptr;
    const cudaError_t error = find_in_symbol(symbol, offset, bytes, &from);
    return error != cudaSuccess ? error : cudaGraphExecMemcpyNodeSetParams1D(handle, node, to, from, bytes, kind);
  });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t handle, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  return set_parameters(handle, node, cudaGraphNodeTypeMemset, parameters);
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t handle, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  return set_parameters(handle, node, cudaGraphNodeTypeHost, parameters);
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t handle, cudaGraphNode_t node, cudaGraph_t child) {
  return with_copy(handle, node, [&](graph_node& copy) {
    const graph* const g = find_graph(child);
    if (!g || !copy.child) return cudaErrorInvalidValue;
    if (!may_be_copied(*g)) return cudaErrorNotSupported;
    executable inner;
    inner.copy = std::move(copy.child);
    cudaGraphExecUpdateResultInfo info;
    const bool taken = update(inner, *g, &info);
    copy.child = std::move(inner.copy);
    return taken ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t handle, cudaGraphNode_t node, cudaEvent_t event) {
  return set_event<event_record_operation>(handle, node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t handle, cudaGraphNode_t node, cudaEvent_t event) {
  return set_event<event_wait_operation>(handle, node, cudaGraphNodeTypeWaitEvent, event);
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t handle, cudaGraphNode_t node, unsigned int enabled) {
  return with_copy(handle, node, [&](graph_node& copy) {
    if (!can_be_disabled(copy.type)) return cudaErrorInvalidValue;
    copy.enabled = enabled != 0;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t handle, cudaGraphNode_t node, unsigned int* enabled) {
  return with_copy(handle, node, [&](graph_node& copy) {
    if (!enabled || !can_be_disabled(copy.type)) return cudaErrorInvalidValue;
    *enabled = copy.enabled;
    return cudaSuccess;
  });
}

}  // extern "C"
