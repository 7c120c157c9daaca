// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/graph/launch/launch.hpp"

#include <algorithm>
#include <utility>

#include "runtime/graph/launch/conditional_operation.hpp"
#include "runtime/launch/kernel_operation.hpp"
#include "runtime/memory/graph/memory_operations.hpp"
#include "runtime/state/operation_listener.hpp"
#include "runtime/stream/event.hpp"

namespace cohort::runtime {

namespace {

operation_ref make_mark() { return std::make_shared<operation>(operation_kind::mark); }

// Assigns the default values of a graph's conditions when a launch begins.
class begin_operation : public operation {
 public:
  explicit begin_operation(std::shared_ptr<const program> p)
      : operation(operation_kind::mark), program_(std::move(p)) {}

 protected:
  cudaError_t execute() override {
    for (const auto& each : program_->conditions) each->begin_launch();
    return cudaSuccess;
  }

 private:
  std::shared_ptr<const program> program_;
};

// Ends the launch of a graph with conditions. It keeps the program: kernels may set conditions until then, even if the
// graph is destroyed.
class end_operation : public operation {
 public:
  explicit end_operation(std::shared_ptr<const program> p) : operation(operation_kind::mark), program_(std::move(p)) {}

 private:
  std::shared_ptr<const program> program_;
};

}  // namespace

void append_operations(plan& steps, const std::shared_ptr<const program>& p, std::vector<size_t> entry,
                       const former_memory& former, const operation_ref& environment) {
  const auto add = [&](operation_ref op, device_state* device, std::vector<size_t> after) {
    steps.push_back({std::move(op), device, std::move(after)});
    return steps.size() - 1;
  };
  if (!p->conditions.empty()) entry.assign(1, add(std::make_shared<begin_operation>(p), nullptr, std::move(entry)));
  std::vector<size_t> last_of(p->steps.size());  // step -> its last operation
  for (size_t i = 0; i < p->steps.size(); ++i) {
    const program_step& step = p->steps[i];
    std::vector<size_t> after;
    after.reserve(step.after.size());
    for (size_t before : step.after) after.push_back(last_of[before]);
    if (after.empty()) after = entry;
    if (step.conditional) {
      const operation_ref end = make_mark();
      const size_t first =
          add(std::make_shared<conditional_operation>(step.conditional, end, environment), step.device, after);
      last_of[i] = add(end, step.device, {first});
    } else if (!step.work) {
      last_of[i] = add(make_mark(), step.device, std::move(after));
    } else if (const auto* const made = dynamic_cast<const graph_allocation_operation*>(step.work.get())) {
      const auto found = former.find(i);
      auto op =
          std::make_shared<graph_allocation_operation>(made->memory(), found == former.end() ? nullptr : found->second);
      last_of[i] = add(std::move(op), step.device, std::move(after));
    } else {
      const operation_ref op = step.work->again();
      if (auto* const kernel = environment ? dynamic_cast<kernel_operation*>(op.get()) : nullptr) {
        kernel->environment = environment;
      }
      last_of[i] = add(op, step.device, std::move(after));
      if (const auto* const wait = dynamic_cast<const event_wait_operation*>(step.work.get())) {
        steps.back().extra = wait->awaited();
      }
    }
  }
  if (!p->conditions.empty()) add(std::make_shared<end_operation>(p), nullptr, {last_of.back()});
}

cudaError_t launch_memory::find_pages() {
  for (const memory_step& each : program_.memory) {
    if (!each.allocates) {
      blocks_.give(*each.memory, each.step);
      continue;
    }
    graph_memory_ref former;
    const auto follows = [&](size_t earlier) { return program_.follows(each.step, earlier); };
    if (const cudaError_t error = blocks_.take(each.memory, follows, &former); error != cudaSuccess) return error;
    if (former) former_.emplace(each.step, std::move(former));
  }
  return cudaSuccess;
}

cudaError_t launch_memory::prepare(bool frees_live) {
  for (const memory_step& each : program_.memory) balance_[each.memory] += each.allocates ? 1 : -1;
  for (const auto& [memory, allocations] : balance_) {
    if (allocations < 0 && !memory->live) return cudaErrorInvalidValue;
    if (allocations < 0 || !memory->live) continue;
    if (!frees_live) return cudaErrorInvalidValue;
    freed_first_.push_back(memory);
  }
  const cudaError_t error = find_pages();
  if (error != cudaSuccess) blocks_.undo();
  return error;
}

std::vector<size_t> launch_memory::append_entry(plan& steps) const {
  std::vector<size_t> entry;
  for (const auto& [memory, allocations] : balance_) {
    operation_ref op = make_mark();
    const bool is_freed = std::find(freed_first_.begin(), freed_first_.end(), memory) != freed_first_.end();
    if (is_freed) op = std::make_shared<graph_free_operation>(memory, current_call_site());
    operation_ref last = memory->last_use.lock();
    if (!is_freed && !last) continue;
    steps.push_back({std::move(op), nullptr, {}, std::move(last)});
    entry.push_back(steps.size() - 1);
  }
  return entry;
}

std::vector<physical_block_ref> launch_memory::commit(const operation_ref& end, std::vector<graph_memory_ref>* ended) {
  for (const auto& [memory, allocations] : balance_) {
    memory->last_use = end;
    if (allocations > 0) {
      memory->live = memory;
    } else if (memory->live) {
      ended->push_back(std::move(memory->live));
    }
  }
  return blocks_.commit(end);
}

}  // namespace cohort::runtime
