// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/graph/launch/device_graph_rules.hpp"

#include "runtime/graph/node/node_work.hpp"
#include "runtime/memory/allocation_table.hpp"
#include "runtime/module/symbol_table.hpp"

namespace cohort::runtime {

namespace {

bool is_reachable(const void* memory) {
  allocation known;
  variable found;
  return allocation_table::instance().find(memory, &known) ||
         symbol_table::instance().find_variable_around(memory, &found);
}

bool is_plain_copy(const operation& work) {
  cudaMemcpy3DParms copy;
  if (read_work(work, &copy) != cudaSuccess || copy.srcArray || copy.dstArray) return false;
  return is_reachable(copy.srcPtr.ptr) && is_reachable(copy.dstPtr.ptr);
}

// Checks the nodes of `g`, which is the graph or a child graph in it. `device`: the device of the nodes checked so far,
// or null.
cudaGraphInstantiateResult check_nodes(const graph& g, const device_state** device, graph_node** wrong) {
  for (const auto& node : g.nodes) {
    *wrong = node.get();
    if (node->child) {
      const auto inner = check_nodes(*node->child, device, wrong);
      if (inner != cudaGraphInstantiateSuccess) return inner;
      continue;
    }
    if (!node->work || !may_be_in_device_graph(node->type, *node->work)) {
      return cudaGraphInstantiateNodeOperationNotSupported;
    }
    if (*device && node->device != *device) return cudaGraphInstantiateMultipleDevicesNotSupported;
    *device = node->device;
  }
  return cudaGraphInstantiateSuccess;
}

}  // namespace

bool may_be_in_device_graph(cudaGraphNodeType type, const operation& work) {
  cudaKernelNodeParams kernel;
  switch (type) {
    case cudaGraphNodeTypeKernel:
      return read_work(work, &kernel) == cudaSuccess;  // false for a library call, which has no parameters to read
    case cudaGraphNodeTypeMemset:
      return true;
    case cudaGraphNodeTypeMemcpy:
      return is_plain_copy(work);
    default:
      return false;
  }
}

cudaGraphInstantiateResult check_device_graph(const graph& g, graph_node** wrong) {
  const device_state* device = nullptr;
  const auto result = check_nodes(g, &device, wrong);
  if (result != cudaGraphInstantiateSuccess) return result;
  *wrong = nullptr;
  return device ? cudaGraphInstantiateSuccess : cudaGraphInstantiateInvalidStructure;
}

}  // namespace cohort::runtime
