// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The virtual devices, all alike: made once, from the defaults and the COHORT_* environment variables.
#pragma once

#include <cohort/machine/cpu/port.hpp>
#include <cstddef>
#include <cstdint>

namespace cohort::engine {

int device_count();
// The description of a device; null for a number out of range.
const cohort_device* find_device(int device);

// The number of blocks of `threads` threads with `shared_bytes` of shared memory that one SM holds at once, by its
// architecture.
int blocks_per_sm(const cohort_device& device, uint32_t threads, size_t shared_bytes);
// blocks_per_sm(), or fewer if the machine lacks memory for the stacks of so many blocks on each SM (stack_bytes() for
// each thread). pre: the device exists
int resident_blocks_per_sm(int device, uint32_t threads, size_t shared_bytes);

// The most blocks of a plain grid that the device holds while those that have begun only spin: as many as a large GPU,
// if the memory suffices.
uint64_t blocks_beside_spinners(int device, uint32_t threads, size_t shared_bytes);

// The number of multiprocessors that a launch may use.
uint64_t multiprocessors_of(const cohort_launch& launch, const cohort_device& device);

// The number of clusters of `cluster_blocks` blocks that are resident at once. A cluster fits wherever its blocks fit
// one by one.
uint64_t resident_clusters(uint64_t multiprocessors, int blocks_per_sm, uint32_t cluster_blocks);

// Stack size of the next launch. As on a GPU, it grows to the largest need of a launched kernel.
size_t stack_bytes(int device);
// Raises the device's stack size to the need of the kernel. Called before a launch and before an occupancy query. pre:
// the device exists
void provide_stack(int device, const cohort_kernel& kernel);
void set_stack_bytes(int device, size_t bytes);

}  // namespace cohort::engine
