// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/captures.hpp"

#include <utility>
#include <vector>

#include "runtime/schedule/scheduler.hpp"

namespace cohort::runtime {

namespace {

std::atomic<size_t> capture_count{0};
thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

// The captures in progress. Guarded by the scheduler's lock; never destroyed.
std::vector<capture_entry>& captures() {
  static auto* const all = new std::vector<capture_entry>;
  return *all;
}

bool none() { return capture_count.load(std::memory_order_acquire) == 0; }

// Returns `error` if `meets(entry)` is true for a capture, and invalidates all such captures.
template <class Predicate>
cudaError_t refuse_if(cudaError_t error, Predicate&& meets) {
  bool any = false;
  for (const capture_entry& entry : captures()) {
    if (!meets(entry)) continue;
    any = true;
    entry.capture->invalidate();
  }
  return any ? error : cudaSuccess;
}

// True if the calling thread may not make unsafe calls during the capture.
bool restricts_this_thread(const capture_entry& entry) {
  if (thread_mode == cudaStreamCaptureModeRelaxed || entry.mode == cudaStreamCaptureModeRelaxed) return false;
  if (entry.thread == std::this_thread::get_id()) return true;
  return thread_mode == cudaStreamCaptureModeGlobal && entry.mode == cudaStreamCaptureModeGlobal;
}

// Returns `error` if `meets(stream)` is true for a captured stream of the device, and invalidates all such captures.
template <class Predicate>
cudaError_t refuse_if_captured(cudaError_t error, const device_state& device, Predicate&& meets) {
  bool any = false;
  for (const auto& s : device.streams) {
    if (!s->recorder || !meets(*s)) continue;
    any = true;
    s->recorder->invalidate();
  }
  return any ? error : cudaSuccess;
}

// The default stream would wait for the captured blocking streams of its device.
cudaError_t permit_legacy_use(const device_state& device) {
  return refuse_if_captured(cudaErrorStreamCaptureImplicit, device, [](const stream& s) { return s.blocking(); });
}

}  // namespace

void add_capture(const capture_entry& entry) {
  captures().push_back(entry);
  capture_count.store(captures().size(), std::memory_order_release);
}

void remove_capture(const recorder* capture) {
  std::erase_if(captures(), [&](const capture_entry& entry) { return entry.capture == capture; });
  capture_count.store(captures().size(), std::memory_order_release);
}

cudaStreamCaptureMode exchange_capture_mode(cudaStreamCaptureMode mode) { return std::exchange(thread_mode, mode); }

cudaError_t permit_unsafe_call() {
  if (none()) return cudaSuccess;
  auto held = scheduler::instance().lock();
  return refuse_if(cudaErrorStreamCaptureUnsupported, restricts_this_thread);
}

cudaError_t permit_device_wait(const device_state& device) {
  if (none()) return cudaSuccess;
  auto held = scheduler::instance().lock();
  return refuse_if_captured(cudaErrorStreamCaptureUnsupported, device, [](const stream&) { return true; });
}

cudaError_t permit_stream_wait(stream& s) {
  if (none()) return cudaSuccess;
  auto held = scheduler::instance().lock();
  if (s.recorder) {
    s.recorder->invalidate();
    return cudaErrorStreamCaptureUnsupported;
  }
  const cudaError_t error = permit_work_locked(s);
  return error != cudaSuccess ? error : refuse_if(cudaErrorStreamCaptureUnsupported, restricts_this_thread);
}

cudaError_t permit_work(const stream& s) {
  if (none() || !s.is_legacy) return cudaSuccess;
  auto held = scheduler::instance().lock();
  return permit_legacy_use(*s.device);
}

cudaError_t permit_work_locked(const stream& s) {
  if (none() || !s.is_legacy) return cudaSuccess;
  return permit_legacy_use(*s.device);
}

}  // namespace cohort::runtime
