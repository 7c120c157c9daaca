// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/scheduler.hpp"

#include <pthread.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include <cohort/base/cpu_pause.hpp>

#include "runtime/error/error.hpp"
#include "runtime/schedule/captures.hpp"
#include "runtime/schedule/operation_edges.hpp"
#include "runtime/state/operation_listener.hpp"
#include "runtime/trace/traced_operation.hpp"

namespace cohort::runtime {

namespace {

// How a trace shows that a host thread waits for an operation, or is held while it executes one.
constexpr operation_label host_wait{"wait", "wait for an operation"};

constexpr size_t most_executors = 256;
constexpr int spin_limit = 256;

thread_local bool is_executor = false;
thread_local bool runs_host_function = false;

bool may_access(const operation& op) { return op.kind != operation_kind::host_function && op.uses_memory; }

}  // namespace

scheduler& scheduler::instance() {
  static scheduler* const the_scheduler = new scheduler;
  return *the_scheduler;
}

// Finishes all work at exit, before the destructors of the program's objects run.
scheduler::scheduler() {
  std::atexit([] {
    const end_scope ends;
    instance().drain();
  });
  pthread_atfork([] { instance().mutex_.lock(); }, [] { instance().mutex_.unlock(); },
                 [] {
                   instance().begin_child();
                   instance().mutex_.unlock();
                 });
}

// Resets the scheduler in the child of a fork. The parent's threads do not exist in the child, and its work remains the
// parent's, so all of it counts as finished. Work of the child gets new threads.
void scheduler::begin_child() {
  executors_ = idle_executors_ = running_ = executing_ = 0;
  waits_ = 0;
  ends_ = 0;
  new (&nothing_runs_) std::condition_variable;
  new (&work_to_do_) std::condition_variable;  // the copied state counts waiting threads that do not exist in the child
  std::vector<operation_ref> unfinished = ready_.take_all();
  for (int i = 0; devices_exist() && i < device_count(); ++i) {
    device_state& device = device_at(i);
    unfinished.push_back(device.legacy.last);
    for (const auto& s : device.streams) unfinished.push_back(s->last);
  }
  abandon(std::move(unfinished));
}

bool scheduler::in_host_function() { return runs_host_function; }

cudaError_t scheduler::submit_locked(stream& s, const operation_ref& op, const operation_ref& extra) {
  if (s.recorder) return s.recorder->record(s, op);
  if (const cudaError_t error = permit_work_locked(s); error != cudaSuccess) return error;
  link_stream(s, op);
  link(op, extra);
  note_submitted(op);
  start_or_queue(op);
  return cudaSuccess;
}

cudaError_t scheduler::submit(stream& s, const operation_ref& op, const operation_ref& extra) {
  auto held = lock();
  return submit_locked(s, op, extra);
}

operation_ref scheduler::submit_graph_locked(stream& s, const std::vector<planned>& plan, const operation_ref& extra) {
  const auto begin = std::make_shared<operation>(operation_kind::mark);
  link_stream(s, begin);
  link(begin, extra);
  note_submitted(begin);
  start_or_queue(begin);
  const auto end = std::make_shared<operation>(operation_kind::mark);
  end->device = s.device;
  link(end, begin);
  for (const planned& each : plan) {
    each.op->device = each.device ? each.device : s.device;
    each.op->stream = static_cast<uint32_t>(s.id);
    each.op->priority += s.priority;
    link(each.op, begin);
    link(each.op, each.extra);
    for (size_t before : each.after) link(each.op, plan[before].op);
    note_submitted(each.op);
    start_or_queue(each.op);
    link(end, each.op);
  }
  s.last = end;
  note_submitted(end);
  start_or_queue(end);
  return end;
}

namespace {

// Submits a part of `running`. `follow(op, is_first)` makes `op` follow it; the first operations follow no other one.
template <class Follow>
void submit_part(operation& running, const std::vector<scheduler::planned>& plan, const operation_ref& last,
                 const operation_ref& end, Follow&& follow) {
  const auto append = [&](const operation_ref& op, device_state* device, bool is_first) {
    op->device = device ? device : running.device;
    op->stream = running.stream;
    op->priority += running.priority;
    op->wanted_by = running.wanted_by;
    follow(op, is_first);
  };
  const auto note = [&](const operation_ref& op) {
    if (installed_operation_listener) installed_operation_listener->continued(*op, running);
  };
  append(last, nullptr, false);
  for (const scheduler::planned& each : plan) {
    append(each.op, each.device, each.after.empty());
    link(each.op, each.extra);
    for (size_t before : each.after) link(each.op, plan[before].op);
    note(each.op);
    link(last, each.op);
  }
  note(last);
  link(end, last);
  end->has_late_edges = true;
}

}  // namespace

void scheduler::continue_with(operation& running, const std::vector<planned>& plan, const operation_ref& last,
                              const operation_ref& end) {
  auto held = lock();
  submit_part(running, plan, last, end, [&](const operation_ref& op, bool) { link(op, running); });
}

void scheduler::launch_locked(operation& running, const std::vector<planned>& plan, const operation_ref& last,
                              const operation_ref& end) {
  submit_part(running, plan, last, end, [&](const operation_ref& op, bool is_first) {
    if (is_first && installed_operation_listener) installed_operation_listener->launched(*op, running);
    add_edge(op, running);
  });
}

void scheduler::submit_together(std::span<stream* const> streams, const operation_ref& op) {
  auto held = lock();
  for (stream* s : streams) link_stream(*s, op);
  note_submitted(op);
  start_or_queue(op);
}

void scheduler::start_or_queue(const operation_ref& op) {
  if (!op->predecessors.empty()) return;
  if (op->kind == operation_kind::mark) {
    op->execute();
    op->at.store(operation::step::finished, std::memory_order_release);
    return;
  }
  make_ready(op);
  wake_executors();
}

void scheduler::make_ready(const operation_ref& op) {
  op->at.store(operation::step::ready, std::memory_order_release);
  if (op->reserved) {
    op->at.notify_all();
  } else {
    ready_.add(op);
  }
}

void scheduler::finish(const operation_ref& op, cudaError_t error) {
  --executing_;
  if (may_access(*op) && --running_ == 0) nothing_runs_.notify_all();
  op->on_all_devices([&](device_state& device) {
    if (op->kind == operation_kind::kernel) device.kernel_runs = false;
    if (error != cudaSuccess) record_failure(device, error);
    return true;
  });
  ready_marks_.push_back(op);
  while (!ready_marks_.empty()) {
    const operation_ref ended = std::move(ready_marks_.back());
    ready_marks_.pop_back();
    if (ended->kind == operation_kind::mark) ended->execute();
    ended->at.store(operation::step::finished, std::memory_order_release);
    ended->at.notify_all();
    for (operation_ref& follower : ended->followers) {
      if (ended->has_late_edges && installed_operation_listener) {
        installed_operation_listener->ordered(*follower, *ended);
        follower->has_late_edges = true;
      }
      auto& left = follower->predecessors;
      left.erase(std::find(left.begin(), left.end(), ended.get()));
      if (!left.empty()) continue;
      if (follower->kind == operation_kind::mark) {
        ready_marks_.push_back(std::move(follower));
      } else {
        make_ready(follower);
      }
    }
    ended->followers.clear();
  }
}

// Executes the operation. After a fatal error of a device, only its host functions still run.
cudaError_t scheduler::run(const operation_ref& op) {
  const bool dead = !op->on_all_devices(
      [](device_state& device) { return device.fatal_error.load(std::memory_order_acquire) == cudaSuccess; });
  const bool is_host_function = op->kind == operation_kind::host_function;
  if (dead && !is_host_function) return cudaSuccess;
  if (installed_operation_listener) installed_operation_listener->begins(*op);
  runs_host_function = is_host_function;
  cudaError_t error = cudaSuccess;
  {
    const traced_operation traced(op->label(), op.get());
    error = op->execute();
  }
  runs_host_function = false;
  if (is_host_function) error = cudaSuccess;
  if (!installed_operation_listener) return error;
  const cudaError_t found = installed_operation_listener->ends(*op);
  return error != cudaSuccess ? error : found;
}

// Marks the operation as running. pre: the lock is held
void scheduler::begin_run(operation& op) {
  op.at.store(operation::step::running, std::memory_order_relaxed);
  running_ += may_access(op);
  ++executing_;
}

void scheduler::run_unlocked(std::unique_lock<std::mutex>& held, const operation_ref& op) {
  held.unlock();
  const cudaError_t error = run(op);
  held.lock();
  finish(op, error);
}

// A waiting host thread runs only operations that its target depends on: another kernel may be waiting for this
// thread's next action.
void scheduler::help(std::unique_lock<std::mutex>& held, operation& target) {
  const uint64_t token = ++last_token_;
  mark_wanted(target, token);
  while (operation_ref op = ready_.take_wanted(token)) {
    begin_run(*op);
    run_unlocked(held, op);
    if (ready_.count() > 1) wake_executors();
  }
  wake_executors();
}

namespace {

// Waits until `state` differs from `value`. Polls first, because suspending the thread takes longer than most waits.
template <class State>
void wait_while(std::atomic<State>& state, State value) {
  for (int i = 0; i < spin_limit; ++i) {
    if (state.load(std::memory_order_acquire) != value) return;
    detail::cpu_pause();
  }
  state.wait(value, std::memory_order_acquire);
}

}  // namespace

void scheduler::wait(const operation_ref& op) {
  if (!op) return;
  if (op->finished()) return tell_awaited(op);
  const traced_operation traced(host_wait);
  {
    auto held = lock();
    if (!op->finished()) help(held, *op);
  }
  for (auto now = op->at.load(std::memory_order_acquire); now != operation::step::finished;
       now = op->at.load(std::memory_order_acquire)) {
    wait_while(op->at, now);
  }
  tell_awaited(op);
}

cudaError_t scheduler::run_here(stream& s, const operation_ref& op) {
  const traced_operation traced(op->label().name ? host_wait : operation_label{});
  auto held = lock();
  op->reserved = true;
  link_stream(s, op);
  note_submitted(op);
  if (!op->predecessors.empty()) {
    help(held, *op);
    held.unlock();
    wait_while(op->at, operation::step::waiting);
    held.lock();
  }
  begin_run(*op);
  held.unlock();
  const cudaError_t error = run(op);
  held.lock();
  finish(op, error);
  wake_executors();
  return error;
}

bool scheduler::is_idle_locked(stream& s) const {
  if (!s.idle()) return false;
  if (s.blocking()) return s.device->legacy.idle();
  if (!s.is_legacy) return true;
  return std::all_of(s.device->streams.begin(), s.device->streams.end(),
                     [](const auto& other) { return !other->blocking() || other->idle(); });
}

bool scheduler::is_idle(stream& s) {
  auto held = lock();
  return is_idle_locked(s);
}

bool scheduler::only_waits_end() {
  if (ends_.load(std::memory_order_relaxed) == 0) return false;
  auto held = lock();
  return executing_ == waits_.load() && ready_.count() == 0;
}

void scheduler::drain() {
  if (is_executor || !devices_exist()) return;
  wait_for_all_devices();
}

// Provides one thread for each operation that can run, because an operation may wait for an operation of another
// stream.
void scheduler::wake_executors() {
  const size_t wanted = ready_.count();
  for (size_t i = 0; i < std::min(wanted, idle_executors_); ++i) work_to_do_.notify_one();
  for (size_t i = idle_executors_; i < wanted && executors_ < most_executors; ++i) {
    try {
      std::thread([this] { executor_main(); }).detach();
      ++executors_;
      ++idle_executors_;
    } catch (const std::system_error&) {
      break;  // the threads that exist do the work later
    }
  }
}

void scheduler::executor_main() {
  is_executor = true;
  auto held = lock();
  for (;;) {
    if (operation_ref op = ready_.take_any()) {
      --idle_executors_;
      while (op) {
        begin_run(*op);
        wake_executors();
        run_unlocked(held, op);
        op = ready_.take_any();
      }
      ++idle_executors_;
    }
    work_to_do_.wait(held);
  }
}

}  // namespace cohort::runtime
