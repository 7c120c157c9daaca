// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executable graphs: a copy of a graph, which streams launch.
#pragma once

#include <memory>
#include <vector>

#include "runtime/graph/launch/environment.hpp"
#include "runtime/graph/launch/program.hpp"
#include "runtime/memory/graph/physical_blocks.hpp"
#include "runtime/schedule/scheduler.hpp"

namespace cohort::runtime {

// The scheduler's lock guards all members.
struct executable {
  std::unique_ptr<graph> copy;           // the nodes to launch; the clone_of of each is the id of the original node
  std::shared_ptr<const program> steps;  // the steps of the next launch; null after a change of the copy
  unsigned long long flags = 0;
  operation_ref last_launch;  // the next launch waits for it
  // Members of graphs that kernels launch.
  std::shared_ptr<const program> uploaded;  // the steps of launches by kernels; null: not uploaded
  const device_state* device = nullptr;
  std::weak_ptr<graph_environment> environment;  // the environment of the latest launch
  std::vector<physical_block_ref> blocks;        // the pages of the latest launch
  std::vector<uint64_t> sources;                 // ids of the graphs of its instantiation and its updates

  bool is_device_graph() const { return flags & cudaGraphInstantiateFlagDeviceLaunch; }
  // Makes the graph's present work that of the next launches by kernels.
  void upload();
};

// Whether an executable graph exists that kernels can launch.
bool has_device_graphs();

inline cudaGraphExec_t handle_of(executable* e) { return reinterpret_cast<cudaGraphExec_t>(e); }
// The executable graph of a handle; null if the handle is unknown.
executable* find_executable(cudaGraphExec_t handle);
// Makes an executable graph. cudaErrorInvalidValue for a cycle, a conditional handle without a node, a graph that a
// node owns, a body with nodes of several devices, or a graph that breaks the rules for launches by kernels: then
// `wrong` is the node, if there is one. cudaErrorNotSupported for a second executable graph of one that has memory
// nodes or conditional nodes.
cudaError_t instantiate(const graph& original, unsigned long long flags, executable** made,
                        cudaGraphInstantiateResult* result, graph_node** wrong);
bool destroy(executable* e);
// Appends all work of the graph to the stream. Returns the errors of program::permits_launch() and
// launch_memory::prepare(). The caller destroys
// `ended` without the scheduler's lock. pre: the stream is not captured
cudaError_t submit(executable& e, stream& s, std::vector<graph_memory_ref>* ended);
// Replaces the work of the copy of `original`. cudaErrorInvalidValue for an unknown handle and for a node of another
// type.
cudaError_t set_work(cudaGraphExec_t graph, cudaGraphNode_t original, cudaGraphNodeType type,
                     const std::shared_ptr<const operation>& work);
// Replaces the work of all nodes by that of `from`. Returns false if the graphs differ: it then writes the reason and
// the node of `from`, and changes no work.
bool update(executable& e, const graph& from, cudaGraphExecUpdateResultInfo* info);

}  // namespace cohort::runtime
