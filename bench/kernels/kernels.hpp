// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host functions that launch the measured kernels and wait for them, compiled by cohortcc (kernels.cu) and by the
// host's C++ compiler (plain_kernels.cpp). A failed launch ends the program with the error.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bench {

const char* cohortcc_version();

// Each function launches `blocks` blocks that run `rounds` rounds.
struct kernel_set {
  const char* compiler;
  void (*block_sync)(int blocks, int threads, int rounds);
  void (*reduce_float)(int blocks, int rounds);  // blocks of one warp
  void (*reduce_int)(int blocks, int rounds);
  void (*shuffle)(int blocks, int rounds);
  void (*wait_once)(int blocks, int threads);  // for the rows of memory: every thread waits
  void (*never_wait)(int blocks,
                     int threads);  // for the rows of memory: no thread waits, but the compiler cannot prove it
};

extern const kernel_set cohortcc_kernels;
extern const kernel_set plain_kernels;

// The functions that cohortcc_kernels points to, defined in kernels.cu.
namespace by_cohortcc {
void block_sync(int blocks, int threads, int rounds);
void reduce_float(int blocks, int rounds);
void reduce_int(int blocks, int rounds);
void shuffle(int blocks, int rounds);
void wait_once(int blocks, int threads);
void never_wait(int blocks, int threads);
}  // namespace by_cohortcc

}  // namespace bench
