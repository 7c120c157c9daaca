// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reserved addresses and the physical memory that is mapped there. A mapping is an entry of the allocation table too,
// so copies, attributes and reports find it. All of it belongs to the process and survives the reset of a device.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>

#include "cuda_runtime_api.h"
#include "runtime/memory/virtual/physical_memory.hpp"
#include "runtime/memory/virtual/reserved_addresses.hpp"
#include "runtime/state/access_rights.hpp"

namespace cohort::runtime {

// A reservation around an address, and the mapping there if there is one.
struct reserved_place {
  char* base = nullptr;
  size_t bytes = 0;
  std::shared_ptr<physical_memory> memory;  // null: nothing is mapped at the address
  char* mapping = nullptr;
  size_t mapped_bytes = 0;
  access_rights rights;
};

class address_space {
 public:
  // The only address space. Made at the first use, never destroyed.
  static address_space& instance();

  // Take the sizes and addresses of CUDA's calls. A wrong one returns cudaErrorInvalidValue and changes nothing.
  cudaError_t reserve(size_t bytes, size_t alignment, char* hint, char** base);
  cudaError_t free(char* base, size_t bytes);
  cudaError_t map(char* first, size_t bytes, const std::shared_ptr<physical_memory>& memory);
  // Remove and change mappings. pre, for both: no pending operation may access the range, unless rights only grow
  cudaError_t unmap(char* first, size_t bytes);
  cudaError_t set_access(char* first, size_t bytes, std::span<const cudaMemAccessDesc> changes);

  // Finds the reservation around an address. False if the address is not reserved.
  bool find(const void* address, reserved_place* found) const;
  // A writable address of `bytes` at `offset` of the memory; null if none is mapped.
  char* find_mapping(const physical_memory& memory, size_t offset, size_t bytes) const;
  // Whether a device may access all bytes of the range.
  bool permits(const void* first, size_t bytes, bool writes) const;

 private:
  struct mapping {
    size_t bytes = 0;
    std::shared_ptr<physical_memory> memory;
    access_rights rights;
  };
  using mappings = std::map<char*, mapping>;

  bool is_reserved(const char* first, size_t bytes) const;
  bool is_mapped(const char* first, size_t bytes) const;
  mappings::iterator find_whole(char* first, size_t bytes);

  mutable std::mutex mutex_;
  reserved_addresses addresses_;
  std::map<char*, size_t> reservations_;
  mappings mappings_;
  std::atomic<bool> is_used_{false};  // a reservation was made; else lookups need no lock
};

}  // namespace cohort::runtime
