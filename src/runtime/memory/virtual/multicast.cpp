// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/virtual/multicast.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <utility>

#include "runtime/memory/virtual/address_space.hpp"
#include "runtime/memory/virtual/physical_memory.hpp"

namespace cohort::runtime {

multicast_object::~multicast_object() {
  for (const binding& each : bindings_) release(each);
}

void multicast_object::release(const binding& ended) {
  if (ended.mapped) munmap(ended.mapped, ended.bytes);
}

bool multicast_object::is_member(int device) const {
  return std::find(devices_.begin(), devices_.end(), device) != devices_.end();
}

cudaError_t multicast_object::add(int device) {
  const std::lock_guard lock(mutex_);
  if (devices_.size() == most_ || is_member(device)) return cudaErrorInvalidValue;
  devices_.push_back(device);
  if (devices_.size() == most_) is_complete_.notify_all();
  return cudaSuccess;
}

bool multicast_object::wait_for_team(std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  return is_complete_.wait_for(lock, limit, [&] { return devices_.size() == most_; });
}

cudaError_t multicast_object::bind(int device, size_t offset, size_t bytes, const multicast_memory& memory) {
  if (bytes == 0 || offset > bytes_ || bytes > bytes_ - offset) return cudaErrorInvalidValue;
  if (memory.physical) {
    const size_t size = memory.physical->bytes();
    if (memory.offset > size || bytes > size - memory.offset) return cudaErrorInvalidValue;
  }
  const std::lock_guard lock(mutex_);
  if (!is_member(device)) return cudaErrorInvalidValue;
  for (const binding& each : bindings_) {
    if (each.touches(device, offset, bytes)) return cudaErrorInvalidValue;
  }
  bindings_.push_back({device, offset, bytes, memory});
  return cudaSuccess;
}

// The addresses of bound physical memory that the object itself made; null if the system has none left.
char* multicast_object::map(binding& bound) {
  if (!bound.mapped) {
    const physical_memory& memory = *bound.memory.physical;
    void* const made = mmap(nullptr, bound.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory.descriptor(),
                            static_cast<off_t>(memory.offset() + bound.memory.offset));
    if (made != MAP_FAILED) bound.mapped = static_cast<char*>(made);
  }
  return bound.mapped;
}

cudaError_t multicast_object::unbind(int device, size_t offset, size_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto touches = [&](const binding& each) { return each.touches(device, offset, bytes); };
  const auto lies_in = [&](const binding& each) {
    return touches(each) && each.offset >= offset && each.offset + each.bytes <= offset + bytes;
  };
  const auto found = std::count_if(bindings_.begin(), bindings_.end(), touches);
  if (found == 0 || found != std::count_if(bindings_.begin(), bindings_.end(), lies_in)) return cudaErrorInvalidValue;
  const auto ended =
      std::stable_partition(bindings_.begin(), bindings_.end(), [&](const binding& each) { return !lies_in(each); });
  std::for_each(ended, bindings_.end(), release);
  bindings_.erase(ended, bindings_.end());
  return cudaSuccess;
}

bool multicast_object::find(unsigned int number, size_t offset, size_t bytes, char** place) {
  const std::lock_guard lock(mutex_);
  if (number >= devices_.size()) return false;
  *place = nullptr;
  const auto bound = std::find_if(bindings_.begin(), bindings_.end(), [&](const binding& each) {
    return each.device == devices_[number] && each.offset <= offset && offset + bytes <= each.offset + each.bytes;
  });
  if (bound == bindings_.end()) return true;
  const size_t at = offset - bound->offset;
  if (!bound->memory.physical) {
    *place = bound->memory.address + at;
    return true;
  }
  *place = address_space::instance().find_mapping(*bound->memory.physical, bound->memory.offset + at, bytes);
  if (*place) return true;
  char* const mapped = map(*bound);
  *place = mapped ? mapped + at : nullptr;
  return true;
}

}  // namespace cohort::runtime
