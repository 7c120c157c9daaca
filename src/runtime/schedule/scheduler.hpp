// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scheduler. It runs the operations of all streams in an order that the graph permits.
//
// Threads of the runtime run operations; there is one for each operation that can run at the same time. A host thread
// that waits for an operation runs it itself if it has not started. A launch followed by a synchronisation therefore
// needs no switch of threads.
//
// One lock guards the graph, the streams and the events. No operation runs under the lock.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

#include "runtime/schedule/ready_operations.hpp"
#include "runtime/state/device_state.hpp"
#include "runtime/state/operation.hpp"
#include "runtime/state/stream.hpp"

namespace cohort::runtime {

class scheduler {
 public:
  // The only scheduler. Made at the first use and never destroyed, because its threads outlive main().
  static scheduler& instance();

  std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }

  // Appends `op` to `s`. `op` also waits for `extra`, which may be null or finished. If the stream is captured, the
  // capture records `op` instead; after an error of the capture `op` is dropped and the error returned.
  cudaError_t submit(stream& s, const operation_ref& op, const operation_ref& extra = nullptr);
  // Appends `op` as submit() does. pre: the caller holds the lock
  cudaError_t submit_locked(stream& s, const operation_ref& op, const operation_ref& extra = nullptr);
  // An operation with edges of its own. `after` are indices of earlier operations in the same list. The operation also
  // waits for `extra`, which may be null or finished.
  struct planned {
    operation_ref op;
    device_state* device;  // null: the stream's device
    std::vector<size_t> after;
    operation_ref extra = nullptr;
  };
  // Appends a list of operations to `s` as one unit: the first operations wait for prior work of the stream and for
  // `extra`, and later work waits for the whole list. Returns the mark that is reached after the last operation. pre:
  // the caller holds the lock, and the stream is not captured
  operation_ref submit_graph_locked(stream& s, const std::vector<planned>& plan, const operation_ref& extra);
  // Submits the operations of `plan`, then `last`, as a continuation of `running`, which the calling thread executes.
  // All belong to the submission of `running`, and `last` precedes `end`. pre: `end` follows `running` and has not
  // finished
  void continue_with(operation& running, const std::vector<planned>& plan, const operation_ref& last,
                     const operation_ref& end);
  // Submits the operations of `plan`, then `last`, for the running thread of a kernel: they begin after `running`, the
  // operation of its grid. The listener is told that only that thread's earlier accesses happen before them. pre: the
  // caller holds the lock; `end` follows `running` and has not finished; `plan` is not empty
  static void launch_locked(operation& running, const std::vector<planned>& plan, const operation_ref& last,
                            const operation_ref& end);
  // Appends `op` to several streams, each of another device. `op` waits for prior work of all the streams, and later
  // work of all of them waits for `op`. A kernel is then the only one on all the devices. pre: `streams` is not empty
  void submit_together(std::span<stream* const> streams, const operation_ref& op);
  // Appends `op` to `s`, waits for its predecessors, runs it on the calling thread and returns its error.
  cudaError_t run_here(stream& s, const operation_ref& op);
  // True if an operation appended to `s` now would have no unfinished predecessor.
  bool is_idle(stream& s);
  bool is_idle_locked(stream& s) const;

  // Reports to the listener that the calling host thread has found `op` finished: what follows on this thread happens
  // after it.
  static void tell_awaited(const operation_ref& op);
  // Reports to the listener that the calling host thread has found the stream idle.
  void note_idle(stream& s);
  // Reports to the listener that the stream is about to be deleted. pre: the caller holds the lock
  static void note_departure(const stream& s);

  // Waits until `op` has finished. `op` may be null.
  void wait(const operation_ref& op);
  void wait_for_stream(stream& s);
  void wait_for_device(device_state& device);
  // Waits for all operations of all devices.
  void wait_for_all_devices();
  // Calls `body` under the lock while no operation that accesses memory runs. Host functions of streams may run.
  template <class Body>
  void run_alone(Body&& body);
  // Waits for all devices, unless the caller is a thread of the runtime. Called at exit and before code is unloaded.
  void drain();

  // While an object exists, the program ends or a device is reset: waits of operations then end early.
  class end_scope {
   public:
    end_scope() { instance().ends_.fetch_add(1); }
    ~end_scope() { instance().ends_.fetch_sub(1); }
    end_scope(const end_scope&) = delete;
  };
  // Marks the running operation of the calling thread as one that only waits.
  class wait_scope {
   public:
    wait_scope() { instance().waits_.fetch_add(1); }
    ~wait_scope() { instance().waits_.fetch_sub(1); }
    wait_scope(const wait_scope&) = delete;
  };
  // True if the program ends or a device is reset, and all operations that run only wait.
  bool only_waits_end();

  // True while the calling thread runs a host function of a stream, which must not call the runtime API.
  static bool in_host_function();

 private:
  scheduler();
  void begin_child();
  void start_or_queue(const operation_ref& op);
  void make_ready(const operation_ref& op);
  void finish(const operation_ref& op, cudaError_t error);
  cudaError_t run(const operation_ref& op);
  void begin_run(operation& op);
  void run_unlocked(std::unique_lock<std::mutex>& held, const operation_ref& op);
  void help(std::unique_lock<std::mutex>& held, operation& target);
  void wake_executors();
  void executor_main();

  std::mutex mutex_;
  std::condition_variable work_to_do_;
  std::condition_variable nothing_runs_;
  size_t running_ = 0;            // operations that run and may access memory of devices
  size_t executing_ = 0;          // all operations that run
  std::atomic<size_t> waits_{0};  // running operations that only wait
  std::atomic<int> ends_{0};      // ends of the program and resets of devices in progress
  ready_operations ready_;
  std::vector<operation_ref> ready_marks_;  // used within finish() only
  size_t executors_ = 0;
  size_t idle_executors_ = 0;
  uint64_t last_token_ = 0;
};

template <class Body>
void scheduler::run_alone(Body&& body) {
  auto held = lock();
  nothing_runs_.wait(held, [this] { return running_ == 0; });
  body();
}

}  // namespace cohort::runtime
