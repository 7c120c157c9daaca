// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of NCCL that wait for all processes. NCCL has no time limit, and waits even for a process that has ended.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "../api/runtime_api.hpp"
#include "process_world.hpp"

namespace cohort {
namespace detail {

// The result of a guarded call, which outlives a caller that has stopped waiting.
struct guarded_result {
  std::atomic<bool> is_done{false};
  ncclResult_t nccl = ncclSuccess;
};

// Calls `call()` in a new OS thread, and waits for it with the time limit of waits for other processes. If the call
// fails or does not return in time, the world is lost. Returns an error number. `call` holds copies, or references to
// objects that live as long as the world: a lost world is never freed.
template <class Call>
int run_guarded(gpu_world& w, const char* purpose, Call call) {
  const auto result = std::make_shared<guarded_result>();
  std::thread([result, call, device = w.device] {
    static_cast<void>(api::set_device(device));
    result->nccl = call();
    result->is_done = true;
  }).detach();
  patient_wait wait(w.timeout_seconds);
  while (!result->is_done) {
    if (!wait.pause()) continue;
    const int64_t gone = find_gone(w);
    if (gone >= 0) return lose_world(w, rank_name(w) + " " + purpose + ", but " + describe_gone(w, gone));
    if (wait.is_over()) return lose_world(w, describe_overdue(w) + "it " + purpose);
  }
  if (result->nccl == ncclSuccess) return error_none;
  return lose_world(w, rank_name(w) + " " + purpose + ", and NCCL reports: " + ncclGetErrorString(result->nccl) + "; " +
                           ncclGetLastError(nullptr));
}

}  // namespace detail
}  // namespace cohort
