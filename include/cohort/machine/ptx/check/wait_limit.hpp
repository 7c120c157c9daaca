// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The end of a launch with a failure, and the longest wait of a checked call.
#pragma once

#include <stdint.h>
#if !defined(__CUDACC_RTC__)
#include <stdio.h>  // printf; built into NVRTC
#endif

#include "../../../base/config.hpp"
#include "../identity.hpp"
#include "block_table.hpp"
#include "call_record.hpp"
#include "call_rules.hpp"
#include "finding_text.hpp"

/// The seconds after which a checked call reports the threads that have not arrived.
#if !defined(COHORT_GPU_TIMEOUT)
#define COHORT_GPU_TIMEOUT 10
#endif

namespace cohort {
namespace ptx {

/// Measures the time of one wait against the limit.
class wait_limit {
 public:
  /// @param factor multiplies the limit: a wait whose report would have fewer facts than another's lasts longer
  COHORT_FN explicit wait_limit(uint32_t factor = 1) : factor_(factor) {}
  static constexpr uint64_t limit_ns = static_cast<uint64_t>((COHORT_GPU_TIMEOUT) * 1e9);
  static_assert((COHORT_GPU_TIMEOUT) > 0, "COHORT_GPU_TIMEOUT is a number of seconds above 0");

  /// True once the wait has lasted for the limit. The time begins with the first call.
  COHORT_FN bool is_over() {
    uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
    if (begin_ == 0) begin_ = now;
    return now - begin_ >= limit_ns * factor_;
  }

 private:
  const uint32_t factor_;
  uint64_t begin_ = 0;
};

/// Prints on the device. A function object, because NVRTC takes a generic lambda for a host function.
struct device_print {
  template <class... Values>
  COHORT_FN void operator()(const char* format, Values... values) const {
    printf(format, values...);
  }
};

struct check_failure {
  /// Prints the sentence of a failure and ends the launch: the host receives cudaErrorLaunchFailure. Only the first
  /// thread of the device that fails prints.
  [[noreturn]] COHORT_DEVICE static __attribute__((noinline)) void report(const finding& found, const call_record& call,
                                                                          const char* file) {
    static __device__ unsigned int reports;
    if (atomicAdd(&reports, 1u) == 0) {
      const reporting_call by{file,
                              call.line(),
                              {blockIdx.x, blockIdx.y, blockIdx.z},
                              {threadIdx.x, threadIdx.y, threadIdx.z},
                              {gridDim.x, gridDim.y, gridDim.z},
                              {blockDim.x, blockDim.y, blockDim.z},
                              call,
                              static_cast<double>(COHORT_GPU_TIMEOUT)};
      describe(found, by, device_print());
      __threadfence_system();
      asm volatile("trap;");
    }
    for (;;) __nanosleep(1000);  // waits for the first failure to end the launch
  }

  /// Fails at the limit of a wait, in the call that the thread has begun. The end of an array collective that the
  /// thread has begun separately is in no checked call.
  [[noreturn]] COHORT_DEVICE static __attribute__((noinline)) void report_wait(const finding& found) {
    const call_record call = block_table::read(identity::block_thread_rank());
    report(found, call, call.is_waiting() ? block_table::file() : "array_operation");
  }
};

}  // namespace ptx
}  // namespace cohort
