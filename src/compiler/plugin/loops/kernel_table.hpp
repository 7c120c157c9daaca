// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of a kernel, a constant cohort_kernel (machine/cpu/port.hpp), after module_tables.cpp has made it: which
// ways to run a block it names, and the size of the frame.
#pragma once

#include <cstdint>
#include <vector>

namespace llvm {
class Constant;
class Function;
class GlobalVariable;
}  // namespace llvm

namespace cohort {

// The function that runs all threads of a block, as a loop or as gangs.
enum class block_way { loop, gangs };
bool has_block_entry(const llvm::GlobalVariable& table);
void set_block_entry(llvm::GlobalVariable& table, llvm::Function& entry, block_way way);

void set_local_bytes(llvm::GlobalVariable& table, uint32_t bytes);
// The functions that run a thread, a block or a gang of the kernel.
std::vector<const llvm::Function*> kernel_entries(const llvm::GlobalVariable& table);
// @param has_memory the kernel's entries, or functions that they call, may have pointers into their stack
void set_stack_need(llvm::GlobalVariable& table, uint32_t bytes, bool has_memory);

// The array of cohort_gang_version; null if the kernel has none.
const llvm::GlobalVariable* gang_versions(const llvm::GlobalVariable& table);
void set_gang_versions(llvm::GlobalVariable& table, llvm::GlobalVariable& versions, uint32_t count);

}  // namespace cohort
