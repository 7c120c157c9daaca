// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/pool/pool_file.hpp"

#include <unistd.h>

#include "runtime/guard/pages.hpp"

namespace cohort::runtime {

namespace {

// The offset of the memory in a file for `bytes` of memory.
size_t header_bytes(size_t bytes) { return page_bytes() + whole_pages(bytes / page_bytes() * sizeof(ipc_entry)); }

}  // namespace

std::unique_ptr<pool_file> pool_file::make(int device, size_t most_bytes) {
  // Twice the size, because free ranges may be too short for an allocation.
  const size_t bytes = whole_pages(most_bytes) * 2;
  std::unique_ptr<pool_file> made(new pool_file);
  made->file_ = memory_file::make(header_bytes(bytes), bytes);
  if (!made->file_) return nullptr;
  made->descriptor_ = made->file_->descriptor();
  made->header_ = {ipc_kind::pool, device, this_process().number, 0, {random_key(), header_bytes(bytes), bytes}};
  return write_header(made->descriptor_, made->header_) ? std::move(made) : nullptr;
}

std::unique_ptr<pool_file> pool_file::open(int descriptor) {
  std::unique_ptr<pool_file> made(new pool_file);
  if (!read_header(descriptor, ipc_kind::pool, &made->header_)) return nullptr;
  const ipc_entry& contents = made->header_.contents;
  if (contents.bytes % page_bytes() != 0 || contents.offset != header_bytes(contents.bytes)) return nullptr;
  made->descriptor_ = duplicate_descriptor(descriptor);
  return made->descriptor_ >= 0 ? std::move(made) : nullptr;
}

pool_file::~pool_file() {
  if (!file_ && descriptor_ >= 0) close(descriptor_);
}

uint64_t pool_file::place_of_entry(uint64_t offset) const {
  return page_bytes() + (offset - header_.contents.offset) / page_bytes() * sizeof(ipc_entry);
}

std::optional<uint64_t> pool_file::take(size_t bytes) {
  return file_ && bytes <= header_.contents.bytes ? file_->take(whole_pages(bytes)) : std::nullopt;
}

void pool_file::give_back(uint64_t offset, size_t bytes) {
  if (!file_ || !file_->is_own()) return;
  ipc_entry known;
  const uint64_t place = place_of_entry(offset);
  if (read_entry(descriptor_, place, &known) && !known.key.empty()) write_entry(descriptor_, place, {});
  file_->give_back(offset, whole_pages(bytes));
}

std::optional<ipc_entry> pool_file::share(uint64_t offset, size_t bytes) {
  ipc_entry entry;
  const uint64_t place = place_of_entry(offset);
  if (read_entry(descriptor_, place, &entry) && !entry.key.empty()) return entry;
  entry = {random_key(), offset, bytes};
  return write_entry(descriptor_, place, entry) ? std::optional(entry) : std::nullopt;
}

bool pool_file::has(const ipc_entry& entry) const {
  const ipc_entry& contents = header_.contents;
  if (entry.key.empty() || entry.offset < contents.offset || entry.offset % page_bytes() != 0) return false;
  const uint64_t begin = entry.offset - contents.offset;
  if (entry.bytes == 0 || begin >= contents.bytes || entry.bytes > contents.bytes - begin) return false;
  ipc_entry found;
  return read_entry(descriptor_, place_of_entry(entry.offset), &found) && found == entry;
}

}  // namespace cohort::runtime
