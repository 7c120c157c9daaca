// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory transactions of a GPU for one access of a warp. They follow from the addresses of its lanes alone, and are
// the numbers that Nsight Compute derives in its source counters.
#pragma once

#include <array>
#include <cstdint>

namespace cohort::count {

inline constexpr uint32_t lanes_per_warp = 32;
inline constexpr uint32_t bytes_per_sector = 32;
inline constexpr uint32_t bytes_per_line = 128;
inline constexpr uint32_t banks = 32;
inline constexpr uint32_t bytes_per_bank = 4;

// An access of `bytes` bytes, 1 to 16, by the lanes of the mask. The addresses of other lanes have any value.
struct warp_access {
  const std::array<uint64_t, lanes_per_warp>& addresses;
  uint32_t lanes;
  uint32_t bytes;
};

// The cost of an access in global memory: distinct sectors of 32 bytes, and distinct lines of 128 bytes. `ideal`: the
// sectors that the same bytes would take side by side, or the sectors themselves if lanes share them and these are
// fewer.
struct global_cost {
  uint32_t sectors, ideal, tags;
};
global_cost cost_of_global(const warp_access& access);

// Shared memory: 32 banks of 4 bytes. A wavefront serves one word of each bank. Lanes with 8 bytes are served in halves
// of the warp, lanes with 16 bytes in quarters. An atomic operation `is_serial`: a wavefront serves one lane of each
// bank, also of those with one word. Where all lanes have one address, nvcc combines their values, so one lane is left.
struct shared_cost {
  uint32_t wavefronts, ideal;
};
shared_cost cost_of_shared(const warp_access& access, bool is_serial);

// The number of distinct addresses among the active lanes. For an atomic access these are its operations on different
// words.
uint32_t distinct_addresses(const warp_access& access);

}  // namespace cohort::count
