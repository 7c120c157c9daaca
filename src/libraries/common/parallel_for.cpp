// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/common/parallel_for.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

namespace cohort::libraries {

namespace {

// A loop that threads take parts of. Late threads find no part, and the caller does not wait for them.
class loop {
 public:
  loop(int64_t count, int64_t step, const std::function<void(int64_t, int64_t)>& run)
      : count_(count), step_(step), parts_((count + step - 1) / step), run_(run) {}

  bool has_parts() const { return next_.load(std::memory_order_relaxed) < parts_; }
  void work() {
    for (int64_t part = next_.fetch_add(1); part < parts_; part = next_.fetch_add(1)) {
      try {
        run_(part * step_, std::min(count_, (part + 1) * step_));
      } catch (...) {
        std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
      }
      if (done_.fetch_add(1) + 1 == parts_) done_.notify_all();
    }
  }
  void wait() {
    for (int64_t done = done_.load(); done < parts_; done = done_.load()) done_.wait(done);
    if (error_) std::rethrow_exception(error_);
  }

 private:
  const int64_t count_, step_, parts_;
  const std::function<void(int64_t, int64_t)>& run_;  // alive until all parts are done
  std::atomic<int64_t> next_{0}, done_{0};
  std::mutex mutex_;
  std::exception_ptr error_;
};

// Threads beside the callers: one for each multiprocessor of the device, as far as the machine has cores.
class helpers {
 public:
  helpers() {
    int device = 0, multiprocessors = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    const int wanted = std::min(multiprocessors, static_cast<int>(std::thread::hardware_concurrency())) - 1;
    try {
      for (; count_ < wanted; ++count_) std::thread([this] { serve(); }).detach();
    } catch (const std::system_error&) {
      return;  // if the system refuses a thread, the callers do its work
    }
  }
  bool exist() const { return count_ > 0; }
  void add(const std::shared_ptr<loop>& l) {
    {
      std::lock_guard lock(mutex_);
      loops_.push_back(l);
    }
    wake_.notify_all();
  }
  void remove(const std::shared_ptr<loop>& l) {
    std::lock_guard lock(mutex_);
    loops_.erase(std::find(loops_.begin(), loops_.end(), l));
  }

 private:
  std::shared_ptr<loop> find() {
    for (const std::shared_ptr<loop>& l : loops_) {
      if (l->has_parts()) return l;
    }
    return nullptr;
  }
  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      std::shared_ptr<loop> l = find();
      if (!l) {
        wake_.wait(lock);
        continue;
      }
      lock.unlock();
      l->work();
      l.reset();
      lock.lock();
    }
  }

  int count_ = 0;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::shared_ptr<loop>> loops_;
};

}  // namespace

void parallel_for(int64_t count, int64_t step, const std::function<void(int64_t begin, int64_t end)>& run) {
  if (count <= 0) return;
  static helpers& all = *new helpers;  // never destroyed: its threads may run until the process ends
  if (count <= step || !all.exist()) return run(0, count);
  const auto l = std::make_shared<loop>(count, step, run);
  all.add(l);
  l->work();
  all.remove(l);
  l->wait();
}

}  // namespace cohort::libraries
