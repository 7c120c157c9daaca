// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The border between the engine and launches over several processes. A world is a list of processes, each with the same
// number of virtual devices; each device of each process is a rank. The engine has no network: the program passes it
// one as a table of functions. Every function here that takes a world is collective: all processes call it in one
// order, and a process that does not call within COHORT_TIMEOUT seconds is reported as lost.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "port.hpp"

// The unit of the counts in cohort_network (port/host.inc), in bytes.
enum { cohort_network_unit = 64 };

struct cohort_world;

extern "C" {
// Number of processes that a launcher (mpirun, srun, cohort run) started together with this one; 1 without a launcher.
uint32_t cohort_launched_processes(void);
// Whether processes of one host are to access each other's symmetric memory (COHORT_WORLD_SHARED).
int cohort_world_shares_memory(void);

// Makes the world of the network's processes, or of this process only (`network` null). The world then owns the
// network, even after an error.
int cohort_world_open(const struct cohort_network* network, struct cohort_world** world);
// Frees the world once all processes have called this.
int cohort_world_close(struct cohort_world* world);

uint32_t cohort_world_ranks(const struct cohort_world* world);        // ranks of all processes
uint32_t cohort_world_first_rank(const struct cohort_world* world);   // first rank of this process
uint32_t cohort_world_local_ranks(const struct cohort_world* world);  // ranks of each process
// 1 after a process was lost: every later call fails.
int cohort_world_is_lost(const struct cohort_world* world);
// Keeps this process alive after a loss. Otherwise the loss is reported and cohort_network::abort called.
void cohort_world_keep_after_loss(struct cohort_world* world, int keep);

// Symmetric memory: `bytes` zero-filled bytes for each rank. `memory` is that of this process's first rank.
int cohort_world_allocate(struct cohort_world* world, size_t bytes, void** memory);
int cohort_world_free(struct cohort_world* world, void* memory);
// Address of the location in the memory of rank `rank`; null if it cannot be accessed from this process, or if
// `address` is no symmetric memory of this process. Not collective.
void* cohort_world_on(const struct cohort_world* world, const void* address, uint32_t rank);

// Returns the smallest `value` of all processes.
int cohort_world_smallest(struct cohort_world* world, uint64_t value, uint64_t* smallest);
// Runs one cooperative launch on each of this process's `count` devices, together with those of the other processes.
// All have one kernel, grid, block and shared memory. All processes return an error if one does.
int cohort_run_world(struct cohort_world* world, const struct cohort_launch* launches, uint32_t count);
// Called instead of cohort_run_world in a process that cannot launch: the other processes return an error.
int cohort_world_refuse(struct cohort_world* world, int error);
// Number of calls of cohort_run_world and cohort_world_refuse that have begun. Not collective.
uint64_t cohort_world_launches(const struct cohort_world* world);
}
