// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unordered accesses that do not race.
#pragma once

#include "check/memory/address_filter.hpp"
#include "check/memory/record.hpp"

namespace cohort::check {

// Addresses that a loop has polled. A volatile store to such an address sets a flag.
inline address_filter polled;
// Addresses that the host has written by an atomic or volatile access.
inline address_filter flags_of_host;

// True for two atomics, and for a volatile access together with a volatile load that a loop polls.
inline bool both_strong(uint8_t a, uint8_t b) {
  return (a & b & is_strong) || ((a & b & is_volatile) && ((a | b) & is_strong));
}

// True for a bulk copy into a matrix and a product of which another warp had ended its wait: a wait of one warp shows
// that the warpgroup's product is complete.
inline bool is_copy_after_product(uint8_t a, uint8_t b) {
  return is_by_async_proxy(a) && is_by_async_proxy(b) && ((a ^ b) & is_write);
}

// True if both_strong() or is_copy_after_product() is, and for two volatile accesses to a flag.
inline bool is_race_free_pair(uint8_t a, uint8_t b, uintptr_t address) {
  return both_strong(a, b) || is_copy_after_product(a, b) || ((a & b & is_volatile) && polled.may_contain(address));
}

}  // namespace cohort::check
