// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/graph/launch/environment.hpp"

#include <utility>

#include "runtime/error/log.hpp"
#include "runtime/graph/launch/executable.hpp"
#include "runtime/graph/launch/launch.hpp"

namespace cohort::runtime {

namespace {

// Handles of cuda_device_runtime_api.h.
const cudaStream_t tail_launch = reinterpret_cast<cudaStream_t>(uintptr_t{0x0100000000000000});
const cudaStream_t fire_and_forget = reinterpret_cast<cudaStream_t>(uintptr_t{0x0200000000000000});
const cudaStream_t sibling = reinterpret_cast<cudaStream_t>(uintptr_t{0x0300000000000000});

// The guide's limits for one launch of a graph.
constexpr size_t most_children = 120;
constexpr size_t most_tails = 255;

plan operations_of(const std::shared_ptr<graph_environment>& launched) {
  plan operations;
  append_operations(operations, launched->steps, {}, {}, launched);
  return operations;
}

// Begins a launch as a part of `parent`, which is null for the stream's environment.
cudaError_t begin_child(const std::shared_ptr<graph_environment>& launched, operation& grid,
                        const std::shared_ptr<graph_environment>& parent, const operation_ref& gate) {
  if (parent && parent->children == most_children) return cudaErrorLaunchPendingCountExceeded;
  if (parent) ++parent->children;
  launched->parent = parent;
  launched->gate = gate;
  scheduler::launch_locked(grid, operations_of(launched), launched, gate);
  return cudaSuccess;
}

// Whether a launch of the graph has not ended. A graph may launch itself again when it ends.
bool is_busy(const executable& e, const graph_environment& from, cudaStream_t stream) {
  const auto latest = e.environment.lock();
  const bool is_self = latest.get() == &from && stream == tail_launch;
  return latest && !latest->finished() && !is_self;
}

}  // namespace

void graph_environment::continue_chain(const graph_environment& from) {
  before = from.before + 1;
  if (from.before > 0) time = from.time;
}

// Reports and ends a chain of launches that exceeds COHORT_LAUNCH_LIMIT. COHORT_TIMEOUT does not apply, because the
// graphs make progress.
bool graph_environment::is_over_limit() {
  const time_limit::verdict verdict = time->check(*device, false);
  if (verdict == time_limit::verdict::is_over) {
    say(cudaLogLevelError,
        "time-out in launches of graphs by graphs\n"
        "  the launches have run for more than %g s (COHORT_LAUNCH_LIMIT)\n"
        "  %llu launches have ended, and the last one has made another",
        time->seconds(), static_cast<unsigned long long>(before + 1));
    return true;
  }
  if (verdict == time_limit::verdict::is_long) {
    say(cudaLogLevelWarning,
        "note: launches of graphs by graphs have run for %g s; COHORT_LAUNCH_LIMIT=<seconds> ends such a chain "
        "with a report",
        time->seconds());
  }
  return false;
}

cudaError_t graph_environment::execute() {
  std::shared_ptr<graph_environment> next;
  plan operations;
  bool continues = false;
  {
    const auto held = scheduler::instance().lock();
    tails.insert(tails.end(), inherited.begin(), inherited.end());
    inherited.clear();
    continues = has_sibling || !tails.empty();
  }
  // No kernel of this launch runs any more, so nothing is added meanwhile.
  if (continues && before > 0 && is_over_limit()) return cudaErrorLaunchTimeout;
  {
    const auto held = scheduler::instance().lock();
    if (tails.empty()) return cudaSuccess;
    next = std::move(tails.front());
    tails.pop_front();
    next->inherited = std::move(tails);
    tails.clear();
    next->parent = parent;
    next->gate = gate;
    next->continue_chain(*this);
    operations = operations_of(next);
  }
  scheduler::instance().continue_with(*this, operations, next, gate);
  return cudaSuccess;
}

std::shared_ptr<graph_environment> begin_environment(executable& e) {
  if (!has_device_graphs()) return nullptr;
  auto made = std::make_shared<graph_environment>(e.is_device_graph() ? handle_of(&e) : nullptr);
  made->gate = std::make_shared<operation>(operation_kind::mark);
  e.environment = made;
  return made;
}

cudaError_t launch_from_kernel(cudaGraphExec_t graph, cudaStream_t stream, operation& grid,
                               const std::shared_ptr<graph_environment>& from) {
  const auto held = scheduler::instance().lock();
  executable* const e = find_executable(graph);
  if (!e || !e->is_device_graph() || !e->uploaded || e->device != grid.device || is_busy(*e, *from, stream)) {
    return cudaErrorInvalidValue;
  }
  if (const cudaError_t refused = e->uploaded->permits_launch(); refused != cudaSuccess) return refused;
  const auto launched = std::make_shared<graph_environment>(graph);
  launched->steps = e->uploaded;
  cudaError_t error = cudaSuccess;
  if (stream == fire_and_forget) {
    error = begin_child(launched, grid, from, from);
  } else if (stream == sibling) {
    launched->continue_chain(*from);
    from->has_sibling = true;
    error = begin_child(launched, grid, from->parent, from->gate);
  } else if (stream != tail_launch) {
    error = cudaErrorInvalidValue;
  } else if (from->tails.size() == most_tails) {
    error = cudaErrorLaunchPendingCountExceeded;
  } else {
    from->tails.push_back(launched);
  }
  if (error == cudaSuccess) e->environment = launched;
  return error;
}

}  // namespace cohort::runtime
