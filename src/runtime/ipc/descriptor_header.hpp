// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The header of a file whose descriptor a program passes to other processes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/ipc/shared_file.hpp"

namespace cohort::runtime {

struct descriptor_header {
  ipc_kind kind{};
  int32_t device = 0;          // number in the process that made the file
  int32_t process_number = 0;  // the process that made the file
  uint32_t unused = 0;
  ipc_entry contents;  // the range after all headers
};

bool write_header(int file, const descriptor_header& header);
// Reads the header of a descriptor from another program. False if it is no open file of this kind, if the file is not
// writable, or if it lacks its contents or could lose them.
bool read_header(int file, ipc_kind kind, descriptor_header* header);

// A new descriptor of the same file; -1 if the system refuses it.
int duplicate_descriptor(int file);

}  // namespace cohort::runtime
