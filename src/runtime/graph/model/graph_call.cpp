// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/graph/model/graph_call.hpp"

#include <algorithm>

namespace cohort::runtime {

cudaError_t read_dependencies(const graph& owner, const cudaGraphNode_t* list, size_t count,
                              std::vector<graph_node*>* nodes) {
  if (count > 0 && !list) return cudaErrorInvalidValue;
  for (size_t i = 0; i < count; ++i) {
    graph_node* const node = find_node(list[i]);
    if (!node || node->owner != &owner) return cudaErrorInvalidValue;
    if (std::find(nodes->begin(), nodes->end(), node) != nodes->end()) return cudaErrorInvalidValue;
    nodes->push_back(node);
  }
  return cudaSuccess;
}

}  // namespace cohort::runtime
