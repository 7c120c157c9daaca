// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executable graphs: a copy of a graph, which streams launch.
#pragma once

#include <memory>

#include "../schedule/scheduler.hpp"
#include "graph.hpp"

namespace cohort::runtime {

// The scheduler's lock guards all members.
struct executable {
  std::unique_ptr<graph> copy;  // clone_of of its nodes are the ids of the original nodes
  unsigned long long flags = 0;
  operation_ref last_launch;  // the next launch waits for it
};

inline cudaGraphExec_t handle_of(executable* e) { return reinterpret_cast<cudaGraphExec_t>(e); }
// Null for an unknown handle.
executable* find_executable(cudaGraphExec_t handle);
// False if the graph, or a child graph in it, has a cycle.
bool is_acyclic(const graph& g);
// Makes an executable graph. pre: is_acyclic(original)
executable* instantiate(const graph& original, unsigned long long flags);
bool destroy(executable* e);
// Appends all work of the graph to the stream. pre: the stream is not captured
void submit(executable& e, stream& s);
// Takes the work of all nodes of `from`. Writes the reason and the node of `from` if the graphs differ; nothing is then
// taken.
bool update(executable& e, const graph& from, cudaGraphExecUpdateResultInfo* info);

}  // namespace cohort::runtime
