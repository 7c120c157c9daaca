// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files in memory (memfd_create) that processes of one user share, and the 64 bytes that name them.
//
// The other process opens the file as /proc/PID/fd/N. The system permits this to processes of the same user in the same
// PID namespace, under each value of Yama's ptrace_scope, which restricts only attaching. Unlike a socket it needs no
// thread of the owner.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/ipc/process.hpp"

namespace cohort::runtime {

// A random number that identifies a shared range.
struct ipc_key {
  uint64_t words[2] = {0, 0};

  bool empty() const { return words[0] == 0 && words[1] == 0; }
  bool operator==(const ipc_key& other) const = default;
};

ipc_key random_key();

// A shared range of a file. The file holds a copy: a handle whose entry differs is stale or forged.
struct ipc_entry {
  ipc_key key;
  uint64_t offset = 0;
  uint64_t bytes = 0;

  bool operator==(const ipc_entry& other) const = default;
};

enum class ipc_kind : uint32_t {
  memory = 0x4d434f43,
  event = 0x45434f43,
  physical = 0x50434f43,  // cuMemExportToShareableHandle
  pool = 0x4f434f43,      // cudaMemPoolExportToShareableHandle
  pointer = 0x52434f43,   // cudaMemPoolExportPointer
};

// The contents of cudaIpcMemHandle_t and cudaIpcEventHandle_t.
struct ipc_handle {
  ipc_kind kind{};
  int32_t process_number = 0;
  uint64_t process_start = 0;
  ipc_entry entry;
  uint64_t entry_place = 0;  // offset in the file of its copy of the entry
  int32_t file = -1;         // the owner's descriptor
  uint32_t unused = 0;

  process_id owner() const { return {process_number, process_start}; }
};
static_assert(sizeof(ipc_handle) == 64);

// Makes a file of zeros with a fixed size, which only this user can open; -1 if the system refuses it.
int make_shared_file(size_t bytes);
// Opens the file of a handle and checks its entry. -1 if it no longer exists or is another file.
int open_shared_file(const ipc_handle& handle);

bool read_entry(int file, uint64_t place, ipc_entry* entry);
bool write_entry(int file, uint64_t place, const ipc_entry& entry);

}  // namespace cohort::runtime
