// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Semaphores of other processes and interfaces that a file descriptor names: an eventfd is a binary semaphore, a file
// whose first eight bytes are a number is a timeline semaphore.
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/error/log.hpp"
#include "runtime/schedule/polled_wait.hpp"
#include "runtime/stream/semaphore_signals.hpp"
#include "runtime/stream/stream_call.hpp"

namespace cohort::runtime {

namespace {

class external_semaphore {
 public:
  // Takes ownership of the descriptor. Null if the file does not fit the type.
  static std::shared_ptr<external_semaphore> open(cudaExternalSemaphoreHandleType type, int file);
  ~external_semaphore() {
    if (number_) munmap(number_, sizeof *number_);
    close(file_);
  }
  external_semaphore(const external_semaphore&) = delete;

  void signal(uint64_t value, operation& by) {
    if (signals_) {
      const auto held = scheduler::instance().lock();
      signals_->add(value, by);
    }
    const uint64_t one = 1;
    if (number_) {
      std::atomic_ref(*number_).store(value, std::memory_order_release);
    } else if (::write(file_, &one, sizeof one) != sizeof one) {
      say(cudaLogLevelError, "the signal of an external semaphore fails: the eventfd is full");
    }
  }
  // True if the wait of `by` for the value ends now. It consumes a binary semaphore's signal.
  bool try_wait(uint64_t value, operation& by) {
    if (number_) {
      const uint64_t number = std::atomic_ref(*number_).load(std::memory_order_acquire);
      if (number < value) return false;
      if (signals_) {
        const auto held = scheduler::instance().lock();
        signals_->order_after_value(by, value, number);
      }
      return true;
    }
    uint64_t taken = 0;
    {
      const std::lock_guard lock(mutex_);
      pollfd state{file_, POLLIN, 0};
      if (::poll(&state, 1, 0) != 1 || ::read(file_, &taken, sizeof taken) != sizeof taken) return false;
    }
    if (signals_) {
      const auto held = scheduler::instance().lock();
      signals_->order_after_consumed(by, taken);
    }
    return true;
  }
  // Describes the semaphore and the awaited value, for a report.
  std::string describe(uint64_t value) {
    if (!number_) return "a binary semaphore, which nothing has signaled";
    return "a timeline semaphore of value " + std::to_string(std::atomic_ref(*number_).load()) + " to become " +
           std::to_string(value);
  }

 private:
  external_semaphore(int file, uint64_t* number)
      : file_(file), number_(number), signals_(semaphore_signals::of_file(file, number != nullptr)) {}

