// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules for graphs that kernels launch (cudaGraphInstantiateFlagDeviceLaunch).
#pragma once

#include "runtime/graph/model/graph.hpp"

namespace cohort::runtime {

// Whether a kernel can launch a graph with this work in a node of the type. Copies have neither arrays nor memory that
// the program has not allocated by CUDA.
bool may_be_in_device_graph(cudaGraphNodeType type, const operation& work);

// Checks a graph. On failure writes the node that breaks the rule, or null where no single node does.
cudaGraphInstantiateResult check_device_graph(const graph& g, graph_node** wrong);

}  // namespace cohort::runtime
