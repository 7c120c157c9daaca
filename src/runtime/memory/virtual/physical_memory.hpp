// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Physical memory, made by cuMemCreate or opened by an import. It is a range of a file and has no address. Handles and
// mappings share its ownership. Multicast objects have handles of the same kind, and are mapped by the same calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "runtime/ipc/descriptor_header.hpp"
#include "runtime/ipc/memory_file.hpp"
#include "runtime/memory/virtual/multicast.hpp"

namespace cohort::runtime {

// Sizes and addresses of physical memory are multiples of this size, as on GPUs.
constexpr size_t physical_granularity = size_t{2} << 20;

using memory_handle = uint64_t;

class physical_memory {
 public:
  // Makes memory that counts towards the memory size of `device`. Shareable memory has a file of its own. Null if the
  // device or the system has too little. pre: `bytes` is a positive multiple of physical_granularity
  static std::shared_ptr<physical_memory> make(int device, size_t bytes, bool shareable);
  // Opens memory in a file that another process has exported. Null if the system has no descriptor left. pre:
  // read_header() has read `header` from the file
  static std::shared_ptr<physical_memory> open(int file, const descriptor_header& header);
  // Makes the handle of a multicast object of `bytes` for `devices` devices. It has addresses and no memory.
  static std::shared_ptr<physical_memory> make_multicast(unsigned int devices, size_t bytes);
  ~physical_memory();
  physical_memory(const physical_memory&) = delete;
  physical_memory& operator=(const physical_memory&) = delete;

  memory_handle handle() const { return handle_; }  // unique in this process
  size_t bytes() const { return bytes_; }
  int device() const { return device_; }
  bool is_shareable() const { return !key_.empty(); }
  const ipc_key& key() const { return key_; }  // empty if the memory is not shareable
  int descriptor() const { return descriptor_; }
  uint64_t offset() const { return offset_; }
  multicast_object* multicast() const { return multicast_.get(); }  // null for memory

 private:
  physical_memory();

  const memory_handle handle_;
  std::shared_ptr<memory_file> file_;  // null for imported memory
  int descriptor_ = -1;                // owned by this object if the memory is imported
  uint64_t offset_ = 0;
  size_t bytes_ = 0;
  int device_ = 0;
  ipc_key key_;
  std::unique_ptr<multicast_object> multicast_;
};

}  // namespace cohort::runtime