  const int file_;
  uint64_t* const number_;                            // mapped; null: a binary semaphore
  const std::shared_ptr<semaphore_signals> signals_;  // null: no tool follows the program
  std::mutex mutex_;
};

bool is_eventfd(int file) {
  char text[64];
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  const ssize_t length = readlink(path.c_str(), text, sizeof text);
  return length > 0 && std::string(text, static_cast<size_t>(length)).find("[eventfd]") != std::string::npos;
}

std::shared_ptr<external_semaphore> external_semaphore::open(cudaExternalSemaphoreHandleType type, int file) {
  if (type == cudaExternalSemaphoreHandleTypeOpaqueFd) {
    return is_eventfd(file) ? std::shared_ptr<external_semaphore>(new external_semaphore(file, nullptr)) : nullptr;
  }
  struct stat state{};
  const bool has_number = fstat(file, &state) == 0 && S_ISREG(state.st_mode) && state.st_size >= 8;
  void* const mapped =
      has_number ? mmap(nullptr, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  if (mapped == MAP_FAILED) return nullptr;
  return std::shared_ptr<external_semaphore>(new external_semaphore(file, static_cast<uint64_t*>(mapped)));
}

struct semaphore_table {
  std::mutex mutex;
  std::unordered_map<cudaExternalSemaphore_t, std::shared_ptr<external_semaphore>> all;
};

// The only table. Never destroyed.
semaphore_table& semaphores() {
  static semaphore_table* const only = new semaphore_table;
  return *only;
}

struct semaphore_step {
  std::shared_ptr<external_semaphore> semaphore;
  uint64_t value;
};

// Signals semaphores, or waits for them, one after another. It keeps them: a program may destroy them earlier.
class semaphore_operation : public operation {
 public:
  semaphore_operation(bool waits, std::vector<semaphore_step> steps)
      : operation(operation_kind::work), waits_(waits), steps_(std::move(steps)) {}
  operation_label label() const override { return {waits_ ? "wait" : "signal", "external semaphores"}; }

 protected:
  cudaError_t execute() override {
    for (const semaphore_step& step : steps_) {
      if (!waits_) {
        step.semaphore->signal(step.value, *this);
        continue;
      }
      const cudaError_t error = wait_polled(
          *device, [&] { return step.semaphore->try_wait(step.value, *this); },
          [&](time_limit& time) { return is_over_limit(step, time); });
      if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
  }

 private:
  bool is_over_limit(const semaphore_step& step, time_limit& time) const {
    const auto verdict = time.check(*device, true);
    const bool is_over = verdict == time_limit::verdict::is_over || verdict == time_limit::verdict::is_last;
    if (verdict == time_limit::verdict::within) return false;
    say(is_over ? cudaLogLevelError : cudaLogLevelWarning, "%sstream %u of device %d has waited for %g s for %s%s",
        is_over ? "time-out: " : "note: ", stream, device->index, time.seconds(),
        step.semaphore->describe(step.value).c_str(),
        is_over ? "" : "; COHORT_LAUNCH_LIMIT=<seconds> ends such a wait with a report");
    return is_over;
  }

  const bool waits_;
  const std::vector<semaphore_step> steps_;
};

// Submits a signal or a wait. The parameters of both begin with the value.
template <class Parameters>
cudaError_t submit_steps(bool waits, const cudaExternalSemaphore_t* list, const Parameters* parameters, unsigned count,
                         unsigned known_flags, cudaStream_t stream) {
  return stream_call(stream, [&](struct stream& s) {
    if (!list || !parameters || count == 0) return cudaErrorInvalidValue;
    std::vector<semaphore_step> steps;
    {
      const std::lock_guard lock(semaphores().mutex);
      for (unsigned i = 0; i < count; ++i) {
        const auto at = semaphores().all.find(list[i]);
        if (at == semaphores().all.end()) return cudaErrorInvalidResourceHandle;
        if (parameters[i].flags & ~known_flags) return cudaErrorInvalidValue;
        steps.push_back({at->second, parameters[i].params.fence.value});
      }
    }
    return scheduler::instance().submit(s, std::make_shared<semaphore_operation>(waits, std::move(steps)));
  });
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaImportExternalSemaphore(cudaExternalSemaphore_t* made, const cudaExternalSemaphoreHandleDesc* desc) {
  return device_call([&] {
    if (!made || !desc || desc->type < cudaExternalSemaphoreHandleTypeOpaqueFd ||
        desc->type > cudaExternalSemaphoreHandleTypeTimelineSemaphoreWin32 || desc->flags != 0) {
      return cudaErrorInvalidValue;
    }
    if (desc->type != cudaExternalSemaphoreHandleTypeOpaqueFd &&
        desc->type != cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd) {
      return cudaErrorNotSupported;
    }
    auto opened = external_semaphore::open(desc->type, desc->handle.fd);
    if (!opened) return cudaErrorInvalidValue;
    *made = reinterpret_cast<cudaExternalSemaphore_t>(opened.get());
    const std::lock_guard lock(semaphores().mutex);
    semaphores().all.emplace(*made, std::move(opened));
    return cudaSuccess;
  });
}

cudaError_t cudaSignalExternalSemaphoresAsync(const cudaExternalSemaphore_t* list,
                                              const cudaExternalSemaphoreSignalParams* parameters, unsigned int count,
                                              cudaStream_t stream) {
  return submit_steps(false, list, parameters, count, cudaExternalSemaphoreSignalSkipNvSciBufMemSync, stream);
}

cudaError_t cudaWaitExternalSemaphoresAsync(const cudaExternalSemaphore_t* list,
                                            const cudaExternalSemaphoreWaitParams* parameters, unsigned int count,
                                            cudaStream_t stream) {
  return submit_steps(true, list, parameters, count, cudaExternalSemaphoreWaitSkipNvSciBufMemSync, stream);
}

cudaError_t cudaDestroyExternalSemaphore(cudaExternalSemaphore_t handle) {
  return device_call([&] {
    const std::lock_guard lock(semaphores().mutex);
    return semaphores().all.erase(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

}  // extern "C"
