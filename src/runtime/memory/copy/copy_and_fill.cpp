// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/copy/copy_and_fill.hpp"

#include <memory>
#include <new>

#include "runtime/guard/kernel_heap.hpp"
#include "runtime/memory/copy/copy_operation.hpp"
#include "runtime/memory/copy/memory_side.hpp"
#include "runtime/memory/graph/graph_memory.hpp"
#include "runtime/schedule/api_call.hpp"
#include "runtime/state/operation_listener.hpp"

namespace cohort::runtime {

namespace {

// The calling thread executes transfers up to this size itself if the stream is idle.
constexpr size_t small_bytes = size_t{64} << 10;
// If the stream is busy, the source of a copy from pageable memory up to this size is copied to a buffer: the call can
// then return before the copy.
constexpr size_t most_staged_bytes = size_t{64} << 20;

// The streams that order a copy. A copy between two devices in the default stream waits for prior work of both devices,
// and later work of both waits for the copy.
std::vector<stream*> streams_of_copy(stream& s, const memory_place& to, const memory_place& from) {
  std::vector<stream*> all{&s};
  const bool between = to.device >= 0 && from.device >= 0 && to.device != from.device;
  if (!between || !s.is_legacy) return all;
  for (int device : {to.device, from.device}) {
    if (&device_at(device) != s.device) all.push_back(&device_at(device).legacy);
  }
  return all;
}

// True if rows and slices do not overlap: a row is not longer than the pitch, a slice not longer than the slice
// distance.
bool is_laid_out(const place& p, const box& b) {
  if (b.height > 1 && p.pitch < b.width) return false;
  return b.depth == 1 || p.slice >= p.span({b.width, b.height, 1});
}

// Reports the request to the listener, except a later request of a graph's memory, which may not be allocated yet.
void note_request(const place& p, const box& b, bool writes, bool fills, request_time time) {
  if (!installed_operation_listener || (time == request_time::later && find_graph_memory(p.first))) return;
  installed_operation_listener->requests(p.first, p.span(b), writes, fills);
}

bool is_too_early(const place& p, request_time time) { return time == request_time::now && !may_request(p.first); }

request_time time_of(const stream& s) { return s.recorder ? request_time::later : request_time::now; }

struct copy_sides {
  memory_place to;
  memory_place from;
};

// To a kernel, the heap of kernels is device memory. It is no allocation that the host may name.
memory_place find_side(const place& p, const box& extent, bool writes, requester by) {
  memory_place found = find_memory(p.first, p.span(extent), writes);
  const bool may_be_heap = by == requester::kernel && found == memory_side::pageable;
  if (may_be_heap && process_kernel_heap().holds(p.first)) found.side = memory_side::device;
  return found;
}

cudaError_t check(const copy_request& request, request_time time, requester by, copy_sides* sides) {
  const cudaMemcpyKind kind = request.kind;
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (request.extent.empty()) return cudaSuccess;
  if (!request.to.first || !request.from.first) return cudaErrorInvalidValue;
  if (!is_laid_out(request.to, request.extent) || !is_laid_out(request.from, request.extent)) {
    return cudaErrorInvalidPitchValue;
  }
  note_request(request.from, request.extent, false, false, time);
  note_request(request.to, request.extent, true, false, time);
  const memory_place to = find_side(request.to, request.extent, true, by);
  const memory_place from = find_side(request.from, request.extent, false, by);
  if (to == memory_side::outside || from == memory_side::outside) return cudaErrorInvalidValue;
  if (is_too_early(request.to, time) || is_too_early(request.from, time)) return cudaErrorInvalidValue;
  // A side that `kind` declares as device memory must be an allocation of the runtime. The other side may be any
  // memory.
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if ((to_device && to == memory_side::pageable) || (from_device && from == memory_side::pageable)) {
    return cudaErrorInvalidValue;
  }
  *sides = {to, from};
  return cudaSuccess;
}

}  // namespace

cudaError_t check_copy(const copy_request& request, request_time time, requester by) {
  copy_sides sides{};
  return check(request, time, by, &sides);
}

cudaError_t check_fill(const fill_request& request, request_time time, requester by) {
  if (request.extent.empty()) return cudaSuccess;
  if (!request.to.first) return cudaErrorInvalidValue;
  if (!is_laid_out(request.to, request.extent)) return cudaErrorInvalidPitchValue;
  note_request(request.to, request.extent, true, true, time);
  const memory_place side = find_side(request.to, request.extent, true, by);
  const bool is_outside = side == memory_side::outside || side == memory_side::pageable;
  return is_outside || is_too_early(request.to, time) ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t copy(stream& s, const copy_request& request, bool wait, source_access access) {
  copy_sides sides{};
  if (const cudaError_t error = check(request, time_of(s), requester::host, &sides); error != cudaSuccess) return error;
  if (s.recorder) return scheduler::instance().submit(s, std::make_shared<copy_operation>(request));
  if (const cudaError_t error = wait ? permit_stream_wait(s) : permit_work(s); error != cudaSuccess) return error;
  if (request.extent.empty()) return cudaSuccess;
  const auto [to, from] = sides;

  const auto op = std::make_shared<copy_operation>(request);
  const size_t bytes = request.extent.width * request.extent.height * request.extent.depth;
  // As in CUDA: copies to pageable memory and from host to host are complete when the call returns; copies between
  // device memories never wait.
  if (to == memory_side::pageable) wait = true;
  if (to != memory_side::device && from != memory_side::device) wait = true;
  if (to == memory_side::device && from == memory_side::device) wait = false;
  const std::vector<stream*> streams = streams_of_copy(s, to, from);
  if (streams.size() > 1) {
    scheduler::instance().submit_together(streams, op);
    return cudaSuccess;
  }
  const bool idle = scheduler::instance().is_idle(s);
  const bool during_call = access == source_access::during_call && can_access(request.from.first);
  if (during_call && !idle) op->stage();
  if (!wait && !(idle && (bytes <= small_bytes || during_call))) {
    if (from != memory_side::pageable || op->is_staged()) {
      scheduler::instance().submit(s, op);
      return cudaSuccess;
    }
    if (!idle && bytes <= most_staged_bytes) {
      op->stage();
      scheduler::instance().submit(s, op);
      return cudaSuccess;
    }
  }
  device_state& device = *s.device;
  scheduler::instance().run_here(s, op);
  if (wait) scheduler::tell_awaited(op);
  return take_failure(device);
}

cudaError_t fill(stream& s, const fill_request& request) {
  if (const cudaError_t error = check_fill(request, time_of(s)); error != cudaSuccess) return error;
  const auto op = std::make_shared<fill_operation>(request);
  if (s.recorder) return scheduler::instance().submit(s, op);
  if (const cudaError_t error = permit_work(s); error != cudaSuccess) return error;
  const box& extent = request.extent;
  if (extent.empty()) return cudaSuccess;
  if (scheduler::instance().is_idle(s) && extent.width * extent.height * extent.depth <= small_bytes) {
    device_state& device = *s.device;
    scheduler::instance().run_here(s, op);
    return take_failure(device);
  }
  return scheduler::instance().submit(s, op);
}

}  // namespace cohort::runtime
