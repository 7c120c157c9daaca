// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The owners of addresses. Reports of the guard use the owners' descriptions of an address, so rooms that own memory
// can be above the guard.
#pragma once

#include <string>

namespace cohort::runtime {

struct device_state;

// Position of an address relative to an owner's memory. A later value is the better description.
enum class nearness : unsigned char {
  none,    // the owner has no memory near it
  far,     // the address is among those of all owners; the text names this owner's nearest memory
  beside,  // the address is in the pages around the owner's memory, which no other owner uses
  inside,  // the address is in the owner's memory
};

struct address_description {
  nearness where = nearness::none;
  std::string text{};                // half a sentence; empty for an accessible address, which cannot be the fault
  const void* allocation = nullptr;  // the base of the allocation that the text names, if it has a history
};

struct memory_owner {
  address_description (*describe)(const void* address) = nullptr;
  // Reports overwritten filler bytes of a device's memory with report_damage(). Null: the owner has no filler bytes.
  void (*check_damage)(device_state& device) = nullptr;
};

// All owners, in the order in which the guard calls them.
enum class owner_kind : unsigned char {
  reserved_addresses,
  graphs,
  allocations,
  variables,
  freed_allocations,
  kernel_heap,
  count,
};

// Adds an owner. Called before the owner has memory. `owner` is never destroyed.
void add_memory_owner(owner_kind kind, const memory_owner& owner);

// Reports overwritten bytes, and fails the device with cudaErrorIllegalAddress as an illegal access of a kernel does.
// `place`: for example "12 bytes behind the end of 64 bytes at 0x7f0000001000".
void report_damage(const std::string& place, device_state& device);

}  // namespace cohort::runtime
