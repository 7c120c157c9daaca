// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams: sequences of operations that run one after another, in the order of submission.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/state/operation.hpp"
#include "runtime/state/recorder.hpp"

struct CUctx_st;

namespace cohort::runtime {

// Hints of cudaStreamSetAttribute, which have no effect on a CPU, with CUDA's defaults.
struct stream_attributes {
  cudaAccessPolicyWindow window{};
  cudaSynchronizationPolicy wait = cudaSyncPolicyAuto;
  cudaLaunchMemSyncDomainMap domains{0, 1};
  cudaLaunchMemSyncDomain domain = cudaLaunchMemSyncDomainDefault;
};

struct stream;

// A green context: a part of a device's multiprocessors, with streams of its own (CUDA driver API, "Green Contexts"). A
// kernel in such a stream runs only on the workers of its part. Kernels of a device run one after another, also those
// of different parts: CUDA does not promise that they overlap.
struct green_context {
  CUctx_st* handle = nullptr;  // the handle of the driver API
  int device = 0;
  uint32_t sm_count = 0;
  unsigned long long id = 0;           // unique among all contexts of the process
  stream* null_stream = nullptr;       // the meaning of stream 0 while the context is current
  std::atomic<bool> destroyed{false};  // a destroyed context stays in memory, because its streams get a special error
  operation_ref gate;                  // new streams of the context begin after it, as after device_state::gate
};

struct stream {
  device_state* device = nullptr;
  green_context* green = nullptr;  // its multiprocessors run the stream's kernels; null: those of the device
  unsigned flags = cudaStreamDefault;
  int priority = 0;
  stream_attributes attributes;
  uint64_t id = 0;
  bool is_legacy = false;              // the default stream: it waits for all blocking streams, and they wait for it
  bool of_thread = false;              // the default stream of a host thread or green context, which no call destroys
  bool destroyed = false;              // deleted once its last operation has finished
  operation_ref last;                  // latest operation; null or finished if the stream is idle
  class recorder* recorder = nullptr;  // takes the stream's work while the stream is captured

  bool blocking() const { return !is_legacy && !(flags & cudaStreamNonBlocking); }
  bool idle() const { return !last || last->finished(); }
};

constexpr int least_priority = 0;
constexpr int greatest_priority = -5;

}  // namespace cohort::runtime
