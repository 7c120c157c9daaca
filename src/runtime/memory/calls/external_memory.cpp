// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of other processes and interfaces that a file descriptor names. It is a file in memory: physical memory that
// cuMemExportToShareableHandle has exported, or any other file that can be mapped.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <mutex>
#include <unordered_map>

#include "runtime/guard/pages.hpp"
#include "runtime/ipc/descriptor_header.hpp"
#include "runtime/memory/allocation_table.hpp"
#include "runtime/schedule/api_call.hpp"

namespace cohort::runtime {

namespace {

struct external_memory {
  int file;        // descriptor, owned by the object
  uint64_t first;  // where the contents begin in the file
  uint64_t bytes;
  int exporter;  // the number of the process that exported it; 0: not a process of Cohort

  ~external_memory() { close(file); }
};

struct external_table {
  std::mutex mutex;
  std::unordered_map<cudaExternalMemory_t, std::unique_ptr<external_memory>> all;
};

// The only table. Never destroyed.
external_table& table() {
  static external_table* const only = new external_table;
  return *only;
}

bool is_known(cudaExternalMemoryHandleType type) {
  return type >= cudaExternalMemoryHandleTypeOpaqueFd && type <= cudaExternalMemoryHandleTypeNvSciBuf;
}

// Where the contents of an exported file begin, and how many bytes there are.
cudaError_t find_contents(int file, uint64_t* first, uint64_t* bytes, int* exporter) {
  descriptor_header header;
  if (read_header(file, ipc_kind::physical, &header)) {
    *first = header.contents.offset;
    *bytes = header.contents.bytes;
    *exporter = header.process_number;
    return header.device >= 0 && header.device < device_count() ? cudaSuccess : cudaErrorNotSupported;
  }
  struct stat state{};
  const bool is_usable =
      fstat(file, &state) == 0 && S_ISREG(state.st_mode) && (fcntl(file, F_GETFL) & O_ACCMODE) == O_RDWR;
  if (!is_usable) return cudaErrorInvalidValue;
  *first = 0;
  *bytes = static_cast<uint64_t>(state.st_size);
  *exporter = 0;
  return cudaSuccess;
}

// Calls `body(const external_memory&)` for live memory under the lock of all memory.
template <class Body>
cudaError_t with_memory(cudaExternalMemory_t handle, Body&& body) {
  const std::lock_guard lock(table().mutex);
  const auto at = table().all.find(handle);
  return at == table().all.end() ? cudaErrorInvalidResourceHandle : body(*at->second);
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaImportExternalMemory(cudaExternalMemory_t* made, const cudaExternalMemoryHandleDesc* desc) {
  return device_call([&] {
    if (!made || !desc || !is_known(desc->type)) return cudaErrorInvalidValue;
    if (desc->type != cudaExternalMemoryHandleTypeOpaqueFd) return cudaErrorNotSupported;
    if (desc->flags & ~static_cast<unsigned>(cudaExternalMemoryDedicated)) return cudaErrorInvalidValue;
    auto fresh = std::make_unique<external_memory>(external_memory{-1, 0, 0, 0});
    uint64_t bytes = 0;
    const cudaError_t error = find_contents(desc->handle.fd, &fresh->first, &bytes, &fresh->exporter);
    if (error != cudaSuccess) return error;
    if (desc->size == 0 || desc->size > bytes) return cudaErrorInvalidValue;
    fresh->bytes = desc->size;
    fresh->file = desc->handle.fd;
    const auto handle = reinterpret_cast<cudaExternalMemory_t>(fresh.get());
    const std::lock_guard lock(table().mutex);
    table().all.emplace(handle, std::move(fresh));
    *made = handle;
    return cudaSuccess;
  });
}

cudaError_t cudaExternalMemoryGetMappedBuffer(void** memory, cudaExternalMemory_t handle,
                                              const cudaExternalMemoryBufferDesc* desc) {
  return device_call([&] {
    if (!memory || !desc || desc->flags != 0) return cudaErrorInvalidValue;
    return with_memory(handle, [&](const external_memory& from) {
      const bool is_inside = desc->size > 0 && desc->size <= from.bytes && desc->offset <= from.bytes - desc->size;
      if (!is_inside || desc->offset % page_bytes() != 0) return cudaErrorInvalidValue;
      allocation described;
      described.bytes = desc->size;
      described.kind = memory_kind::opened;
      described.device = current_device().index;
      described.exporter = from.exporter;
      described.external = true;
      return allocation_table::instance().map_file(from.file, from.first + desc->offset, described, memory);
    });
  });
}

cudaError_t cudaDestroyExternalMemory(cudaExternalMemory_t handle) {
  return device_call([&] {
    const std::lock_guard lock(table().mutex);
    return table().all.erase(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

}  // extern "C"
