// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The measured kernels, compiled by cohortcc.
#include "kernel_bodies.hpp"
#include "kernels.hpp"
#include "launch.cuh"

namespace bench {

namespace {

// Results are stored here so that they are not optimized away. All blocks write the same few words.
__device__ float result_float;
__device__ int result_int;

__global__ void block_sync_kernel(int rounds) { block_sync_rounds(rounds); }
__global__ void reduce_float_kernel(int rounds) { reduce_rounds(rounds, &result_float); }
__global__ void reduce_int_kernel(int rounds) { reduce_rounds(rounds, &result_int); }
__global__ void shuffle_kernel(int rounds) { shuffle_rounds(rounds, &result_int); }
__global__ void wait_once_kernel() { wait_once_body(&result_int); }
__global__ void never_wait_kernel() {
  if (threadIdx.x == 0) result_int = 1;
}

}  // namespace

const char* cohortcc_version() { return __VERSION__; }

namespace by_cohortcc {

void block_sync(int blocks, int threads, int rounds) {
  launch("block_sync", count(blocks), count(threads), block_sync_kernel, rounds);
}
void reduce_float(int blocks, int rounds) { launch("reduce_float", count(blocks), 32, reduce_float_kernel, rounds); }
void reduce_int(int blocks, int rounds) { launch("reduce_int", count(blocks), 32, reduce_int_kernel, rounds); }
void shuffle(int blocks, int rounds) { launch("shuffle", count(blocks), 32, shuffle_kernel, rounds); }
void wait_once(int blocks, int threads) { launch("wait_once", count(blocks), count(threads), wait_once_kernel); }
void never_wait(int blocks, int threads) { launch("never_wait", count(blocks), count(threads), never_wait_kernel); }

}  // namespace by_cohortcc

}  // namespace bench
