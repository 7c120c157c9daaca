// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vectors of a CPU, as far as gangs depend on them. These are data without LLVM. One file describes the CPUs of one
// architecture, and no other file of gang/ names a feature, a register or an instruction of a CPU.
#pragma once

#include <string_view>

namespace cohort {

// Vector registers for the values that a loop keeps; the other registers are for what an iteration computes.
struct loop_registers {
  unsigned bits;   // bits of one register
  unsigned count;  // number of registers
};

// Costs in instructions of a core whose vectors have `vector_bits`. The numbers are measured on a Zen 5.
struct lane_costs {
  double vector_bits = 512;
  double gather = 1.5;       // scalar accesses that one lane of a gather takes
  double scatter = 2;        // scalar accesses that one lane of a scatter takes
  double lane_overhead = 4;  // the cost of one lane's turn, without the call itself
  double branch = 6;         // the cost of a branch that computes masks
  double call = 20;
  double division = 6;  // the cost of a division of integers
  double barrier = 15;
  // Cost of a thread that walks over adjacent elements: a loop over the threads has cache lines for each, and LLVM
  // vectorizes it.
  double walk = 12;
};

// The instructions that permute 32 values by computed lanes: by tables of two registers with AVX-512, of one with AVX2.
enum class lane_permutation { in_memory, avx2, avx512 };

struct vector_target {
  loop_registers registers;
  unsigned widest_gang;          // lanes of a gang for which no width is forced
  unsigned widest_waiting_gang;  // the same for a kernel that waits and runs nothing lane by lane
  // Factor by which vector code takes longer than the costs predict, relative to a loop that LLVM vectorizes.
  double slowdown;
  // LLVM keeps vectors of so many bits in one register only in functions with an attribute; 0: in all functions.
  unsigned stated_vector_bits;
  bool has_mask_registers = false;  // masks have a bit for each lane: accesses, gathers and scatters take such masks
  bool gathers = false;             // loads of 4 and 8 bytes at any addresses
  bool broadcasts_masks = false;    // an instruction copies a mask register to all elements of a vector
  lane_permutation permutation = lane_permutation::in_memory;
  lane_costs costs = {};
};

// The target of code for an architecture, such as "x86_64", with a list of features, such as "+avx2,-avx512f".
vector_target vector_target_for(std::string_view architecture, std::string_view features);

// One row for each architecture. The descriptions stand in x86.cpp and aarch64.cpp.
vector_target x86_target(std::string_view features);
vector_target aarch64_target(std::string_view features);

}  // namespace cohort
