// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/virtual/physical_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include "runtime/memory/allocation_table.hpp"

namespace cohort::runtime {

namespace {

constexpr size_t least_file_bytes = size_t{1} << 36;

// The files of memory that is not shareable. Many allocations share one, because a process may have few open files.
// Never destroyed.
struct private_files {
  std::mutex mutex;
  std::vector<std::shared_ptr<memory_file>> all;

  std::shared_ptr<memory_file> take(size_t bytes, uint64_t* offset) {
    const std::lock_guard lock(mutex);
    for (const auto& file : all) {
      if (const auto found = file->take(bytes)) {
        *offset = *found;
        return file;
      }
    }
    for (size_t size = std::max(bytes, least_file_bytes); size >= bytes; size /= 2) {
      auto made = memory_file::make(0, size / physical_granularity * physical_granularity);
      const auto found = made ? made->take(bytes) : std::nullopt;
      if (!found) continue;
      all.push_back(made);
      *offset = *found;
      return made;
    }
    return nullptr;
  }
};

std::shared_ptr<memory_file> take_private(size_t bytes, uint64_t* offset) {
  static private_files* const files = new private_files;
  return files->take(bytes, offset);
}

// The header takes a granule, so the contents can use huge pages.
std::shared_ptr<memory_file> make_shareable(int device, size_t bytes, ipc_key* key, uint64_t* offset) {
  auto made = memory_file::make(physical_granularity, bytes);
  const auto found = made ? made->take(bytes) : std::nullopt;
  if (!found) return nullptr;
  *offset = *found;
  *key = random_key();
  const descriptor_header header{ipc_kind::physical, device, this_process().number, 0, {*key, *found, bytes}};
  return write_header(made->descriptor(), header) ? made : nullptr;
}

std::atomic<memory_handle> last_handle{0};

}  // namespace

physical_memory::physical_memory() : handle_(++last_handle) {}

std::shared_ptr<physical_memory> physical_memory::make(int device, size_t bytes, bool shareable) {
  auto& allocations = allocation_table::instance();
  if (!allocations.charge(device, bytes)) return nullptr;
  std::shared_ptr<physical_memory> made(new physical_memory);
  made->file_ =
      shareable ? make_shareable(device, bytes, &made->key_, &made->offset_) : take_private(bytes, &made->offset_);
  if (!made->file_) {
    allocations.discharge(device, bytes);
    return nullptr;  // `made` owns nothing yet
  }
  made->descriptor_ = made->file_->descriptor();
  made->bytes_ = bytes;
  made->device_ = device;
  return made;
}

std::shared_ptr<physical_memory> physical_memory::open(int file, const descriptor_header& header) {
  const int descriptor = duplicate_descriptor(file);
  if (descriptor < 0) return nullptr;
  std::shared_ptr<physical_memory> made(new physical_memory);
  made->descriptor_ = descriptor;
  made->key_ = header.contents.key;
  made->offset_ = header.contents.offset;
  made->bytes_ = header.contents.bytes;
  made->device_ = header.device;
  return made;
}

std::shared_ptr<physical_memory> physical_memory::make_multicast(unsigned int devices, size_t bytes) {
  std::shared_ptr<physical_memory> made(new physical_memory);
  made->bytes_ = bytes;
  made->multicast_ = std::make_unique<multicast_object>(devices, bytes);
  return made;
}

physical_memory::~physical_memory() {
  if (!file_) {
    if (descriptor_ >= 0) close(descriptor_);
    return;
  }
  // Other processes may still use shareable memory; its file ends with its last descriptor.
  if (!is_shareable()) file_->give_back(offset_, bytes_);
  allocation_table::instance().discharge(device_, bytes_);
}

}  // namespace cohort::runtime
