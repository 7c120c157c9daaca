// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/grid_work.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <cohort/machine/cpu/port.hpp>

#include "runtime/launch/kernel_operation.hpp"
#include "runtime/schedule/scheduler.hpp"
#include "runtime/state/operation_listener.hpp"
#include "runtime/trace/traced_operation.hpp"

namespace cohort::runtime {

namespace {

// Handles of cuda_device_runtime_api.h that name no created stream.
const cudaStream_t tail_launch = reinterpret_cast<cudaStream_t>(uintptr_t{3});
const cudaStream_t fire_and_forget = reinterpret_cast<cudaStream_t>(uintptr_t{4});

// The key of a block's null stream in the table of implicit streams; each thread has a rank below it.
constexpr uint32_t whole_block = ~uint32_t{0};

void add_unfinished(std::vector<operation_ref>& list, const operation_ref& op) {
  if (op && !op->finished()) list.push_back(op);
}

}  // namespace

// A submitted operation and those that precede it.
struct grid_work::submitted {
  operation_ref op;
  std::vector<operation_ref> after;
};

struct grid_work::device_stream {
  operation_ref last;
  std::vector<operation_ref> waits;  // the work of events that the stream waits for
};

struct grid_work::device_event {
  std::vector<operation_ref> recorded;
};

struct grid_work::contents {
  std::mutex mutex;
  std::deque<submitted> children, tails;
  std::unordered_map<device_thread, device_stream, device_thread::hash> implicit_streams;
  std::unordered_map<cudaStream_t, std::unique_ptr<device_stream>> streams;
  std::unordered_map<cudaEvent_t, std::unique_ptr<device_event>> events;
  std::unordered_map<device_thread, cudaError_t, device_thread::hash> errors;
  device_stream tail;
  std::atomic<bool> has_errors{false};
};

// A grid whose threads have ended and whose work has not.
struct grid_work::open_grid {
  std::unique_ptr<grid_work> owned;
  grid_work* work = nullptr;
  // Operations that finish with the grid: its own and those of grids that it replaced. Empty: the scheduler finishes
  // it.
  std::vector<operation_ref> ops;
};

grid_work::~grid_work() {
  drop_all();
  delete contents_.load(std::memory_order_acquire);
}

grid_work* grid_work::of_running_grid() { return static_cast<grid_work*>(cohort_launch_owner()); }

grid_work::contents& grid_work::own() {
  if (contents* const made = contents_.load(std::memory_order_acquire)) return *made;
  auto fresh = std::make_unique<contents>();
  contents* none = nullptr;
  return contents_.compare_exchange_strong(none, fresh.get()) ? *fresh.release() : *none;
}

bool grid_work::is_empty() const {
  const contents* const c = contents_.load(std::memory_order_acquire);
  return !c || (c->children.empty() && c->tails.empty());
}

// The stream that an operation joins; null for handles of other grids. pre: the lock is held
grid_work::device_stream* grid_work::find_stream(cudaStream_t handle, const device_thread& thread) {
  contents& c = own();
  if (!handle || handle == cudaStreamLegacy) return &c.implicit_streams[{thread.block, whole_block}];
  if (handle == cudaStreamPerThread) return &c.implicit_streams[thread];
  if (handle == tail_launch) return &c.tail;
  const auto found = c.streams.find(handle);
  return found == c.streams.end() ? nullptr : found->second.get();
}

cudaError_t grid_work::submit(cudaStream_t handle, const device_thread& thread, const operation_ref& op) {
  device_state& device = device_at(static_cast<int>(cohort_device_index()));
  contents& c = own();
  const std::lock_guard lock(c.mutex);
  submitted next{op, {}};
  device_stream* const s = handle == fire_and_forget ? nullptr : find_stream(handle, thread);
  if (!s && handle != fire_and_forget) return cudaErrorInvalidResourceHandle;
  if (device.pending_launches.fetch_add(1) >= device.pending_launch_limit.load(std::memory_order_relaxed)) {
    device.pending_launches.fetch_sub(1);
    return cudaErrorLaunchPendingCountExceeded;
  }
  op->device = &device;
  op->stream = grid_.stream;
  if (s) {
    next.after = std::move(s->waits);
    s->waits.clear();
    if (s->last) next.after.push_back(s->last);
    s->last = op;
  }
  if (installed_operation_listener) installed_operation_listener->launched(*op, grid_);
  (handle == tail_launch ? c.tails : c.children).push_back(std::move(next));
  return cudaSuccess;
}

cudaError_t grid_work::create_stream(cudaStream_t* made) {
  contents& c = own();
  const std::lock_guard lock(c.mutex);
  auto fresh = std::make_unique<device_stream>();
  *made = reinterpret_cast<cudaStream_t>(fresh.get());
  c.streams.emplace(*made, std::move(fresh));
  return cudaSuccess;
}

cudaError_t grid_work::destroy_stream(cudaStream_t handle) {
  contents& c = own();
  const std::lock_guard lock(c.mutex);
  return c.streams.erase(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t grid_work::create_event(cudaEvent_t* made) {
  contents& c = own();
  const std::lock_guard lock(c.mutex);
  auto fresh = std::make_unique<device_event>();
  *made = reinterpret_cast<cudaEvent_t>(fresh.get());
  c.events.emplace(*made, std::move(fresh));
  return cudaSuccess;
}

cudaError_t grid_work::destroy_event(cudaEvent_t handle) {
  contents& c = own();
  const std::lock_guard lock(c.mutex);
  return c.events.erase(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t grid_work::record_event(cudaEvent_t handle, cudaStream_t stream, const device_thread& thread) {
  if (stream == tail_launch || stream == fire_and_forget) return cudaErrorInvalidValue;
  contents& c = own();
  const std::lock_guard lock(c.mutex);
  const auto event = c.events.find(handle);
  device_stream* const s = find_stream(stream, thread);
  if (event == c.events.end() || !s) return cudaErrorInvalidResourceHandle;
  event->second->recorded.clear();
  add_unfinished(event->second->recorded, s->last);
  for (const operation_ref& op : s->waits) add_unfinished(event->second->recorded, op);
  return cudaSuccess;
}

cudaError_t grid_work::wait_for_event(cudaStream_t stream, const device_thread& thread, cudaEvent_t handle) {
  if (stream == tail_launch || stream == fire_and_forget) return cudaErrorInvalidValue;
  contents& c = own();
  const std::lock_guard lock(c.mutex);
  const auto event = c.events.find(handle);
  device_stream* const s = find_stream(stream, thread);
  if (event == c.events.end() || !s) return cudaErrorInvalidResourceHandle;
  s->waits.insert(s->waits.end(), event->second->recorded.begin(), event->second->recorded.end());
  return cudaSuccess;
}

void grid_work::set_error(const device_thread& thread, cudaError_t error) {
  contents& c = own();
  const std::lock_guard lock(c.mutex);
  c.errors[thread] = error;
  c.has_errors.store(true, std::memory_order_release);
}

cudaError_t grid_work::error_of(const device_thread& thread, bool clears) {
  contents* const c = contents_.load(std::memory_order_acquire);
  if (!c || !c->has_errors.load(std::memory_order_acquire)) return cudaSuccess;
  const std::lock_guard lock(c->mutex);
  const auto found = c->errors.find(thread);
  if (found == c->errors.end()) return cudaSuccess;
  const cudaError_t error = found->second;
  if (clears) c->errors.erase(found);
  return error;
}

// Takes work that can run. Submission order is a valid order, because work follows earlier submissions only; a seed of
// COHORT_SCHEDULE chooses among all that is ready.
bool grid_work::take(submitted* next) {
  contents* const c = contents_.load(std::memory_order_acquire);
  if (!c || c->children.empty()) return false;
  constexpr size_t most_choices = 32;
  std::vector<size_t> ready;
  for (size_t i = 0; i < std::min(c->children.size(), most_choices); ++i) {
    const bool waits = std::any_of(c->children[i].after.begin(), c->children[i].after.end(),
                                   [](const operation_ref& op) { return !op->finished(); });
    if (!waits) ready.push_back(i);
    if (ready.size() == 1 && cohort_select_number(2) == 0) break;
  }
  const size_t index = ready.size() > 1 ? ready[cohort_select_number(static_cast<uint32_t>(ready.size()))] : ready[0];
  *next = std::move(c->children[index]);
  c->children.erase(c->children.begin() + static_cast<std::ptrdiff_t>(index));
  return true;
}

bool grid_work::take_tail(submitted* next) {
  contents* const c = contents_.load(std::memory_order_acquire);
  if (!c || c->tails.empty()) return false;
  *next = std::move(c->tails.front());
  c->tails.pop_front();
  return true;
}

void grid_work::drop_all() {
  contents* const c = contents_.load(std::memory_order_acquire);
  if (!c) return;
  for (std::deque<submitted>* const list : {&c->children, &c->tails}) {
    for (const submitted& each : *list) each.op->device->pending_launches.fetch_sub(1);
    list->clear();
  }
}

// Runs an operation that a thread of `parent` has submitted.
cudaError_t grid_work::begin(grid_work& parent, const submitted& next, bool is_tail, open_grid* begun) {
  operation& op = *next.op;
  op.device->pending_launches.fetch_sub(1);
  begun->ops.push_back(next.op);
  if (installed_operation_listener) {
    const auto held = scheduler::instance().lock();
    if (is_tail) installed_operation_listener->ordered(op, parent.grid_);
    for (const operation_ref& before : next.after) installed_operation_listener->ordered(op, *before);
    installed_operation_listener->continued(op, parent.grid_);
  }
  if (installed_operation_listener) installed_operation_listener->begins(op);
  cudaError_t error = cudaSuccess;
  {
    const traced_operation traced(op.label(), &op);
    if (auto* const kernel = dynamic_cast<kernel_operation*>(&op)) {
      begun->owned = std::make_unique<grid_work>(op);
      begun->work = begun->owned.get();
      error = kernel->run_grid(*begun->work);
    } else {
      error = op.execute();
    }
  }
  if (!installed_operation_listener) return error;
  const cudaError_t found = installed_operation_listener->ends(op);
  return error != cudaSuccess ? error : found;
}

// Ends a grid with all of its work. `parent` is the operation of the grid that has launched it.
void grid_work::close(const open_grid& ended, operation& parent) {
  for (const operation_ref& op : ended.ops) {
    op->at.store(operation::step::finished, std::memory_order_release);
    if (!installed_operation_listener) continue;
    const auto held = scheduler::instance().lock();
    installed_operation_listener->ordered(parent, *op);
    parent.has_late_edges = true;
  }
}

cudaError_t grid_work::run() {
  if (is_empty()) return cudaSuccess;
  std::vector<open_grid> open(1);
  open.back().work = this;
  cudaError_t error = cudaSuccess;
  while (error == cudaSuccess) {
    grid_work& parent = *open.back().work;
    submitted next;
    const bool is_child = parent.take(&next);
    if (!is_child && !parent.take_tail(&next)) {
      if (open.size() == 1) break;
      const open_grid ended = std::move(open.back());
      open.pop_back();
      close(ended, open.back().work->grid_);
      continue;
    }
    open_grid begun;
    error = begin(parent, next, !is_child, &begun);
    if (!begun.work || begun.work->is_empty()) {
      close(begun, parent.grid_);
    } else if (is_child || open.size() == 1 || !parent.is_empty()) {
      open.push_back(std::move(begun));
    } else {
      // A grid's last tail launch takes the grid's entry in `open`: a chain of tail launches uses constant memory.
      open_grid& replaced = open.back();
      std::erase_if(replaced.ops, [](const operation_ref& op) { return op.use_count() == 1 && !op->followed; });
      begun.ops.insert(begun.ops.end(), replaced.ops.begin(), replaced.ops.end());
      replaced = std::move(begun);
    }
  }
  for (const open_grid& left : open) left.work->drop_all();
  return error;
}

}  // namespace cohort::runtime
