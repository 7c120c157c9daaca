// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file of a pool that processes share: a header, entries of exported allocations, and the memory of all
// allocations. An entry has a place for each page of memory, so that it is found by its allocation's offset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "runtime/ipc/descriptor_header.hpp"
#include "runtime/ipc/memory_file.hpp"

namespace cohort::runtime {

class pool_file {
 public:
  // A file for a pool of `device` whose allocations have up to `most_bytes` together. Null if the system refuses it.
  static std::unique_ptr<pool_file> make(int device, size_t most_bytes);
  // Opens the file of a descriptor from another process. Null if it is no pool's file.
  static std::unique_ptr<pool_file> open(int descriptor);
  ~pool_file();
  pool_file(const pool_file&) = delete;
  pool_file& operator=(const pool_file&) = delete;

  // Takes whole pages for an allocation and returns their offset; nothing if there is no room.
  std::optional<uint64_t> take(size_t bytes);
  // Ends the allocation's entry and gives its memory back.
  void give_back(uint64_t offset, size_t bytes);
  // Makes an entry for an allocation, unless it has one. Returns it; nothing if the system refuses it.
  std::optional<ipc_entry> share(uint64_t offset, size_t bytes);
  // Whether the file has this entry. False for a stale or forged one.
  bool has(const ipc_entry& entry) const;

  int descriptor() const { return descriptor_; }
  int device() const { return header_.device; }
  int process_number() const { return header_.process_number; }
  const ipc_key& key() const { return header_.contents.key; }

 private:
  pool_file() = default;
  uint64_t place_of_entry(uint64_t offset) const;

  std::shared_ptr<memory_file> file_;  // null if another process has made the file
  int descriptor_ = -1;                // owned by this object if file_ is null
  descriptor_header header_;
};

}  // namespace cohort::runtime
