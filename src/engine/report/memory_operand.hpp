// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The address that an x86-64 instruction accesses. A general protection fault does not report it, but it distinguishes
// a misaligned vector access from a non-canonical address.
#pragma once

#include <cstdint>
#include <optional>

namespace cohort::engine {

// The address of the memory operand of the instruction at `code`. `registers` are rax, rcx, rdx, rbx, rsp, rbp, rsi,
// rdi, r8 to r15, as instructions number them. Empty for instructions without a ModRM operand, for segment overrides,
// and for gathers and scatters. Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, chapter
// 2.
std::optional<uint64_t> memory_operand(const unsigned char* code, const uint64_t (&registers)[16]);

// Whether the upper 17 bits of an address are equal, as the processor demands.
inline bool is_canonical(uint64_t address) {
  return static_cast<uint64_t>(static_cast<int64_t>(address << 16) >> 16) == address;
}

}  // namespace cohort::engine
