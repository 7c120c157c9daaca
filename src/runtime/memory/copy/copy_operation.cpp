// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/copy/copy_operation.hpp"

#include <cstring>
#include <string>

#include "runtime/error/log.hpp"
#include "runtime/guard/memory_guard.hpp"
#include "runtime/memory/copy/memory_side.hpp"
#include "runtime/memory/graph/graph_memory.hpp"
#include "runtime/state/operation_listener.hpp"

namespace cohort::runtime {

namespace {

void copy_box(const place& to, const place& from, const box& b) {
  const bool rows_touch = (b.height == 1 || (to.pitch == b.width && from.pitch == b.width));
  const size_t run = rows_touch ? b.width * b.height : b.width;
  const size_t rows = rows_touch ? 1 : b.height;
  for (size_t z = 0; z < b.depth; ++z) {
    for (size_t y = 0; y < rows; ++y) {
      char* const row = to.first + z * to.slice + y * to.pitch;
      const char* const source = from.first + z * from.slice + y * from.pitch;
      std::memcpy(row, source, run);
      if (installed_operation_listener) installed_operation_listener->copied(row, source, run);
    }
  }
}

// False, with a report, if a graph's memory is not allocated now: the access would end the process.
bool can_use(const place& p, const char* does) {
  if (can_access(p.first)) return true;
  say(cudaLogLevelError, "a %s at %p, memory of a graph that is not allocated at this time", does,
      static_cast<void*>(p.first));
  return false;
}

// False, with a report, if memory of a node was freed or unloaded after the node was made. `on_device`: the node
// requires device memory.
bool still_exists(const place& p, const box& b, bool writes, bool on_device, const char* does) {
  const memory_place found = find_memory(p.first, p.span(b), writes);
  if (found != memory_side::outside && (found != memory_side::pageable || !on_device)) return true;
  const char* const illegal = found.illegal ? found.illegal : p.first;
  const std::string description = describe_illegal(illegal);
  say(cudaLogLevelError, "a %s illegal address %p in a launch of a graph: %s", does, static_cast<const void*>(illegal),
      description.empty() ? "the memory of its node no longer exists" : description.c_str());
  return false;
}

// Reports the rows of a box to the listener; rows without gaps between them as one range.
void note_box(const place& p, const box& b, bool writes) {
  if (!installed_operation_listener) return;
  const bool rows_touch = b.height == 1 || p.pitch == b.width;
  for (size_t z = 0; z < b.depth; ++z) {
    for (size_t y = 0; y < (rows_touch ? 1 : b.height); ++y) {
      const size_t bytes = rows_touch ? b.width * b.height : b.width;
      installed_operation_listener->accesses(p.first + z * p.slice + y * p.pitch, bytes, writes);
    }
  }
}

}  // namespace

void copy_operation::stage() {
  const box& b = request_.extent;
  staged_ = std::make_unique_for_overwrite<char[]>(b.width * b.height * b.depth);
  const place aside{staged_.get(), b.width, b.width * b.height};
  copy_box(aside, request_.from, b);
  request_.from = aside;
}

cudaError_t copy_operation::execute() {
  if (request_.extent.empty()) return cudaSuccess;
  if (!can_use(request_.from, "copy reads") || !can_use(request_.to, "copy writes")) return cudaErrorIllegalAddress;
  if (is_repeated_) {
    const cudaMemcpyKind kind = request_.kind;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    if (!still_exists(request_.from, request_.extent, false, from_device, "copy reads") ||
        !still_exists(request_.to, request_.extent, true, to_device, "copy writes")) {
      return cudaErrorIllegalAddress;
    }
  }
  note_box(request_.from, request_.extent, false);
  note_box(request_.to, request_.extent, true);
  copy_box(request_.to, request_.from, request_.extent);
  return cudaSuccess;
}

cudaError_t fill_operation::execute() {
  const place& to = request_.to;
  const box& extent = request_.extent;
  if (extent.empty()) return cudaSuccess;
  if (!can_use(to, "fill writes")) return cudaErrorIllegalAddress;
  if (is_repeated_ && !still_exists(to, extent, true, true, "fill writes")) return cudaErrorIllegalAddress;
  note_box(to, extent, true);
  const bool rows_touch = extent.height == 1 || to.pitch == extent.width;
  const size_t run = rows_touch ? extent.width * extent.height : extent.width;
  const size_t rows = rows_touch ? 1 : extent.height;
  for (size_t z = 0; z < extent.depth; ++z) {
    for (size_t y = 0; y < rows; ++y) fill_row(to.first + z * to.slice + y * to.pitch, run);
  }
  return cudaSuccess;
}

void fill_operation::fill_row(char* row, size_t bytes) const {
  if (request_.element_bytes == 1) {
    std::memset(row, static_cast<int>(request_.value & 0xff), bytes);
    return;
  }
  const auto half = static_cast<uint16_t>(request_.value);
  const void* const element = request_.element_bytes == 2 ? static_cast<const void*>(&half) : &request_.value;
  for (size_t at = 0; at < bytes; at += request_.element_bytes) {
    std::memcpy(row + at, element, request_.element_bytes);
  }
}

}  // namespace cohort::runtime
