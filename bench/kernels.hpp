// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The measured kernels, as host functions that launch and wait: from kernels.cu (cohortcc) and plain_kernels.cpp
// (the host's C++ compiler). A failed launch ends the program with the error.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bench {

const char* cohortcc_version();

// Each function runs `rounds` rounds in each of `blocks` blocks.
struct kernel_set {
  const char* compiler;
  void (*block_sync)(int blocks, int threads, int rounds);
  void (*reduce_float)(int blocks, int rounds);  // blocks of one warp
  void (*reduce_int)(int blocks, int rounds);
  void (*shuffle)(int blocks, int rounds);
  void (*wait_once)(int blocks, int threads);   // memory: every thread waits
  void (*never_wait)(int blocks, int threads);  // memory: none does, and the compiler has not proved it
};

extern const kernel_set cohortcc_kernels;
extern const kernel_set plain_kernels;

// The members of cohortcc_kernels, defined in kernels.cu.
namespace by_cohortcc {
void block_sync(int blocks, int threads, int rounds);
void reduce_float(int blocks, int rounds);
void reduce_int(int blocks, int rounds);
void shuffle(int blocks, int rounds);
void wait_once(int blocks, int threads);
void never_wait(int blocks, int threads);
}  // namespace by_cohortcc

// Values travel through shared memory, two barriers a round: the work that the OpenCL peer does.
void exchange(int blocks, int threads, int rounds);
// Each thread writes its rank in the grid; block b at b % slots * threads.
void write_ids(int32_t* out, uint32_t blocks, uint32_t threads, uint32_t slots);
// One block for each batch: every thread adds its elements, then a tree in shared memory.
void batched_sum(const float* in, float* out, size_t batches, size_t elements);

}  // namespace bench
