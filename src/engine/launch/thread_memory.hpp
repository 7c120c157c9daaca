// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory for the threads of resident blocks: its size, and how many blocks fit into it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace cohort::engine {

struct thread_memory {
  uint64_t resident_bytes;  // resident memory
  uint64_t address_bytes;   // address space
};

// The share of the threads on each of `devices` devices: three quarters of the memory of the machine or the control
// group, and a part of the address space that the process may map. The program's own data needs the rest.
thread_memory find_thread_memory(int devices);

// How many blocks of `threads` threads fit, with `shared_bytes` of shared memory and all threads suspended.
uint64_t blocks_that_fit(const thread_memory& memory, uint32_t threads, size_t shared_bytes, size_t stack_bytes);

// The limit of memory for the control groups in `list`, which has the form of /proc/self/cgroup, below `root`, where
// they are mounted; ~0 if there is none.
uint64_t control_group_limit(const std::string& list, const std::string& root);

}  // namespace cohort::engine
