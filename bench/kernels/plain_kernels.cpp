// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The measured kernels as plain C++, launched with cohort::launch.
#include <cohort/launch.hpp>
#include <cstdio>
#include <cstdlib>

#include "kernel_bodies.hpp"
#include "kernels.hpp"

namespace bench {

namespace {

float result_float;
int result_int;

void block_sync_kernel(int rounds) { block_sync_rounds(rounds); }
void reduce_float_kernel(int rounds) { reduce_rounds(rounds, &result_float); }
void reduce_int_kernel(int rounds) { reduce_rounds(rounds, &result_int); }
void shuffle_kernel(int rounds) { shuffle_rounds(rounds, &result_int); }
void wait_once_kernel() { wait_once_body(&result_int); }
void never_wait_kernel() {
  if (cohort::this_thread_block().thread_rank() == 0) result_int = 1;
}

template <class... Parameters, class... Arguments>
void launch(const char* name, int blocks, int threads, void (*kernel)(Parameters...), Arguments... arguments) {
  const cohort::error error =
      cohort::launch(static_cast<unsigned>(blocks), static_cast<unsigned>(threads), kernel, arguments...);
  if (!error) return;
  std::fprintf(stderr, "cohort_bench: %s (plain C++) failed: %s\n", name, cohort::message(error));
  std::exit(1);
}

}  // namespace

const kernel_set cohortcc_kernels = {
    "cohortcc",           by_cohortcc::block_sync, by_cohortcc::reduce_float, by_cohortcc::reduce_int,
    by_cohortcc::shuffle, by_cohortcc::wait_once,  by_cohortcc::never_wait};

const kernel_set plain_kernels = {
    "g++",
    [](int blocks, int threads, int rounds) { launch("block_sync", blocks, threads, block_sync_kernel, rounds); },
    [](int blocks, int rounds) { launch("reduce_float", blocks, 32, reduce_float_kernel, rounds); },
    [](int blocks, int rounds) { launch("reduce_int", blocks, 32, reduce_int_kernel, rounds); },
    [](int blocks, int rounds) { launch("shuffle", blocks, 32, shuffle_kernel, rounds); },
    [](int blocks, int threads) { launch("wait_once", blocks, threads, wait_once_kernel); },
    [](int blocks, int threads) { launch("never_wait", blocks, threads, never_wait_kernel); },
};

}  // namespace bench
