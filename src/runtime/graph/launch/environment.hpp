// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs that kernels of graphs launch (CUDA C++ Programming Guide, "Device Graph Launch").
//
// Each launch of a graph has an environment: the graph's work and the launches that its kernels fire and forget. When
// the environment ends, the next of its tail launches takes its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

#include "runtime/graph/launch/program.hpp"
#include "runtime/schedule/time_limit.hpp"
#include "runtime/state/operation.hpp"

namespace cohort::runtime {

struct executable;

// The operation that ends an environment. It follows all work of the environment. The scheduler's lock guards all
// members.
class graph_environment : public operation {
 public:
  explicit graph_environment(cudaGraphExec_t graph) : operation(operation_kind::work), graph(graph) {
    uses_memory = false;
  }

  // The executable graph, which may have been destroyed; null for a graph that kernels cannot launch.
  const cudaGraphExec_t graph;
  std::shared_ptr<const program> steps;  // null: the host has launched the graph
  // The environment that this one is a part of; null: the stream's.
  std::shared_ptr<graph_environment> parent;
  operation_ref gate;  // the end of `parent`, or of the launch in its stream
  size_t children = 0;
  std::deque<std::shared_ptr<graph_environment>> tails;      // tail launches, in the order in which they run
  std::deque<std::shared_ptr<graph_environment>> inherited;  // tails of the environment that this one has replaced
  // The chain of launches by launched graphs that this one belongs to: the launches before it, and the time since the
  // second one.
  uint64_t before = 0;
  std::shared_ptr<time_limit> time = std::make_shared<time_limit>();
  bool has_sibling = false;  // a kernel of this environment has launched a sibling of it

  // Makes this launch the next one of the chain of `from`.
  void continue_chain(const graph_environment& from);

 protected:
  cudaError_t execute() override;

 private:
  bool is_over_limit();
};

// The environment of a launch by the host, with a gate of its own. Null while no graph exists that a kernel could
// launch.
std::shared_ptr<graph_environment> begin_environment(executable& e);

// Launches a graph for the running thread of `grid`, whose kernel belongs to the launch `from`. `stream` is one of
// CUDA's streams for launches of graphs. cudaErrorInvalidValue for another stream, for a graph that is not made for
// launches by kernels, is not uploaded, is of another device, or has a launch that has not ended;
// cudaErrorLaunchPendingCountExceeded beyond CUDA's limits.
cudaError_t launch_from_kernel(cudaGraphExec_t graph, cudaStream_t stream, operation& grid,
                               const std::shared_ptr<graph_environment>& from);

}  // namespace cohort::runtime
