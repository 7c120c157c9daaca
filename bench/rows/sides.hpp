// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers that make the sides of a row.
#pragma once

#include <memory>

#include "../harness/row.hpp"
#include "../harness/timing.hpp"
#include "../peers/opencl.hpp"
#include "../peers/ring.hpp"

namespace bench {

// Returns nanoseconds for each of `units`, such as rounds or elements.
template <class Work>
side time_of(double units, Work work) {
  return [units, work] { return nanoseconds_of(work) / units; };
}

// Returns the rate in units of 10^9 a second: GB/s of bytes, GFlop/s of operations. Small work is repeated, so that the
// start of a side's threads counts little.
template <class Work>
side rate_of(double units, Work work) {
  constexpr double enough = 64 << 20;
  const int repeats = units < enough ? static_cast<int>(enough / units) : 1;
  return [units, work, repeats] {
    return repeats * units / nanoseconds_of([&work, repeats] {
             for (int i = 0; i < repeats; ++i) work();
           });
  };
}

inline bool has_opencl() { return opencl::peer().unavailable().empty(); }

// Returns the peer that `make` makes, which runs only where OpenCL can be used.
template <class Make>
peer_side opencl_side(Make&& make) {
  if (!has_opencl()) return {{}, opencl::peer().unavailable()};
  return {make()};
}

// The engine's own fiber switch, in a ring of 256 fibers.
inline constexpr const char* own_switch_quantity = "one switch of a ring of 256 fibers";
inline side own_switch_side() {
  constexpr int fibers = 256;
  constexpr int laps = 400;
  const auto ring = std::make_shared<own_ring>(fibers);
  return [ring] { return ring->measure(laps); };
}

}  // namespace bench
