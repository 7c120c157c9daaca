// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of ranges of managed memory: what the program has advised.
#include <algorithm>
#include <iterator>
#include <vector>

#include "runtime/memory/calls/managed_memory.hpp"
#include "runtime/memory/calls/managed_ranges.hpp"
#include "runtime/schedule/api_call.hpp"

namespace cohort::runtime {

namespace {

bool is_same(const cudaMemLocation& a, const cudaMemLocation& b) { return a.type == b.type && a.id == b.id; }

// The location that all parts have in common; type 0 if there is none.
cudaMemLocation common_location(const std::vector<range_advice>& parts, cudaMemLocation range_advice::* member) {
  const cudaMemLocation first = parts.front().*member;
  const bool is_common =
      std::all_of(parts.begin(), parts.end(), [&](const range_advice& part) { return is_same(part.*member, first); });
  return is_common ? first : cudaMemLocation{cudaMemLocationTypeInvalid, cudaInvalidDeviceId};
}

int device_of(const cudaMemLocation& location) {
  if (location.type == cudaMemLocationTypeInvalid) return cudaInvalidDeviceId;
  return location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId;
}

int id_of(const cudaMemLocation& location) {
  return location.type == cudaMemLocationTypeInvalid ? cudaInvalidDeviceId : location.id;
}

// Writes the devices that all parts have in common, then cudaInvalidDeviceId up to `count`.
void write_accessing_devices(const std::vector<range_advice>& parts, int* devices, size_t count) {
  std::set<int> common = parts.front().accessed_by;
  for (const range_advice& part : parts) {
    std::set<int> both;
    std::set_intersection(common.begin(), common.end(), part.accessed_by.begin(), part.accessed_by.end(),
                          std::inserter(both, both.end()));
    common.swap(both);
  }
  std::fill(devices, devices + count, cudaInvalidDeviceId);
  std::copy_n(common.begin(), std::min(count, common.size()), devices);
}

cudaError_t write_attribute(void* data, size_t bytes, cudaMemRangeAttribute attribute,
                            const std::vector<range_advice>& parts) {
  const bool is_list = attribute == cudaMemRangeAttributeAccessedBy;
  if (!data || bytes == 0 || (is_list ? bytes % sizeof(int) != 0 : bytes != sizeof(int))) return cudaErrorInvalidValue;
  auto* const number = static_cast<int*>(data);
  const cudaMemLocation preferred = common_location(parts, &range_advice::preferred);
  const cudaMemLocation prefetched = common_location(parts, &range_advice::last_prefetch);
  switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
      *number = std::all_of(parts.begin(), parts.end(), [](const range_advice& part) { return part.read_mostly; });
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocation:
      *number = device_of(preferred);
      return cudaSuccess;
    case cudaMemRangeAttributeAccessedBy:
      write_accessing_devices(parts, number, bytes / sizeof(int));
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocation:
      *number = device_of(prefetched);
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocationType:
      *number = preferred.type;
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocationId:
      *number = id_of(preferred);
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocationType:
      *number = prefetched.type;
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocationId:
      *number = id_of(prefetched);
      return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaMemRangeGetAttributes(void** data, size_t* sizes, cudaMemRangeAttribute* attributes,
                                      size_t attribute_count, const void* memory, size_t bytes) {
  return device_call([&] {
    if (!data || !sizes || !attributes || attribute_count == 0) return cudaErrorInvalidValue;
    if (bytes == 0 || !is_managed(memory, bytes)) return cudaErrorInvalidValue;
    const std::vector<range_advice> parts = managed_ranges::instance().find(memory, bytes);
    for (size_t i = 0; i < attribute_count; ++i) {
      const cudaError_t error = write_attribute(data[i], sizes[i], attributes[i], parts);
      if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemRangeGetAttribute(void* data, size_t size, cudaMemRangeAttribute attribute, const void* memory,
                                     size_t bytes) {
  return cudaMemRangeGetAttributes(&data, &size, &attribute, 1, memory, bytes);
}

}  // extern "C"
