// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditional nodes, and the handles of their conditions.
#pragma once

#include "runtime/graph/node/node_place.hpp"

namespace cohort::runtime {

// Adds a conditional node, and writes its bodies into the parameters. cudaErrorInvalidValue for a handle of another
// graph, a handle that has a node, and a wrong type or number of bodies.
cudaError_t add_conditional_node(const node_place& at, cudaConditionalNodeParams* parameters);

}  // namespace cohort::runtime
