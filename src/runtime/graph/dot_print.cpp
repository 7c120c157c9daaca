// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs in the DOT language.
#include <cinttypes>
#include <cstdio>
#include <string>

#include "cuda.h"
#include "runtime/graph/model/graph_call.hpp"
#include "runtime/memory/graph/memory_operations.hpp"

namespace cohort::runtime {

namespace {

const char* name_of(cudaGraphConditionalNodeType type) {
  switch (type) {
    case cudaGraphCondTypeIf:
      return "if";
    case cudaGraphCondTypeWhile:
      return "while";
    case cudaGraphCondTypeSwitch:
      break;
  }
  return "switch";
}

const char* name_of(cudaGraphNodeType type) {
  // The runtime API has no name for this type.
  if (static_cast<CUgraphNodeType>(type) == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP) return "batch mem op";
  switch (type) {
    case cudaGraphNodeTypeKernel:
      return "kernel";
    case cudaGraphNodeTypeMemcpy:
      return "memcpy";
    case cudaGraphNodeTypeMemset:
      return "memset";
    case cudaGraphNodeTypeHost:
      return "host";
    case cudaGraphNodeTypeGraph:
      return "graph";
    case cudaGraphNodeTypeWaitEvent:
      return "event wait";
    case cudaGraphNodeTypeEventRecord:
      return "event record";
    case cudaGraphNodeTypeMemAlloc:
      return "mem alloc";
    case cudaGraphNodeTypeMemFree:
      return "mem free";
    default:
      return "empty";
  }
}

std::string label_of(const graph_node& node) {
  if (node.conditional) return std::string("conditional ") + name_of(node.conditional->type);
  char details[64] = "";
  if (const auto* const made = dynamic_cast<const graph_allocation_operation*>(node.work.get())) {
    const memory_range& range = made->memory()->range;
    std::snprintf(details, sizeof details, " %zu bytes at %p", range.bytes, static_cast<void*>(range.base));
  } else if (const auto* const freed = dynamic_cast<const graph_free_operation*>(node.work.get())) {
    std::snprintf(details, sizeof details, " %p", static_cast<void*>(freed->memory()->range.base));
  }
  return std::string(name_of(node.type)) + details;
}

void print_nodes(std::FILE* file, const graph& g, int depth) {
  std::fprintf(file, "%ssubgraph cluster_%" PRIu64 " {\n", depth ? "" : "digraph dot {\n", g.id);
  for (const auto& node : g.nodes) {
    std::fprintf(file, "  n%" PRIu64 " [label=\"%" PRIu64 ": %s\"];\n", node->id, node->id, label_of(*node).c_str());
    for (const graph_node* next : node->dependents) {
      std::fprintf(file, "  n%" PRIu64 " -> n%" PRIu64 ";\n", node->id, next->id);
    }
    node->for_inner_graphs([&](const graph& inner) { print_nodes(file, inner, depth + 1); });
  }
  std::fputs(depth ? "}\n" : "}\n}\n", file);
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" cudaError_t cudaGraphDebugDotPrint(cudaGraph_t handle, const char* path, unsigned int) {
  return with_graph(handle, [&](graph& g) {
    std::FILE* const file = path ? std::fopen(path, "w") : nullptr;
    if (!file) return cudaErrorOperatingSystem;
    print_nodes(file, g, 0);
    return std::fclose(file) == 0 ? cudaSuccess : cudaErrorOperatingSystem;
  });
}
