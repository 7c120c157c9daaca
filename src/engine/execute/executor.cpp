// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/execute/executor.hpp"

#include <algorithm>
#include <new>

#if defined(__x86_64__)
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

#include "engine/execute/idle.hpp"
#include "engine/report/fault.hpp"
#include "engine/report/report.hpp"
#include "engine/state/grid.hpp"
#include "engine/state/running.hpp"
#include "engine/sync/event.hpp"

namespace cohort::engine {

namespace {

// While an object exists, this OS thread rounds to nearest, keeps subnormal numbers and masks floating-point
// exceptions, as device code expects. The program may have chosen otherwise for its thread.
class device_float_environment {
 public:
  device_float_environment() {
#if defined(__x86_64__)
    // The x87 unit is left unchanged: device code has no long double.
    host_ = _mm_getcsr();
    _mm_setcsr(at_start);
#else
    std::fegetenv(&host_);
    std::fesetenv(FE_DFL_ENV);
#endif
  }
  device_float_environment(const device_float_environment&) = delete;
  device_float_environment& operator=(const device_float_environment&) = delete;
  ~device_float_environment() {
#if defined(__x86_64__)
    _mm_setcsr(host_);
#else
    std::fesetenv(&host_);
#endif
  }

 private:
#if defined(__x86_64__)
  static constexpr unsigned at_start = 0x1f80;  // MXCSR at the start of a process, which masks all exceptions
  unsigned host_;
#else
  std::fenv_t host_;
#endif
};

// Passes the bounds of the OS thread's own stack to the sanitizers.
void describe_home_stack([[maybe_unused]] worker& w) {
#if defined(COHORT_ASAN)
  pthread_attr_t attributes;
  void* low = nullptr;
  size_t bytes = 0;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &low, &bytes);
  pthread_attr_destroy(&attributes);
  w.home_stack.sanitizer.bottom = low;
  w.home_stack.sanitizer.bytes = bytes;
#endif
#if defined(COHORT_TSAN)
  w.home_stack.sanitizer.tsan = __tsan_get_current_fiber();
#endif
}

launch_facts facts_of(const grid& g) {
  const cohort_launch& l = *g.launch;
  launch_facts facts;
  facts.kernel = l.kernel->name;
  facts.plain_kernel = plain_kernel(g);
  std::copy_n(l.grid, 3, facts.grid);
  std::copy_n(l.block, 3, facts.block);
  facts.cooperative = l.cooperative;
  return facts;
}

}  // namespace

executor::executor(int index) {
  worker_.index = index;
  if (!active_plan()) return;
  schedule_ = std::make_unique<schedule>(*active_plan());
  worker_.schedule = schedule_.get();
}

strategy& executor::strategy_for(const grid& g) {
  strategies& s = *strategies_;
  if (worker_.schedule) return s.fibers;
  if (s.loop.can_run(g)) return s.loop;
  if (s.gangs.can_run(g)) return s.gangs;
  return s.fibers;
}

void executor::run_share(grid& g) {
  strategy& how = strategy_for(g);
  try {
    how.run_share(worker_);
  } catch (const std::bad_alloc&) {
    worker_.failed = {error_memory_allocation, "no memory for the threads of one more block"};
    fail_with_report(worker_);
    how.abandon(worker_);
  }
}

// Abandons the share of a worker that the watchdog found in an endless loop of the engine. The kernel must have
// overwritten the engine's state, so none of it is read or freed again.
void executor::leave_share() {
  static_cast<void>(strategies_.release());
  strategies_ = std::make_unique<strategies>();
  worker_.stacks.abandon();
  worker_.computing.store(false, std::memory_order_relaxed);
  worker_.resolving = false;
  set_current_lane(nullptr);
  worker_.failed = {error_launch_timeout,
                    "the engine's own code did not end for COHORT_TIMEOUT and a second: the kernel has overwritten "
                    "memory that is not its own; cohortcc --check=memory and -fsanitize=address look for the line"};
  fail_with_report(worker_);
}

void executor::run(grid& g) {
  const device_float_environment floats;
  worker_.grid = &g;
  worker_.os_thread = pthread_self();
  worker_.failed = {};
  worker_.resolving = false;
  worker_.stacks.set_bytes(g.stack_bytes);
  running_worker = &worker_;
  if (schedule_) schedule_->begin_launch(facts_of(g));
  describe_home_stack(worker_);
  prepare_faults(worker_);
  worker_.must_leave.store(false, std::memory_order_relaxed);
  if (__builtin_setjmp(worker_.escape) == 0) {
    worker_.shares.store(true, std::memory_order_release);
    run_share(g);
    worker_.shares.store(false, std::memory_order_release);
  } else {
    worker_.shares.store(false, std::memory_order_release);
    leave_share();
  }
  restore_faults(worker_);
  raise_event(share_ended{});
  running_worker = nullptr;
  if (g.launch->cooperative) finish_share(worker_);
}

}  // namespace cohort::engine
