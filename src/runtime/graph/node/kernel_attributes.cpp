// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of kernel nodes. Cooperative launches, clusters and priorities have an effect; the others are hints.
#include <algorithm>

#include "runtime/graph/node/node_place.hpp"
#include "runtime/launch/kernel_operation.hpp"
#include "runtime/stream/stream_attributes.hpp"

namespace cohort::runtime {

namespace {

cudaError_t set_attribute(kernel_attributes& kept, cudaLaunchAttributeID id, const cudaLaunchAttributeValue& value) {
  switch (id) {
    case cudaLaunchAttributeCooperative:
      kept.cooperative = value.cooperative != 0;
      return cudaSuccess;
    case cudaLaunchAttributePriority:
      kept.priority = std::clamp(value.priority, greatest_priority, least_priority);
      return cudaSuccess;
    case cudaLaunchAttributeClusterDimension:
      std::copy_n(&value.clusterDim.x, 3, kept.cluster);
      return cudaSuccess;
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
      kept.scheduling = value.clusterSchedulingPolicyPreference;
      return cudaSuccess;
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
      kept.carveout = value.sharedMemCarveout;
      return cudaSuccess;
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributeMemSyncDomain:
      return set_hint(kept.hints, id, value);
    default:
      return cudaErrorInvalidValue;
  }
}

cudaError_t get_attribute(const kernel_attributes& kept, cudaLaunchAttributeID id, cudaLaunchAttributeValue* value) {
  switch (id) {
    case cudaLaunchAttributeCooperative:
      value->cooperative = kept.cooperative;
      return cudaSuccess;
    case cudaLaunchAttributePriority:
      value->priority = kept.priority;
      return cudaSuccess;
    case cudaLaunchAttributeClusterDimension:
      std::copy_n(kept.cluster, 3, &value->clusterDim.x);
      return cudaSuccess;
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
      value->clusterSchedulingPolicyPreference = kept.scheduling;
      return cudaSuccess;
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
      value->sharedMemCarveout = kept.carveout;
      return cudaSuccess;
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributeMemSyncDomain:
      return get_hint(kept.hints, id, value);
    default:
      return cudaErrorInvalidValue;
  }
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
