// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's side: launches and devices. All functions return CUDA's own error numbers, 0 for success.
#pragma once

#include "kernel.hpp"

#include "structures_begin.inc"

#include "host.inc"

#include "structures_end.inc"

extern "C" {
int cohort_device_count(void);
const struct cohort_device* cohort_device_get(int device);  // null for a number out of range
void cohort_set_stack_bytes(int device, size_t bytes);      // the next launch uses it; rounded up

// Makes reports of illegal accesses add the text that `describe` writes about the address, in at most `size` bytes; an
// empty text adds nothing. It is called outside of signal handlers, on the thread of a worker.
void cohort_describe_addresses_by(void (*describe)(const void* address, char* text, size_t size));

// Number of blocks of `threads` threads that one SM holds at once; 0 if not even one fits.
int cohort_max_blocks_per_sm(const struct cohort_kernel* kernel, int device, uint32_t threads,
                             size_t dynamic_shared_bytes);

// Number of clusters of `cluster_blocks` blocks that are resident at once: at least one, if one block fits.
int cohort_max_clusters(const struct cohort_kernel* kernel, int device, uint32_t threads, size_t dynamic_shared_bytes,
                        uint32_t cluster_blocks);

// Checks the launch (grid, block, clusters, shared memory, residency) without starting it.
int cohort_check_launch(const struct cohort_launch* launch);
// Checks the launch, runs it, and returns at its end. Callable from any thread; launches on one device run one after
// another.
int cohort_run(const struct cohort_launch* launch);
// Checks or runs one cooperative launch on each of `count` different devices. The launches start and end together and
// form one multi-grid; all have the same grid, block and shared memory.
int cohort_check_multi_device(const struct cohort_launch* launches, uint32_t count);
int cohort_run_multi_device(const struct cohort_launch* launches, uint32_t count);

// Returns a number below `count` that the seed of COHORT_SCHEDULE determines, 0 without a seed: the order of work that
// may run in any order.
uint32_t cohort_select_number(uint32_t count);

// Copies the process's newest report ("" if none), at most `size` bytes with a closing zero; returns the full length.
size_t cohort_copy_last_report(char* buffer, size_t size);
}
