// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the pages of a range are: at the location of the latest prefetch, else in the memory of the host.
#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/memory/calls/managed_memory.hpp"
#include "runtime/memory/calls/managed_ranges.hpp"
#include "runtime/schedule/api_call.hpp"

namespace cohort::runtime {

namespace {

constexpr size_t default_sampling = 4096;

cudaMemLocation location_of(const void* address, bool managed) {
  const cudaMemLocation host{cudaMemLocationTypeHost, 0};
  if (!managed) return host;
  const cudaMemLocation prefetched = managed_ranges::instance().find(address, 1).front().last_prefetch;
  return prefetched.type == cudaMemLocationTypeInvalid ? host : prefetched;
}

// The most common location of the samples in a region; the first one among equals.
cudaMemLocation most_common(const char* begin, size_t bytes, size_t step, bool managed) {
  std::vector<std::pair<cudaMemLocation, size_t>> votes;
  for (size_t at = 0; at < bytes; at += step) {
    const cudaMemLocation here = location_of(begin + at, managed);
    const auto vote = std::find_if(votes.begin(), votes.end(), [&](const auto& each) {
      return each.first.type == here.type && each.first.id == here.id;
    });
    if (vote == votes.end()) {
      votes.emplace_back(here, 1);
    } else {
      ++vote->second;
    }
  }
  return std::max_element(votes.begin(), votes.end(), [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" cudaError_t cudaMemGetLocationInfo(void* memory, size_t bytes, size_t region, size_t sampling,
                                              cudaMemLocation* locations) {
  return device_call([&] {
    if (!memory || !locations || region == 0 || region > bytes || sampling > region) return cudaErrorInvalidValue;
    const bool managed = is_managed(memory, bytes);
    cudaPointerAttributes attributes{};
    if (!managed && (cudaPointerGetAttributes(&attributes, memory) != cudaSuccess ||
                     attributes.type != cudaMemoryTypeUnregistered)) {
      return cudaErrorInvalidValue;
    }
    const size_t step = sampling ? sampling : std::min(region, default_sampling);
    const char* const begin = static_cast<const char*>(memory);
    for (size_t at = 0; at < bytes; at += region) {
      *locations++ = most_common(begin + at, std::min(region, bytes - at), step, managed);
    }
    return cudaSuccess;
  });
}
