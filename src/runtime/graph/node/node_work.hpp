// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of nodes, and CUDA's parameters for them.
#pragma once

#include <memory>

#include "runtime/state/operation.hpp"

namespace cohort::runtime {

using node_work = std::shared_ptr<const operation>;

// The type of the node that repeats `op`; false if the operation cannot be repeated.
bool find_node_type(const operation& op, cudaGraphNodeType* type);

// Each overload makes a node's operation from its parameters, for the current device, and returns the errors of the
// call that would submit it. pre: within a device_call, without the scheduler's lock
cudaError_t make_work(const cudaKernelNodeParams* parameters, node_work* made);
cudaError_t make_work(const cudaMemcpy3DParms* parameters, node_work* made);
cudaError_t make_work(const cudaMemsetParams* parameters, node_work* made);
cudaError_t make_work(const cudaHostNodeParams* parameters, node_work* made);

// Gives a node the work that was made from new parameters. A kernel node keeps its attributes; returns the error for
// which CUDA refuses such a launch.
cudaError_t replace_work(node_work* kept, const node_work& made);

// Each overload writes the parameters of a node's operation. Returns cudaErrorNotSupported for a kernel node that is a
// call of a library. pre: the operation is of the node type that the parameters belong to
cudaError_t read_work(const operation& work, cudaKernelNodeParams* parameters);
cudaError_t read_work(const operation& work, cudaMemcpy3DParms* parameters);
cudaError_t read_work(const operation& work, cudaMemsetParams* parameters);
cudaError_t read_work(const operation& work, cudaHostNodeParams* parameters);

// The parameters of a copy of consecutive bytes.
cudaMemcpy3DParms straight_copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
// Writes the address of bytes in a device variable of the current device. cudaErrorInvalidValue if they leave it.
cudaError_t find_in_symbol(const void* symbol, size_t offset, size_t bytes, void** address);

}  // namespace cohort::runtime
