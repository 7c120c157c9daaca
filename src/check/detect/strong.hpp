// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unordered accesses that do not race.
#pragma once

#include "check/memory/address_filter.hpp"
#include "check/memory/record.hpp"

namespace cohort::check {

// Addresses that a loop has polled: volatile stores to them are those of a flag.
inline address_filter polled;
// Addresses that the host has written by an atomic or volatile access.
inline address_filter flags_of_host;

// True for two atomics, and for a volatile access together with a volatile load that a loop polls.
inline bool both_strong(uint8_t a, uint8_t b) {
  return (a & b & is_strong) || ((a & b & is_volatile) && ((a | b) & is_strong));
}

// True if both_strong() is, and for two volatile accesses to a flag.
inline bool is_race_free_pair(uint8_t a, uint8_t b, uintptr_t address) {
  return both_strong(a, b) || ((a & b & is_volatile) && polled.may_contain(address));
}

}  // namespace cohort::check
