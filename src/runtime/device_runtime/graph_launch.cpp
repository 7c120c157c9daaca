// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of graphs by kernels of graphs.
#include "runtime/device_runtime/kernel_call.hpp"
#include "runtime/graph/launch/environment.hpp"
#include "runtime/launch/kernel_operation.hpp"

namespace cohort::runtime {

namespace {

// The launch of a graph that the running kernel belongs to. Null for a kernel of a stream, and for a kernel that a
// kernel has launched.
std::shared_ptr<graph_environment> current_environment(const grid_work* work) {
  const auto* const kernel = work ? dynamic_cast<const kernel_operation*>(&work->grid()) : nullptr;
  return kernel ? std::static_pointer_cast<graph_environment>(kernel->environment) : nullptr;
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

int cohort_runtime_launch_graph(void* graph, void* stream) {
  return grid_call([&](grid_work& work) {
    const auto from = current_environment(&work);
    if (!from) return cudaErrorInvalidValue;
    return launch_from_kernel(static_cast<cudaGraphExec_t>(graph), static_cast<cudaStream_t>(stream), work.grid(),
                              from);
  });
}

void* cohort_runtime_current_graph() {
  const auto from = current_environment(grid_work::of_running_grid());
  return from ? from->graph : nullptr;
}

}  // extern "C"
