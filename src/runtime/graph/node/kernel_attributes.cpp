// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of kernel nodes. Cooperative launches, clusters and priorities have an effect; the others are hints.
#include <algorithm>

#include "runtime/graph/node/node_place.hpp"
#include "runtime/launch/kernel_operation.hpp"
#include "runtime/stream/stream_attributes.hpp"

namespace cohort::runtime {

namespace {

bool is_hint(cudaLaunchAttributeID id) {
  return id == cudaLaunchAttributeAccessPolicyWindow || id == cudaLaunchAttributeMemSyncDomainMap ||
         id == cudaLaunchAttributeMemSyncDomain;
}

// Calls `use` with each stored number and the member of `value` that the attribute `id` consists of.
template <class Kept, class Value, class Use>
cudaError_t with_attribute(Kept& kept, cudaLaunchAttributeID id, Value& value, Use use) {
  switch (id) {
    case cudaLaunchAttributeCooperative:
      use(kept.cooperative, value.cooperative);
      return cudaSuccess;
    case cudaLaunchAttributePriority:
      use(kept.priority, value.priority);
      return cudaSuccess;
    case cudaLaunchAttributeClusterDimension:
      use(kept.cluster[0], value.clusterDim.x);
      use(kept.cluster[1], value.clusterDim.y);
      use(kept.cluster[2], value.clusterDim.z);
      return cudaSuccess;
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
      use(kept.scheduling, value.clusterSchedulingPolicyPreference);
      return cudaSuccess;
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
      use(kept.carveout, value.sharedMemCarveout);
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

cudaError_t set_attribute(kernel_attributes& kept, cudaLaunchAttributeID id, const cudaLaunchAttributeValue& value) {
  if (is_hint(id)) return set_hint(kept.hints, id, value);
  const cudaError_t error = with_attribute(kept, id, value, [](auto& member, const auto& chosen) { member = chosen; });
  kept.priority = std::clamp(kept.priority, greatest_priority, least_priority);
  return error;
}

cudaError_t get_attribute(const kernel_attributes& kept, cudaLaunchAttributeID id, cudaLaunchAttributeValue* value) {
  if (is_hint(id)) return get_hint(kept.hints, id, value);
  return with_attribute(kept, id, *value, [](const auto& member, auto& result) { result = member; });
}

// The kernel of a node; null for other nodes, and for calls of libraries.
const kernel_operation* kernel_of(const graph_node& node) {
  return node.type == cudaGraphNodeTypeKernel ? dynamic_cast<const kernel_operation*>(node.work.get()) : nullptr;
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t handle, cudaKernelNodeAttrID id,
                                            const cudaKernelNodeAttrValue* value) {
  return with_node(handle, [&](graph_node& node) {
    const kernel_operation* const kernel = kernel_of(node);
    if (!value || !kernel) return cudaErrorInvalidValue;
    kernel_attributes changed = kernel->attributes();
    const cudaError_t error = set_attribute(changed, id, *value);
    return error != cudaSuccess ? error : kernel->change(changed, &node.work);
  });
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t handle, cudaKernelNodeAttrID id,
                                            cudaKernelNodeAttrValue* value) {
  return with_node(handle, [&](graph_node& node) {
    const kernel_operation* const kernel = kernel_of(node);
    if (!value || !kernel) return cudaErrorInvalidValue;
    return get_attribute(kernel->attributes(), id, value);
  });
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  kernel_attributes copied;
  const cudaError_t error = with_node(from, [&](graph_node& node) {
    const kernel_operation* const kernel = kernel_of(node);
    if (!kernel) return cudaErrorInvalidValue;
    copied = kernel->attributes();
    return cudaSuccess;
  });
  if (error != cudaSuccess) return error;
  return with_node(to, [&](graph_node& node) {
    const kernel_operation* const kernel = kernel_of(node);
    return kernel ? kernel->change(copied, &node.work) : cudaErrorInvalidValue;
  });
}

}  // extern "C"
