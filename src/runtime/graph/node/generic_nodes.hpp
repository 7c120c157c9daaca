// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes of any type in the current context. driver/execution_nodes.cpp calls these functions in the context that the
// parameters name.
#pragma once

#include "cuda_runtime_api.h"

namespace cohort::runtime {

// The bodies of cudaGraphAddNode, cudaGraphNodeSetParams, cudaGraphExecNodeSetParams and cudaGraphNodeGetParams.
cudaError_t add_any_node(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* before,
                         const cudaGraphEdgeData* data, size_t count, cudaGraphNodeParams* parameters);
cudaError_t set_any_node(cudaGraphNode_t node, const cudaGraphNodeParams* parameters);
cudaError_t set_any_node(cudaGraphExec_t graph, cudaGraphNode_t node, const cudaGraphNodeParams* parameters);
cudaError_t read_any_node(cudaGraphNode_t node, cudaGraphNodeParams* parameters);

// The place of `ctx`, the context that parameters of CUDA 13.1 and later name; null if the type has none. The headers
// of CUDA 13.0 do not declare the member.
void* context_member(cudaGraphNodeParams& parameters);

}  // namespace cohort::runtime
