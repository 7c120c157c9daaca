// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams: sequences of operations that run one after another, in the order of submission.
#pragma once

#include <cstdint>

#include "runtime/state/operation.hpp"
#include "runtime/state/recorder.hpp"

namespace cohort::runtime {

// Hints of cudaStreamSetAttribute, which have no effect on a CPU, with CUDA's defaults.
struct stream_attributes {
  cudaAccessPolicyWindow window{};
  cudaSynchronizationPolicy wait = cudaSyncPolicyAuto;
  cudaLaunchMemSyncDomainMap domains{0, 1};
  cudaLaunchMemSyncDomain domain = cudaLaunchMemSyncDomainDefault;
};

struct stream {
  device_state* device = nullptr;
  unsigned flags = cudaStreamDefault;
  int priority = 0;
  stream_attributes attributes;
  uint64_t id = 0;
  bool is_legacy = false;              // the default stream: it waits for all blocking streams, and they wait for it
  bool of_thread = false;              // the default stream of one host thread, which no call destroys
  bool destroyed = false;              // deleted once its last operation has finished
  operation_ref last;                  // latest operation; null or finished if the stream is idle
  class recorder* recorder = nullptr;  // takes the stream's work while the stream is captured

  bool blocking() const { return !is_legacy && !(flags & cudaStreamNonBlocking); }
  bool idle() const { return !last || last->finished(); }
};

constexpr int least_priority = 0;
constexpr int greatest_priority = -5;

}  // namespace cohort::runtime
