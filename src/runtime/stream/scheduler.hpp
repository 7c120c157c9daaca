// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the operations of all streams in an order that the graph allows.
//
// Who runs them: threads of the runtime, as many as there are operations that can run at the same time, and any host
// thread that waits: it runs what it waits for, if nobody has started that yet. So a launch followed by a
// synchronisation costs no change of threads, and a launch that nobody waits for runs all the same.
//
// One lock guards the graph, the streams and the events; no operation runs under it.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <span>
#include <vector>

#include "../device/device_state.hpp"
#include "operation.hpp"
#include "stream.hpp"

namespace cohort::runtime {

class scheduler {
 public:
  // Made at the first use and never destroyed, because its threads outlive main().
  static scheduler& instance();

  std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }

  // Appends `op` to `s`. The second form lets it wait for `extra` too (which may be null or finished).
  void submit(stream& s, const operation_ref& op, const operation_ref& extra = nullptr);
  // The same for a caller that holds the lock.
  void submit_locked(stream& s, const operation_ref& op, const operation_ref& extra = nullptr);
  // Appends `op` to several streams at once, each of another device: it waits for what is in any of them, what comes
  // later in any of them waits for it, and a kernel has all their devices to itself. pre: `streams` is not empty
  void submit_together(std::span<stream* const> streams, const operation_ref& op);
  // Appends `op` to `s`, waits for its turn, runs it on the calling thread, returns its error.
  cudaError_t run_here(stream& s, const operation_ref& op);
  // True if nothing would have to finish before an operation appended to `s` now.
  bool is_idle(stream& s);
  bool is_idle_locked(stream& s) const;

  // Returns when `op` has finished; `op` may be null.
  void wait(const operation_ref& op);
  void wait_for_stream(stream& s);
  void wait_for_device(device_state& device);
  // The same for all devices.
  void wait_for_all_devices();
  // Waits for all devices; nothing on the runtime's own threads. Called before code is unloaded and at exit.
  void drain();

  // True on a thread that runs a host function of a stream: it must not call the runtime.
  static bool in_host_function();

 private:
  scheduler();
  void begin_child();
  static void forget_work(std::vector<operation_ref> unfinished);
  void link(const operation_ref& op, const operation_ref& predecessor);
  void link_stream(stream& s, const operation_ref& op);
  void start_or_queue(const operation_ref& op);
  void make_ready(const operation_ref& op);
  void finish(const operation_ref& op, cudaError_t error);
  cudaError_t run(const operation_ref& op);
  void run_unlocked(std::unique_lock<std::mutex>& held, const operation_ref& op);
  operation_ref take_any();
  operation_ref take_wanted(uint64_t token);
  static operation* next_kernel(const device_state& device);
  operation_ref take_kernel(device_state& device, uint64_t token);
  void mark_wanted(operation& target, uint64_t token);
  void help(std::unique_lock<std::mutex>& held, operation& target);
  size_t runnable() const;
  void wake_executors();
  void executor_main();

  std::mutex mutex_;
  std::condition_variable work_to_do_;
  std::deque<operation_ref> ready_work_;
  std::vector<operation_ref> ready_marks_;  // inside finish and submit only
  size_t executors_ = 0;
  size_t idle_executors_ = 0;
  uint64_t last_token_ = 0;
};

}  // namespace cohort::runtime
