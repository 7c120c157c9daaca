// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The owners of addresses. The guard names memory in its reports by what the owners write about an address, so the
// rooms that own memory lie above the guard.
#pragma once

#include <string>

namespace cohort::runtime {

struct device_state;

// How an address lies to the memory that an owner describes. A later value is the better description.
enum class nearness : unsigned char {
  none,    // the owner has no memory near it
  far,     // among the addresses of all owners: the nearest memory of this owner
  beside,  // in the pages around the owner's memory, where no other owner has any
  inside,  // in the owner's memory
};

struct address_description {
  nearness where = nearness::none;
  std::string text{};                // half a sentence; empty where the address is accessible, so it is not the fault
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

// Called by each owner before it has memory. `owner` is never destroyed.
void add_memory_owner(owner_kind kind, const memory_owner& owner);

// Writes a report about overwritten bytes, and fails the device with cudaErrorIllegalAddress as an illegal access of a
// kernel does. `place`: "12 bytes behind the end of 64 bytes at 0x7f0000001000".
void report_damage(const std::string& place, device_state& device);

}  // namespace cohort::runtime
