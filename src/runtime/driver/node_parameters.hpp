// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameters of nodes of graphs, in the form of the runtime API.
#pragma once

#include "cuda.h"
#include "runtime/driver/kernel_parameters.hpp"

namespace cohort::runtime {

// The parameters of a kernel's node.
class kernel_node {
 public:
  // CUDA_ERROR_INVALID_HANDLE for an unknown kernel, CUDA_ERROR_INVALID_VALUE for wrong parameters.
  CUresult take(const CUDA_KERNEL_NODE_PARAMS& p) {
    const CUfunction function = p.func ? p.func : reinterpret_cast<CUfunction>(p.kern);
    const CUresult error = arguments_.take(function, p.kernelParams, p.extra);
    made = {function,
            dim3(p.gridDimX, p.gridDimY, p.gridDimZ),
            dim3(p.blockDimX, p.blockDimY, p.blockDimZ),
            p.sharedMemBytes,
            arguments_.chosen,
            nullptr};
    return error;
  }
  cudaKernelNodeParams made{};

 private:
  kernel_parameters arguments_;
};

// Whether the members that CUDA reserves are 0, as they must be.
bool has_zeros(const CUgraphNodeParams& p);

// The context that the parameters name; null if their type has none. Headers of CUDA 13.0 lack some of the members.
CUcontext* context_member(CUgraphNodeParams& p);

// The context that the node's parameters named; null for none.
void* stored_context(cudaGraphNode_t node);

// The parameters of a node of any type.
class any_node {
 public:
  explicit any_node(CUgraphNodeParams& p) : source_(p) {}
  CUresult take();
  // The context that the parameters name; null for the current one.
  CUcontext context() const;
  // Copies the results of adding the node (an address, the bodies) to the driver API's parameters.
  void give_back();
  cudaGraphNodeParams made{};

 private:
  CUresult take_members();

  CUgraphNodeParams& source_;
  kernel_node kernel_;
};

}  // namespace cohort::runtime
